//! Blocks of commands, run and compared with what the program prints.
//!
//! **Console blocks.** A line that begins with `$ ` is run by `sh` with the real
//! binary first in `PATH`; the lines below it are what standard output and
//! standard error print, in the order in which they come. Every block has a fresh
//! directory, which holds nothing but `populations/published/`, as a clone does.
//! A command must succeed; one that is to fail is followed by
//! `; echo "exit code $?"`. `…` inside a line stands for any text (times, speeds,
//! paths), `…` alone on a line for any number of lines; runs of spaces count as
//! one.
//!
//! **Markers.** HTML comments directly above a block:
//!
//! * `<!-- before: COMMAND -->` runs a command first, without showing it;
//! * `<!-- slow: REASON -->` leaves the block to the ignored test, which
//!   `cargo test -- --include-ignored` runs;
//! * `<!-- not run: REASON -->` exempts the block.
//!
//! With `LOATUNE_BLESS=1` documents are changed instead: see [`super::bless`].

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::bless::{self, Edit};
use super::markdown::{Document, ROOT, documents};
use super::program::binary;

/// No command of a document takes longer.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A ```` ```console ```` block.
struct Block {
    document: String,
    /// The line of its fence, counted from 0.
    line: usize,
    run: Run,
    before: Vec<String>,
    steps: Vec<Step>,
}

/// A command, and what it prints.
struct Step {
    command: String,
    /// The first line of `expected`, counted from that of the fence.
    line: usize,
    expected: Vec<String>,
}

/// Which test runs a block.
#[derive(PartialEq)]
pub(super) enum Run {
    /// The one that everybody runs.
    Quick,
    /// The ignored one.
    Slow,
    /// None: the block is exempt, for the reason that its marker gives.
    Never,
}

/// Runs blocks of a kind and reports all that differ.
pub(super) fn check_blocks(kind: &Run, fewest: usize) {
    let blocks = documents()
        .into_iter()
        .flat_map(|document| blocks(&document));
    let blocks: Vec<Block> = blocks.filter(|block| block.run == *kind).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (problems, edits) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match block.check() {
                        Ok(found) => edits.lock().unwrap().extend(found),
                        Err(problem) => problems.lock().unwrap().push(problem),
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    bless::apply(edits.into_inner().unwrap());
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    let done = done.into_inner();
    assert!(
        done >= fewest,
        "only {done} blocks were run, of at least {fewest}"
    );
}

/// The console blocks of a document.
fn blocks(document: &Document) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut comments = String::new();
    let mut lines = document.text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.starts_with("<!--") {
            comments.push_str(line);
            while !comments.trim_end().ends_with("-->") {
                let (_, more) = lines.next().expect("a comment ends");
                comments.push('\n');
                comments.push_str(more);
            }
        } else if line.starts_with("```") {
            let body = lines.by_ref().map(|(_, line)| line);
            let body: Vec<&str> = body.take_while(|line| *line != "```").collect();
            if line == "```console" {
                blocks.push(Block::new(&document.name, number, &comments, &body));
            }
            comments.clear();
        } else {
            comments.clear();
        }
    }
    blocks
}

