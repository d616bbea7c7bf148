//! `loatune repair`: makes a population whole.

use std::fs;
use std::io::Write;

use clap::Args;
use serde::Serialize;

use crate::cli::args::PopulationArg;
use crate::cli::output::{BadUsage, thousands, write_json, write_text};
use crate::store::{Layout, Population, repair};

/// Rebuild a population's store from its journal, and keep the old one aside
///
/// `loatune run` puts right by itself what it finds broken when it starts. This
/// command does the same and then makes the store anew in any case. Where the
/// journal is damaged and the store is whole, the journal is written again from
/// the store.
#[derive(Debug, Args)]
#[command(after_help = "\
What is replaced is never deleted: it is renamed to store.broken-1,
journal.broken-1 and so on, which may be removed once everything is well.

Where neither journal nor store is whole, nothing is touched and the command
says so. With --cut it goes on from the last good entry before the damage: the
matches after it are given up and played again by `loatune run`, with the same
results, so the champion will be the same. What was imported after it is lost.

Exit codes: 0 repaired, 1 it cannot be repaired, 2 there is no such population.

Examples:
  loatune repair
  loatune repair --population mine
  loatune repair --population mine --cut

JSON: population, matches, games, files (what it holds now), done [text], cut
(null, or entries, offset, bytes, kept).")]
pub(crate) struct Repair {
    #[command(flatten)]
    population: PopulationArg,
    /// Where nothing else helps, go on from the last good entry before the damage
    #[arg(long)]
    cut: bool,
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
        if !Population::exists(&dir.directory) {
            return Err(BadUsage::new(dir.not_found_message()).into());
        }
        let repaired = repair(&dir.directory, self.cut)?;
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
