//! What the process itself uses, under the names that Prometheus' own clients
//! give these figures. They come from `/proc`, so other systems than Linux have
//! none.

use std::fmt::Write as _;
use std::fs;

/// The unit of the times in `/proc/self/stat`, which every Linux has.
const TICKS_PER_SECOND: f64 = 100.0;

/// The fields of `/proc/self/stat` behind the program's name: the first of them
/// is field 3 of the manual.
const FIRST_FIELD: usize = 3;

/// Figures of the process as lines of the text format; empty where the system
/// does not tell them.
pub(super) fn process_metrics() -> String {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let system = fs::read_to_string("/proc/stat").unwrap_or_default();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut text = figures(&stat, &system, &status);
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        // The directory that is being read is one of them.
        let open = open.count().saturating_sub(1);
        add(
            &mut text,
            "process_open_fds",
            "gauge",
            "Open files.",
            open as f64,
        );
    }
    text
}

fn figures(stat: &str, system: &str, status: &str) -> String {
    let mut text = String::new();
    // The name is in brackets and may hold anything.
    let Some((_, rest)) = stat.rsplit_once(')') else {
        return text;
    };
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let field = |number: usize| -> Option<f64> { fields.get(number - FIRST_FIELD)?.parse().ok() };
    if let (Some(user), Some(kernel)) = (field(14), field(15)) {
        let seconds = (user + kernel) / TICKS_PER_SECOND;
        let help = "Processor time that was used, in seconds.";
        add(
            &mut text,
            "process_cpu_seconds_total",
            "counter",
            help,
            seconds,
        );
    }
    if let Some(threads) = field(20) {
        add(&mut text, "process_threads", "gauge", "Threads.", threads);
    }
    let booted = system.lines().find_map(|line| line.strip_prefix("btime "));
    let booted: Option<f64> = booted.and_then(|text| text.trim().parse().ok());
    if let (Some(begun), Some(booted)) = (field(22), booted) {
        let help = "When the process began, in seconds since 1970.";
        let begun = booted + begun / TICKS_PER_SECOND;
        add(
            &mut text,
            "process_start_time_seconds",
            "gauge",
            help,
            begun,
        );
    }
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = resident.and_then(|text| text.trim().strip_suffix("kB"));
    if let Some(kib) = kib.and_then(|text| text.trim().parse::<f64>().ok()) {
        let help = "Memory in use, in bytes.";
        let bytes = kib * 1024.0;
        add(
            &mut text,
            "process_resident_memory_bytes",
            "gauge",
            help,
            bytes,
        );
    }
    text
}

fn add(text: &mut String, name: &str, kind: &str, help: &str, value: f64) {
    let _ = writeln!(
        text,
        "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_spaces_is_no_obstacle() {
        let stat = "71 (a (b) c) S 1 71 71 0 -1 4194560 500 0 0 0 250 50 0 0 20 0 9 0 4200 \
                    1048576 3 18446744073709551615";
        let status = "Name:\ta\nVmRSS:\t    2048 kB\n";
        let text = figures(stat, "cpu 1 2\nbtime 1000\n", status);
        for line in [
            "process_cpu_seconds_total 3\n",
            "process_threads 9\n",
            "process_start_time_seconds 1042\n",
            "process_resident_memory_bytes 2097152\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(figures("", "", ""), "");
    }
}
