//! Parameters: what a user may choose, from built-in defaults and
//! `params.toml`, and the weight files of players.
//!
//! The only module that reads TOML. A file is read in its raw form first
//! (`raw`), then its names are checked (`outline`) and every entry is checked
//! against the table of keys ([`GROUPS`]) or of genes; all problems are reported
//! together. What flags and environment variables say goes through the same
//! table ([`Key::set_text`]), but is read elsewhere: this module knows neither
//! the command line nor the environment.

mod certificate;
mod certificate_text;
mod json_text;
mod named;
mod outline;
mod problem;
mod raw;
mod settings;
mod table;
mod toml_text;
mod weight_file;

use std::fs;
use std::path::Path;

pub use certificate::{Certificate, ChampionKind, Conditions, ProofMatch};
pub use named::{DEFAULT_WEIGHTS, NameError, named_weights};
pub use problem::{Content, FileError, Problem};
pub use settings::{
    EvolutionParams, FinalParams, GenomeParams, HttpParams, OpeningParams, PlayerParams, RunParams,
};
pub use table::{GROUPS, Group, Key, Kind, find_group};
pub use weight_file::WeightFile;

use crate::rules::Rules;

/// The commented `params.toml` of the repository: every key at its default.
pub const DEFAULT_TEXT: &str = include_str!("../../params.toml");

/// Checked parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {
    /// How a game ends.
    pub rules: Rules,
    /// What may evolve.
    pub genome: GenomeParams,
    /// Who plays.
    pub player: PlayerParams,
    /// Where games begin.
    pub openings: OpeningParams,
    /// The selection rule.
    pub evolution: EvolutionParams,
    /// How the champion is found and proved.
    pub last: FinalParams,
    /// How the work is done.
    pub run: RunParams,
    /// The page.
    pub http: HttpParams,
}

impl Params {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Params, FileError> {
        let text = text_of(path, Content::Parameters)?;
        Params::parse(&text, &path.display().to_string())
    }

    /// Checks the text of a file; `file` is its name in messages. A key that
    /// the text leaves out has its default.
    pub fn parse(text: &str, file: &str) -> Result<Params, FileError> {
        let mut params = Params::default();
        let mut found = outline::check(toml_text::read(text), &outline());
        for entry in &found.entries {
            let group = find_group(entry.table).map_or(&[][..], |group| group.keys);
            let key = group.iter().find(|key| key.name == entry.key);
            if let Some(Err(what)) = key.map(|key| key.set(&mut params, &entry.value)) {
                found.problems.push(entry.problem(&what));
            }
        }
        FileError::of(Content::Parameters, file, found.problems).map_or(Ok(params), Err)
    }
}

/// The names that `params.toml` may have.
fn outline() -> Vec<outline::Table> {
    let table = |group: &Group| outline::Table {
        name: group.name,
        keys: group.keys.iter().map(|key| key.name).collect(),
    };
    GROUPS.iter().map(table).collect()
}

