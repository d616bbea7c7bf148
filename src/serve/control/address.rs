//! The socket's address. The path of a Unix socket may have about a hundred
//! characters, and that of a population may have more. Then the socket is
//! reached by a short path through the open directory.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The socket's name in a population's directory.
const NAME: &str = "control.sock";

/// The longest path, in bytes, that fits into a socket's address on every Unix.
const MAX_PATH_BYTES: usize = 100;

/// The address of a population's socket.
pub(super) struct Address {
    path: PathBuf,
    /// The open directory that the short path leads through; `None` where the
    /// path itself is short enough.
    directory: Option<File>,
}

impl Address {
    /// The address of the socket in `directory`.
    pub(super) fn new(directory: &Path) -> io::Result<Address> {
        let path = directory.join(NAME);
        let is_too_long = path.as_os_str().len() > MAX_PATH_BYTES;
        let directory = is_too_long.then(|| File::open(directory)).transpose()?;
        Ok(Address { path, directory })
    }

    /// A path to the socket that fits into an address.
    fn short_path(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => {
                PathBuf::from(format!("/proc/self/fd/{}/{NAME}", directory.as_raw_fd()))
            }
            None => self.path.clone(),
        }
    }

    /// Listens on the socket. Only the owner of the population's lock may call
    /// this: a socket that exists already belongs to a process that is gone.
    pub(super) fn listen(&self) -> io::Result<UnixListener> {
        self.remove()?;
        UnixListener::bind(self.short_path())
    }

    /// Connects to the process that listens.
    pub(super) fn connect(&self) -> io::Result<UnixStream> {
        UnixStream::connect(self.short_path())
    }

    /// Removes the socket.
    pub(super) fn remove(&self) -> io::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
