//! The documents say what is so: every ```` ```console ```` block is executed
//! and compared, links lead somewhere, and no command, option or parameter is
//! left out.
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

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_loatune");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Fewer blocks than these mean that the search for them is broken, or that
/// somebody has exempted too many.
const FEWEST_QUICK: usize = 33;
const FEWEST_SLOW: usize = 4;

/// No command of a document takes longer.
const PATIENCE: Duration = Duration::from_secs(900);

const README_LINES: usize = 150;

#[test]
fn commands_print_what_the_documents_say() {
    check_blocks(&Run::Quick, FEWEST_QUICK);
}

#[test]
#[ignore = "whole runs and long matches: minutes"]
fn slow_commands_print_what_the_documents_say() {
    check_blocks(&Run::Slow, FEWEST_SLOW);
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    let mut links = 0;
    for document in &documents {
        for link in document.links() {
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let folder = document.path.parent().unwrap();
            let path = match target {
                "" => document.path.clone(),
                _ => normal(&folder.join(target)),
            };
            let name = &document.name;
            assert!(path.exists(), "{name}: {link} is not there");
            if !anchor.is_empty() {
                let there = documents.iter().find(|other| other.path == path);
                let there = there.unwrap_or_else(|| panic!("{name}: {link} is no document"));
                assert!(
                    there.anchors().contains(anchor),
                    "{name}: {link}: no such heading"
                );
            }
        }
    }
    assert!(links > 50, "only {links} links were found");
}

#[test]
fn the_readme_is_short_and_the_index_complete() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines");
    let index = Document::new("docs/README.md").links();
    for document in documents() {
        if let Some(file) = document.name.strip_prefix("docs/")
            && file != "README.md"
        {
            let is_named = index
                .iter()
                .any(|link| link.split('#').next() == Some(file));
            assert!(is_named, "docs/README.md does not link to {file}");
        }
    }
}

/// Every command has a section, and every option is explained there or among
/// those that many commands share. Options that set a parameter of a run are
/// explained in `docs/parameters.md`.
#[test]
fn every_command_and_option_is_explained() {
    let document = Document::new("docs/commands.md");
    let shared = document
        .section("Options that many commands share")
        .unwrap();
    let parameters = read("docs/parameters.md");
    for command in subcommands(&[]) {
        let section = document.section(&command);
        let section = section.unwrap_or_else(|| panic!("docs/commands.md: no section {command}"));
        let is_run = command == "run" || command == "params";
        for form in forms(&command) {
            for option in long_options(&form) {
                let quoted = format!("`{option}");
                let is_explained = section.contains(&quoted)
                    || shared.contains(&quoted)
                    || is_run && parameters.contains(&format!("| {quoted}` |"));
                assert!(
                    is_explained || option == "--help",
                    "docs/commands.md: {command} does not explain {option}"
                );
            }
        }
    }
}

/// Commands that are mentioned exist, and so do their options. What has changed
/// may speak of those that are gone.
#[test]
fn mentioned_commands_exist() {
    let known: BTreeSet<String> = subcommands(&[]).into_iter().collect();
    let mut options: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut mentions = 0;
    let documents = documents().into_iter();
    for document in documents.filter(|document| document.name != "CHANGELOG.md") {
        for words in document.mentions() {
            let name = &document.name;
            let Some(command) = words.first().filter(|word| is_word(word)) else {
                continue;
            };
            let is_known = known.contains(command) || command == "help";
            assert!(is_known, "{name}: there is no command loatune {command}");
            mentions += 1;
            let known = options.entry(command.clone()).or_insert_with(|| {
                let forms = forms(command);
                forms.iter().flat_map(|form| long_options(form)).collect()
            });
            for word in words.iter().take_while(|word| *word != "--") {
                let option = word.split('=').next().unwrap();
                if option.starts_with("--") && option.len() > 2 {
                    assert!(
                        known.contains(option),
                        "{name}: loatune {command} has no option {option}"
                    );
                }
            }
        }
    }
    assert!(mentions > 100, "only {mentions} commands were found");
}

/// `docs/parameters.md` has a row for every key, with its default, its flag and
/// nothing else.
#[test]
fn every_parameter_is_explained() {
    let document = Document::new("docs/parameters.md");
    let flags = long_options(&["params", "show"]);
    let params: toml::Table = read("params.toml").parse().unwrap();
    for (group, keys) in &params {
        let keys = keys.as_table().unwrap();
        let section = document.section(&format!("[{group}]"));
        let section = section.unwrap_or_else(|| panic!("docs/parameters.md: no section [{group}]"));
        let rows: Vec<Vec<&str>> = section.lines().filter_map(cells).collect();
        let named: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
        let expected: BTreeSet<&str> = keys.keys().map(String::as_str).collect();
        assert_eq!(named, expected, "the keys of [{group}]");
        for row in rows {
            let default: toml::Table = format!("key = {}", row[1]).parse().unwrap();
            assert_eq!(default["key"], keys[row[0]], "{group}.{}", row[0]);
            assert!(flags.contains(row[2]), "{group}.{}: {}", row[0], row[2]);
        }
    }
}

