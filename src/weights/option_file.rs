//! The champion of another program: the values of its options, in the forms that
//! authors of engines use.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::certificate::ChampionKind;
use crate::stats::Tally;

/// The values of a program's options, and where they come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionFile {
    /// The name that people use for the values.
    pub name: String,
    /// Who made them, and how.
    pub origin: String,
    /// The command that starts the program.
    pub engine: String,
    /// The name and the value of each option.
    pub values: Vec<(String, i64)>,
    /// The proof of strength that a champion has.
    pub certificate: Option<OptionCertificate>,
}

/// How strong the champion of another program is, and how that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionCertificate {
    /// What the champion is.
    pub champion: ChampionKind,
    /// The seed of the run.
    pub seed: u64,
    /// The fingerprint of its parameters.
    pub params: String,
    /// Games of the evolution.
    pub games: u64,
    /// The depth of the searches; 0 for no limit.
    pub depth: u32,
    /// The nodes of a search; 0 for no limit.
    pub nodes: u64,
    /// The time of a search in milliseconds; 0 for no limit.
    pub movetime: u32,
    /// Whether the games can be played again, move by move the same.
    pub is_repeatable: bool,
    /// The opponents on openings that the evolution never saw, the values of
    /// their options, and the champion's results.
    pub results: Vec<OptionMatch>,
}

/// An opponent by its name and the values of its options, and the champion's
/// results against it.
pub type OptionMatch = (String, Vec<(String, i64)>, Tally);

impl OptionFile {
    /// The file as JSON.
    pub fn to_json(&self) -> Value {
        let mut file = json!({
            "loatune": { "name": self.name, "origin": self.origin, "engine": self.engine },
            "options": object(&self.values),
        });
        if let Some(certificate) = &self.certificate {
            file["certificate"] = certificate.to_json();
        }
        file
    }

    /// The file as TOML.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let mut text = format!(
            "# Values of an engine's options, found by loatune.\n\n[loatune]\nname = {}\norigin = \
             {}\nengine = {}\n\n[options]\n",
            quoted(&self.name),
            quoted(&self.origin),
            quoted(&self.engine)
        );
        for (name, value) in &self.values {
            let _ = writeln!(text, "{} = {value}", key(name));
        }
        let Some(certificate) = &self.certificate else {
            return text;
        };
        let Value::Object(mut keys) = certificate.to_json() else {
            return text;
        };
        let matches = keys.remove("match");
        let _ = writeln!(text, "\n[certificate]");
        if !certificate.is_repeatable {
            text += "# The engine need not play the same games when it is asked again: neither the \
                     run nor\n# the matches below can be repeated.\n";
        }
        for (name, value) in &keys {
            let _ = writeln!(text, "{name} = {value}");
        }
        for one in matches.iter().filter_map(Value::as_array).flatten() {
            let _ = writeln!(text, "\n[[certificate.match]]");
            for (name, value) in one.as_object().into_iter().flatten() {
                match value {
                    Value::Null => {}
                    Value::Object(values) => {
                        let pair =
                            |(name, value): (&String, &Value)| format!("{} = {value}", key(name));
                        let values: Vec<String> = values.iter().map(pair).collect();
                        let _ = writeln!(text, "{name} = {{ {} }}", values.join(", "));
                    }
                    value => {
                        let _ = writeln!(text, "{name} = {value}");
                    }
                }
            }
        }
        text
    }
}

impl OptionCertificate {
    fn to_json(&self) -> Value {
        let one = |(opponent, values, tally): &OptionMatch| {
            let record = tally.record();
            let elo = tally.moments().map(|moments| moments.elo());
            let tenth = |number: f64| number.is_finite().then(|| (number * 10.0).round() / 10.0);
            json!({
                "opponent": opponent,
                "games": tally.games(),
                "wins": record.wins,
                "draws": record.draws,
                "losses": record.losses,
                "pentanomial": tally.pairs.0,
                "elo": elo.and_then(|elo| tenth(elo.value)),
                "elo_error": elo.and_then(|elo| elo.error()).and_then(tenth),
                "options": object(values),
            })
        };
        let mut certificate = json!({
            "champion": self.champion.name(),
            "seed": self.seed.to_string(),
            "params": self.params,
            "games": self.games,
            "depth": self.depth,
            "nodes": self.nodes,
            "match": self.results.iter().map(one).collect::<Vec<_>>(),
        });
        // Said only where it is the case: certificates are compared as texts.
        if self.movetime > 0 {
            certificate["movetime"] = self.movetime.into();
        }
        if !self.is_repeatable {
            certificate["repeatable"] = false.into();
        }
        certificate
    }
}

