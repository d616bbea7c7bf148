//! A bad input, and the runner that all tables share.
//!
//! Every case runs the real binary in a directory of its own, with a clean
//! environment, and is held to the same: the right exit code, nothing on
//! standard output, one message that names the place and says what is wrong,
//! no panic, no backtrace, and not a byte of the directory changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

/// Something that must be refused.
#[derive(Clone, Debug)]
pub struct Case {
    args: Vec<String>,
    files: Vec<(String, Vec<u8>)>,
    directories: Vec<String>,
    variables: Vec<(String, String)>,
    input: Vec<u8>,
    code: i32,
    /// Where it is wrong: a file and line, a key or a flag, with its value.
    place: String,
    /// What is wrong, or what is allowed.
    what: String,
    /// What the command may write: locks and the like of a population.
    may_change: Option<String>,
}

/// A command line, with 'quotes' around words that have spaces or nothing in
/// them; the place and the reason that the message must name.
pub fn bad(line: &str, place: &str, what: &str) -> Case {
    assert!(!place.is_empty() && !what.is_empty(), "{line}");
    Case {
        args: words(line),
        files: Vec::new(),
        directories: Vec::new(),
        variables: Vec::new(),
        input: Vec::new(),
        code: 2,
        place: place.to_owned(),
        what: what.to_owned(),
        may_change: None,
    }
}

impl Case {
    /// With one more argument, whatever characters it has.
    pub fn arg(mut self, text: &str) -> Case {
        self.args.push(text.to_owned());
        self
    }

    /// With a file, and the directories on the way to it.
    pub fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Case {
        self.files
            .push((name.to_owned(), content.as_ref().to_vec()));
        self
    }

    /// With all files of a directory, in `name`.
    pub fn copy_of(mut self, name: &str, directory: &Path) -> Case {
        for (path, content) in snapshot(directory) {
            match content {
                Some(content) => self.files.push((format!("{name}/{path}"), content)),
                None => self.directories.push(format!("{name}/{path}")),
            }
        }
        self
    }

    /// With an empty directory.
    pub fn directory(mut self, name: &str) -> Case {
        self.directories.push(name.to_owned());
        self
    }

    /// With an environment variable.
    pub fn variable(mut self, name: &str, value: &str) -> Case {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With something on standard input.
    pub fn input(mut self, bytes: impl AsRef<[u8]>) -> Case {
        self.input = bytes.as_ref().to_vec();
        self
    }

    /// The request is fine, but the environment does not allow it: exit 1.
    pub fn fails(mut self) -> Case {
        self.code = 1;
        self
    }

    /// What lies in `directory` may change: the population is opened before
    /// the request can be judged.
    pub fn may_change(mut self, directory: &str) -> Case {
        self.may_change = Some(directory.to_owned());
        self
    }

    /// Everything that is wrong with how the program takes it.
    fn faults(&self) -> Vec<String> {
        let place = tempfile::tempdir().unwrap();
        for directory in &self.directories {
            fs::create_dir_all(place.path().join(directory)).unwrap();
        }
        for (name, content) in &self.files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let before = self.left_alone(place.path());
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_loatune"));
        command.current_dir(place.path()).env_clear();
        command.env("RUST_BACKTRACE", "1");
        command.envs(self.variables.iter().cloned());
        let command = command.args(&self.args).write_stdin(self.input.clone());
        let output = command.output().unwrap();

        let message = String::from_utf8_lossy(&output.stderr);
        let mut faults = Vec::new();
        let mut check = |is_good: bool, fault: String| {
            if !is_good {
                faults.push(fault);
            }
        };
        let code = output.status.code();
        let code_fault = format!("exit code {code:?}, not {}", self.code);
        check(code == Some(self.code), code_fault);
        let printed = String::from_utf8_lossy(&output.stdout);
        check(printed.is_empty(), format!("prints {printed:?}"));
        for needed in [&self.place, &self.what] {
            check(message.contains(needed), format!("does not say {needed:?}"));
        }
        check(message.starts_with("loatune: "), "other start".to_owned());
        check(message.ends_with('\n'), "does not end its line".to_owned());
        let messages = message.lines().filter(|line| line.starts_with("loatune:"));
        check(messages.count() == 1, "not one message".to_owned());
        let longest = message.lines().map(|line| line.chars().count()).max();
        check(longest < Some(1000), "an endless line".to_owned());
        for never in ["panicked", "backtrace", "src/", "\u{1b}", "\0"] {
            check(!message.contains(never), format!("says {never:?}"));
        }
        check(
            self.left_alone(place.path()) == before,
            "changes the directory".to_owned(),
        );
        faults
            .iter_mut()
            .for_each(|fault| *fault += &format!("\n    {message:?}"));
        faults
    }

    /// The directory, but for what may change.
    fn left_alone(&self, directory: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
        let mut found = snapshot(directory);
        if let Some(exception) = &self.may_change {
            found.retain(|path, _| !path.starts_with(exception));
        }
        found
    }
}

/// Runs all cases, several at a time, and tells everything that is wrong.
#[track_caller]
pub fn check_all(cases: &[Case], at_least: usize) {
    assert!(cases.len() >= at_least, "only {} cases", cases.len());
    let faults: Vec<String> = cases
        .par_iter()
        .flat_map_iter(|case| {
            let faults = case.faults();
            let named = move |fault| format!("{:?}: {fault}", case.args);
            faults.into_iter().map(named)
        })
        .collect();
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults:\n{}", faults.join("\n"));
}

/// Every file and directory below `directory`, with the content of files.
fn snapshot(directory: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            let below = snapshot(&entry.path()).into_iter();
            found.extend(below.map(|(path, content)| (format!("{name}/{path}"), content)));
            found.insert(name, None);
        } else if kind.is_file() {
            found.insert(name, Some(fs::read(entry.path()).unwrap()));
        }
    }
    found
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in line.split('\'').enumerate() {
        match n % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
