//! A sequential test's settings as text: `elo0=0,elo1=10`, and where they are
//! not the default, `,alpha=0.05,beta=0.05,model=normalized`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Model, Sprt};
use crate::util::text::excerpt;

/// Why the settings of a test are refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// A part is not of the form key=value.
    #[error(
        "{0:?} is not a setting; write elo0=NUMBER,elo1=NUMBER[,alpha=NUMBER][,beta=NUMBER]\
             [,model=logistic or normalized]"
    )]
    NotASetting(String),
    /// A model that is not known.
    #[error("model = {0:?}; allowed are logistic and normalized")]
    Model(String),
    /// A hypothesis that is too large in normalised Elo.
    #[error("{key} = {value}; in normalised Elo allowed are -{max} to {max}",
        max = Sprt::MAX_NORMALIZED)]
    Normalized {
        /// The key whose value is refused.
        key: &'static str,
        /// The refused value.
        value: f64,
    },
    /// A key that a test does not have.
    #[error("unknown key {0:?}; allowed are elo0, elo1, alpha, beta and model")]
    UnknownKey(String),
    /// A key stands there twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A hypothesis is left out.
    #[error("{0} is missing; elo0 and elo1 are required, as in elo0=0,elo1=10")]
    Missing(&'static str),
    /// A value is no number.
    #[error("{key} = {value:?} is not a number")]
    NotANumber {
        /// The key whose value is refused.
        key: &'static str,
        /// The refused value.
        value: String,
    },
    /// A hypothesis is too large, or infinite, or not a number.
    #[error("{key} = {value}; allowed are -{max} to {max}", max = Sprt::MAX_ELO)]
    Elo {
        /// The key whose value is refused.
        key: &'static str,
        /// The refused value.
        value: f64,
    },
    /// A risk is out of range.
    #[error("{key} = {value}; allowed is more than 0 and less than 0.5")]
    Risk {
        /// The key whose value is refused.
        key: &'static str,
        /// The refused value.
        value: f64,
    },
    /// The hypotheses do not differ, or stand the wrong way round.
    #[error("elo0 = {elo0}, elo1 = {elo1}; elo0 must be less than elo1")]
    Order {
        /// The Elo difference of H0.
        elo0: f64,
        /// The Elo difference of H1.
        elo1: f64,
    },
}

const KEYS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads the keys in any order, separated by commas or, as fastchess writes
    /// them, by spaces; also with spaces around them.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let mut values = [None; KEYS.len()];
        let mut model = None;
        let text = separated_by_commas(text);
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                return Err(SprtError::NotASetting(excerpt(part.trim())));
            };
            let (name, value) = (key.trim(), value.trim());
            if name == "model" {
                if model.is_some() {
                    return Err(SprtError::Twice("model"));
                }
                model = Some(match value.to_ascii_lowercase().as_str() {
                    "logistic" => Model::Logistic,
                    "normalized" | "normalised" => Model::Normalized,
                    _ => return Err(SprtError::Model(excerpt(value))),
                });
                continue;
            }
            let Some(index) = KEYS.iter().position(|&known| known == name) else {
                return Err(SprtError::UnknownKey(excerpt(name)));
            };
            let key = KEYS[index];
            if values[index].is_some() {
                return Err(SprtError::Twice(key));
            }
            let number: f64 = value.parse().map_err(|_| SprtError::NotANumber {
                key,
                value: excerpt(value),
            })?;
            values[index] = Some(number);
        }
        let [elo0, elo1, alpha, beta] = values;
        Sprt::new(
            elo0.ok_or(SprtError::Missing("elo0"))?,
            elo1.ok_or(SprtError::Missing("elo1"))?,
            alpha.unwrap_or(Sprt::DEFAULT_RISK),
            beta.unwrap_or(Sprt::DEFAULT_RISK),
        )?
        .with_model(model.unwrap_or_default())
    }
}

/// The same settings with commas where only spaces separated them; spaces around
/// an `=` or a comma separate nothing.
fn separated_by_commas(text: &str) -> String {
    let mut tight = String::new();
    for word in text.split_whitespace() {
        let joins = |letter: &str| tight.ends_with(letter) || word.starts_with(letter);
        if !tight.is_empty() && !joins("=") && !joins(",") {
            tight.push(',');
        }
        tight += word;
    }
    tight
}

/// All settings, in the form that is read.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo0, elo1) = (self.elo0(), self.elo1());
        let (alpha, beta) = (self.alpha(), self.beta());
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")?;
        write!(f, ",model={}", self.model().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let error = text.parse::<Sprt>().expect_err("settings to refuse");
        error.to_string()
    }

    #[test]
    fn read_and_written() {
        let short: Sprt = "elo0=0,elo1=10".parse().expect("valid settings");
        assert_eq!(Ok(short), Sprt::new(0.0, 10.0, 0.05, 0.05));
        let written = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic";
        assert_eq!(short.to_string(), written);
        assert_eq!(short.to_string().parse(), Ok(short));
        let long = " beta = .2, elo1=2.5 ,alpha=1e-1,elo0=-5";
        assert_eq!(long.parse(), Sprt::new(-5.0, 2.5, 0.1, 0.2));
        // As fastchess has it on its command line.
        let theirs = "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized";
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05).expect("valid settings");
        assert_eq!(theirs.parse(), test.with_model(Model::Normalized));
        assert_ne!(theirs.parse(), Ok(test));
        assert_eq!(" elo0 = 0  elo1= 5 ,model =logistic ".parse(), Ok(test));
    }

    #[test]
    fn refused_with_key_value_and_what_is_allowed() {
        let known = [
            (
                "elo0",
                "\"elo0\" is not a setting; \
                 write elo0=NUMBER,elo1=NUMBER[,alpha=NUMBER][,beta=NUMBER]\
                 [,model=logistic or normalized]",
            ),
            (
                "elo0=0,elo1=5,gamma=1",
                "unknown key \"gamma\"; allowed are elo0, elo1, alpha, beta and model",
            ),
            (
                "elo0=0,elo1=5,model=bayesian",
                "model = \"bayesian\"; allowed are logistic and normalized",
            ),
            (
                "elo0=0 elo1=250 model=normalized",
                "elo1 = 250; in normalised Elo allowed are -200 to 200",
            ),
            ("elo0=0,elo0=1,elo1=5", "elo0 is given twice"),
            (
                "elo0=0",
                "elo1 is missing; elo0 and elo1 are required, as in elo0=0,elo1=10",
            ),
            ("elo0=0,elo1=ten", "elo1 = \"ten\" is not a number"),
            ("elo0=0,elo1=", "elo1 = \"\" is not a number"),
            ("elo0=nan,elo1=5", "elo0 = NaN; allowed are -1000 to 1000"),
            ("elo0=0,elo1=inf", "elo1 = inf; allowed are -1000 to 1000"),
            (
                "elo0=5,elo1=5",
                "elo0 = 5, elo1 = 5; elo0 must be less than elo1",
            ),
            (
                "elo0=0,elo1=5,alpha=0",
                "alpha = 0; allowed is more than 0 and less than 0.5",
            ),
            (
                "elo0=0,elo1=5,beta=0.5",
                "beta = 0.5; allowed is more than 0 and less than 0.5",
            ),
            (
                "elo0=0,elo1=5,beta=nan",
                "beta = NaN; allowed is more than 0 and less than 0.5",
            ),
        ];
        for (text, message) in known {
            assert_eq!(refusal(text), message, "{text}");
        }
        assert!(refusal("").starts_with("\"\" is not a setting"));
        assert!(refusal("elo0=0,elo1=10,").starts_with("\"\" is not a setting"));
    }
}
