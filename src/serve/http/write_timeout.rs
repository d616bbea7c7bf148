//! A connection whose writing may not stand still: a client that sends requests
//! and takes no answers is let go.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::time::{Sleep, sleep};

/// An input and output that fails where a write does not get on for some time.
pub(super) struct WriteTimeout<T> {
    io: T,
    limit: Duration,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<T> WriteTimeout<T> {
    pub(super) fn new(io: T, limit: Duration) -> WriteTimeout<T> {
        WriteTimeout {
            io,
            limit,
            waiting: None,
        }
    }

    /// Passes a result on, and fails where the write has waited too long.
    fn limit<R>(
        &mut self,
        cx: &mut Context<'_>,
        found: Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if found.is_ready() {
            self.waiting = None;
            return found;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        match waiting.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client takes no answer",
            ))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<T: Read + Unpin> Read for WriteTimeout<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl<T: Write + Unpin> Write for WriteTimeout<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let found = Pin::new(&mut self.io).poll_write(cx, buf);
        self.limit(cx, found)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let found = Pin::new(&mut self.io).poll_flush(cx);
        self.limit(cx, found)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let found = Pin::new(&mut self.io).poll_shutdown(cx);
        self.limit(cx, found)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let found = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.limit(cx, found)
    }
}
