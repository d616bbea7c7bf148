//! The journal: every entry since the beginning, one after the other, never
//! changed. An append-only log with chained checksums.
//!
//! Owns the journal's bytes on the disk. It does not know what the payloads
//! mean.
//!
//! ```text
//! header   "LOATUNEJ"  version (4 bytes)  CRC of these 12 bytes (4 bytes)
//! frame    length (4 bytes)  payload                        CRC (4 bytes)
//! frame    length + 2^31     payload    distance (4 bytes)  CRC (4 bytes)
//! frame    …
//! ```
//! Numbers have their lowest byte first. The payload is a schema byte and
//! postcard: a `Begin` in the first frame, an `Entry` in every other one. A
//! frame's CRC covers the CRC of the frame before it (for the first one that of
//! a header of version 1), which are the four bytes before the frame, the length
//! without its highest bit, and the payload. So a CRC vouches for every entry up
//! to it (it is the *chain* by which journal and store are compared), and whether
//! a frame begins somewhere can be seen without knowing where the one before it
//! began.
//!
//! The entries of one append are a *group*. Its first frame has the first form,
//! every other one the second, with the distance in bytes from the beginning of
//! the group. Everything before a group is safe on the disk before the group is
//! written; of the group itself a power cut may leave any part. So after a bad
//! frame, good frames of the same group are part of a *torn* tail, which is cut
//! off. A group that begins after a bad frame makes the bad frame *damage*, which
//! only the store or the user can mend.
//!
//! Version 1 has frames of the first form only, so there every good frame after
//! a bad one means damage. The first append to such a journal makes it version 2:
//! what is appended may be a group, or an entry that programs which know only
//! version 1 do not understand.

mod error;
mod format;
mod frame_reader;
mod place;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use self::error::io_error;
use self::format::{CONTINUES, HEADER_BYTES, MAX_PAYLOAD, chain, first_chain};

pub use self::error::JournalError;
pub use self::format::VERSION;
pub(super) use self::format::header;
pub(super) use self::frame_reader::FramePlace;
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
    /// Whether the header says that there may be groups of several frames.
    has_groups: bool,
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
        file.write_all(&header(VERSION)).map_err(failed)?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length: HEADER_BYTES,
            position: JournalPosition {
                entries: 0,
                chain: first_chain(),
            },
            has_groups: true,
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
        }
        if length > 0 {
            // A process that was killed may not have waited for the disk, and
            // everything must be there before the next group is written.
            file.sync_data().map_err(failed("write"))?;
        }
        let mut found = [0; HEADER_BYTES as usize];
        file.read_exact(&mut found).map_err(failed("read"))?;
        file.seek(SeekFrom::Start(length)).map_err(failed("read"))?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length,
            position,
            has_groups: found == header(VERSION),
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
    /// [`JournalError::Replaced`] if another file, or none, has its name now.
    pub fn append<P: AsRef<[u8]>>(
        &mut self,
        payloads: &[P],
    ) -> Result<Vec<JournalPosition>, JournalError> {
        self.write(payloads, true)
    }

    /// Like [`Journal::append`], for a file that gets its name when it is whole:
    /// it is never found torn, so every frame says that what is before it is
    /// safe.
    pub(super) fn append_unnamed<P: AsRef<[u8]>>(
        &mut self,
        payloads: &[P],
    ) -> Result<Vec<JournalPosition>, JournalError> {
        self.write(payloads, false)
    }

    /// Writes entries, as one group or as a group each.
    fn write<P: AsRef<[u8]>>(
        &mut self,
        payloads: &[P],
        is_group: bool,
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
            let distance = bytes.len();
            position = JournalPosition {
                entries: position.entries + 1,
                chain: chain(position.chain, length, payload),
            };
            if distance == 0 || !is_group {
                bytes.extend_from_slice(&length.to_le_bytes());
                bytes.extend_from_slice(payload);
            } else {
                let distance =
                    u32::try_from(distance).map_err(|_| JournalError::TooLong(distance))?;
                bytes.extend_from_slice(&(length | CONTINUES).to_le_bytes());
                bytes.extend_from_slice(payload);
                bytes.extend_from_slice(&distance.to_le_bytes());
            }
            bytes.extend_from_slice(&position.chain.to_le_bytes());
            positions.push(position);
        }
        let ready = if is_group && !payloads.is_empty() {
            self.allow_groups()
        } else {
            Ok(())
        };
        let written = ready.and_then(|()| self.file.write_all(&bytes));
        if let Err(source) = written.and_then(|()| self.file.sync_data()) {
            // A rest that stays would be cut off as a torn tail anyway.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(io_error("write", &self.path, source));
        }
        self.length += bytes.len() as u64;
        self.position = position;
        // What is synced into a file without a name is lost all the same.
        self.check_place()?;
        Ok(positions)
    }

    /// Whether the file that is written still has the journal's name.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`] if it was deleted, moved away or replaced.
    pub(super) fn check_place(&self) -> Result<(), JournalError> {
        place::check(&self.file, &self.path)
    }

    /// Makes a journal of version 1 one of this version, on the disk. The header
    /// lies within one sector, so a power cut leaves the old one or the new one,
    /// and both are right for what follows.
    fn allow_groups(&mut self) -> io::Result<()> {
        if self.has_groups {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header(VERSION))?;
        self.file.sync_data()?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.has_groups = true;
        Ok(())
    }
}
