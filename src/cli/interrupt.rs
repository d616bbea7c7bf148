//! Stopping on request: the first Ctrl-C or SIGTERM asks for an orderly end,
//! the second one ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signal for a file that has become larger than the process may write.
const SIGXFSZ: i32 = 25;

/// The exit codes of a process that a signal ended, as shells have them.
const SIGNALS: [(i32, i32); 2] = [(SIGINT, 130), (SIGTERM, 143)];

/// From now on the first signal sets the flag instead of ending the process.
pub(crate) fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for (signal, code) in SIGNALS {
        // In this order: the first signal finds the flag not yet set.
        flag::register_conditional_shutdown(signal, code, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // A file that may not grow is then an error as any other, not an end
    // without a word.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}
