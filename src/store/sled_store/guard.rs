//! Opening sled in spite of its defects: leftovers of a kill are removed, a
//! panic becomes an error, and a lock is told from damage.

use std::any::Any;
use std::cell::Cell;
use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use super::error::TableError;

/// Whether another process, or a store that was just closed, holds sled's lock.
pub(super) fn is_lock(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(source)
        if source.kind() == io::ErrorKind::WouldBlock || is_lock_text(source))
}

/// Whether it is sled's own message for a lock that is taken.
pub(super) fn is_lock_text(source: &io::Error) -> bool {
    source.to_string().contains("could not acquire lock")
}

/// Deletes the half-written snapshots that a kill may leave while sled opens.
/// With one of them there sled would never open again.
pub(super) fn remove_half_snapshots(path: &Path) -> Result<(), TableError> {
    let failed = |path: &Path, source| TableError::Io {
        path: path.to_owned(),
        source,
    };
    let files = match fs::read_dir(path) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(path, error)),
    };
    for file in files {
        let file = file.map_err(|error| failed(path, error))?;
        let name = file.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            let path = file.path();
            fs::remove_file(&path).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that may panic inside sled. The panic's message goes into the
/// error and not onto the screen; panics of other threads are reported as usual.
///
/// # Errors
///
/// Whatever `run` returns, and [`TableError::Panicked`] if it panicked.
pub(in crate::store) fn guarded<T>(
    path: &Path,
    run: impl FnOnce() -> Result<T, TableError>,
) -> Result<T, TableError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.try_with(Cell::get).unwrap_or(false) {
                usual(info);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(before);
    done.unwrap_or_else(|cause| {
        Err(TableError::Panicked {
            path: path.to_owned(),
            message: panic_message(&*cause),
        })
    })
}

fn panic_message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