impl Block {
    fn new(document: &str, line: usize, comments: &str, body: &[&str]) -> Block {
        let location = format!("{document}:{}", line + 1);
        let (mut run, mut before) = (Run::Quick, Vec::new());
        for comment in comments.split("-->") {
            let comment = comment.trim().trim_start_matches("<!--").trim();
            let Some((marker, text)) = comment.split_once(':') else {
                assert_eq!(comment, "", "{location}: a comment without a marker");
                continue;
            };
            let text = text.trim();
            assert!(!text.is_empty(), "{location}: {marker} without its text");
            match marker {
                "before" => before.extend(text.lines().map(str::to_owned)),
                "slow" => run = Run::Slow,
                "not run" => run = Run::Never,
                _ => panic!("{location}: no marker is called {marker:?}"),
            }
        }
        let mut steps: Vec<Step> = Vec::new();
        for (n, text) in body.iter().enumerate() {
            match (text.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    command: command.to_owned(),
                    line: n + 2,
                    expected: Vec::new(),
                }),
                (None, Some(step)) if step.command.ends_with('\\') => {
                    step.command.truncate(step.command.len() - 1);
                    step.command.push_str(text.trim_start());
                    step.line = n + 2;
                }
                (None, Some(step)) => step.expected.push((*text).to_owned()),
                (None, None) => panic!("{location}: a console block begins with \"$ \""),
            }
        }
        Block {
            document: document.to_owned(),
            line,
            run,
            before,
            steps,
        }
    }

    /// What is wrong with it, if anything is; the edits that would put it right,
    /// where they are wanted.
    fn check(&self) -> Result<Vec<Edit>, String> {
        let location = format!("{}:{}", self.document, self.line + 1);
        let mut edits = Vec::new();
        let dir = FreshDir::new();
        for command in &self.before {
            let (printed, good) = dir.run(command);
            if !good {
                return Err(format!("{location}: before: {command}\n{printed}"));
            }
        }
        for step in &self.steps {
            let Step {
                command, expected, ..
            } = step;
            let (printed, good) = dir.run(command);
            let lines: Vec<String> = printed.lines().map(single_spaced).collect();
            let wanted: Vec<String> = expected.iter().map(|line| single_spaced(line)).collect();
            let is_right = are_alike(&wanted, &lines);
            if good && !is_right && bless::is_wanted() {
                let printed: Vec<String> = printed.lines().map(str::to_owned).collect();
                edits.push(Edit {
                    document: self.document.clone(),
                    first: self.line + step.line,
                    len: expected.len(),
                    lines: bless::merged(expected, &printed),
                });
            } else if !good || !is_right {
                let failed = if good { "" } else { "\nIt failed." };
                return Err(format!(
                    "{location}: $ {command}{failed}\n--- the document:\n{}\n--- the program:\n{printed}",
                    expected.join("\n")
                ));
            }
        }
        Ok(edits)
    }
}

/// A fresh directory with the published champions.
struct FreshDir(TempDir);

impl FreshDir {
    fn new() -> FreshDir {
        let dir = TempDir::new().unwrap();
        let published = dir.path().join("here/populations/published");
        fs::create_dir_all(&published).unwrap();
        for file in fs::read_dir(Path::new(ROOT).join("populations/published")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), published.join(file.file_name())).unwrap();
        }
        FreshDir(dir)
    }

    /// What a command prints, and whether it succeeds.
    fn run(&self, command: &str) -> (String, bool) {
        let path = self.0.path().join("output");
        let output = File::create(&path).unwrap();
        let program = binary();
        let folder = program.parent().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.0.path().join("here"))
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display()),
            )
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .process_group(0)
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let good = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.success();
            }
            if begun.elapsed() > PATIENCE {
                let group = format!("-{}", child.id());
                let kill = Command::new("kill").args(["-KILL", "--", &group]).status();
                panic!("no end within {PATIENCE:?}, killed ({kill:?}): {command}");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let printed = fs::read(&path).unwrap();
        (String::from_utf8(printed).unwrap(), good)
    }
}

/// Columns may be wider or narrower where `…` hides a number.
pub(super) fn single_spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether lines are what a document says, `…` being any number of them.
fn are_alike<S: AsRef<str>>(expected: &[S], lines: &[S]) -> bool {
    match (expected.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((pattern, rest)), _) if pattern.as_ref() == "…" => {
            (0..=lines.len()).any(|n| are_alike(rest, &lines[n..]))
        }
        (Some((pattern, rest)), Some((line, others))) => {
            is_alike(pattern.as_ref(), line.as_ref()) && are_alike(rest, others)
        }
        _ => false,
    }
}

/// The same for one line, `…` being any text.
pub(super) fn is_alike(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = line.char_indices().map(|(n, _)| n).chain([line.len()]);
            ends.into_iter().any(|n| is_alike(rest, &line[n..]))
        }),
    }
}

#[test]
fn patterns_match_what_they_should() {
    assert!(is_alike("a … c …", "a b c d"));
    assert!(is_alike("…", ""));
    assert!(!is_alike("a …", "b c"));
    assert!(!is_alike("a", "a b"));
    assert!(are_alike(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(are_alike(&["a", "…"], &["a"]));
    assert!(!are_alike(&["a", "…", "d"], &["a", "b"]));
    assert!(!are_alike(&["a"], &["a", "b"]));
    assert!(!are_alike(&["a", "b"], &["a"]));
}
