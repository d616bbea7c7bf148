//! Writes a certificate as TOML.

use std::fmt::Write as _;

use serde_json::Value;

use super::Certificate;
use super::json::opponent_weights;
use super::keys::{CERTIFICATE, KEYS, Key, MATCH_KEYS, MATCHES};

/// The certificate as TOML, with a summary that a person can read.
pub(in crate::weights) fn to_toml(certificate: &Certificate) -> String {
    let mut text = format!(
        "
# The certificate: where these weights come from, and how strong they are on
# openings that their evolution never saw. `loatune certify FILE` plays the
# matches again.
# The champion is {}.
",
        certificate.champion.meaning()
    );
    for result in &certificate.results {
        let name = result.opponent.replace(char::is_control, " ");
        let _ = writeln!(text, "# Against {name}: {}.", result.text());
    }
    let _ = writeln!(text, "\n[{CERTIFICATE}]");
    write_keys(&mut text, &KEYS, certificate);
    for result in &certificate.results {
        let _ = writeln!(text, "\n[[{MATCHES}]]");
        write_keys(&mut text, &MATCH_KEYS, result);
        for (name, values) in opponent_weights(&result.weights) {
            let _ = writeln!(text, "{name} = {}", toml_value(&values));
        }
    }
    text
}

fn write_keys<T>(text: &mut String, keys: &[Key<T>], source: &T) {
    for key in keys {
        if let Some(value) = (key.get)(source) {
            let _ = writeln!(text, "{} = {}", key.name, toml_value(&value));
        }
    }
}

/// A JSON value in the notation of TOML.
fn toml_value(value: &Value) -> String {
    match value {
        Value::String(text) => toml::Value::from(text.as_str()).to_string(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(toml_value).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(values) => {
            let pair = |(name, value): (&String, &Value)| format!("{name} = {}", toml_value(value));
            let pairs: Vec<String> = values.iter().map(pair).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}
