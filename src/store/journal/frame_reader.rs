//! Reading a journal frame by frame, and telling a torn tail from damage.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::JournalPosition;
use super::error::{JournalError, io_error};
use super::format::{
    CONTINUES, DISTANCE_BYTES, FRAME_BYTES, HEADER_BYTES, MAGIC, MAX_PAYLOAD, VERSION, chain,
    first_chain, number,
};

/// What follows the last good frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalTail {
    /// Nothing: the journal ends with a good frame.
    Clean,
    /// So many bytes in which no group begins after the bad frame: an append
    /// that was cut short, of which the disk may have any part.
    Torn(u64),
    /// A bad frame that was safe on the disk once, because a later group has
    /// been begun. The next good frame begins at this byte.
    Damaged(u64),
}

/// A place between two frames from which reading can go on.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct FramePlace {
    /// The byte at which the next frame begins.
    offset: u64,
    /// The byte at which the group of the frame before it begins.
    group: u64,
    position: JournalPosition,
}

/// Reads the frames of a journal in order and checks the CRC of each.
#[derive(Debug)]
pub struct FrameReader {
    path: PathBuf,
    reader: BufReader<File>,
    place: FramePlace,
    /// Bytes of the file when it was opened; what is appended later is not
    /// read.
    size: u64,
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
        if header[..8] != MAGIC || number(&header[12..]) != crc32fast::hash(&header[..12]) {
            return Err(broken());
        }
        let found = number(&header[8..12]);
        if found > VERSION {
            let path = path.to_owned();
            return Err(JournalError::Newer { path, found });
        }
        if found == 0 {
            return Err(broken());
        }
        Ok(FrameReader {
            path: path.to_owned(),
            reader,
            place: FramePlace {
                offset: HEADER_BYTES,
                group: HEADER_BYTES,
                position: JournalPosition {
                    entries: 0,
                    chain: first_chain(),
                },
            },
            size,
            payload: Vec::new(),
        })
    }

    /// Opens a journal at a place that an earlier reader has been at.
    pub(in crate::store) fn open_at(
        path: &Path,
        place: FramePlace,
    ) -> Result<FrameReader, JournalError> {
        let mut frames = FrameReader::open(path)?;
        let sought = frames.reader.seek(SeekFrom::Start(place.offset));
        sought.map_err(|source| io_error("read", path, source))?;
        frames.place = place;
        Ok(frames)
    }

    /// The payload of the next frame; `None` where no good one follows.
    ///
    /// # Errors
    ///
    /// [`JournalError::Io`] if the file cannot be read.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, JournalError> {
        let left = self.size.saturating_sub(self.place.offset);
        if left <= FRAME_BYTES {
            return Ok(None);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let mut four = [0; 4];
        self.reader.read_exact(&mut four).map_err(failed)?;
        let first = u32::from_le_bytes(four);
        let length = first & !CONTINUES;
        let is_continued = first != length;
        let size = frame_size(first);
        if length == 0 || length as usize > MAX_PAYLOAD || size > left {
            return Ok(None);
        }
        self.payload.resize(length as usize, 0);
        self.reader.read_exact(&mut self.payload).map_err(failed)?;
        let FramePlace {
            offset,
            mut group,
            position,
        } = self.place;
        if is_continued {
            self.reader.read_exact(&mut four).map_err(failed)?;
            if u64::from(u32::from_le_bytes(four)) != offset - group {
                return Ok(None);
            }
        } else {
            group = offset;
        }
        self.reader.read_exact(&mut four).map_err(failed)?;
        let found = chain(position.chain, length, &self.payload);
        if found != u32::from_le_bytes(four) {
            return Ok(None);
        }
        self.place = FramePlace {
            offset: offset + size,
            group,
            position: JournalPosition {
                entries: position.entries + 1,
                chain: found,
            },
        };
        Ok(Some(&self.payload))
    }

    /// Where this reader is, for [`FrameReader::open_at`].
    pub(in crate::store) fn place(&self) -> FramePlace {
        self.place
    }

    /// The position after the frames read so far.
    pub fn position(&self) -> JournalPosition {
        self.place.position
    }

    /// The byte at which the next frame begins, or would begin.
    pub fn offset(&self) -> u64 {
        self.place.offset
    }

    /// What follows the last good frame; to be called when
    /// [`FrameReader::next_frame`] has returned `None`.
    ///
    /// # Errors
    ///
    /// [`JournalError::Io`] if the file cannot be read.
    pub fn tail(&mut self) -> Result<JournalTail, JournalError> {
        let left = self.size.saturating_sub(self.place.offset);
        if left == 0 {
            return Ok(JournalTail::Clean);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let sought = self.reader.seek(SeekFrom::Start(self.place.offset));
        sought.map_err(failed)?;
        let mut rest = Vec::new();
        self.reader.read_to_end(&mut rest).map_err(failed)?;
        let next = good_after_damage(&rest, self.place.position.chain);
        Ok(next.map_or(JournalTail::Torn(left), |start| {
            JournalTail::Damaged(self.place.offset + start as u64)
        }))
    }
}

