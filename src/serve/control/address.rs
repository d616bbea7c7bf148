//! The socket's address. The path of a Unix socket may have about a hundred
//! characters, and that of a population may have more. Then the socket is
//! reached by a short path through the open directory.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, chmodat, statat, unlinkat};

/// The socket's name in a population's directory.
const NAME: &str = "control.sock";

/// The longest path, in bytes, that fits into a socket's address on every Unix.
const MAX_PATH_BYTES: usize = 100;

/// The address of a population's socket.
pub(super) struct Address {
    path: PathBuf,
    /// The open directory. It stays the same one when it is moved.
    directory: File,
}

/// A socket that was bound: its device and inode, which tell it from one that
/// another process has put in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SocketId(u64, u64);

impl Address {
    /// The address of the socket in `directory`.
    pub(super) fn new(directory: &Path) -> io::Result<Address> {
        Ok(Address {
            path: directory.join(NAME),
            directory: File::open(directory)?,
        })
    }

    /// A path to the socket that fits into an address.
    fn short_path(&self) -> PathBuf {
        if self.path.as_os_str().len() > MAX_PATH_BYTES {
            let directory = self.directory.as_raw_fd();
            PathBuf::from(format!("/proc/self/fd/{directory}/{NAME}"))
        } else {
            self.path.clone()
        }
    }

    /// Listens on the socket, to which only its owner can connect. Only the
    /// holder of the population's lock may call this: a socket that exists
    /// already belongs to a process that is gone.
    pub(super) fn listen(&self) -> io::Result<(UnixListener, SocketId)> {
        match unlinkat(&self.directory, NAME, AtFlags::empty()) {
            Err(error) if error != rustix::io::Errno::NOENT => return Err(error.into()),
            _ => {}
        }
        let listener = UnixListener::bind(self.short_path())?;
        chmodat(
            &self.directory,
            NAME,
            Mode::RUSR | Mode::WUSR,
            AtFlags::empty(),
        )?;
        Ok((listener, self.present()?))
    }

    /// Connects to the process that listens.
    pub(super) fn connect(&self) -> io::Result<UnixStream> {
        UnixStream::connect(self.short_path())
    }

    /// The socket that has the name now.
    fn present(&self) -> io::Result<SocketId> {
        let found = statat(&self.directory, NAME, AtFlags::SYMLINK_NOFOLLOW)?;
        // The types of both numbers differ between platforms.
        #[allow(clippy::unnecessary_cast)]
        Ok(SocketId(found.st_dev as u64, found.st_ino as u64))
    }

    /// Removes the socket, unless another process has put its own in its place.
    pub(super) fn remove(&self, own: SocketId) {
        if self.present().is_ok_and(|present| present == own) {
            let _ = unlinkat(&self.directory, NAME, AtFlags::empty());
        }
    }
}
