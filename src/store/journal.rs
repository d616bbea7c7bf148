//! The journal: every entry since the beginning, one after the other, never
//! changed.
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
//! *damage*, which nobody but the store or the user can mend.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"LOATUNEJ";

/// Bytes of the header.
const HEADER: u64 = 16;

/// Bytes of a frame beside its payload.
const FRAME: u64 = 8;

/// No payload is longer.
const LONGEST: usize = 1 << 20;

/// How far a journal goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tip {
    /// Entries, the beginning included.
    pub entries: u64,
    /// The CRC of the last of them.
    pub chain: u32,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk says no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The journal.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// It does not begin like a journal.
    #[error("{} does not begin with the header of a journal", path.display())]
    Header {
        /// The file.
        path: PathBuf,
    },
    /// Written by a newer program.
    #[error(
        "{} has the format version {found}, this program knows {VERSION}: \
         use the newer loatune that wrote it",
        path.display()
    )]
    Newer {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A bad frame with a good one after it.
    #[error(
        "{} is damaged at byte {offset}; what follows is good again from byte {next} on",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Where the bad frame begins.
        offset: u64,
        /// Where the good one begins.
        next: u64,
    },
    /// An entry that is too large to be written.
    #[error("an entry of {0} bytes is too large for the journal, the most is {LONGEST}")]
    TooLong(usize),
}

impl JournalError {
    /// Whether there is no journal at all.
    pub fn is_missing(&self) -> bool {
        matches!(self, JournalError::Io { source, .. }
            if source.kind() == io::ErrorKind::NotFound)
    }
}

/// What follows the last good frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Whole,
    /// So many bytes without a good frame among them.
    Torn(u64),
    /// A bad frame, and a good one that begins at this offset.
    Damaged(u64),
}

/// A journal that can be written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    tip: Tip,
}

impl Journal {
    /// A new journal, without an entry; a file that is there is overwritten.
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
            length: HEADER,
            tip: Tip { entries: 0, chain },
        })
    }

    /// A journal to go on with, after its last good frame. A torn tail is cut
    /// off; a damaged journal is refused, and stays as it is.
    pub fn open(path: &Path) -> Result<(Journal, Tail), JournalError> {
        let mut frames = Frames::open(path)?;
        while frames.next_frame()?.is_some() {}
        let tail = frames.tail()?;
        if let Tail::Damaged(next) = tail {
            return Err(JournalError::Damaged {
                path: path.to_owned(),
                offset: frames.offset(),
                next,
            });
        }
        let journal = Journal::at(path, frames.offset(), frames.tip())?;
        Ok((journal, tail))
    }

    /// The journal that ends at a frame's end, which is known already.
    pub(super) fn at(path: &Path, length: u64, tip: Tip) -> Result<Journal, JournalError> {
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
            tip,
        })
    }

    /// How far it goes.
    pub fn tip(&self) -> Tip {
        self.tip
    }

    /// Where it ends, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes entries and waits until the disk has them; says where the
    /// journal stood after each. Where that fails the journal is as before.
    pub fn append<P: AsRef<[u8]>>(&mut self, payloads: &[P]) -> Result<Vec<Tip>, JournalError> {
        let mut bytes = Vec::new();
        let mut tips = Vec::with_capacity(payloads.len());
        let mut tip = self.tip;
        for payload in payloads {
            let payload = payload.as_ref();
            if payload.is_empty() || payload.len() > LONGEST {
                return Err(JournalError::TooLong(payload.len()));
            }
            let length = payload.len() as u32;
            tip = Tip {
                entries: tip.entries + 1,
                chain: chain(tip.chain, length, payload),
            };
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(payload);
            bytes.extend_from_slice(&tip.chain.to_le_bytes());
            tips.push(tip);
        }
        let written = self.file.write_all(&bytes);
        if let Err(source) = written.and_then(|()| self.file.sync_data()) {
            // What of it is there would be cut off as a torn tail anyway.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(io_error("write", &self.path, source));
        }
        self.length += bytes.len() as u64;
        self.tip = tip;
        Ok(tips)
    }
}

/// The header of a journal of some version.
pub(super) fn header(version: u32) -> [u8; HEADER as usize] {
    let mut header = [0; HEADER as usize];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&version.to_le_bytes());
    let chain = crc32fast::hash(&header[..12]);
    header[12..].copy_from_slice(&chain.to_le_bytes());
    header
}

/// The frames of a journal, from the first one on.
#[derive(Debug)]
pub struct Frames {
    path: PathBuf,
    reader: BufReader<File>,
    /// Where the next frame begins.
    offset: u64,
    size: u64,
    tip: Tip,
    payload: Vec<u8>,
}