/// Where the next good frame begins in the bytes from a bad frame on, if the bad
/// frame is damage; `before` is the CRC that the bad frame follows.
///
/// A group is written only when everything before it is safe on the disk. So the
/// bad frame is damage if a group begins after it. If all good frames after it
/// belong to its own group, that group is the last one and may never have been
/// safe.
fn good_after_damage(bytes: &[u8], before: u32) -> Option<usize> {
    let mut first_good = None;
    let mut start = 4;
    while start < bytes.len() {
        let Some(frame) = good_frame(bytes, start, number(&bytes[start - 4..start])) else {
            start += 1;
            continue;
        };
        let first = *first_good.get_or_insert(start);
        if frame.distance < start {
            return Some(first);
        }
        start = frame.end;
    }
    // Where only the bad frame's CRC is wrong, the next frame's CRC follows from
    // what it should be.
    let bad = frame_at(bytes, 0)?;
    let next = good_frame(bytes, bad.end, bad.chain_after(before))?;
    (next.distance < bad.end).then_some(bad.end)
}

/// What may be a frame: its CRC has not been compared.
struct Candidate<'a> {
    payload: &'a [u8],
    /// Bytes from the beginning of its group to its own.
    distance: usize,
    /// The CRC stored with it.
    crc: u32,
    /// Where it ends.
    end: usize,
}

impl Candidate<'_> {
    /// The CRC that it should have after the CRC `before`.
    fn chain_after(&self, before: u32) -> u32 {
        chain(before, self.payload.len() as u32, self.payload)
    }
}

/// What may be a frame at `start`.
fn frame_at(bytes: &[u8], start: usize) -> Option<Candidate<'_>> {
    let first = number(bytes.get(start..start + 4)?);
    let length = (first & !CONTINUES) as usize;
    if length == 0 || length > MAX_PAYLOAD {
        return None;
    }
    let end = start + frame_size(first) as usize;
    let payload = bytes.get(start + 4..start + 4 + length)?;
    let crc = number(bytes.get(end - 4..end)?);
    let distance = if first & CONTINUES == 0 {
        0
    } else {
        number(&bytes[end - 8..end - 4]) as usize
    };
    Some(Candidate {
        payload,
        distance,
        crc,
        end,
    })
}

/// The frame at `start`, if its CRC is good after the CRC `before`.
fn good_frame(bytes: &[u8], start: usize, before: u32) -> Option<Candidate<'_>> {
    let frame = frame_at(bytes, start)?;
    (frame.chain_after(before) == frame.crc).then_some(frame)
}

/// The bytes of a frame that begins with this number.
fn frame_size(first: u32) -> u64 {
    let distance = if first & CONTINUES == 0 {
        0
    } else {
        DISTANCE_BYTES
    };
    u64::from(first & !CONTINUES) + FRAME_BYTES + distance
}