fn text_of(path: &Path, content: Content) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|source| FileError::Read {
        content,
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{NoMoves, Simultaneous};

    fn complaints(text: &str) -> Vec<String> {
        match Params::parse(text, "p.toml") {
            Err(FileError::Problems { problems, .. }) => problems
                .iter()
                .map(|problem| format!("{}: {}", problem.line.unwrap_or(0), problem.what))
                .collect(),
            other => panic!("problems expected, not {other:?}"),
        }
    }

    #[test]
    fn the_file_in_the_repository_holds_the_defaults() {
        let params = Params::parse(DEFAULT_TEXT, "params.toml").expect("it is valid");
        assert_eq!(params.rules, Rules::default());
        assert_eq!(params, Params::default());
    }

    #[test]
    fn the_file_in_the_repository_sets_every_key_of_the_table() {
        for group in GROUPS {
            assert!(DEFAULT_TEXT.contains(&format!("\n[{}]\n", group.name)));
            for key in group.keys {
                let line = format!("\n{} = {}\n", key.name, key.default_text());
                assert!(DEFAULT_TEXT.contains(&line), "{line:?} is missing");
            }
        }
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        assert_eq!(
            Params::parse("", "p.toml").expect("valid"),
            Params::default()
        );
        let olympiad = "rules.simultaneous = 'draw'\n[rules]\n# nothing\nno_moves = \"passes\"\nrepetition = 0x2";
        // A dotted key and a table header define the table twice.
        assert!(Params::parse(olympiad, "p.toml").is_err());
        let olympiad = "[rules]\nsimultaneous = 'draw'\nno_moves = \"passes\"\nrepetition = 0x2\nmax_plies = 2_000";
        let rules = Params::parse(olympiad, "p.toml").expect("valid").rules;
        assert_eq!(
            rules,
            Rules {
                simultaneous: Simultaneous::Draw,
                no_moves: NoMoves::Passes,
                repetition: 2,
                max_plies: 2000,
            }
        );
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let text = "\
max_plies = 3
[rules]
simultaneous = \"both\"
no_moves = 1
repetition = 1
max_plies = \"200\"
repetitions = 3
[genomes]
";
        assert_eq!(
            complaints(text),
            [
                "1: unknown key max_plies: did you mean rules.max_plies?",
                "3: rules.simultaneous = \"both\": must be \"mover-wins\" or \"draw\"",
                "4: rules.no_moves = 1: must be \"loses\" or \"passes\"",
                "5: rules.repetition = 1: must be an integer, 0 (off) or at least 2",
                "6: rules.max_plies = \"200\": must be an integer from 20 to 2000",
                "7: unknown key rules.repetitions: the keys of [rules] are simultaneous, \
                 no_moves, repetition, max_plies",
                "8: unknown group [genomes]: the groups are [rules]",
            ]
        );
    }

    #[test]
    fn every_value_outside_of_its_range_is_refused() {
        for (line, good) in [
            ("max_plies = 19", false),
            ("max_plies = 20", true),
            ("max_plies = 2000", true),
            ("max_plies = 2001", false),
            ("max_plies = -20", false),
            ("max_plies = 100.0", false),
            ("max_plies = 99999999999999999999999", false),
            ("repetition = 0", true),
            ("repetition = -1", false),
            ("repetition = 2", true),
            ("repetition = 99999999999", true),
            ("repetition = true", false),
            ("repetition = [3]", false),
            ("simultaneous = \"Draw\"", false),
            ("simultaneous = 1979-05-27", false),
            ("no_moves = { a = 1 }", false),
        ] {
            let result = Params::parse(&format!("[rules]\n{line}"), "p.toml");
            assert_eq!(result.is_ok(), good, "{line}: {result:?}");
        }
    }

    #[test]
    fn a_group_that_is_no_table_is_refused() {
        assert_eq!(
            complaints("rules = 3"),
            ["1: rules = 3: must be a table: [rules]"]
        );
        assert_eq!(
            complaints("[[rules]]\nrepetition = 3"),
            ["1: [[rules]]: must be a table: [rules]"]
        );
    }

    #[test]
    fn broken_syntax_is_reported_with_its_line_beside_the_rest() {
        let found = complaints("[rules]\nrepetition = \nmax_plies = 5\n");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("2: "), "{found:?}");
        assert!(found[1].starts_with("3: rules.max_plies = 5"), "{found:?}");
        let twice = complaints("[rules]\nrepetition = 3\nrepetition = 4\n");
        assert!(twice[0].starts_with("3: duplicate key"), "{twice:?}");
    }

    #[test]
    fn flags_go_through_the_same_table() {
        let rules = find_group("rules").expect("it is in the table");
        let mut params = Params::default();
        for (key, text) in rules.keys.iter().zip(["draw", "passes", "0", "300"]) {
            key.set_text(&mut params, text).expect("valid");
            assert!(key.set_text(&mut params, "").is_err());
            assert!(key.set_text(&mut params, "1").is_err());
        }
        assert_eq!(params.rules.max_plies, 300);
        assert_eq!(params.rules.repetition, 0);
        assert_eq!(params.rules.simultaneous, Simultaneous::Draw);
        assert_eq!(params.rules.no_moves, NoMoves::Passes);
    }
}