/// Values as the lines that a program reads.
pub fn setoption_lines(values: &[(String, String)]) -> String {
    let line = |(name, value): &(String, String)| format!("setoption name {name} value {value}\n");
    values.iter().map(line).collect()
}

/// Values as a header of C: one macro each. `comment` stands above them.
pub fn c_header(values: &[(String, String)], comment: &str) -> String {
    let comment = comment.replace("*/", "* /").replace(char::is_control, " ");
    let mut text = format!("/* {comment} */\n#pragma once\n\n");
    for (name, value) in values {
        let letter = |letter: char| match letter {
            letter if letter.is_ascii_alphanumeric() => letter.to_ascii_uppercase(),
            _ => '_',
        };
        let name: String = name.chars().map(letter).collect();
        let digit = if name.starts_with(|letter: char| letter.is_ascii_digit()) {
            "_"
        } else {
            ""
        };
        // A negative number must stay one where it is subtracted.
        let _ = if value.starts_with('-') {
            writeln!(text, "#define {digit}{name} ({value})")
        } else {
            writeln!(text, "#define {digit}{name} {value}")
        };
    }
    text
}

fn object(values: &[(String, i64)]) -> Value {
    let pair = |(name, value): &(String, i64)| (name.clone(), json!(value));
    Value::Object(values.iter().map(pair).collect())
}

/// A name as a key of TOML, quoted where it has to be.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_in_every_form() {
        let file = OptionFile {
            name: String::from("n"),
            origin: String::from("o \"quoted\""),
            engine: String::from("./engine --fast"),
            values: vec![(String::from("Pawn Value"), -3), (String::from("king"), 7)],
            certificate: Some(OptionCertificate {
                champion: ChampionKind::Elder,
                seed: 1,
                params: String::from("f"),
                games: 200,
                depth: 2,
                nodes: 0,
                movetime: 0,
                is_repeatable: true,
                results: vec![(
                    String::from("default"),
                    vec![(String::from("Pawn Value"), 1)],
                    Tally::default(),
                )],
            }),
        };
        let toml: toml::Value = toml::from_str(&file.to_toml()).unwrap();
        assert_eq!(toml["options"]["Pawn Value"].as_integer(), Some(-3));
        assert_eq!(toml["loatune"]["engine"].as_str(), Some("./engine --fast"));
        let one = &toml["certificate"]["match"][0];
        assert_eq!(one["options"]["Pawn Value"].as_integer(), Some(1));
        assert_eq!(file.to_json()["options"]["king"], 7);
        assert!(!file.to_toml().contains("repeat"));
        let mut timed = file.clone();
        if let Some(certificate) = &mut timed.certificate {
            (certificate.movetime, certificate.is_repeatable) = (50, false);
        }
        let text = timed.to_toml();
        assert!(
            text.contains("cannot be repeated") || text.contains("can be repeated"),
            "{text}"
        );
        let toml: toml::Value = toml::from_str(&text).unwrap();
        assert_eq!(toml["certificate"]["movetime"].as_integer(), Some(50));
        assert_eq!(toml["certificate"]["repeatable"].as_bool(), Some(false));
        let texts = [("Pawn Value", "-3"), ("2nd", "1.25")];
        let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(
            setoption_lines(&texts),
            "setoption name Pawn Value value -3\nsetoption name 2nd value 1.25\n"
        );
        assert_eq!(
            c_header(&texts, "mine */"),
            "/* mine * / */\n#pragma once\n\n#define PAWN_VALUE (-3)\n#define _2ND 1.25\n"
        );
    }
}