/// The cells of a table's row whose first three are code, without the quotes.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix("| `")?;
    let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").collect();
    (cells.len() >= 4).then(|| {
        cells
            .iter()
            .map(|cell| cell.trim().trim_matches('`'))
            .collect()
    })
}

// The documents.

struct Document {
    /// Seen from the root of the project.
    name: String,
    path: PathBuf,
    text: String,
}

/// A ```` ```console ```` block.
struct Block {
    place: String,
    run: Run,
    before: Vec<String>,
    steps: Vec<Step>,
}

/// A command, and what it prints.
struct Step {
    command: String,
    expected: Vec<String>,
}

#[derive(PartialEq)]
enum Run {
    Quick,
    Slow,
    Never,
}

fn read(name: &str) -> String {
    let path = Path::new(ROOT).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Everything that people read, but for what is inside of the source.
fn documents() -> Vec<Document> {
    let mut names = vec![String::from("populations/README.md")];
    for folder in ["", "docs/"] {
        for file in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            if file.ends_with(".md") {
                names.push(format!("{folder}{file}"));
            }
        }
    }
    names.sort();
    let documents: Vec<Document> = names.iter().map(|name| Document::new(name)).collect();
    assert!(documents.len() >= 14, "{names:?}");
    documents
}

impl Document {
    fn new(name: &str) -> Document {
        Document {
            name: name.to_owned(),
            path: Path::new(ROOT).join(name),
            text: read(name),
        }
    }

    /// Its lines, with whether they are inside of a fenced block.
    fn lines(&self) -> impl Iterator<Item = (bool, &str)> {
        let mut inside = false;
        self.text.lines().map(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            inside ^= is_fence;
            (inside || is_fence, line)
        })
    }

    fn headings(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.lines().filter(|(inside, _)| !inside);
        lines.filter_map(|(_, line)| {
            let level = line.len() - line.trim_start_matches('#').len();
            let title = line[level..].strip_prefix(' ')?;
            (level > 0).then_some((level, title))
        })
    }

    /// The names under which headings can be reached, as GitHub makes them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let name = |(_, title): (usize, &str)| {
            let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
            let slug: String = title.chars().filter(kept).collect();
            let slug = slug.to_lowercase().replace(' ', "-");
            let count = seen.entry(slug.clone()).or_default();
            *count += 1;
            match *count {
                1 => slug,
                more => format!("{slug}-{}", more - 1),
            }
        };
        self.headings().map(name).collect()
    }

    /// What stands below a heading, up to the next of its level.
    fn section(&self, title: &str) -> Option<String> {
        let mut section: Option<(usize, String)> = None;
        for (inside, line) in self.lines() {
            let level = line.len() - line.trim_start_matches('#').len();
            let is_heading = !inside && level > 0 && line[level..].starts_with(' ');
            match &mut section {
                Some((own, _)) if is_heading && level <= *own => break,
                Some((_, text)) => {
                    text.push_str(line);
                    text.push('\n');
                }
                None if is_heading && line[level..].trim().replace('`', "") == title => {
                    section = Some((level, String::new()));
                }
                None => {}
            }
        }
        section.map(|(_, text)| text)
    }

    /// Where its links and pictures lead.
    fn links(&self) -> Vec<String> {
        let mut links = Vec::new();
        for (_, line) in self.lines().filter(|(inside, _)| !inside) {
            // Code has no links in it.
            let prose: Vec<&str> = line.split('`').step_by(2).collect();
            let prose = prose.join("code");
            for (start, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
                let parts = prose.split(start).skip(1);
                links.extend(parts.filter_map(|part| Some(part.split_once(end)?.0.to_owned())));
            }
        }
        links
    }

    /// The words after `loatune` wherever it is a command: in code inside of
    /// the text, after `$ ` and in blocks of commands.
    fn mentions(&self) -> Vec<Vec<String>> {
        let mut code: Vec<&str> = Vec::new();
        let mut in_commands = false;
        for (inside, line) in self.lines() {
            if line.starts_with("```") {
                in_commands = line == "```sh";
            } else if !inside {
                code.extend(line.split('`').skip(1).step_by(2));
            } else if let Some(command) = line.strip_prefix("$ ") {
                code.push(command);
            } else if in_commands {
                code.push(line);
            }
        }
        let commands = code.iter().filter_map(|code| code.strip_prefix("loatune "));
        let words = |command: &str| {
            let words = command.split_whitespace().map(str::to_owned);
            let ends = |word: &String| !["|", ">", "&&", ";", "#"].contains(&word.as_str());
            words.take_while(ends).collect()
        };
        commands.map(words).collect()
    }

    /// Its console blocks.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut comments = String::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let place = format!("{}:{}", self.name, number + 1);
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
                    blocks.push(Block::new(place, &comments, &body));
                }
                comments.clear();
            } else {
                comments.clear();
            }
        }
        blocks
    }
}

