//! The journal: every entry since the beginning, one after the other, never
//! changed. An append-only log with chained checksums.
//!
//! Owns the journal's bytes on the disk. It does not know what the payloads
//! mean.
//!
//! ```text
//! header   "LOATUNEJ"  version (4 bytes)  CRC of these 12 bytes (4 bytes)
//! frame    length (4 bytes)  payload      CRC (4 bytes)
//! frame    …
//! ```
//! Numbers have their lowest byte first. The payload is a schema byte and
//! postcard: a `Begin` in the first frame, an `Entry` in every other one. A
//! frame's CRC covers the four bytes before the frame, which are the CRC of
//! the frame before it (or the header's), the length and the payload. So a
//! CRC vouches for everything up to it (it is the *chain* by which journal and
//! store are compared), and whether a frame begins somewhere can be seen
//! without knowing where the one before it began.
//!
//! An append that was cut short leaves an incomplete last frame: the tail is
//! *torn*, and is cut off. A bad frame with a good one somewhere after it is
//! *damage*, which only the store or the user can mend.

mod error;
mod format;
mod frame_reader;

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use self::error::io_error;
use self::format::{HEADER_BYTES, MAX_PAYLOAD, chain, number};

pub use self::error::JournalError;
pub use self::format::VERSION;
pub(super) use self::format::header;
pub use self::frame_reader::{FrameReader, JournalTail};

/// A place between two entries of a journal. Two journals, or a journal and a
/// store, with the same position have the same entries up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalPosition {
    /// Entries before this place, the beginning included.
    pub entries: u64,
    /// The CRC of the last of them, which vouches for all.
    pub chain: u32,
}

/// A journal that can be written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes up to the end of the last good frame.
    length: u64,
    position: JournalPosition,
}

impl Journal {
    /// Creates a journal without an entry; an existing file is overwritten.
    ///
    /// # Errors
    ///
    /// [`JournalError::Io`] if the file cannot be written.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let failed = |source| io_error("write", path, source);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(true);
        let mut file = options.open(path).map_err(failed)?;
        let header = header(VERSION);
        let chain = number(&header[12..]);
        file.write_all(&header).map_err(failed)?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length: HEADER_BYTES,
            position: JournalPosition { entries: 0, chain },
        })
    }

    /// Opens a journal for appending after its last good frame. A torn tail is
    /// cut off.
    ///
    /// # Errors
    ///
    /// [`JournalError::Damaged`] if a bad frame is followed by a good one; the
    /// file stays as it is. Otherwise see [`FrameReader::open`].
    pub fn open(path: &Path) -> Result<(Journal, JournalTail), JournalError> {
        let mut frames = FrameReader::open(path)?;
        while frames.next_frame()?.is_some() {}
        let tail = frames.tail()?;
        if let JournalTail::Damaged(next) = tail {
            return Err(JournalError::Damaged {
                path: path.to_owned(),
                offset: frames.offset(),
                next,
            });
        }
        let journal = Journal::open_at(path, frames.offset(), frames.position())?;
        Ok((journal, tail))
    }

    /// Opens a journal whose last good frame is known already, and cuts off
    /// everything after it.
    pub(super) fn open_at(
        path: &Path,
        length: u64,
        position: JournalPosition,
    ) -> Result<Journal, JournalError> {
        let failed = |action| move |source| io_error(action, path, source);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).open(path);
        let mut file = file.map_err(failed("open"))?;
        if file.metadata().map_err(failed("read"))?.len() > length {
            file.set_len(length).map_err(failed("truncate"))?;
            file.sync_data().map_err(failed("write"))?;
        }
        file.seek(SeekFrom::Start(length)).map_err(failed("read"))?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length,
            position,
        })
    }

    /// The position after the last entry.
    pub fn position(&self) -> JournalPosition {
        self.position
    }

    /// The length of the journal in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes entries with one wait for the disk (group commit) and returns the
    /// position after each.
    ///
    /// # Errors
    ///
    /// [`JournalError::TooLong`] if a payload is empty or too large, and
    /// [`JournalError::Io`] if the disk refuses. The journal is as before then.
    pub fn append<P: AsRef<[u8]>>(
        &mut self,
        payloads: &[P],
    ) -> Result<Vec<JournalPosition>, JournalError> {
        let mut bytes = Vec::new();
        let mut positions = Vec::with_capacity(payloads.len());
        let mut position = self.position;
        for payload in payloads {
            let payload = payload.as_ref();
            if payload.is_empty() || payload.len() > MAX_PAYLOAD {
                return Err(JournalError::TooLong(payload.len()));
            }
            let length = payload.len() as u32;
            position = JournalPosition {
                entries: position.entries + 1,
                chain: chain(position.chain, length, payload),
            };
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(payload);
            bytes.extend_from_slice(&position.chain.to_le_bytes());
            positions.push(position);
        }
        let written = self.file.write_all(&bytes);
        if let Err(source) = written.and_then(|()| self.file.sync_data()) {
            // A rest that stays would be cut off as a torn tail anyway.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(io_error("write", &self.path, source));
        }
        self.length += bytes.len() as u64;
        self.position = position;
        Ok(positions)
    }
}
