//! `loatune export` of a population whose genes are another engine's options.

use serde_json::json;

use super::export::{FILE_COLUMNS, Format, PAGE_SIZE, file_columns};
use super::open_population::answer;
use crate::api::{FileChoice, FileQuery, Source};
use crate::evolve::FileId;
use crate::weights::{OptionFile, c_header, setoption_lines};

/// The values of one file.
pub(super) fn text(file: &OptionFile, format: Format) -> anyhow::Result<String> {
    let values = file.values.iter();
    let texts: Vec<(String, String)> = values
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    Ok(match format {
        Format::Toml => file.to_toml(),
        Format::Json => serde_json::to_string_pretty(&file.to_json())? + "\n",
        Format::Setoption => setoption_lines(&texts),
        Format::CHeader => c_header(&texts, &file.origin),
        Format::Csv => format!("{}\n{}\n", names(file), numbers(file)),
    })
}

/// The values of every file that ever lived, as CSV or JSON; `None` where the genes
/// are those of this program.
pub(super) fn all_files(source: &dyn Source, format: Format) -> anyhow::Result<Option<String>> {
    let (mut next, mut csv, mut files) = (Some(FileId(0)), String::new(), Vec::new());
    while let Some(from) = next {
        let page = answer(source.files(&FileQuery::page(from, PAGE_SIZE)))?;
        for row in &page.files {
            let Some(file) = answer(source.options_of(FileChoice::Number(row.file)))? else {
                return Ok(None);
            };
            if format == Format::Csv {
                if csv.is_empty() {
                    csv = format!("{FILE_COLUMNS},{}\n", names(&file));
                }
                csv += &format!("{}{}\n", file_columns(row), numbers(&file));
            } else {
                let mut value = serde_json::to_value(row)?;
                value["options"] = file.to_json()["options"].take();
                files.push(value);
            }
        }
        next = page.next;
    }
    Ok(Some(match format {
        Format::Csv => csv,
        _ => serde_json::to_string_pretty(&json!({ "files": files }))? + "\n",
    }))
}

/// The names of the options as columns of CSV.
fn names(file: &OptionFile) -> String {
    let names = file.values.iter().map(|(name, _)| {
        if name.contains([',', '"']) {
            format!("\"{}\"", name.replace('"', "\"\""))
        } else {
            name.clone()
        }
    });
    names.collect::<Vec<_>>().join(",")
}

fn numbers(file: &OptionFile) -> String {
    let numbers = file.values.iter().map(|(_, value)| value.to_string());
    numbers.collect::<Vec<_>>().join(",")
}
