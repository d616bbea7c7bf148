//! `loatune params show`: what is in force, and where it comes from.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cli::args::{AllGroups, ParamFlags};
use crate::cli::output::{write_json, write_text};
use crate::params::{ChosenGene, Effective, GROUPS, Group, Key, QUICK, keys};

/// Show every parameter in force, and where it comes from
///
/// Takes the same flags, variables and file as a run, and shows what the run
/// would use.
#[derive(Debug, Args)]
#[command(after_help = "\
The first of these that sets a key counts: its flag; its environment variable,
LOATUNE_ and the flag in capitals; the file, but not where it only repeats a
default that --quick changes; --quick; the built-in default. The fingerprint is
that of all values that a run's result depends on: all but engine.timeout,
run.threads, run.checkpoint, [fleet] and [http].

Bounds of a gene are written LEAST..MOST. A family that --features leaves out
has its genes fixed, whatever their bounds.

Examples:
  loatune params show
  loatune params show --quick --budget 5000 --euler 20..100
  loatune params show --params olympiad.toml --json
  loatune params show --depth 4 --toml > deep.toml

JSON: {group: {key: {value, source}}} for every group, genes {name: {min, max, step,
default}} where the file has a table [genes], then fingerprint.")]
pub(super) struct Show {
    /// Begin with the values of a short trial run
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a file of parameters, without comments
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    #[command(flatten)]
    flags: ParamFlags<AllGroups>,
}

impl Show {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let found = self.flags.effective(self.quick.then_some(&QUICK))?;
        if self.json {
            write_json(out, &as_json(&found))
        } else if self.toml {
            write_text(out, &found.params.to_toml())
        } else {
            write_text(out, &as_table(&found))
        }
    }
}

fn as_json(found: &Effective) -> Value {
    let key = |key: &Key| {
        let source = found.source(key).to_string();
        let value = json!({ "value": key.json(&found.params), "source": source });
        (key.name.to_owned(), value)
    };
    let group = |group: &Group| {
        let keys: Map<_, _> = group.keys.iter().map(key).collect();
        (group.name.to_owned(), Value::from(keys))
    };
    let mut all: Map<_, _> = GROUPS.iter().map(group).collect();
    if !found.params.genome.genes.is_empty() {
        let row = |row: &ChosenGene| {
            let ChosenGene {
                min,
                max,
                step,
                default,
                ..
            } = row;
            let value = json!({ "min": min, "max": max, "step": step, "default": default });
            (row.name.clone(), value)
        };
        let rows: Map<_, _> = found.params.genome.genes.iter().map(row).collect();
        all.insert("genes".into(), rows.into());
    }
    all.insert("fingerprint".into(), found.params.fingerprint().into());
    all.into()
}

fn as_table(found: &Effective) -> String {
    // A longer value pushes only its own source to the right.
    const WIDEST: usize = 24;
    let value = |key: &Key| key.text(&found.params);
    let names = keys().map(|key| key.name.len()).max().unwrap_or(0);
    let widths = keys().map(|key| value(key).chars().count());
    let values = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let mut text = String::new();
    for group in GROUPS {
        text += &format!("[{}]\n", group.name);
        for key in group.keys {
            let (name, value, source) = (key.name, value(key), found.source(key));
            text += &format!("{name:names$}  {value:values$}  {source}\n");
        }
        text += "\n";
    }
    let genes = &found.params.genome.genes;
    if !genes.is_empty() {
        text += &format!("{}\n", ChosenGene::table_text(genes));
    }
    text + &format!("fingerprint {}\n", found.params.fingerprint())
}
