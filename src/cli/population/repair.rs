//! `loatune repair`: makes a population whole.

use std::fs;
use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::open_population::{answer, open_idle};
use crate::api::Source;
use crate::cli::args::{PopulationArg, PopulationDir};
use crate::cli::output::{BadUsage, thousands, write_json, write_text};
use crate::store::{Layout, Population, StoreError, repair, rewind};

/// Put a population right, and keep what was broken aside
///
/// `loatune run` puts right by itself what it finds broken when it starts. This
/// command does the same, then compares every value of the store with the journal,
/// and makes the store anew where one differs. Where the journal is damaged and
/// the store is whole, the journal is written again from the store. A champion's
/// file that is not what it should be is moved aside: the next run writes it. What
/// is good stays as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
What is replaced is never deleted: it is renamed to store.broken-1,
journal.broken-1 and so on, which may be removed once everything is well.

Where neither journal nor store is whole, nothing is touched and the command
says so. With --cut it goes on from the last good entry before the damage: the
matches after it are given up and played again by `loatune run`, with the same
results, so the champion will be the same. What was imported after it is lost.

With --before a whole population goes back to what it was before a match: one that
a worker of a fleet played falsely. What was imported or changed after it is lost.

Exit codes: 0 repaired, 1 it cannot be repaired, 2 there is no such population.

Examples:
  loatune repair
  loatune repair --population mine
  loatune repair --population mine --cut
  loatune repair --population mine --before 4711

JSON: population, matches, games, files (what it holds now), done [text], cut
(null, or entries, offset, bytes, kept).")]
pub(crate) struct Repair {
    #[command(flatten)]
    population: PopulationArg,
    /// Where nothing else helps, go on from the last good entry before the damage
    #[arg(long)]
    cut: bool,
    /// Give up match N and everything after it, which is then played again
    #[arg(long, value_name = "N", conflicts_with = "cut")]
    before: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    population: String,
    matches: u64,
    games: u64,
    files: u64,
    done: Vec<String>,
    cut: Option<CutJson>,
}

#[derive(Serialize)]
struct CutJson {
    entries: u64,
    offset: u64,
    bytes: u64,
    kept: String,
}

impl Repair {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        if !Population::exists(&dir.directory)? {
            return Err(BadUsage::new(dir.not_found_message()).into());
        }
        let repaired = match self.before {
            None => repair(&dir.directory, self.cut)?,
            Some(matches) => rewind(&dir.directory, matches).map_err(|error| match error {
                StoreError::TooFew { .. } => {
                    BadUsage::new(format!("--before {matches}: {error}")).into()
                }
                other => anyhow::Error::from(other),
            })?,
        };
        let mut done = Vec::new();
        if let Some(cut) = &repaired.cut {
            done.push(format!(
                "The journal was cut at byte {}, after {} entries: {} bytes were given up. The \
                 whole file is kept as {}.",
                cut.offset,
                cut.entries,
                cut.bytes,
                cut.kept.display()
            ));
        }
        done.extend(repaired.notices.iter().map(ToString::to_string));
        // A champion of before the cut may be there: the next run writes it.
        let champion = Layout::new(&dir.directory).champion();
        if repaired.cut.is_some() && champion.exists() {
            let aside = Layout::broken_name(&champion);
            fs::rename(&champion, &aside)?;
            done.push(format!(
                "The champion's file is kept as {}; the next run writes it again.",
                aside.display()
            ));
        }
        done.extend(set_champion_aside(&dir)?);
        if done.is_empty() {
            done.push(String::from(
                "Nothing had to be put right: the store is what the journal tells.",
            ));
        }
        let counts = repaired.counts;
        if self.json {
            return write_json(
                out,
                &Json {
                    population: dir.name,
                    matches: counts.matches,
                    games: counts.games,
                    files: counts.files,
                    done,
                    cut: repaired.cut.map(|cut| CutJson {
                        entries: cut.entries,
                        offset: cut.offset,
                        bytes: cut.bytes,
                        kept: cut.kept.display().to_string(),
                    }),
                },
            );
        }
        let mut text = String::new();
        for line in &done {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(&format!(
            "population {} holds {} matches, {} games, {} files; to go on: loatune run{}\n",
            dir.name,
            thousands(counts.matches),
            thousands(counts.games),
            thousands(counts.files),
            dir.as_flag()
        ));
        write_text(out, &text)
    }
}

/// Moves a champion's file aside that is not what the population says.
fn set_champion_aside(dir: &PopulationDir) -> anyhow::Result<Option<String>> {
    let path = Layout::new(&dir.directory).champion();
    let Ok(written) = fs::read(&path) else {
        return Ok(None);
    };
    let (live, _population) = open_idle(dir)?;
    // While the evolution goes on there is no champion to compare it with.
    let Some(champion) = answer(live.champion())? else {
        return Ok(None);
    };
    if written == champion.to_toml().into_bytes() {
        return Ok(None);
    }
    let aside = Layout::broken_name(&path);
    fs::rename(&path, &aside)?;
    Ok(Some(format!(
        "The champion's file was not what the population says. It is kept as {}; the next run \
         writes it again.",
        aside.display()
    )))
}
