//! The files beside the store, compared with what the journal says they should be.

use std::fs;

use super::Verification;
use crate::evolve::Stage;
use crate::genome::BuiltIn;
use crate::run::champion::{champion_file, name_in, option_file, option_name_in};
use crate::search::EngineVersion;
use crate::store::{Audit, FoldedJournal, Layout, StoreError};

impl Verification<'_> {
    /// Compares the files beside the store.
    pub(super) fn champion(&self, audit: &mut Audit) -> Result<bool, StoreError> {
        let layout = Layout::new(self.dir);
        let Some(end) = &audit.folded else {
            return Ok(false);
        };
        let mut differences = Vec::new();
        let mut notes = Vec::new();
        match fs::read_to_string(layout.params()) {
            Ok(text) => differences.extend(first_line("params.toml", &text, &end.began_with)),
            Err(error) => differences.push(format!("params.toml: {error}")),
        }
        let text = match fs::read(layout.champion()) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                differences.push(format!("champion.toml: {error}"));
                None
            }
        };
        let is_over = end.fold.state.stage() == Stage::Over;
        let genes = BuiltIn::new(&end.fold.plan.genome.table);
        let mut compared = false;
        match text {
            Some(text) if is_over => match &genes {
                _ if !end.fold.params.genome.engine.is_empty() => {
                    let default = || format!("{}-champion", self.name);
                    let name = option_name_in(&text).unwrap_or_else(default);
                    let measured: Vec<_> = end.fold.measurements.complete().cloned().collect();
                    let file = option_file(
                        &name,
                        &end.fold.state,
                        &end.fold.params,
                        &end.fold.plan,
                        &measured,
                    );
                    let told = file.map_or_else(String::new, |file| file.to_toml());
                    differences.extend(first_line("champion.toml", &text, &told));
                    compared = true;
                }
                Err(unknown) => {
                    notes.push(format!("champion.toml was not compared: it has {unknown}"));
                }
                Ok(genes) => {
                    let told = self.champion_text(end, genes, &text)?;
                    differences.extend(first_line("champion.toml", &text, &told));
                    compared = true;
                }
            },
            Some(_) => notes.push(String::from(
                "champion.toml is older than the evolution, which goes on: it was not compared",
            )),
            None if is_over => notes.push(String::from(
                "the evolution is over, but there is no champion.toml: the next run writes it",
            )),
            None => {}
        }
        for difference in differences {
            audit.add_difference(difference);
        }
        audit.notes.extend(notes);
        Ok(compared)
    }

    /// What the champion's file should say; `text` is what it says.
    fn champion_text(
        &self,
        end: &FoldedJournal,
        genes: &BuiltIn,
        text: &str,
    ) -> Result<String, StoreError> {
        let present = EngineVersion::present_signature(end.fold.params.player.search.algorithm);
        let engine = end.engine.unwrap_or(present);
        let (state, params) = (&end.fold.state, &end.fold.params);
        let births = |file| Ok(end.births.get(&file).cloned());
        // Its name is that of the population when it was written.
        let default = || format!("{}-champion", self.name);
        let name = name_in(text).unwrap_or_else(default);
        let measured: Vec<_> = end.fold.measurements.complete().cloned().collect();
        let file = champion_file(&name, state, params, genes, &births, &measured, engine)?;
        let Some(mut file) = file else {
            return Ok(String::new());
        };
        // Programs of before wrote no command.
        if !text.lines().any(|line| line.starts_with("command = "))
            && let Some(certificate) = &mut file.certificate
        {
            certificate.command = None;
        }
        Ok(file.to_toml())
    }

    /// Compares the file of the champion after which a population was taken
    /// further with what it was then.
    pub(super) fn former_champion(
        &self,
        end: &FoldedJournal,
        audit: &mut Audit,
    ) -> Result<(), StoreError> {
        let Ok(genes) = BuiltIn::new(&end.fold.plan.genome.table) else {
            return Ok(());
        };
        let number = end.fold.state.former_champions().len() + 1;
        let path = Layout::new(self.dir).former_champion(number);
        let name = format!("champion-{number}.toml");
        match fs::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let told = self.champion_text(end, &genes, &text)?;
                if let Some(difference) = first_line(&name, &text, &told) {
                    audit.add_difference(difference);
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                audit.notes.push(format!(
                    "{name}, the champion before the population was taken further, is missing"
                ));
            }
            Err(error) => audit.add_difference(format!("{name}: {error}")),
        }
        Ok(())
    }
}

/// The first line in which a file differs from what it should be.
fn first_line(name: &str, found: &str, told: &str) -> Option<String> {
    if found == told {
        return None;
    }
    let (mut ours, mut theirs) = (found.lines(), told.lines());
    let mut number = 1;
    loop {
        match (ours.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (None, None) => return Some(format!("{name}: other line endings than it should have")),
            (a, b) => {
                let text = |line: Option<&str>| {
                    line.map_or_else(|| String::from("nothing"), |line| format!("{line:?}"))
                };
                return Some(format!(
                    "{name} line {number}: it has {}, it should be {}",
                    text(a),
                    text(b)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs() {
        assert_eq!(first_line("f", "a\nb\n", "a\nb\n"), None);
        let found = first_line("f", "a\nb\n", "a\nc\n").unwrap_or_default();
        assert_eq!(found, "f line 2: it has \"b\", it should be \"c\"");
        let found = first_line("f", "a\n", "a\nc\n").unwrap_or_default();
        assert_eq!(found, "f line 2: it has nothing, it should be \"c\"");
        assert!(first_line("f", "a\r\n", "a\n").is_some());
    }
}
