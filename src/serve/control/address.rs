//! Where the socket is. The name of a Unix socket may have about a hundred
//! characters, the path of a population more: then the way leads through the
//! open directory.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The socket's name in a population's directory.
const NAME: &str = "control.sock";

/// What fits into a socket's address on every Unix.
const LONGEST: usize = 100;

/// The socket of a population.
pub(super) struct Address {
    path: PathBuf,
    /// Held open as long as a short path leads through it.
    directory: Option<File>,
}

impl Address {
    /// The socket in `directory`.
    pub(super) fn new(directory: &Path) -> io::Result<Address> {
        let path = directory.join(NAME);
        let directory = match path.as_os_str().len() > LONGEST {
            true => Some(File::open(directory)?),
            false => None,
        };
        Ok(Address { path, directory })
    }

    fn short(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => {
                PathBuf::from(format!("/proc/self/fd/{}/{NAME}", directory.as_raw_fd()))
            }
            None => self.path.clone(),
        }
    }

    /// Listens there. Only for the owner of the population's lock: a socket
    /// that is there already belongs to a process that is gone.
    pub(super) fn listen(&self) -> io::Result<UnixListener> {
        self.remove()?;
        UnixListener::bind(self.short())
    }

    /// Calls whoever listens.
    pub(super) fn call(&self) -> io::Result<UnixStream> {
        UnixStream::connect(self.short())
    }

    /// Takes the socket away.
    pub(super) fn remove(&self) -> io::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
