//! The functions that take an open file.
//!
//! # Safety
//!
//! As in [`names`](super::names): the program keeps to the rules of the C library,
//! and every function hands its arguments on, or with fewer bytes to read or write.

use std::ffi::{c_int, c_long, c_uint, c_void};

use crate::fault::Call;
use crate::real::{errno, real, set_errno};
use crate::record::Record;
use crate::state::{Fate, is_watched, lock};

/// A part of a vector of buffers, as the C library defines it.
#[repr(C)]
struct Buffer {
    start: *const u8,
    length: usize,
}

/// Does a call that writes at most `count` bytes of `data`. `at` is the place in
/// the file, or where the file's own position is.
fn write_with(
    fd: c_int,
    data: *const u8,
    count: usize,
    at: Option<i64>,
    call: impl FnOnce(usize) -> isize,
) -> isize {
    if !is_watched(fd) {
        return call(count);
    }
    let mut state = lock();
    let name = state.path_of(fd).unwrap_or_default();
    let count = match state.fate(Call::Write, &name) {
        Fate::Done => count,
        Fate::Half => count.div_ceil(2),
        Fate::Failed => return -1,
    };
    let done = call(count);
    if let Ok(size @ 1..) = usize::try_from(done) {
        let end = || position(fd) - size as i64;
        let offset = u64::try_from(at.unwrap_or_else(end)).unwrap_or(0);
        // SAFETY: the system has just read so many bytes from there.
        let data = unsafe { std::slice::from_raw_parts(data, size) }.to_vec();
        state.record(&Record::Write { fd, offset, data });
    }
    done
}

/// Where a file's next read or write begins.
fn position(fd: c_int) -> i64 {
    real!(lseek64(fd => c_int, 0 => i64, 1 => c_int) -> i64)
}

#[unsafe(no_mangle)]
extern "C" fn write(fd: c_int, data: *const u8, count: usize) -> isize {
    write_with(
        fd,
        data,
        count,
        None,
        |count| real!(write(fd => c_int, data => *const u8, count => usize) -> isize),
    )
}

#[unsafe(no_mangle)]
extern "C" fn pwrite64(fd: c_int, data: *const u8, count: usize, at: i64) -> isize {
    write_with(
        fd,
        data,
        count,
        Some(at),
        |count| real!(pwrite64(fd => c_int, data => *const u8, count => usize, at => i64) -> isize),
    )
}

#[unsafe(no_mangle)]
extern "C" fn pwrite(fd: c_int, data: *const u8, count: usize, at: i64) -> isize {
    pwrite64(fd, data, count, at)
}

/// Writes the first buffer that is not empty: a short write, which is allowed.
#[unsafe(no_mangle)]
extern "C" fn writev(fd: c_int, buffers: *const c_void, count: c_int) -> isize {
    if !is_watched(fd) {
        return real!(writev(fd => c_int, buffers => *const c_void, count => c_int) -> isize);
    }
    let length = usize::try_from(count).unwrap_or(0);
    // SAFETY: the program gives so many buffers, in the C library's own form.
    let buffers = unsafe { std::slice::from_raw_parts(buffers.cast::<Buffer>(), length) };
    let first = buffers.iter().find(|buffer| buffer.length > 0);
    first.map_or(0, |buffer| write(fd, buffer.start, buffer.length))
}

fn read_with(fd: c_int, count: usize, call: impl FnOnce(usize) -> isize) -> isize {
    if !is_watched(fd) {
        return call(count);
    }
    let mut state = lock();
    let name = state.path_of(fd).unwrap_or_default();
    match state.fate(Call::Read, &name) {
        Fate::Done => call(count),
        Fate::Half => call(count.div_ceil(2)),
        Fate::Failed => -1,
    }
}

#[unsafe(no_mangle)]
extern "C" fn read(fd: c_int, data: *mut c_void, count: usize) -> isize {
    read_with(
        fd,
        count,
        |count| real!(read(fd => c_int, data => *mut c_void, count => usize) -> isize),
    )
}

#[unsafe(no_mangle)]
extern "C" fn pread64(fd: c_int, data: *mut c_void, count: usize, at: i64) -> isize {
    read_with(
        fd,
        count,
        |count| real!(pread64(fd => c_int, data => *mut c_void, count => usize, at => i64) -> isize),
    )
}

#[unsafe(no_mangle)]
extern "C" fn pread(fd: c_int, data: *mut c_void, count: usize, at: i64) -> isize {
    pread64(fd, data, count, at)
}

/// Does a call on an open file, and records what it has changed.
fn change(fd: c_int, kind: Call, record: Option<Record>, call: impl FnOnce() -> c_int) -> c_int {
    if !is_watched(fd) {
        return call();
    }
    let mut state = lock();
    let name = state.path_of(fd).unwrap_or_default();
    if state.fate(kind, &name) == Fate::Failed {
        return -1;
    }
    let done = call();
    if let (0, Some(record)) = (done, record) {
        state.record(&record);
    }
    done
}

