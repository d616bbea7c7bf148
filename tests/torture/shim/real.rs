//! The C library's own functions, which the shim stands in front of.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

/// `RTLD_NEXT`: look behind this library.
const NEXT: *mut c_void = -1_isize as *mut c_void;

/// The address of a function of the C library, looked up once.
pub(crate) struct Real {
    name: &'static CStr,
    address: OnceLock<usize>,
}

impl Real {
    pub(crate) const fn new(name: &'static CStr) -> Real {
        Real {
            name,
            address: OnceLock::new(),
        }
    }

    /// Every name that is looked up is a function of every C library of Linux
    /// that this is used with, so it is there.
    pub(crate) fn address(&self) -> *mut c_void {
        let find = || {
            // SAFETY: the name ends with a zero byte, and the handle is a
            // constant that the C library defines.
            let found = unsafe { dlsym(NEXT, self.name.as_ptr()) };
            found as usize
        };
        *self.address.get_or_init(find) as *mut c_void
    }
}

/// Calls the C library's function of this name. The types of the arguments and
/// of the result must be the function's own.
macro_rules! real {
    ($name:ident($($argument:expr => $kind:ty),*) -> $result:ty) => {{
        static REAL: $crate::real::Real = $crate::real::Real::new(
            match ::std::ffi::CStr::from_bytes_with_nul(
                concat!(stringify!($name), "\0").as_bytes(),
            ) {
                Ok(name) => name,
                Err(_) => panic!("a name has no zero byte"),
            },
        );
        type Function = unsafe extern "C" fn($($kind),*) -> $result;
        // SAFETY: the address is that of the function with this name, whose
        // signature the caller of the macro has written down; its arguments are
        // those that the program gave.
        unsafe {
            let function: Function = ::std::mem::transmute(REAL.address());
            function($($argument),*)
        }
    }};
}
pub(crate) use real;

pub(crate) fn set_errno(number: i32) {
    // SAFETY: the C library gives the address of this thread's own number.
    unsafe { *__errno_location() = number }
}

pub(crate) fn errno() -> i32 {
    // SAFETY: as above.
    unsafe { *__errno_location() }
}
