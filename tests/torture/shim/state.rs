//! What the shim knows: the watched directory, the descriptors of files in it,
//! and what it is to do.
//!
//! | variable | meaning |
//! |---|---|
//! | `LOATUNE_SHIM_ROOT` | the directory that is watched, as an absolute path |
//! | `LOATUNE_SHIM_LOG` | the file that records or names of calls are appended to |
//! | `LOATUNE_SHIM_FAULT` | the fault that befalls a call; without it changes are recorded |
//! | `LOATUNE_SHIM_AT` | the number of that call, from 1 on; 0 for none |
//! | `LOATUNE_SHIM_STAYS` | `1`: every later call, too |
//!
//! With a fault the log gets a line for each call that it may befall.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::fault::{Call, Fault};
use crate::real::{real, set_errno};
use crate::record::Record;

/// Descriptors beyond this are not watched; the program has a few dozen.
const MOST_DESCRIPTORS: usize = 4096;

/// Which descriptors are watched, to be asked without the lock: what a signal
/// handler writes to must not wait for it.
static WATCHED: [AtomicBool; MOST_DESCRIPTORS] =
    [const { AtomicBool::new(false) }; MOST_DESCRIPTORS];

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| Mutex::new(State::from_environment()));

/// Holding it orders the calls of all threads: a call is done and recorded as
/// one step.
pub(crate) fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a descriptor belongs to the watched directory.
pub(crate) fn is_watched(fd: c_int) -> bool {
    let place = usize::try_from(fd).ok().and_then(|fd| WATCHED.get(fd));
    place.is_some_and(|watched| watched.load(Ordering::Relaxed))
}

pub(crate) struct State {
    root: Option<PathBuf>,
    directory: PathBuf,
    log: c_int,
    fault: Option<Fault>,
    at: u64,
    stays: bool,
    count: u64,
    /// Paths of the watched descriptors, seen from the root.
    paths: HashMap<c_int, String>,
}

/// What is to happen to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Done,
    /// Done by half.
    Half,
    /// It has failed: `errno` is set.
    Failed,
}

impl State {
    fn from_environment() -> State {
        let variable = |name: &str| std::env::var(name).ok();
        let log = variable("LOATUNE_SHIM_LOG").and_then(|path| CString::new(path).ok());
        // Create, append, write only, and not inherited.
        let flags: c_int = 0o2000 | 0o1 | 0o100 | 0o2000000;
        let log = log.map_or(-1, |path| {
            let path = path.as_ptr();
            real!(open64(path => *const c_char, flags => c_int, 0o644 => c_uint) -> c_int)
        });
        let fault = variable("LOATUNE_SHIM_FAULT");
        let fault = fault.and_then(|name| Fault::ALL.into_iter().find(|one| one.name() == name));
        let state = State {
            root: variable("LOATUNE_SHIM_ROOT").map(PathBuf::from),
            directory: std::env::current_dir().unwrap_or_default(),
            log,
            fault,
            at: variable("LOATUNE_SHIM_AT").map_or(0, |at| at.parse().unwrap_or(0)),
            stays: variable("LOATUNE_SHIM_STAYS").is_some_and(|stays| stays == "1"),
            count: 0,
            paths: HashMap::new(),
        };
        state.record(&Record::Start);
        state
    }

    /// The path of a call as seen from the root; `None` where it leads elsewhere.
    /// `directory` is an open directory, or a negative number for the current
    /// one.
    pub(crate) fn path_at(&self, directory: c_int, path: *const c_char) -> Option<String> {
        let root = self.root.as_ref()?;
        if path.is_null() {
            return None;
        }
        // SAFETY: the program gives a path to a function that takes one, so it
        // ends with a zero byte and lives as long as the call.
        let path = unsafe { CStr::from_ptr(path) }.to_str().ok()?;
        let base = match self.paths.get(&directory) {
            Some(base) => root.join(base),
            None if directory >= 0 && !path.starts_with('/') => return None,
            None => self.directory.clone(),
        };
        let mut full = PathBuf::new();
        for part in base.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    full.pop();
                }
                other => full.push(other),
            }
        }
        let inside = full.strip_prefix(root).ok()?;
        inside.to_str().map(String::from)
    }

    /// The path of a watched descriptor.
    pub(crate) fn path_of(&self, fd: c_int) -> Option<String> {
        self.paths.get(&fd).cloned()
    }

    pub(crate) fn watch(&mut self, fd: c_int, path: String) {
        let place = usize::try_from(fd).ok().and_then(|fd| WATCHED.get(fd));
        if let Some(watched) = place {
            watched.store(true, Ordering::Relaxed);
            self.paths.insert(fd, path);
        }
    }

    pub(crate) fn unwatch(&mut self, fd: c_int) {
        if self.paths.remove(&fd).is_some() {
            WATCHED[fd as usize].store(false, Ordering::Relaxed);
            self.record(&Record::Close { fd });
        }
    }

    /// Records a change, where changes are recorded.
    pub(crate) fn record(&self, record: &Record) {
        if self.fault.is_none() && self.root.is_some() {
            self.append(&record.encode());
        }
    }

    /// Decides what happens to a call that concerns `path`.
    pub(crate) fn fate(&mut self, call: Call, path: &str) -> Fate {
        let Some(fault) = self.fault.filter(|fault| fault.befalls(call)) else {
            return Fate::Done;
        };
        self.count += 1;
        let is_hit = self.count == self.at || self.stays && self.at > 0 && self.count > self.at;
        let mark = if is_hit { "HIT " } else { "" };
        let name = Path::new(path).display();
        self.append(format!("{mark}{call:?} {name}\n").as_bytes());
        match (is_hit, fault.errno()) {
            (false, _) => Fate::Done,
            (true, None) => Fate::Half,
            (true, Some(number)) => {
                set_errno(number);
                Fate::Failed
            }
        }
    }

    fn append(&self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (data, size) = (bytes.as_ptr().cast(), bytes.len());
            let done =
                real!(write(self.log => c_int, data => *const c_void, size => usize) -> isize);
            let Ok(done @ 1..) = usize::try_from(done) else {
                return;
            };
            bytes = &bytes[done..];
        }
    }
}
