//! How much memory a process may still take. Owns where the system says so;
//! what to do with the answer is its caller's choice.

use std::fs;
use std::path::Path;

/// The bytes that can still be taken: what the system has left without swapping,
/// what the control group of a container or service leaves, or what the process
/// may address (`ulimit -v`), whichever is least.
/// `None` where the system does not say.
pub(crate) fn available() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok();
    let system = system.as_deref().and_then(mem_available);
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = group_available(&groups, Path::new("/sys/fs/cgroup"));
    let limits = fs::read_to_string("/proc/self/limits").ok();
    let limit = limits.as_deref().and_then(address_space);
    least(limit, least(system, groups))
}

/// More memory is wanted than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of memory are needed, but only {} are available",
    size_text(*.needed), size_text(*.available))]
pub(crate) struct NotEnough {
    needed: u64,
    available: u64,
}

/// Checks before anything is created that `bytes` can be taken.
///
/// # Errors
/// [`NotEnough`]; never where the system does not say what is left.
pub(crate) fn check(bytes: u64) -> Result<(), NotEnough> {
    match available() {
        Some(available) if bytes > available => Err(NotEnough {
            needed: bytes,
            available,
        }),
        _ => Ok(()),
    }
}

/// A number of bytes for people: `1.5 GiB`.
pub(crate) fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while amount >= 1024.0
        && let Some(next) = units.next()
    {
        amount /= 1024.0;
        unit = Some(next);
    }
    let unit = unit.copied().unwrap_or_default();
    if amount.fract() == 0.0 {
        format!("{amount:.0} {unit}")
    } else {
        format!("{amount:.1} {unit}")
    }
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The line `MemAvailable:  123 kB`.
fn mem_available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The line `Max address space  SOFT  HARD  bytes`; `unlimited` is no number.
fn address_space(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What the process's control group (version 2, the line `0::/PATH`) and all
/// groups around it leave. Inside of a container the path may not exist; then
/// the container's own group is the root.
fn group_available(groups: &str, root: &Path) -> Option<u64> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let own = root.join(own.unwrap_or("").trim());
    let mut found = None;
    for group in own.ancestors().take_while(|group| group.starts_with(root)) {
        let number = |file: &str| -> Option<u64> {
            let text = fs::read_to_string(group.join(file)).ok()?;
            text.trim().parse().ok()
        };
        // Without a limit the file says `max`, which is no number.
        if let (Some(most), Some(used)) = (number("memory.max"), number("memory.current")) {
            found = least(found, Some(most.saturating_sub(used)));
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_how_much_is_left() {
        let text = "MemTotal:  100 kB\nMemFree:  1 kB\nMemAvailable:    42 kB\n";
        assert_eq!(mem_available(text), Some(42 * 1024));
        assert_eq!(mem_available("MemTotal:  100 kB\n"), None);
        if cfg!(target_os = "linux") {
            assert!(available().unwrap() > 0);
        }
        let limits = "Max cpu time  9 9 seconds\nMax address space   4096   unlimited   bytes\n";
        assert_eq!(address_space(limits), Some(4096));
        let limits = "Max address space         unlimited            unlimited            bytes";
        assert_eq!(address_space(limits), None);
    }

    #[test]
    fn the_narrowest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let set = |group: &str, most: &str, used: &str| {
            let group = root.path().join(group);
            fs::create_dir_all(&group).unwrap();
            fs::write(group.join("memory.max"), most).unwrap();
            fs::write(group.join("memory.current"), used).unwrap();
        };
        let found = |groups: &str| group_available(groups, root.path());
        assert_eq!(found("0::/a/b\n"), None);
        set("a", "1000\n", "400\n");
        set("a/b", "max\n", "10\n");
        assert_eq!(found("0::/a/b\n"), Some(600));
        set("a/b", "100\n", "500\n");
        assert_eq!(found("1:name=x:/\n0::/a/b\n"), Some(0));
        assert_eq!(found("0::/gone\n"), None);
        set("", "7\n", "3\n");
        assert_eq!(found("0::/gone\n"), Some(4));
    }

    #[test]
    fn nobody_has_an_exbibyte() {
        assert_eq!(check(0), Ok(()));
        if cfg!(target_os = "linux") {
            let error = check(1 << 60).unwrap_err().to_string();
            assert!(error.starts_with("1048576 TiB of memory are needed, but only "));
        }
    }

    #[test]
    fn sizes_for_people() {
        assert_eq!(size_text(256 * 1024), "256 KiB");
        assert_eq!(size_text(16 << 20), "16 MiB");
        assert_eq!(size_text(1536 << 20), "1.5 GiB");
        assert_eq!(size_text(5 << 50), "5120 TiB");
    }
}
