//! `loatune games`: the games of a population, for other tools.

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::open_population::open_idle;
use crate::arena::GameRecord;
use crate::arena::position_table::{GameNumbers, PositionTable};
use crate::cli::args::{PopulationArg, PopulationDir, read_weights};
use crate::cli::output::{BadUsage, OutputError, Progress, create_file, thousands, write_json};
use crate::game::Rules;
use crate::store::{JournalMatches, MatchRecord, Population, StoreError};
use crate::util::atomic_file::OutputFile;
use crate::weights::SOURCE_WEIGHTS;

/// Write the games of a population: as SGF, or as a table of positions
///
/// Reads the journal, so it works while a run goes on and where nothing may be
/// written. Games of the evolution are written; those of the hall of fame and of the
/// proof are not.
#[derive(Debug, Args)]
#[command(after_help = "\
SGF is one collection of all games, FF[4] GM[9], as LOA programs read it.

CSV has a row for every position in which a move was played: game (from 1), match,
ply, turn (x or o), position, move, opening (1 where the move belongs to the random
opening), own_file, other_file (who played: the side to move and the other), then
own_NAME and other_NAME, the features of both sides as the weight NAME multiplies
them, then outcome (1 won, 0 drawn, -1 lost by the side to move) and value (what
the winner's search gave the position of its last choice; other values are not
stored). The powers and the hole penalty in the features are those of --weights. A
value is the sum of weight x (own - other) / 8: see docs/evaluation.md.

Examples:
  loatune games -o games.sgf
  loatune games --population mine --format csv --from 1 --to 20000 -o positions.csv
  loatune games --format csv | duckdb -c \"SELECT avg(outcome) FROM '/dev/stdin'\"

JSON (with -o): population, format, file, games, positions.")]
pub(crate) struct Games {
    #[command(flatten)]
    population: PopulationArg,
    /// The first game to write, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// The last game to write [default: the last one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    to: Option<u64>,
    /// The format [default: by the name of PATH, else sgf]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Weights whose powers and hole penalty shape the features of the table
    #[arg(long, value_name = "FILE", default_value = SOURCE_WEIGHTS)]
    weights: String,
    /// Write to PATH instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Overwrite a file that exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Print what was written as JSON
    #[arg(long, requires = "output")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Sgf,
    Csv,
}

/// What has been written.
#[derive(Clone, Copy, Default)]
struct Written {
    games: u64,
    positions: u64,
}

impl Games {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(to) = self.to.filter(|&to| to < self.from) {
            let message = format!(
                "--from {} --to {to}: the first game is after the last",
                self.from
            );
            return Err(BadUsage::new(message).into());
        }
        let weights = read_weights(&self.weights)?.weights;
        let dir = self.population.resolve_existing()?;
        if !Population::exists(&dir.directory)? {
            return Err(BadUsage::new(dir.not_found_message()).into());
        }
        // A copy that had to be made is kept until it is read.
        let (directory, _copy) = readable_directory(&dir)?;
        let all = 2 * count_matches(&directory)?;
        if self.from > all {
            let message = format!(
                "--from {}: the population {} has {all} games",
                self.from, dir.name
            );
            return Err(BadUsage::new(message).into());
        }
        let matches = JournalMatches::open(&directory)?;
        let table = PositionTable::new(&weights);
        let last = self.to.map_or(all, |to| to.min(all));
        let Some(path) = &self.output else {
            let mut sink = |text: &str| Ok(out.write_all(text.as_bytes()).map_err(OutputError)?);
            self.write(matches, &table, last, &mut sink)?;
            return Ok(());
        };
        let mut file = BufWriter::new(create_file(path, self.force)?);
        let cannot_write = || format!("cannot write {}", path.display());
        let written = self.write(matches, &table, last, &mut |text| {
            file.write_all(text.as_bytes()).with_context(cannot_write)
        })?;
        let flushed = file.into_inner().map_err(IntoInnerError::into_error);
        flushed
            .and_then(OutputFile::finish)
            .with_context(cannot_write)?;
        if self.json {
            let format = self.format().to_possible_value();
            let format = format.map(|value| value.get_name().to_owned());
            let summary = json!({
                "population": dir.name,
                "format": format,
                "file": path.display().to_string(),
                "games": written.games,
                "positions": written.positions,
            });
            return write_json(out, &summary);
        }
        log::info!(
            "{}: {} games, {} positions",
            path.display(),
            thousands(written.games),
            thousands(written.positions)
        );
        Ok(())
    }

    fn format(&self) -> Format {
        let by_name = || {
            let extension = self.output.as_deref()?.extension()?.to_str()?;
            Format::from_str(extension, true).ok()
        };
        self.format.or_else(by_name).unwrap_or(Format::Sgf)
    }

    /// Gives the games up to number `last` to `sink`, as text.
    fn write(
        &self,
        mut matches: JournalMatches,
        table: &PositionTable,
        last: u64,
        sink: &mut dyn FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<Written> {
        let format = self.format();
        let mut progress = Progress::new();
        let mut written = Written::default();
        if format == Format::Csv {
            sink(&PositionTable::header())?;
        }
        while let Some(record) = matches.next_match()? {
            let first = 2 * record.number + 1;
            if first > last {
                break;
            }
            if first + 1 < self.from {
                continue;
            }
            let rules = matches.params().rules;
            let games = record.game_records()?;
            for (n, game) in games.iter().enumerate() {
                let number = first + n as u64;
                if number < self.from || number > last {
                    continue;
                }
                let (text, positions) = match format {
                    Format::Sgf => sgf(game, &rules, number)?,
                    Format::Csv => rows(table, game, &record, n),
                };
                sink(&text)?;
                written.games += 1;
                written.positions += positions;
            }
            let all = last + 1 - self.from;
            progress.show_games(written.games, Some(all), &|_| ());
        }
        progress.finish();
        Ok(written)
    }
}

/// The directory whose journal can be read: the population's own, or that of a
/// copy in which it was put right. The copy lasts as long as what is returned.
pub(in crate::cli) fn readable_directory(
    dir: &PopulationDir,
) -> anyhow::Result<(PathBuf, Option<Population>)> {
    match count_matches(&dir.directory) {
        Ok(_) => Ok((dir.directory.clone(), None)),
        Err(_) => {
            let (_, population) = open_idle(dir)?;
            Ok((population.layout().dir().to_owned(), Some(population)))
        }
    }
}

fn count_matches(directory: &Path) -> Result<u64, StoreError> {
    let mut matches = JournalMatches::open(directory)?;
    let mut count = 0;
    while matches.next_match()?.is_some() {
        count += 1;
    }
    Ok(count)
}

fn sgf(game: &GameRecord, rules: &Rules, number: u64) -> anyhow::Result<(String, u64)> {
    let text = game.to_sgf(rules);
    let text = text.with_context(|| format!("game {number} cannot be replayed"))?;
    Ok((text, game.moves.len() as u64))
}

fn rows(table: &PositionTable, game: &GameRecord, record: &MatchRecord, n: usize) -> (String, u64) {
    let mut files = record.files.map(|file| file.0);
    // Colours are swapped in the second game.
    if n == 1 {
        files.reverse();
    }
    let numbers = GameNumbers {
        game: 2 * record.number + 1 + n as u64,
        match_number: record.number,
        files,
    };
    let mut text = String::new();
    let positions = table.add(&mut text, game, numbers);
    (text, positions)
}
