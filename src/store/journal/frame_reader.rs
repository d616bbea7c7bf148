//! Reading a journal frame by frame, and telling a torn tail from damage.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::JournalPosition;
use super::error::{JournalError, io_error};
use super::format::{FRAME_BYTES, HEADER_BYTES, MAGIC, MAX_PAYLOAD, VERSION, chain, number};

/// What follows the last good frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalTail {
    /// Nothing: the journal ends with a good frame.
    Clean,
    /// So many bytes without a good frame among them: an append that was cut
    /// short.
    Torn(u64),
    /// A bad frame, and after it a good one that begins at this byte.
    Damaged(u64),
}

/// Reads the frames of a journal in order and checks the CRC of each.
#[derive(Debug)]
pub struct FrameReader {
    path: PathBuf,
    reader: BufReader<File>,
    /// The byte at which the next frame begins.
    offset: u64,
    /// Bytes of the file when it was opened; what is appended later is not
    /// read.
    size: u64,
    position: JournalPosition,
    payload: Vec<u8>,
}

impl FrameReader {
    /// Opens a journal for reading and checks its header.
    ///
    /// # Errors
    ///
    /// [`JournalError::Header`] if the file is no journal,
    /// [`JournalError::Newer`] if a newer program wrote it, and
    /// [`JournalError::Io`] if it cannot be read.
    pub fn open(path: &Path) -> Result<FrameReader, JournalError> {
        let failed = |source| io_error("read", path, source);
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut header = [0; HEADER_BYTES as usize];
        let broken = || JournalError::Header {
            path: path.to_owned(),
        };
        if size < HEADER_BYTES {
            return Err(broken());
        }
        reader.read_exact(&mut header).map_err(failed)?;
        let chain = number(&header[12..]);
        if header[..8] != MAGIC || chain != crc32fast::hash(&header[..12]) {
            return Err(broken());
        }
        let found = number(&header[8..12]);
        if found > VERSION {
            let path = path.to_owned();
            return Err(JournalError::Newer { path, found });
        }
        if found != VERSION {
            return Err(broken());
        }
        Ok(FrameReader {
            path: path.to_owned(),
            reader,
            offset: HEADER_BYTES,
            size,
            position: JournalPosition { entries: 0, chain },
            payload: Vec::new(),
        })
    }

    /// Opens a journal at a frame whose place is known already.
    pub(in crate::store) fn open_at(
        path: &Path,
        offset: u64,
        position: JournalPosition,
    ) -> Result<FrameReader, JournalError> {
        let mut frames = FrameReader::open(path)?;
        let sought = frames.reader.seek(SeekFrom::Start(offset));
        sought.map_err(|source| io_error("read", path, source))?;
        frames.offset = offset;
        frames.position = position;
        Ok(frames)
    }

    /// The payload of the next frame; `None` where no good one follows.
    ///
    /// # Errors
    ///
    /// [`JournalError::Io`] if the file cannot be read.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, JournalError> {
        let left = self.size.saturating_sub(self.offset);
        if left <= FRAME_BYTES {
            return Ok(None);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let mut four = [0; 4];
        self.reader.read_exact(&mut four).map_err(failed)?;
        let length = u32::from_le_bytes(four);
        if length == 0 || length as usize > MAX_PAYLOAD || u64::from(length) + FRAME_BYTES > left {
            return Ok(None);
        }
        self.payload.resize(length as usize, 0);
        self.reader.read_exact(&mut self.payload).map_err(failed)?;
        self.reader.read_exact(&mut four).map_err(failed)?;
        let found = chain(self.position.chain, length, &self.payload);
        if found != u32::from_le_bytes(four) {
            return Ok(None);
        }
        self.offset += u64::from(length) + FRAME_BYTES;
        self.position = JournalPosition {
            entries: self.position.entries + 1,
            chain: found,
        };
        Ok(Some(&self.payload))
    }

    /// The position after the frames read so far.
    pub fn position(&self) -> JournalPosition {
        self.position
    }

    /// The byte at which the next frame begins, or would begin.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// What follows the last good frame; to be called when
    /// [`FrameReader::next_frame`] has returned `None`.
    ///
    /// # Errors
    ///
    /// [`JournalError::Io`] if the file cannot be read.
    pub fn tail(&mut self) -> Result<JournalTail, JournalError> {
        let left = self.size.saturating_sub(self.offset);
        if left == 0 {
            return Ok(JournalTail::Clean);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let sought = self.reader.seek(SeekFrom::Start(self.offset));
        sought.map_err(failed)?;
        let mut rest = Vec::new();
        self.reader.read_to_end(&mut rest).map_err(failed)?;
        let good = (4..rest.len())
            .find(|&start| frame_end(&rest, start, number(&rest[start - 4..start])).is_some());
        // Where only the bad frame's CRC is wrong, the next frame's CRC follows
        // from what it should be.
        let good = good.or_else(|| after_bad_crc(&rest, self.position.chain));
        Ok(good.map_or(JournalTail::Torn(left), |start| {
            JournalTail::Damaged(self.offset + start as u64)
        }))
    }
}

/// The payload of what may be a frame at `start`, and the CRC stored with it.
fn frame_at(bytes: &[u8], start: usize) -> Option<(&[u8], u32)> {
    let length = number(bytes.get(start..start + 4)?) as usize;
    if length == 0 || length > MAX_PAYLOAD {
        return None;
    }
    let from = start + 4;
    let payload = bytes.get(from..from + length)?;
    let crc = bytes.get(from + length..from + length + 4)?;
    Some((payload, number(crc)))
}

/// Where the frame at `start` ends, if its CRC is good after the CRC `before`.
fn frame_end(bytes: &[u8], start: usize, before: u32) -> Option<usize> {
    let (payload, crc) = frame_at(bytes, start)?;
    let is_good = chain(before, payload.len() as u32, payload) == crc;
    is_good.then_some(start + FRAME_BYTES as usize + payload.len())
}

/// Where a good frame begins that follows a frame at 0 with a wrong CRC.
fn after_bad_crc(bytes: &[u8], before: u32) -> Option<usize> {
    let (payload, _) = frame_at(bytes, 0)?;
    let start = FRAME_BYTES as usize + payload.len();
    let right = chain(before, payload.len() as u32, payload);
    frame_end(bytes, start, right).map(|_| start)
}