impl Frames {
    /// Opens a journal for reading and checks its header.
    pub fn open(path: &Path) -> Result<Frames, JournalError> {
        let failed = |source| io_error("read", path, source);
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut header = [0; HEADER as usize];
        let broken = || JournalError::Header {
            path: path.to_owned(),
        };
        if size < HEADER {
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
        Ok(Frames {
            path: path.to_owned(),
            reader,
            offset: HEADER,
            size,
            tip: Tip { entries: 0, chain },
            payload: Vec::new(),
        })
    }

    /// The journal's frames from one on whose place is known.
    pub(super) fn open_at(path: &Path, offset: u64, tip: Tip) -> Result<Frames, JournalError> {
        let mut frames = Frames::open(path)?;
        let sought = frames.reader.seek(SeekFrom::Start(offset));
        sought.map_err(|source| io_error("read", path, source))?;
        frames.offset = offset;
        frames.tip = tip;
        Ok(frames)
    }

    /// The payload of the next frame; `None` where there is no good one.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, JournalError> {
        let left = self.size.saturating_sub(self.offset);
        if left <= FRAME {
            return Ok(None);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let mut four = [0; 4];
        self.reader.read_exact(&mut four).map_err(failed)?;
        let length = u32::from_le_bytes(four);
        if length == 0 || length as usize > LONGEST || u64::from(length) + FRAME > left {
            return Ok(None);
        }
        self.payload.resize(length as usize, 0);
        self.reader.read_exact(&mut self.payload).map_err(failed)?;
        self.reader.read_exact(&mut four).map_err(failed)?;
        let found = chain(self.tip.chain, length, &self.payload);
        if found != u32::from_le_bytes(four) {
            return Ok(None);
        }
        self.offset += u64::from(length) + FRAME;
        self.tip = Tip {
            entries: self.tip.entries + 1,
            chain: found,
        };
        Ok(Some(&self.payload))
    }

    /// How far the frames read so far go.
    pub fn tip(&self) -> Tip {
        self.tip
    }

    /// Where the next frame begins, or would.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// What follows the frames read so far, once there is no good one.
    pub fn tail(&mut self) -> Result<Tail, JournalError> {
        let left = self.size.saturating_sub(self.offset);
        if left == 0 {
            return Ok(Tail::Whole);
        }
        let path = &self.path;
        let failed = |source| io_error("read", path, source);
        let sought = self.reader.seek(SeekFrom::Start(self.offset));
        sought.map_err(failed)?;
        let mut rest = Vec::new();
        self.reader.read_to_end(&mut rest).map_err(failed)?;
        let good = (4..rest.len())
            .find(|&start| frame_end(&rest, start, number(&rest[start - 4..start])).is_some());
        // Where only the bad frame's CRC is wrong, the next one leans on what
        // it should be.
        let good = good.or_else(|| after_bad_crc(&rest, self.tip.chain));
        Ok(good.map_or(Tail::Torn(left), |start| {
            Tail::Damaged(self.offset + start as u64)
        }))
    }
}

/// The payload of what may be a frame, and the CRC that it has.
fn frame_at(bytes: &[u8], start: usize) -> Option<(&[u8], u32)> {
    let length = number(bytes.get(start..start + 4)?) as usize;
    if length == 0 || length > LONGEST {
        return None;
    }
    let from = start + 4;
    let payload = bytes.get(from..from + length)?;
    let crc = bytes.get(from + length..from + length + 4)?;
    Some((payload, number(crc)))
}

/// Where a good frame ends that begins at `start`.
fn frame_end(bytes: &[u8], start: usize, before: u32) -> Option<usize> {
    let (payload, crc) = frame_at(bytes, start)?;
    let is_good = chain(before, payload.len() as u32, payload) == crc;
    is_good.then_some(start + FRAME as usize + payload.len())
}

/// Where the good frame begins that follows a frame at 0 with a wrong CRC.
fn after_bad_crc(bytes: &[u8], before: u32) -> Option<usize> {
    let (payload, _) = frame_at(bytes, 0)?;
    let start = FRAME as usize + payload.len();
    let right = chain(before, payload.len() as u32, payload);
    frame_end(bytes, start, right).map(|_| start)
}

fn chain(before: u32, length: u32, payload: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&before.to_le_bytes());
    crc.update(&length.to_le_bytes());
    crc.update(payload);
    crc.finalize()
}

/// The number that four bytes are.
fn number(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}
