//! A directory for temporary files that does not outlive its process, however
//! that ends.
//!
//! sled writes when it is opened, so a store that must not be touched is looked
//! at in a copy. The copy's directory is removed when the [`Scratch`] is dropped.
//! A process that is killed drops nothing, so a small shell waits beside it for
//! the end of a pipe, which comes with the end of the process, and then removes
//! the directory. Where both were killed together, the next scratch directory is
//! made by a process that finds the lock inside the old one free, and removes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How the names of all scratch directories begin.
const PREFIX: &str = "loatune-scratch-";

/// The file inside, which the owner has locked.
const LOCK: &str = "lock";

/// A directory for temporary files, in that of the system (`TMPDIR`). Only its
/// user may look into it.
#[derive(Debug)]
pub struct Scratch {
    dir: PathBuf,
    _lock: File,
    watcher: Option<Child>,
}

impl Scratch {
    /// Makes a directory, and removes those whose owners are gone.
    ///
    /// # Errors
    /// An I/O error where the directory cannot be made.
    pub fn new() -> io::Result<Scratch> {
        let above = std::path::absolute(std::env::temp_dir())?;
        // The watcher waits before there is anything to remove.
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .make_in(&above, |dir| {
                let mut watcher = start_watcher(dir);
                create_private(dir).inspect_err(|_| dismiss(&mut watcher))?;
                Ok(watcher)
            })?;
        let (watcher, dir) = made.into_parts();
        let dir = dir.keep().map_err(|error| error.error)?;
        let lock = File::create_new(dir.join(LOCK))?;
        lock.try_lock()?;
        remove_abandoned(&above, &dir);
        Ok(Scratch {
            dir,
            _lock: lock,
            watcher,
        })
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.dir
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the watcher and to the next one.
        let _ = fs::remove_dir_all(&self.dir);
        if let Some(watcher) = &mut self.watcher {
            drop(watcher.stdin.take());
            let _ = watcher.wait();
        }
    }
}

/// Starts the shell that removes `dir` when the pipe to it ends. It has a process
/// group of its own, so that Ctrl-C does not end it before its time. `None` where
/// there is no shell.
fn start_watcher(dir: &Path) -> Option<Child> {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "read -r _; exec rm -rf -- \"$1\"", "loatune-scratch"])
        .arg(dir)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let started = command.spawn();
    if let Err(error) = &started {
        log::debug!("no shell to remove {}: {error}", dir.display());
    }
    started.ok()
}

/// Ends a watcher that must not remove anything, because its directory belongs to
/// somebody else.
fn dismiss(watcher: &mut Option<Child>) {
    if let Some(watcher) = watcher {
        let _ = watcher.kill();
        let _ = watcher.wait();
    }
}

/// Creates a directory that only this user can look into.
fn create_private(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Removes the scratch directories of this user whose owners have ended.
fn remove_abandoned(above: &Path, own: &Path) {
    let entries = fs::read_dir(above).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for dir in named.map(|entry| entry.path()) {
        if dir != own && is_abandoned(&dir, own) {
            // Another process may be removing it, too.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// Whether `dir` is a directory of the owner of `own` whose lock is free. One
/// that was made a moment ago has no lock yet and is left alone.
fn is_abandoned(dir: &PathBuf, own: &Path) -> bool {
    #[cfg(unix)]
    let is_own = |found: &fs::Metadata| {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(own).is_ok_and(|own| own.uid() == found.uid())
    };
    #[cfg(not(unix))]
    let is_own = |_: &fs::Metadata| own.exists();
    // A link that somebody else has put there is no directory.
    let is_candidate =
        fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir() && is_own(&found));
    is_candidate && File::open(dir.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}
