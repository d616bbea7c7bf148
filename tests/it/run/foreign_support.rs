//! Other programs for runs to tune: our own engine behind a script that adds
//! options, or fails as it is told.

use crate::support::binary::Place;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_loatune");

/// The command that starts the script.
pub const ENGINE: &str = "sh engine.sh";

/// What makes a run short.
const SMALL: &[&str] = &[
    "--no-http",
    "--school",
    "false",
    "--depth",
    "1",
    "--files",
    "4",
    "--window",
    "2",
    "--threads",
    "1",
    "--certificate-games",
    "2",
    "--hall-games",
    "2",
];

/// A short run of `population`, with further arguments; of 40 games unless they
/// say otherwise.
pub fn args<'a>(population: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["-q", "run", "--population", population];
    args.extend_from_slice(SMALL);
    if !more.contains(&"--budget") {
        args.extend_from_slice(&["--budget", "40"]);
    }
    args.extend_from_slice(more);
    args
}

/// A script that is our own engine with options `g0`, `g1`, … from 0 to 100, of
/// which it only takes note; `at_go` is what it does before it searches. `$me` is
/// the number of the process: each leaves a line in the file `starts`.
pub fn script(genes: usize, at_go: &str) -> String {
    format!(
        "while read -r word rest; do case $word in \
         ugi) n=0; while [ $n -lt {genes} ]; do \
         echo \"option name g$n type spin default $n min 0 max 200\"; n=$((n+1)); done; \
         echo >> starts; me=$(wc -l < starts); echo ugi >&3;; \
         setoption) case $rest in \"name g\"*) ;; *) echo \"$word $rest\" >&3;; esac;; \
         go) {at_go}; echo \"$word $rest\" >&3;; \
         *) echo \"$word $rest\" >&3;; esac; done 3>&1 >&4 | '{PROGRAM}' ugi\n"
    )
}

/// The script, in a file beside the population.
pub fn with_script(place: Place, genes: usize, at_go: &str) -> Place {
    let script = script(genes, at_go);
    // The pipe is descriptor 3, what the runner reads descriptor 4.
    place.with("engine.sh", &format!("exec 4>&1\n{script}"))
}
