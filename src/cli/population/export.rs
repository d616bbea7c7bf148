//! `loatune export`: a population's weights as files.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::export_options;
use super::open_population::{OpenPopulation, answer};
use crate::api::{FileChoice, FileQuery, FileRow, Source, origin_name};
use crate::cli::args::{PopulationArg, PopulationDir, file_id};
use crate::cli::output::{BadUsage, notice, save_file, write_text};
use crate::eval::genes::{GENES, Role, TABLE};
use crate::evolve::FileId;
use crate::weights::{OptionFile, WeightFile, c_header, setoption_lines};

/// How many files are asked for at a time.
pub(super) const PAGE_SIZE: usize = 1000;

/// Write the champion's weights, or those of another file of a population
///
/// Without a choice: the champion; while there is none, the leading file, marked
/// as such. The champion carries the certificate of its strength.
#[derive(Debug, Args)]
#[command(after_help = "\
Equal runs give equal files: there is no time and no host in them. A file is
written whole or not at all; one that exists is left alone, and the exit code is
2, unless --force is given. Works while a run goes on.

Examples:
  loatune export -o mine.toml
  loatune export --population mine --leader --format json
  loatune export --file 1234
  loatune export --all --format csv -o files.csv --force
  loatune export --format setoption | engine
  loatune export -o weights.h

TOML and JSON are weight files as `match`, `play`, `analyse` and others read
them. CSV has a row a file: file, origin, parents, at, alive, points, games,
children and every gene (GENE_endgame for the endgame). --all is CSV or JSON.
setoption is what `loatune ugi --genes`, or the engine of genome.engine, is told;
c-header (also by the extension .h) has a macro for each gene.")]
pub(crate) struct Export {
    #[command(flatten)]
    population: PopulationArg,
    /// The file with this number, as 3 or #3
    #[arg(long, value_name = "ID", group = "choice", value_parser = file_id)]
    file: Option<FileId>,
    /// The champion
    #[arg(long, group = "choice")]
    champion: bool,
    /// The living file with the most points
    #[arg(long, group = "choice")]
    leader: bool,
    /// The elder: the running mean of the consensus, usually the strongest
    /// weights of a run that goes on
    #[arg(long, group = "choice")]
    elder: bool,
    /// Every file that ever lived
    #[arg(long, group = "choice")]
    all: bool,
    /// The format [default: by the name of PATH, else toml; csv for --all]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to PATH instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Overwrite a file that exists
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Toml,
    Json,
    Csv,
    /// Lines that tell an engine the values
    Setoption,
    /// A header of C with a macro for each value
    #[value(alias = "h")]
    CHeader,
}

impl Export {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        let format = self.format();
        let text = OpenPopulation::ask(&dir, |open| self.text(&dir, &*open.source, format))?;
        let Some(path) = &self.output else {
            return write_text(out, &text);
        };
        save_file(path, text.as_bytes(), self.force)?;
        log::info!("{} written", path.display());
        Ok(())
    }

    fn text(
        &self,
        dir: &PopulationDir,
        source: &dyn Source,
        format: Format,
    ) -> anyhow::Result<String> {
        if self.all {
            if !matches!(format, Format::Csv | Format::Json) {
                let name = format.to_possible_value();
                let name = name.map_or_else(String::new, |it| it.get_name().to_owned());
                return Err(BadUsage::new(format!(
                    "--all --format {name}: all files make no weight file; take csv or json"
                ))
                .into());
            }
            if let Some(text) = export_options::all_files(source, format)? {
                return Ok(text);
            }
            return all_files(source, format);
        }
        if let Some(file) = self.chosen_options(source)? {
            return export_options::text(&file, format);
        }
        let (file, id) = self.chosen_weights(dir, source)?;
        Ok(match format {
            Format::Setoption => {
                if file.weights.has_phases() {
                    return Err(BadUsage::new(
                        "--format setoption: an option has one value, and these weights have two \
                         phases",
                    )
                    .into());
                }
                let genes = TABLE.iter().zip(file.weights.opening);
                let values = genes.map(|(gene, value)| (gene.name.to_owned(), value.to_string()));
                setoption_lines(&values.collect::<Vec<_>>())
            }
            Format::CHeader => c_header(&named_texts(&file), &file.origin),
            Format::Toml => file.to_toml(),
            Format::Json => serde_json::to_string_pretty(&file.to_json())? + "\n",
            Format::Csv => match id {
                Some(id) => csv_rows(source, id, 1)?,
                None => csv_header() + &weights_row(&file),
            },
        })
    }

    /// The values that the flags choose where the genes are another program's
    /// options.
    fn chosen_options(&self, source: &dyn Source) -> anyhow::Result<Option<OptionFile>> {
        if let Some(id) = self.file {
            return answer(source.options_of(FileChoice::Number(id)));
        }
        if self.elder {
            return answer(source.options_of(FileChoice::Elder));
        }
        if !self.leader {
            let champion = answer(source.options_of(FileChoice::Champion))?;
            if champion.is_some() || self.champion {
                return Ok(champion);
            }
        }
        answer(source.options_of(FileChoice::Leader))
    }

    fn format(&self) -> Format {
        let by_name = || {
            let extension = self.output.as_deref()?.extension()?.to_str()?;
            Format::from_str(extension, true).ok()
        };
        let default = if self.all { Format::Csv } else { Format::Toml };
        self.format.or_else(by_name).unwrap_or(default)
    }

    /// The weights that the flags choose, and their number where they are a file
    /// of the population.
    fn chosen_weights(
        &self,
        dir: &PopulationDir,
        source: &dyn Source,
    ) -> anyhow::Result<(WeightFile, Option<FileId>)> {
        let name = &dir.name;
        let none = |what: String| anyhow::Error::from(BadUsage::new(what));
        let status = answer(source.status())?;
        let leading = status.leaders.first().map(|leader| leader.file);
        if let Some(id) = self.file {
            let file = answer(source.weights_of(id))?;
            let missing = || {
                let known = status.births;
                none(format!(
                    "no file {id} in the population {name}: {known} were born so far"
                ))
            };
            return Ok((file.ok_or_else(missing)?, Some(id)));
        }
        if self.elder {
            let missing = || none(format!("the population {name} has no elder yet"));
            return Ok((answer(source.elder())?.ok_or_else(missing)?, None));
        }
        if !self.leader {
            if let Some(champion) = answer(source.champion())? {
                return Ok((champion, status.champion.map(|champion| champion.file)));
            }
            if self.champion {
                let percent = 100.0 * status.progress;
                return Err(none(format!(
                    "the population {name} has no champion yet ({percent:.1} % done); --leader or \
                     --elder gives what there is"
                )));
            }
            notice("no champion yet: this is the leading file");
        }
        let missing = || none(format!("nobody lives in the population {name}"));
        Ok((answer(source.leader())?.ok_or_else(missing)?, leading))
    }
}

