//! The end of a run as text: the champion, its proof, and what to do with it.

use std::fmt::Write as _;
use std::path::Path;

use crate::cli::args::quoted;
use crate::eval::genes::{GENES, Gene, Role, TABLE};
use crate::run::ChampionFile;
use crate::weights::{OptionFile, WeightFile};

/// The most options that are listed.
const MOST_OPTIONS: usize = 40;

/// The report; `population` is the flag that names the population.
pub(crate) fn text(path: &Path, file: &ChampionFile, population: &str) -> String {
    match file {
        ChampionFile::Weights(file) => weights_text(path, file, population),
        ChampionFile::Options(file) => options_text(path, file, population),
    }
}

/// The report where the genes are another program's options.
fn options_text(path: &Path, file: &OptionFile, population: &str) -> String {
    let mut text = format!(
        "champion   {}\n           {}\n",
        path.display(),
        file.origin
    );
    let values = file.values.iter().take(MOST_OPTIONS);
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let more = file.values.len() - values.len();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let _ = writeln!(text, "options    {}{more}", values.join(", "));
    let results = file.certificate.iter().flat_map(|it| &it.results);
    for (n, (opponent, _, tally)) in results.enumerate() {
        let head = if n == 0 { "proof" } else { "" };
        let record = tally.record();
        let elo = tally.moments().map(|moments| moments.elo());
        let elo = elo.filter(|elo| elo.value.is_finite());
        let elo = elo.map_or_else(String::new, |elo| {
            let error = elo
                .error()
                .map_or_else(String::new, |it| format!(" +/- {it:.1}"));
            format!(", {:+.1}{error} Elo", elo.value)
        });
        let _ = writeln!(
            text,
            "{head:<10} against {opponent}: {} games, +{} ={} -{}{elo}",
            tally.games(),
            record.wins,
            record.draws,
            record.losses
        );
    }
    let _ = write!(
        text,
        "\n\
         loatune export{population} --format setoption    what to tell the engine\n\
         loatune history{population} --svg run.svg    shows how it went\n"
    );
    text
}

fn weights_text(path: &Path, file: &WeightFile, population: &str) -> String {
    let mut text = format!(
        "champion   {}\n           {}\n",
        path.display(),
        file.origin
    );
    let listed = |values: &[i32; GENES], is_listed: fn(&Gene) -> bool| {
        let genes = TABLE.iter().zip(values).filter(|(gene, _)| is_listed(gene));
        let genes: Vec<String> = genes
            .map(|(gene, value)| format!("{} {}", gene.name, gene.text(*value)))
            .collect();
        genes.join(", ")
    };
    let opening = listed(&file.weights.opening, |_| true);
    let _ = writeln!(text, "weights    {opening}");
    if file.weights.has_phases() {
        // A shape is the same throughout the game.
        let endgame = listed(&file.weights.endgame, |gene| gene.role == Role::Weight);
        let _ = writeln!(text, "endgame    {endgame}");
    }
    if let Some(certificate) = &file.certificate {
        for (n, result) in certificate.results.iter().enumerate() {
            let head = if n == 0 { "proof" } else { "" };
            let _ = writeln!(
                text,
                "{head:<10} against {}: {}",
                result.opponent,
                result.text()
            );
        }
    }
    let _ = write!(
        text,
        "\n\
         loatune export{population} -o mine.toml    writes these weights elsewhere\n\
         loatune certify {}    plays the proof again\n\
         loatune history{population} --svg run.svg    shows how it went\n",
        quoted(&path.display().to_string())
    );
    text
}
