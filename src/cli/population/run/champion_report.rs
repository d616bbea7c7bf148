//! The end of a run as text: the champion, its proof, and what to do with it.

use std::fmt::Write as _;
use std::path::Path;

use crate::eval::genes::TABLE;
use crate::weights::WeightFile;

/// The report; `population` is the flag that names the population.
pub(crate) fn text(path: &Path, file: &WeightFile, population: &str) -> String {
    let mut text = format!(
        "champion   {}\n           {}\n",
        path.display(),
        file.origin
    );
    let genes = TABLE.iter().zip(file.weights.opening);
    let genes: Vec<String> = genes
        .map(|(gene, value)| format!("{} {}", gene.name, gene.text(value)))
        .collect();
    let _ = writeln!(text, "weights    {}", genes.join(", "));
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
        path.display()
    );
    text
}
