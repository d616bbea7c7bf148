//! A file that takes diagnostics instead of standard error, and is opened anew
//! on SIGHUP: a program that rotates logs moves the file away first.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use signal_hook::consts::SIGHUP;
use signal_hook::iterator::Signals;

/// The writer of the logger; the thread that waits for SIGHUP shares its file.
pub(crate) struct LogFile {
    path: PathBuf,
    file: Arc<Mutex<File>>,
}

impl LogFile {
    /// Opens the file, which grows, and listens to SIGHUP from now on.
    pub(crate) fn open(path: &Path) -> io::Result<LogFile> {
        let log = LogFile {
            path: path.to_owned(),
            file: Arc::new(Mutex::new(open(path)?)),
        };
        let (path, file) = (log.path.clone(), Arc::clone(&log.file));
        let mut signals = Signals::new([SIGHUP])?;
        std::thread::Builder::new()
            .name(String::from("log file"))
            .spawn(move || {
                for _ in signals.forever() {
                    reopen(&path, &file);
                }
            })?;
        Ok(log)
    }
}

/// Replaces the open file by the one that now has the name; where that cannot
/// be opened, the old one stays in use.
fn reopen(path: &Path, file: &Mutex<File>) {
    match open(path) {
        Ok(new) => {
            *locked(file) = new;
            log::info!("the log file was opened anew");
        }
        Err(error) => log::error!("cannot open {} anew: {error}", path.display()),
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

fn locked(file: &Mutex<File>) -> MutexGuard<'_, File> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        locked(&self.file).flush()
    }
}
