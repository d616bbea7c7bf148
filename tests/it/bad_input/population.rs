//! Populations: names, what is not there, and what cannot be done with one.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::case::{Case, bad, check_all};
use crate::support::binary::loatune;
use loatune::weights::WeightFile;

/// A population whose run is over, made once.
fn finished() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let place = MADE.get_or_init(|| {
        let place = tempfile::tempdir().unwrap();
        let mut command = loatune(place.path());
        let command = command.args([
            "run",
            "--population=old",
            "--files=4",
            "--window=2",
            "--budget=40",
            "--depth=1",
            "--certificate-games=2",
            "--hall-games=2",
            "--threads=1",
        ]);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        place
    });
    place.path()
}

#[test]
fn names() {
    let mut cases: Vec<Case> = Vec::new();
    for command in [
        "run",
        "status",
        "stop",
        "export",
        "history",
        "import a.toml",
    ] {
        for (name, what) in [
            ("", "no population's name"),
            (".", "no population's name"),
            ("a/..", "no population's name"),
            ("/", "no population's name"),
            ("published", "that is where champions are published"),
            ("a\tb", "a name has no control characters"),
        ] {
            let place = format!("--population {name:?}");
            let case = bad(command, &place, what).arg("--population").arg(name);
            cases.push(case.file("a.toml", WeightFile::source().to_toml()));
        }
    }
    check_all(&cases, 36);
}

#[test]
fn that_are_not_there() {
    let weights = WeightFile::source().to_toml();
    let mut cases: Vec<Case> = Vec::new();
    for command in ["status", "export", "history", "import a.toml"] {
        let place = "no population in populations/default";
        let case = bad(
            command,
            place,
            "there is none yet: `loatune run` begins one",
        );
        cases.push(case.file("a.toml", &weights));
        let place = "no population in populations/new";
        let case = bad(&format!("{command} -p new"), place, "there are: old");
        let case = case.file("a.toml", &weights);
        cases.push(case.copy_of("populations", &finished().join("populations")));
    }
    cases.extend([
        bad("stop", "populations/default", "nobody"),
        bad("stop -p ./x", "x", "nobody"),
        bad(
            "import",
            "<FILE>...",
            "required arguments were not provided",
        ),
        bad("import no.toml", "no weights \"no.toml\"", "neither a file"),
        bad(
            "export --file x",
            "'x' for '--file <ID>'",
            "must be the number of a file",
        ),
        bad(
            "export --file 1 --leader",
            "'--file <ID>'",
            "cannot be used with",
        ),
        bad("export --all --champion", "'--all'", "cannot be used with"),
        bad(
            "export --format xml",
            "'xml' for '--format <FORMAT>'",
            "possible values: toml, json, csv",
        ),
        bad("export -o", "'--output <PATH>'", "value is required"),
        bad(
            "history --json --csv",
            "'--json'",
            "cannot be used with '--csv'",
        ),
        bad(
            "history --chart pie",
            "'pie' for '--chart <CHART>'",
            "possible values: ",
        ),
        bad(
            "history --theme pink",
            "'pink' for '--theme <THEME>'",
            "possible values: light, dark",
        ),
        bad(
            "history --chart genes",
            "required arguments were not provided",
            "--svg <FILE>|--png <FILE>",
        ),
        bad(
            "history --csv --theme dark",
            "required arguments were not provided",
            "--svg <FILE>|--png <FILE>",
        ),
        bad(
            "export --file #x",
            "'#x' for '--file <ID>'",
            "must be the number of a file, as 3 or #3",
        ),
        bad(
            "run --no-http --http-enabled true",
            "--no-http and --http-enabled",
            "give one of them",
        ),
    ]);
    check_all(&cases, 24);
}

#[test]
fn that_are_over() {
    let weights = WeightFile::source().to_toml();
    let rows = [
        (
            "export --file 99999",
            "no file #99999 in the population old",
            "were born so far",
        ),
        (
            "export --all --format toml",
            "--all --format toml",
            "take csv or json",
        ),
        (
            "import a.toml",
            "cannot import a.toml",
            "the final has begun",
        ),
        (
            "run --population old --depth 2 --files 4 --window 2",
            "player.depth",
            "--budget with more games takes it further",
        ),
        ("stop", "populations/old", "nobody"),
    ];
    let mut cases: Vec<Case> = Vec::new();
    for (line, place, what) in rows {
        cases.push(bad(line, place, what));
    }
    for (line, place) in [
        ("export -o no/such/a.toml", "cannot write no/such/a.toml"),
        ("history --svg no/such/a.svg", "cannot write no/such/a.svg"),
        ("history --png no/such/a.png", "cannot write no/such/a.png"),
    ] {
        cases.push(bad(line, place, "No such file").fails());
    }
    let old = finished().join("populations");
    let cases: Vec<Case> = cases
        .into_iter()
        .map(|case| {
            let case = case.copy_of("populations", &old);
            case.file("a.toml", &weights).may_change("populations/old")
        })
        .collect();
    check_all(&cases, 8);
}

/// Where there is no room, nothing is half made.
#[test]
fn that_cannot_begin() {
    let cases = [
        bad("run", "populations/default", "directory")
            .file("populations", "")
            .fails(),
        bad("run -p ./a/b", "a/b", "directory")
            .file("a", "")
            .fails(),
        bad(
            "run --seed-from no.toml",
            "no weights \"no.toml\"",
            "neither a file",
        ),
        bad(
            "run",
            "populations/published/bad.toml",
            "missing group [weights]",
        )
        .file("populations/published/bad.toml", ""),
    ];
    check_all(&cases, 4);
}
