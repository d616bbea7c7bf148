//! The real binary, in a directory of its own with a clean environment.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

/// A directory of its own to run in.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    #[must_use]
    pub fn with(self, file: &str, text: &str) -> Place {
        fs::write(self.path().join(file), text).unwrap();
        self
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_loatune"));
        command.current_dir(self.path()).env_clear().args(args);
        command.output().unwrap()
    }

    /// What a command prints that must succeed and say nothing else.
    #[track_caller]
    pub fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(text(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        text(&output.stdout)
    }

    /// The one line of JSON that a command prints.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let printed = self.good(args);
        assert_eq!(printed.lines().count(), 1, "one line of JSON");
        serde_json::from_str(&printed).unwrap()
    }

    /// The message of a command that must refuse what it is given.
    #[track_caller]
    pub fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(text(&output.stdout), "", "{args:?}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = text(&output.stderr);
        message.strip_prefix("loatune: error: ").unwrap().to_owned()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
