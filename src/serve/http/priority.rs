//! The priority of the page's threads.

/// How much nicer than the rest of the process a thread becomes: beside a game
/// on the same core it gets about a tenth of the time, and all of a core that
/// is idle.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The greatest niceness there is.
#[cfg(target_os = "linux")]
const MAX_NICENESS: i32 = 19;

/// Gives the calling thread a lower priority than the threads that play games.
/// Linux has priorities of single threads; elsewhere, and where the system
/// refuses, the thread goes on as it is.
pub(super) fn lower_own_priority() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getpriority_process, setpriority_process};
        // Without a process number, Linux means the calling thread.
        let lowered = getpriority_process(None)
            .and_then(|own| setpriority_process(None, (own + NICENESS).min(MAX_NICENESS)));
        if let Err(error) = lowered {
            log::debug!("the searches of the page keep their priority: {error}");
        }
    }
}
