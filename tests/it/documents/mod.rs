//! The documents say what is so: every ```` ```console ```` block is executed
//! and compared, links lead somewhere, and no command, option or parameter is
//! left out.
//!
//! | file | purpose |
//! |---|---|
//! | `markdown` | documents, their headings, links and mentions of commands |
//! | `console` | blocks of commands, run and compared |
//! | `program` | what the program says of itself |
//! | `ablation` | the tables and pictures of the comparison of methods |
//! | `made_table` | tables that are made from raw results |
//! | `techniques`, `experiments` | those of the selective search, and of the experiments |

#![allow(clippy::unwrap_used)]

mod ablation;
mod bless;
mod console;
mod experiments;
mod made_table;
mod markdown;
mod program;
mod techniques;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use loatune::params::{Kind as KeyKind, find_key};
use loatune::search::Algorithm;
use loatune::search::mcts::Options as TreeOptions;
use loatune::search::mcts::options::{Kind, ROWS as TREE_ROWS};
use loatune::search::selective::Tuning;
use loatune::search::selective::tuning::ROWS;

use console::{Run, check_blocks};
use markdown::{Document, ROOT, documents, normal, read};
use program::{forms, is_word, long_options, subcommands};

/// Fewer blocks than these mean that the search for them is broken, or that
/// somebody has exempted too many.
const FEWEST_QUICK: usize = 33;
const FEWEST_SLOW: usize = 4;

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

/// A speed that stands in two documents comes from two states of the machine
/// sooner or later. Only the measurements have any.
#[test]
fn speeds_stand_in_the_measurements_alone() {
    let speed = r"[0-9][0-9.,]* ?(k|K|M|million|thousand)? ?(nodes|leaves|positions|games)?( a second|/s\b)|nps [0-9]";
    let speed = regex::Regex::new(speed).unwrap();
    let is_speed = |text: &str| speed.is_match(text);
    assert!(is_speed("9.88 million nodes a second") && is_speed("0.012 s, 2.85 M nodes/s"));
    assert!(is_speed("431 games/s") && is_speed("nodes 480 nps 12000"));
    assert!(!is_speed("… s, … M nodes/s") && !is_speed("games a second"));
    let mut measured = 0;
    for document in documents() {
        let speeds = document.text.lines().filter(|line| is_speed(line)).count();
        if document.name == "docs/measurements.md" {
            measured += speeds;
        } else {
            let found = document.text.lines().find(|line| is_speed(line));
            assert_eq!(found, None, "{} has a speed", document.name);
        }
    }
    assert!(measured > 0, "the measurements have speeds");
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
        let is_run = ["run", "params", "fit", "features"].contains(&command.as_str());
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

/// Files of the source that are mentioned are there.
#[test]
fn mentioned_files_exist() {
    let mut files = 0;
    for document in documents() {
        for code in document.code() {
            let is_file = code.ends_with(".rs") || code.starts_with("src/");
            let is_path = code.contains('/') && !code.contains([' ', '…', '*']);
            if is_file && is_path {
                files += 1;
                let there = [code, &format!("src/{code}")]
                    .iter()
                    .any(|path| Path::new(ROOT).join(path).exists());
                assert!(there, "{}: there is no {code}", document.name);
            }
        }
    }
    assert!(files > 10, "only {files} files were found");
}

/// `ARCHITECTURE.md` has a row for every room of the library, in their order.
#[test]
fn every_room_is_explained() {
    let source = read("src/lib.rs");
    let rooms = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let section = Document::new("ARCHITECTURE.md").section("The rooms");
    let section = section.expect("ARCHITECTURE.md has a section about the rooms");
    let rows = section.lines().filter_map(|line| {
        let (room, _) = line.strip_prefix("| `")?.split_once('`')?;
        Some(room)
    });
    assert_eq!(rows.collect::<Vec<_>>(), rooms.collect::<Vec<_>>());
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
            let key = find_key(&format!("{group}.{}", row[0])).unwrap();
            if let KeyKind::Choice { names, .. } | KeyKind::Search { names, .. } = key.kind {
                for name in names {
                    let quoted = format!("{name:?}");
                    assert!(row[3].contains(&quoted), "{group}.{}: no {name}", row[0]);
                }
            }
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

/// The options of the tree search stand in the documents as they are.
#[test]
fn the_options_of_the_tree_search_are_explained() {
    let usual = TreeOptions::default();
    let text = read("docs/players.md");
    for row in TREE_ROWS {
        let (name, now, meaning) = (row.name, row.get(&usual), row.meaning);
        let range = match row.kind {
            Kind::Number(least, most) => format!("{least} to {most}"),
            Kind::Whole(least, most) => format!("{least} to {most}"),
            Kind::Choice(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(", ")
            }
        };
        let line = format!("| `{name}` | {now} | {range} | {meaning} |");
        assert!(text.contains(&line), "docs/players.md has no line {line}");
    }
}

/// The constants of the selective search stand in the documents as they are.
#[test]
fn the_constants_of_the_selective_search_are_explained() {
    let usual = Tuning::default();
    let text = read("docs/players.md");
    for row in ROWS {
        let (name, now) = (row.name, row.get(&usual));
        let (least, most, meaning) = (row.least, row.most, row.meaning);
        let line = format!("| `{name}` | {now} | {least} to {most} | {meaning} |");
        assert!(text.contains(&line), "docs/players.md has no line {line}");
    }
}

/// The levels of the page are as strong as the documents say: one row of the table of
/// the tournament for each search, and the same figure beside its level.
#[test]
fn the_levels_of_the_page_have_the_measured_strength() {
    let page = read("src/serve/http/assets/play_seats.js");
    let table = Document::new("docs/players.md")
        .section("The searches")
        .unwrap();
    for search in Algorithm::ALL.map(Algorithm::name) {
        let row = format!("| `{search}` | ");
        let rows: Vec<&str> = table.lines().filter(|line| line.contains(" ± ")).collect();
        let found = rows.iter().find_map(|line| line.strip_prefix(&row));
        let elo = found.unwrap_or_else(|| panic!("no row {row} in {rows:?}"));
        let (elo, _) = elo.split_once(" |").unwrap();
        let level = page
            .lines()
            .find(|line| line.starts_with(&format!("  [\"{search}\", ")));
        let level = level.unwrap_or_else(|| panic!("no level {search}"));
        assert!(
            level.contains(&format!("\"{elo}\"")),
            "{level} has not {elo}"
        );
    }
}
