//! The functions that take a path.
//!
//! # Safety
//!
//! The program calls these as it would call those of the C library with the same
//! names, and keeps to the same rules: paths end with a zero byte, and buffers are
//! as large as they are said to be. Every function hands its arguments on
//! unchanged.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::fault::Call;
use crate::real::real;
use crate::record::Record;
use crate::state::{Fate, State, lock};

/// The current directory, as a descriptor.
const HERE: c_int = -100;

const WRITE_ONLY: c_int = 0o1;
const READ_AND_WRITE: c_int = 0o2;
const CREATE: c_int = 0o100;
const TRUNCATE: c_int = 0o1000;

/// Opens a file. `mode` is whatever the caller's register holds where the flags
/// do not ask for it, as in the C library.
fn open(directory: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let call = || {
        real!(openat64(
            directory => c_int, path => *const c_char, flags => c_int, mode => c_uint
        ) -> c_int)
    };
    let mut state = lock();
    let Some(name) = state.path_at(directory, path) else {
        drop(state);
        return call();
    };
    let writes = flags & (WRITE_ONLY | READ_AND_WRITE | CREATE) != 0;
    let kind = if writes {
        Call::OpenForWriting
    } else {
        Call::Open
    };
    if state.fate(kind, &name) == Fate::Failed {
        return -1;
    }
    let existed = flags & CREATE == 0 || exists(directory, path);
    let fd = call();
    if fd >= 0 {
        state.watch(fd, name.clone());
        state.record(&Record::Open {
            fd,
            path: name,
            created: !existed,
            truncated: existed && writes && flags & TRUNCATE != 0,
        });
    }
    fd
}

fn exists(directory: c_int, path: *const c_char) -> bool {
    real!(faccessat(
        directory => c_int, path => *const c_char, 0 => c_int, 0 => c_int
    ) -> c_int)
        == 0
}

#[unsafe(no_mangle)]
extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(HERE, path, flags, mode)
}

#[unsafe(no_mangle)]
extern "C" fn openat64(directory: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(directory, path, flags, mode)
}

#[unsafe(no_mangle)]
extern "C" fn openat(directory: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(directory, path, flags, mode)
}

#[unsafe(export_name = "open")]
extern "C" fn open_here(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(HERE, path, flags, mode)
}

#[unsafe(no_mangle)]
extern "C" fn creat(path: *const c_char, mode: c_uint) -> c_int {
    open(HERE, path, CREATE | WRITE_ONLY | TRUNCATE, mode)
}

#[unsafe(no_mangle)]
extern "C" fn creat64(path: *const c_char, mode: c_uint) -> c_int {
    open(HERE, path, CREATE | WRITE_ONLY | TRUNCATE, mode)
}

/// Does a call that changes directories, where `record` gives what it changes,
/// which is none where all paths lead elsewhere.
fn change(
    record: impl FnOnce(&State) -> Option<(String, Record)>,
    call: impl FnOnce() -> c_int,
) -> c_int {
    let mut state = lock();
    let Some((name, record)) = record(&state) else {
        drop(state);
        return call();
    };
    if state.fate(Call::ChangeDirectory, &name) == Fate::Failed {
        return -1;
    }
    let done = call();
    if done == 0 {
        state.record(&record);
    }
    done
}