impl Block {
    fn new(place: String, comments: &str, body: &[&str]) -> Block {
        let (mut run, mut before) = (Run::Quick, Vec::new());
        for comment in comments.split("-->") {
            let comment = comment.trim().trim_start_matches("<!--").trim();
            let Some((marker, text)) = comment.split_once(':') else {
                assert_eq!(comment, "", "{place}: a comment without a marker");
                continue;
            };
            let text = text.trim();
            assert!(!text.is_empty(), "{place}: {marker} without its text");
            match marker {
                "before" => before.extend(text.lines().map(str::to_owned)),
                "slow" => run = Run::Slow,
                "not run" => run = Run::Never,
                _ => panic!("{place}: no marker is called {marker:?}"),
            }
        }
        let mut steps: Vec<Step> = Vec::new();
        for line in body {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    command: command.to_owned(),
                    expected: Vec::new(),
                }),
                (None, Some(step)) if step.command.ends_with('\\') => {
                    step.command.truncate(step.command.len() - 1);
                    step.command.push_str(line.trim_start());
                }
                (None, Some(step)) => step.expected.push((*line).to_owned()),
                (None, None) => panic!("{place}: a console block begins with \"$ \""),
            }
        }
        Block {
            place,
            run,
            before,
            steps,
        }
    }

    /// What is wrong with it, if anything is.
    fn check(&self) -> Result<(), String> {
        let place = Place::new();
        for command in &self.before {
            let (printed, good) = place.run(command);
            if !good {
                return Err(format!("{}: before: {command}\n{printed}", self.place));
            }
        }
        for Step { command, expected } in &self.steps {
            let (printed, good) = place.run(command);
            let lines: Vec<String> = printed.lines().map(single_spaced).collect();
            let wanted: Vec<String> = expected.iter().map(|line| single_spaced(line)).collect();
            if !good || !are_alike(&wanted, &lines) {
                let failed = if good { "" } else { "\nIt failed." };
                return Err(format!(
                    "{}: $ {command}{failed}\n--- the document:\n{}\n--- the program:\n{printed}",
                    self.place,
                    expected.join("\n")
                ));
            }
        }
        Ok(())
    }
}

/// Runs blocks of a kind and reports all that differ.
fn check_blocks(kind: &Run, fewest: usize) {
    let blocks = documents()
        .into_iter()
        .flat_map(|document| document.blocks());
    let blocks: Vec<Block> = blocks.filter(|block| block.run == *kind).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let problems = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = block.check() {
                        problems.lock().unwrap().push(problem);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    let done = done.into_inner();
    assert!(
        done >= fewest,
        "only {done} blocks were run, of at least {fewest}"
    );
}

// Running and comparing.

/// A fresh directory with the published champions.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = TempDir::new().unwrap();
        let published = place.path().join("here/populations/published");
        fs::create_dir_all(&published).unwrap();
        for file in fs::read_dir(Path::new(ROOT).join("populations/published")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), published.join(file.file_name())).unwrap();
        }
        Place(place)
    }

    /// What a command prints, and whether it succeeds.
    fn run(&self, command: &str) -> (String, bool) {
        let path = self.0.path().join("output");
        let output = File::create(&path).unwrap();
        let folder = Path::new(BINARY).parent().unwrap();
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
fn single_spaced(line: &str) -> String {
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
fn is_alike(pattern: &str, line: &str) -> bool {
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

// What the program says of itself.

fn help(words: &[&str]) -> String {
    let output = Command::new(BINARY)
        .args(words)
        .arg("--help")
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands of a command, but for `help`.
fn subcommands(words: &[&str]) -> Vec<String> {
    let help = help(words);
    if !help.contains("<COMMAND>\n") {
        return Vec::new();
    }
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = rows.take_while(|line| !line.is_empty());
    let names = rows.filter_map(|row| row.strip_prefix("  ")?.split_whitespace().next());
    let names = names.filter(|name| is_word(name) && *name != "help");
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(!words.is_empty() || names.len() > 20, "{names:?}");
    names
}

/// A command by itself, and with each of its own commands.
fn forms(command: &str) -> Vec<Vec<String>> {
    let own = command.to_owned();
    let subs = subcommands(&[command]).into_iter();
    let subs = subs.map(|sub| vec![own.clone(), sub]);
    [vec![own.clone()]].into_iter().chain(subs).collect()
}

/// The long options that a command's help lists.
fn long_options<S: AsRef<str>>(words: &[S]) -> BTreeSet<String> {
    let help = help(&words.iter().map(AsRef::as_ref).collect::<Vec<&str>>());
    let lines = help.lines().map(str::trim_start);
    let options = lines
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| {
            let start = line.find("--")?;
            let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
            line[start..].split(is_end).next()
        });
    options.map(str::to_owned).collect()
}

/// Whether it could be a command's name.
fn is_word(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '-')
        && !word.starts_with('-')
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