/// The names and values of weights, those of the endgame where they differ.
fn named_texts(file: &WeightFile) -> Vec<(String, String)> {
    let weights = &file.weights;
    let opening = TABLE.iter().zip(weights.opening);
    let opening = opening.map(|(gene, value)| (gene.name.to_owned(), gene.text(value)));
    let mut texts: Vec<_> = opening.collect();
    if weights.has_phases() {
        let endgame = TABLE.iter().zip(weights.endgame);
        let endgame = endgame.filter(|(gene, _)| gene.role == Role::Weight);
        texts.extend(
            endgame.map(|(gene, value)| (format!("{}_endgame", gene.name), gene.text(value))),
        );
    }
    texts
}

/// Every file that ever lived.
fn all_files(source: &dyn Source, format: Format) -> anyhow::Result<String> {
    match format {
        Format::Csv => csv_rows(source, FileId(0), usize::MAX),
        _ => {
            let mut files = Vec::new();
            for_each_file(source, FileId(0), usize::MAX, &mut |row, file| {
                let mut value = serde_json::to_value(row)?;
                value["weights"] = file.to_json();
                files.push(value);
                Ok(())
            })?;
            Ok(serde_json::to_string_pretty(&json!({ "files": files }))? + "\n")
        }
    }
}

/// Calls `take` with at most `most` files, from the number `from` on, and their
/// weights.
fn for_each_file(
    source: &dyn Source,
    from: FileId,
    most: usize,
    take: &mut dyn FnMut(&FileRow, &WeightFile) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut next = Some(from);
    let mut left = most;
    while let Some(from) = next
        && left > 0
    {
        let page = answer(source.files(&FileQuery::page(from, PAGE_SIZE.min(left))))?;
        for row in &page.files {
            if let Some(file) = answer(source.weights_of(row.file))? {
                take(row, &file)?;
            }
        }
        left -= page.files.len().min(left);
        next = page.next;
    }
    Ok(())
}

/// The header and at most `most` rows of CSV, from the file `from` on.
fn csv_rows(source: &dyn Source, from: FileId, most: usize) -> anyhow::Result<String> {
    let mut text = csv_header();
    for_each_file(source, from, most, &mut |row, file| {
        text += &file_columns(row);
        text += &gene_columns(file);
        Ok(())
    })?;
    Ok(text)
}

/// The first columns of a row of CSV: all but the genes.
pub(super) fn file_columns(row: &FileRow) -> String {
    let parents: Vec<String> = row.parents.iter().map(|id| id.0.to_string()).collect();
    format!(
        "{},{},{},{},{},{},{},{},",
        row.file.0,
        origin_name(row.origin),
        parents.join(" "),
        row.at,
        row.alive,
        row.points,
        row.games,
        row.children
    )
}

/// The names of the first columns.
pub(super) const FILE_COLUMNS: &str = "file,origin,parents,at,alive,points,games,children";

fn csv_header() -> String {
    let names = TABLE.iter().map(|gene| gene.name.to_owned());
    let endgame = TABLE.iter().map(|gene| format!("{}_endgame", gene.name));
    let names: Vec<String> = names.chain(endgame).collect();
    format!("{FILE_COLUMNS},{}\n", names.join(","))
}

/// A row of CSV for weights that are no file of the population.
fn weights_row(file: &WeightFile) -> String {
    format!(",,,,,,,,{}", gene_columns(file))
}

/// The last columns of a row of CSV: the genes of both phases.
fn gene_columns(file: &WeightFile) -> String {
    let texts = |values: &[i32; GENES]| -> Vec<String> {
        let genes = TABLE.iter().zip(values);
        genes.map(|(gene, &value)| gene.text(value)).collect()
    };
    let opening = texts(&file.weights.opening).join(",");
    let endgame = texts(&file.weights.endgame).join(",");
    format!("{opening},{endgame}\n")
}
