//! The command that begins a run, from its parameters.

use super::{Key, Params, keys};

impl Params {
    /// The command that begins a population with these parameters. It sets what affects
    /// the result and is not built in. `None` where no flags say it: the genes are
    /// another program's, or those of an earlier version.
    ///
    /// ```
    /// use loatune::params::Params;
    ///
    /// let mut params = Params::default();
    /// assert_eq!(params.run_command().as_deref(), Some("loatune run"));
    /// params.player.depth = 4;
    /// params.run.threads = 3;
    /// assert_eq!(params.run_command().as_deref(), Some("loatune run --depth 4"));
    /// ```
    pub fn run_command(&self) -> Option<String> {
        if self.genome.is_absent.contains(&true) || !self.genome.genes.is_empty() {
            return None;
        }
        let mut again = Params::default();
        let mut command = String::from("loatune run");
        let differs = |key: &&Key| key.affects_result && key.text(self) != key.default_text();
        for key in keys().filter(differs) {
            let text = key.plain_text(self);
            key.set_text(&mut again, &text).ok()?;
            command += &format!(" --{}", key.flag_name());
            // A value that begins with a dash would be taken for a flag.
            command.push(if text.starts_with('-') { '=' } else { ' ' });
            command += &shell_word(&text);
        }
        (again.fingerprint() == self.fingerprint()).then_some(command)
    }
}

/// A text as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.,:=+/@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::genome::GeneTable;
    use crate::params::find_key;

    #[test]
    fn only_what_differs_is_set_and_only_if_it_decides() {
        let mut params = Params::default();
        for (path, text) in [
            ("run.seed", "7"),
            ("player.search", "selective:lmr=0"),
            ("player.nodes", "2000"),
            ("genome.quad4", "-100..50"),
            ("final.panel", "default@mcts:s500;champion@selective:n2000"),
            ("run.threads", "5"),
        ] {
            find_key(path).unwrap().set_text(&mut params, text).unwrap();
        }
        let command = params.run_command().unwrap();
        for part in [
            " --seed 7",
            " --player selective:lmr=0",
            " --nodes 2000",
            " --quad4=-100..50",
            " --panel 'default@mcts:s500;champion@selective:n2000'",
        ] {
            assert!(command.contains(part), "{command} has not {part}");
        }
        assert!(command.starts_with("loatune run --"), "{command}");
        assert_eq!(command.matches(" --").count(), 5, "{command}");
    }

    #[test]
    fn earlier_genes_have_no_command() {
        let table = GeneTable::first();
        let earlier = Params::parse_recorded("", "params.toml", &table).unwrap();
        assert_eq!(earlier.run_command(), None);
    }

    #[test]
    fn words_of_a_shell() {
        assert_eq!(shell_word("0..200"), "0..200");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's; so"), r"'it'\''s; so'");
    }
}