#[unsafe(no_mangle)]
extern "C" fn fsync(fd: c_int) -> c_int {
    let call = || real!(fsync(fd => c_int) -> c_int);
    change(fd, Call::Sync, Some(Record::Sync { fd }), call)
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(fd: c_int) -> c_int {
    let call = || real!(fdatasync(fd => c_int) -> c_int);
    change(fd, Call::Sync, Some(Record::Sync { fd }), call)
}

/// Makes nothing safe: the disk's own cache and the file's length are left out.
#[unsafe(no_mangle)]
extern "C" fn sync_file_range(fd: c_int, from: i64, count: i64, flags: c_uint) -> c_int {
    change(fd, Call::Sync, None, || {
        real!(sync_file_range(
            fd => c_int, from => i64, count => i64, flags => c_uint
        ) -> c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate64(fd: c_int, length: i64) -> c_int {
    let record = Record::SetLength {
        fd,
        length: u64::try_from(length).unwrap_or(0),
    };
    change(
        fd,
        Call::SetLength,
        Some(record),
        || real!(ftruncate64(fd => c_int, length => i64) -> c_int),
    )
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate(fd: c_int, length: i64) -> c_int {
    ftruncate64(fd, length)
}

/// The system may refuse it, and then programs write instead.
#[unsafe(no_mangle)]
extern "C" fn fallocate64(fd: c_int, mode: c_int, from: i64, count: i64) -> c_int {
    if is_watched(fd) {
        return unsupported() as c_int;
    }
    real!(fallocate64(fd => c_int, mode => c_int, from => i64, count => i64) -> c_int)
}

#[unsafe(no_mangle)]
extern "C" fn fallocate(fd: c_int, mode: c_int, from: i64, count: i64) -> c_int {
    fallocate64(fd, mode, from, count)
}

/// Copies without reading and writing are refused, as by older systems.
#[unsafe(no_mangle)]
extern "C" fn copy_file_range(
    from: c_int,
    from_at: *mut i64,
    to: c_int,
    to_at: *mut i64,
    count: usize,
    flags: c_uint,
) -> isize {
    if is_watched(from) || is_watched(to) {
        return unsupported();
    }
    real!(copy_file_range(
        from => c_int, from_at => *mut i64, to => c_int, to_at => *mut i64,
        count => usize, flags => c_uint
    ) -> isize)
}

#[unsafe(no_mangle)]
extern "C" fn sendfile64(to: c_int, from: c_int, at: *mut i64, count: usize) -> isize {
    if is_watched(from) || is_watched(to) {
        return unsupported();
    }
    real!(sendfile64(to => c_int, from => c_int, at => *mut i64, count => usize) -> isize)
}

/// Fails as a function does that the system does not have (ENOSYS).
fn unsupported() -> isize {
    set_errno(38);
    -1
}

#[unsafe(no_mangle)]
extern "C" fn flock(fd: c_int, how: c_int) -> c_int {
    change(
        fd,
        Call::Lock,
        None,
        || real!(flock(fd => c_int, how => c_int) -> c_int),
    )
}

/// `argument` is whatever the caller's register holds where the command has none.
#[unsafe(no_mangle)]
extern "C" fn fcntl(fd: c_int, command: c_int, argument: c_long) -> c_int {
    let call = || real!(fcntl(fd => c_int, command => c_int, argument => c_long) -> c_int);
    // F_DUPFD and F_DUPFD_CLOEXEC.
    if !matches!(command, 0 | 1030) {
        return call();
    }
    duplicate(fd, call)
}

#[unsafe(no_mangle)]
extern "C" fn fcntl64(fd: c_int, command: c_int, argument: c_long) -> c_int {
    fcntl(fd, command, argument)
}

#[unsafe(no_mangle)]
extern "C" fn dup(fd: c_int) -> c_int {
    duplicate(fd, || real!(dup(fd => c_int) -> c_int))
}

fn duplicate(fd: c_int, call: impl FnOnce() -> c_int) -> c_int {
    if !is_watched(fd) {
        return call();
    }
    let mut state = lock();
    let name = state.path_of(fd).unwrap_or_default();
    if state.fate(Call::Duplicate, &name) == Fate::Failed {
        return -1;
    }
    let copy = call();
    if copy >= 0 {
        state.watch(copy, name);
        state.record(&Record::Duplicate { fd, copy });
    }
    copy
}

#[unsafe(no_mangle)]
extern "C" fn close(fd: c_int) -> c_int {
    if is_watched(fd) {
        lock().unwatch(fd);
    }
    real!(close(fd => c_int) -> c_int)
}

#[unsafe(no_mangle)]
extern "C" fn closedir(directory: *mut c_void) -> c_int {
    let fd = real!(dirfd(directory => *mut c_void) -> c_int);
    if is_watched(fd) {
        lock().unwatch(fd);
    }
    real!(closedir(directory => *mut c_void) -> c_int)
}

#[unsafe(no_mangle)]
extern "C" fn readdir64(directory: *mut c_void) -> *mut c_void {
    let before = errno();
    let fd = real!(dirfd(directory => *mut c_void) -> c_int);
    if is_watched(fd) {
        let mut state = lock();
        let name = state.path_of(fd).unwrap_or_default();
        if state.fate(Call::ListDirectory, &name) == Fate::Failed {
            return std::ptr::null_mut();
        }
    }
    // The end of a directory is told from an error by this number alone.
    set_errno(before);
    real!(readdir64(directory => *mut c_void) -> *mut c_void)
}
