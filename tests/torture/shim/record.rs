//! What is recorded of a process: one record for each change of a file, in
//! order. Written by the shim, read by the torture; both compile this file.
//!
//! ```text
//! kind (1 byte)  first, second (8 bytes each)  two texts: length (4 bytes), bytes
//! ```

/// One change, or what the reader must know to follow the changes. Paths are
/// seen from the watched directory, which is the empty path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// A process begins, with no file open.
    Start,
    /// Everything before is on the disk, whether it was synced or not.
    Settled,
    Open {
        fd: i32,
        path: String,
        /// Whether it made the file.
        created: bool,
        /// Whether it emptied the file.
        truncated: bool,
    },
    Close {
        fd: i32,
    },
    Duplicate {
        fd: i32,
        copy: i32,
    },
    Write {
        fd: i32,
        offset: u64,
        data: Vec<u8>,
    },
    SetLength {
        fd: i32,
        length: u64,
    },
    /// `fsync` or `fdatasync`.
    Sync {
        fd: i32,
    },
    Rename {
        from: String,
        to: String,
    },
    Link {
        from: String,
        to: String,
    },
    /// Removes a file or an empty directory.
    Remove {
        path: String,
    },
    MakeDirectory {
        path: String,
    },
}

/// The parts that every record is written as.
type Parts<'a> = (u8, u64, u64, &'a [u8], &'a [u8]);

impl Record {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (kind, first, second, one, two) = self.parts();
        let mut bytes = vec![kind];
        bytes.extend_from_slice(&first.to_le_bytes());
        bytes.extend_from_slice(&second.to_le_bytes());
        for text in [one, two] {
            bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
            bytes.extend_from_slice(text);
        }
        bytes
    }

    fn parts(&self) -> Parts<'_> {
        match self {
            Record::Start => (0, 0, 0, b"", b""),
            Record::Settled => (1, 0, 0, b"", b""),
            Record::Open {
                fd,
                path,
                created,
                truncated,
            } => {
                let how = u64::from(*created) | u64::from(*truncated) << 1;
                (2, number(*fd), how, path.as_bytes(), b"")
            }
            Record::Close { fd } => (3, number(*fd), 0, b"", b""),
            Record::Duplicate { fd, copy } => (4, number(*fd), number(*copy), b"", b""),
            Record::Write { fd, offset, data } => (5, number(*fd), *offset, data, b""),
            Record::SetLength { fd, length } => (6, number(*fd), *length, b"", b""),
            Record::Sync { fd } => (7, number(*fd), 0, b"", b""),
            Record::Rename { from, to } => (8, 0, 0, from.as_bytes(), to.as_bytes()),
            Record::Link { from, to } => (9, 0, 0, from.as_bytes(), to.as_bytes()),
            Record::Remove { path } => (10, 0, 0, path.as_bytes(), b""),
            Record::MakeDirectory { path } => (11, 0, 0, path.as_bytes(), b""),
        }
    }

    /// Takes the next record from the front of `bytes`; `None` where there is
    /// no whole one.
    pub(crate) fn decode(bytes: &mut &[u8]) -> Option<Record> {
        let mut rest = *bytes;
        let kind = take(&mut rest, 1)?[0];
        let first = u64::from_le_bytes(take(&mut rest, 8)?.try_into().ok()?);
        let second = u64::from_le_bytes(take(&mut rest, 8)?.try_into().ok()?);
        let one = take_text(&mut rest)?;
        let two = take_text(&mut rest)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let fd = i32::try_from(first).unwrap_or(-1);
        let record = match kind {
            0 => Record::Start,
            1 => Record::Settled,
            2 => Record::Open {
                fd,
                path: text(one)?,
                created: second & 1 != 0,
                truncated: second & 2 != 0,
            },
            3 => Record::Close { fd },
            4 => Record::Duplicate {
                fd,
                copy: i32::try_from(second).ok()?,
            },
            5 => Record::Write {
                fd,
                offset: second,
                data: one.to_vec(),
            },
            6 => Record::SetLength { fd, length: second },
            7 => Record::Sync { fd },
            8 => Record::Rename {
                from: text(one)?,
                to: text(two)?,
            },
            9 => Record::Link {
                from: text(one)?,
                to: text(two)?,
            },
            10 => Record::Remove { path: text(one)? },
            11 => Record::MakeDirectory { path: text(one)? },
            _ => return None,
        };
        *bytes = rest;
        Some(record)
    }
}

/// A descriptor as a number that is never negative.
fn number(fd: i32) -> u64 {
    u64::try_from(fd).unwrap_or(u64::MAX)
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(count)?;
    *bytes = tail;
    Some(head)
}

fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(take(bytes, 4)?.try_into().ok()?);
    take(bytes, length as usize)
}
