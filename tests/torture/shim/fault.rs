//! The kinds of faults, and the calls that each may befall. Both the shim and the
//! torture compile this file.

/// What a call does, as far as faults are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// Opens a file or a directory for reading.
    Open,
    /// Opens a file for writing, which may create it.
    OpenForWriting,
    Duplicate,
    Read,
    Write,
    Sync,
    SetLength,
    /// Changes a directory: rename, link, mkdir, unlink, rmdir.
    ChangeDirectory,
    ListDirectory,
    Look,
    Lock,
}

/// What befalls a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The disk cannot read or write (EIO).
    Broken,
    /// The disk is full (ENOSPC).
    Full,
    /// The file system is read-only (EROFS).
    ReadOnly,
    /// The process has no descriptor left (EMFILE).
    NoDescriptor,
    /// The system has no descriptor left (ENFILE).
    NoDescriptorAtAll,
    /// A signal came (EINTR).
    Interrupted,
    /// Half of what was asked for is read or written.
    Half,
}

impl Fault {
    pub(crate) const ALL: [Fault; 7] = [
        Fault::Broken,
        Fault::Full,
        Fault::ReadOnly,
        Fault::NoDescriptor,
        Fault::NoDescriptorAtAll,
        Fault::Interrupted,
        Fault::Half,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Fault::Broken => "EIO",
            Fault::Full => "ENOSPC",
            Fault::ReadOnly => "EROFS",
            Fault::NoDescriptor => "EMFILE",
            Fault::NoDescriptorAtAll => "ENFILE",
            Fault::Interrupted => "EINTR",
            Fault::Half => "half",
        }
    }

    /// The error that the call ends with; `None` where it is done by half.
    pub(crate) const fn errno(self) -> Option<i32> {
        // The numbers are the same on every architecture of Linux that Rust has
        // a standard library for.
        match self {
            Fault::Broken => Some(5),
            Fault::Full => Some(28),
            Fault::ReadOnly => Some(30),
            Fault::NoDescriptor => Some(24),
            Fault::NoDescriptorAtAll => Some(23),
            Fault::Interrupted => Some(4),
            Fault::Half => None,
        }
    }

    /// Whether the system may end such a call in this way.
    pub(crate) const fn befalls(self, call: Call) -> bool {
        match self {
            Fault::Broken => !matches!(call, Call::Duplicate | Call::Lock),
            Fault::Full => matches!(
                call,
                Call::OpenForWriting
                    | Call::Write
                    | Call::Sync
                    | Call::SetLength
                    | Call::ChangeDirectory
            ),
            Fault::ReadOnly => matches!(call, Call::OpenForWriting | Call::ChangeDirectory),
            Fault::NoDescriptor | Fault::NoDescriptorAtAll => {
                matches!(call, Call::Open | Call::OpenForWriting | Call::Duplicate)
            }
            Fault::Interrupted => matches!(
                call,
                Call::Open
                    | Call::OpenForWriting
                    | Call::Read
                    | Call::Write
                    | Call::Sync
                    | Call::SetLength
                    | Call::Lock
            ),
            Fault::Half => matches!(call, Call::Read | Call::Write),
        }
    }
}