#[unsafe(no_mangle)]
extern "C" fn renameat2(
    from_directory: c_int,
    from: *const c_char,
    to_directory: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    let record = |state: &State| {
        let from = state.path_at(from_directory, from)?;
        let to = state.path_at(to_directory, to)?;
        Some((to.clone(), Record::Rename { from, to }))
    };
    change(record, || {
        real!(renameat2(
            from_directory => c_int, from => *const c_char,
            to_directory => c_int, to => *const c_char, flags => c_uint
        ) -> c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn renameat(
    from_directory: c_int,
    from: *const c_char,
    to_directory: c_int,
    to: *const c_char,
) -> c_int {
    renameat2(from_directory, from, to_directory, to, 0)
}

#[unsafe(no_mangle)]
extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    renameat2(HERE, from, HERE, to, 0)
}

#[unsafe(no_mangle)]
extern "C" fn linkat(
    from_directory: c_int,
    from: *const c_char,
    to_directory: c_int,
    to: *const c_char,
    flags: c_int,
) -> c_int {
    let record = |state: &State| {
        let from = state.path_at(from_directory, from)?;
        let to = state.path_at(to_directory, to)?;
        Some((to.clone(), Record::Link { from, to }))
    };
    change(record, || {
        real!(linkat(
            from_directory => c_int, from => *const c_char,
            to_directory => c_int, to => *const c_char, flags => c_int
        ) -> c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn link(from: *const c_char, to: *const c_char) -> c_int {
    linkat(HERE, from, HERE, to, 0)
}

#[unsafe(no_mangle)]
extern "C" fn unlinkat(directory: c_int, path: *const c_char, flags: c_int) -> c_int {
    let record = |state: &State| {
        let path = state.path_at(directory, path)?;
        Some((path.clone(), Record::Remove { path }))
    };
    change(
        record,
        || real!(unlinkat(directory => c_int, path => *const c_char, flags => c_int) -> c_int),
    )
}

#[unsafe(no_mangle)]
extern "C" fn unlink(path: *const c_char) -> c_int {
    unlinkat(HERE, path, 0)
}

#[unsafe(no_mangle)]
extern "C" fn rmdir(path: *const c_char) -> c_int {
    // AT_REMOVEDIR.
    unlinkat(HERE, path, 0x200)
}

#[unsafe(no_mangle)]
extern "C" fn mkdirat(directory: c_int, path: *const c_char, mode: c_uint) -> c_int {
    let record = |state: &State| {
        let path = state.path_at(directory, path)?;
        Some((path.clone(), Record::MakeDirectory { path }))
    };
    change(
        record,
        || real!(mkdirat(directory => c_int, path => *const c_char, mode => c_uint) -> c_int),
    )
}

#[unsafe(no_mangle)]
extern "C" fn mkdir(path: *const c_char, mode: c_uint) -> c_int {
    mkdirat(HERE, path, mode)
}

/// Does a call that only looks at a path.
fn look(directory: c_int, path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    let mut state = lock();
    if let Some(name) = state.path_at(directory, path)
        && state.fate(Call::Look, &name) == Fate::Failed
    {
        return -1;
    }
    drop(state);
    call()
}

#[unsafe(no_mangle)]
extern "C" fn statx(
    directory: c_int,
    path: *const c_char,
    flags: c_int,
    mask: c_uint,
    found: *mut c_void,
) -> c_int {
    look(directory, path, || {
        real!(statx(
            directory => c_int, path => *const c_char, flags => c_int, mask => c_uint,
            found => *mut c_void
        ) -> c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn stat64(path: *const c_char, found: *mut c_void) -> c_int {
    look(
        HERE,
        path,
        || real!(stat64(path => *const c_char, found => *mut c_void) -> c_int),
    )
}

#[unsafe(no_mangle)]
extern "C" fn lstat64(path: *const c_char, found: *mut c_void) -> c_int {
    look(
        HERE,
        path,
        || real!(lstat64(path => *const c_char, found => *mut c_void) -> c_int),
    )
}

#[unsafe(no_mangle)]
extern "C" fn opendir(path: *const c_char) -> *mut c_void {
    let call = || real!(opendir(path => *const c_char) -> *mut c_void);
    let mut state = lock();
    let Some(name) = state.path_at(HERE, path) else {
        drop(state);
        return call();
    };
    if state.fate(Call::Open, &name) == Fate::Failed {
        return std::ptr::null_mut();
    }
    let directory = call();
    if !directory.is_null() {
        let fd = real!(dirfd(directory => *mut c_void) -> c_int);
        state.watch(fd, name.clone());
        state.record(&Record::Open {
            fd,
            path: name,
            created: false,
            truncated: false,
        });
    }
    directory
}
