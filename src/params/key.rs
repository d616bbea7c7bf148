//! A key of `params.toml`: its meaning, what its value may be, and how the
//! value is read from and written into [`Params`]. The rows themselves are in
//! [`super::table`].

use serde_json::{Value, json};

use super::{Params, Reference};
use crate::document::raw_document::{Item, Raw};
use crate::eval::genes::{Gene, TABLE};
use crate::search::{SearchSetup, SetupError};
use crate::util::size::parse_kib;

/// A table of `params.toml`.
#[derive(Debug)]
pub struct Group {
    /// The name that stands in brackets in the file.
    pub name: &'static str,
    /// The heading of its flags in help texts.
    pub heading: &'static str,
    /// The keys that may stand in the table, in their order.
    pub keys: &'static [Key],
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The name of the group that the key belongs to.
    pub group: &'static str,
    /// The name of the key in its group.
    pub name: &'static str,
    /// The flag that sets the key, where it is not the name with dashes because
    /// another group or a command has that one. No two keys have the same flag.
    pub flag: Option<&'static str>,
    /// The meaning in one line, for help texts.
    pub doc: &'static str,
    /// Whether the result of a run depends on the value; the fingerprint is
    /// made of those keys.
    pub affects_result: bool,
    /// The type and range of the value, and its place in [`Params`].
    pub kind: Kind,
}

/// The type and range of a parameter, and its place in [`Params`].
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of some names.
    Choice {
        /// The names that may be chosen.
        names: &'static [&'static str],
        /// Reads the name of the present value.
        get: fn(&Params) -> &'static str,
        /// Stores the value whose name has this index.
        set: fn(&mut Params, usize),
    },
    /// A search with its options, as in `selective:lmr=0`.
    Search {
        /// The names of the searches.
        names: &'static [&'static str],
        /// Reads the present value.
        get: fn(&Params) -> SearchSetup,
        /// Stores a value that is allowed.
        set: fn(&mut Params, SearchSetup),
    },
    /// A whole number.
    Integer {
        /// The smallest number of the range.
        min: u64,
        /// The largest number of the range; `u32::MAX` stands for no limit,
        /// and a larger number is stored as that.
        max: u64,
        /// How the allowed numbers differ from the range.
        restriction: Restriction,
        /// Reads the present value.
        get: fn(&Params) -> u64,
        /// Stores a value that is allowed.
        set: fn(&mut Params, u64),
    },
    /// A real number; never infinite, never NaN.
    Real {
        /// The smallest number of the range.
        min: f64,
        /// The largest number of the range.
        max: f64,
        /// Reads the present value.
        get: fn(&Params) -> f64,
        /// Stores a value that is allowed.
        set: fn(&mut Params, f64),
    },
    /// True or false.
    Switch {
        /// Reads the present value.
        get: fn(&Params) -> bool,
        /// Stores a value.
        set: fn(&mut Params, bool),
    },
    /// A text of a certain form.
    Text {
        /// The form in words, to follow "must be".
        form: &'static str,
        /// Whether a text has the form.
        is_good: fn(&str) -> bool,
        /// Reads the present value.
        get: fn(&Params) -> &str,
        /// Stores a value that is allowed.
        set: fn(&mut Params, String),
    },
    /// A list of texts of a certain form, which may be empty.
    Texts {
        /// The form of each in words, to follow "a list of".
        form: &'static str,
        /// What stands between two of them where a flag or a variable has them
        /// all in one text.
        separator: char,
        /// Whether a text has the form.
        is_good: fn(&str) -> bool,
        /// Reads the present values.
        get: fn(&Params) -> &[String],
        /// Stores values that are allowed.
        set: fn(&mut Params, Vec<String>),
    },
    /// A choice of several names, at least one.
    Names {
        /// The names that may be chosen.
        names: &'static [&'static str],
        /// Whether the name with this index is among the present ones.
        get: fn(&Params, usize) -> bool,
        /// Chooses the name with this index, or drops it.
        set: fn(&mut Params, usize, bool),
    },
    /// The least and the most of a gene of the gene table.
    Bounds {
        /// The number of the gene in the gene table.
        gene: usize,
    },
}

/// How the whole numbers that are allowed differ from a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// Every number of the range is allowed, and no other.
    None,
    /// 0 is allowed beside the range, and switches something off.
    OrZero,
    /// Only even numbers of the range are allowed: every opening is played
    /// twice, with colours swapped.
    Even,
}

impl Key {
    /// Group and name: `rules.max_plies`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.group, self.name)
    }

    /// Whether this is the key with this group and name.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        path.split_once('.') == Some((self.group, self.name))
    }

    /// The flag that sets the key, without its first dashes: `max-plies`.
    pub fn flag_name(&self) -> String {
        let from_name = || self.name.replace('_', "-");
        self.flag.map_or_else(from_name, str::to_owned)
    }

    /// The environment variable that sets the key, which follows from the flag:
    /// `LOATUNE_MAX_PLIES`.
    pub fn variable(&self) -> String {
        let words = self.flag_name().replace('-', "_");
        format!("LOATUNE_{}", words.to_uppercase())
    }

    /// Whether the key means anything in these parameters: not one of a gene
    /// that the population does not have.
    pub fn is_present(&self, params: &Params) -> bool {
        match self.kind {
            Kind::Bounds { gene } => !params.genome.is_absent[gene],
            _ => true,
        }
    }

    /// Whether the key is written down with these parameters. The command of
    /// another engine, how it is driven and the panel of the proof are not where
    /// nothing is said of them, nor is a reference that was never chosen: populations
    /// that were begun before there were such keys keep their fingerprint.
    pub(super) fn is_recorded(&self, params: &Params) -> bool {
        let is_optional = self.group == "engine"
            || matches!(
                (self.group, self.name),
                ("genome", "engine") | ("final", "panel" | "panel_games")
            );
        let is_unsaid = self.has_path("final.reference")
            && params.final_stage.reference == Reference::SourceAsDefault;
        self.is_present(params)
            && !is_unsaid
            && !(is_optional && self.text(params) == self.default_text())
    }

    /// What is allowed, to follow "must be".
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Choice { names, .. } => listed(names, " or "),
            Kind::Search { names, .. } => format!(
                "{}, with options as in \"selective:lmr=0\" where it has any",
                listed(names, " or ")
            ),
            Kind::Integer {
                min,
                max,
                restriction,
                ..
            } => {
                let kind = match restriction {
                    Restriction::None => "an integer",
                    Restriction::OrZero => "an integer, 0 (off) or",
                    Restriction::Even => "an even integer",
                };
                if max == u64::from(u32::MAX) {
                    format!("{kind} at least {min}")
                } else {
                    format!("{kind} from {min} to {max}")
                }
            }
            Kind::Real { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Switch { .. } => String::from("true or false"),
            Kind::Text { form, .. } => form.to_owned(),
            Kind::Texts { form, .. } => format!("a list of {form}"),
            Kind::Names { names, .. } => format!("a list of {}", listed(names, " and ")),
            Kind::Bounds { gene } => format!(
                "[least, most] within {}; the same number twice fixes it",
                TABLE[gene].range_text()
            ),
        }
    }

    /// The present value, as `params.toml` has it.
    pub fn text(&self, params: &Params) -> String {
        match self.kind {
            Kind::Choice { get, .. } => quoted(get(params)),
            Kind::Search { get, .. } => quoted(&get(params).to_string()),
            Kind::Integer { get, .. } => get(params).to_string(),
            // With a point or an exponent, so that it is not an integer.
            Kind::Real { get, .. } => format!("{:?}", get(params)),
            Kind::Switch { get, .. } => get(params).to_string(),
            Kind::Text { get, .. } => quoted(get(params)),
            Kind::Texts { get, .. } => {
                let texts: Vec<_> = get(params).iter().map(|text| quoted(text)).collect();
                format!("[{}]", texts.join(", "))
            }
            Kind::Names { .. } => {
                let names: Vec<_> = self.chosen(params).into_iter().map(quoted).collect();
                format!("[{}]", names.join(", "))
            }
            Kind::Bounds { gene } => {
                let [least, most] = params.genome.bounds[gene].map(|value| TABLE[gene].text(value));
                format!("[{least}, {most}]")
            }
        }
    }

    /// The present value as JSON.
    pub fn json(&self, params: &Params) -> Value {
        match self.kind {
            Kind::Choice { get, .. } => json!(get(params)),
            Kind::Search { get, .. } => json!(get(params).to_string()),
            Kind::Integer { get, .. } => json!(get(params)),
            Kind::Real { get, .. } => json!(get(params)),
            Kind::Switch { get, .. } => json!(get(params)),
            Kind::Text { get, .. } => json!(get(params)),
            Kind::Texts { get, .. } => json!(get(params)),
            Kind::Names { .. } => json!(self.chosen(params)),
            Kind::Bounds { gene } => {
                let number = |value: i32| match TABLE[gene].grid {
                    1 => json!(value),
                    parts => json!(f64::from(value) / f64::from(parts)),
                };
                json!(params.genome.bounds[gene].map(number))
            }
        }
    }

    /// The present value, as [`Key::set_text`] takes it.
    pub fn plain_text(&self, params: &Params) -> String {
        match self.kind {
            Kind::Choice { get, .. } => get(params).to_owned(),
            Kind::Search { get, .. } => get(params).to_string(),
            Kind::Text { get, .. } => get(params).to_owned(),
            Kind::Texts { get, separator, .. } => get(params).join(&separator.to_string()),
            Kind::Names { .. } => self.chosen(params).join(","),
            Kind::Bounds { gene } => {
                let bounds = params.genome.bounds[gene];
                bounds.map(|value| TABLE[gene].text(value)).join("..")
            }
            _ => self.text(params),
        }
    }

    /// The default, as `params.toml` has it.
    pub fn default_text(&self) -> String {
        self.text(&Params::default())
    }

    /// Stores the value that a flag or a variable gives as text. Names are not
    /// quoted there, lists are separated by commas or semicolons and bounds are written
    /// `0..200`, or as one number that fixes the gene.
    ///
    /// # Errors
    /// What is allowed, where the value is not.
    ///
    /// ```
    /// use loatune::params::{Params, find_key};
    ///
    /// let mut params = Params::default();
    /// let depth = find_key("player.depth").expect("it is in the table");
    /// depth.set_text(&mut params, "5")?;
    /// assert_eq!(params.player.depth, 5);
    /// assert_eq!(
    ///     depth.set_text(&mut params, "five").unwrap_err(),
    ///     "must be an integer, 0 (off) or from 1 to 250"
    /// );
    /// # Ok::<(), String>(())
    /// ```
    pub fn set_text(&self, params: &mut Params, text: &str) -> Result<(), String> {
        let whole = |text: &str| text.trim().parse().map(Raw::Integer);
        let real = |text: &str| text.trim().parse().map(Raw::Float);
        let raw = match self.kind {
            // A flag or a variable may say the unit, as in 64M.
            Kind::Integer { .. } if self.name.ends_with("_kib") => parse_kib(text)
                .and_then(|kib| i64::try_from(kib).ok())
                .map(Raw::Integer),
            Kind::Integer { .. } => whole(text).ok(),
            Kind::Real { .. } => real(text).ok(),
            Kind::Switch { .. } => text.parse().map(Raw::Bool).ok(),
            Kind::Choice { .. } | Kind::Search { .. } | Kind::Text { .. } => None,
            Kind::Texts { separator, .. } => {
                let texts = text.split(separator).map(str::trim);
                let given = texts.filter(|text| !text.is_empty());
                Some(Raw::list(given.map(|text| Raw::Text(text.to_owned()))))
            }
            Kind::Names { .. } => {
                let name = |name: &str| Raw::Text(name.trim().to_owned());
                Some(Raw::list(text.split(',').map(name)))
            }
            Kind::Bounds { .. } => {
                let (least, most) = text.split_once("..").unwrap_or((text, text));
                match (real(least), real(most)) {
                    (Ok(least), Ok(most)) => Some(Raw::list([least, most])),
                    _ => None,
                }
            }
        };
        let raw = raw.unwrap_or_else(|| Raw::Text(text.to_owned()));
        self.set(params, &raw).map_err(|must| match self.kind {
            Kind::Names { names, .. } => {
                format!("must be some of {}, separated by commas", names.join(", "))
            }
            Kind::Bounds { gene } if self.is_present(params) => format!(
                "must be LEAST..MOST within {}, or one number, which fixes it",
                TABLE[gene].range_text()
            ),
            _ => must,
        })
    }

    /// Stores a value of a document.
    ///
    /// # Errors
    /// What is allowed, where the value is not.
    pub(crate) fn set(&self, params: &mut Params, raw: &Raw) -> Result<(), String> {
        if !self.is_present(params) {
            return Err(format!(
                "cannot be set: this population was begun without the gene {}",
                self.name
            ));
        }
        if let (Kind::Search { set, .. }, Raw::Text(text)) = (self.kind, raw) {
            match SearchSetup::parse_repeatable(text) {
                Ok(search) => {
                    set(params, search);
                    return Ok(());
                }
                Err(SetupError::Algorithm(_)) => {}
                // Of a search that there is, what is wrong is more than what is allowed.
                Err(error) => return Err(error.to_string()),
            }
        }
        if self.try_set(params, raw).is_some() {
            return Ok(());
        }
        Err(format!("must be {}", self.allowed()))
    }

    fn try_set(&self, params: &mut Params, raw: &Raw) -> Option<()> {
        match (self.kind, raw) {
            (Kind::Choice { names, set, .. }, Raw::Text(text)) => {
                set(params, names.iter().position(|name| name == text)?);
            }
            (
                Kind::Integer {
                    min,
                    max,
                    restriction,
                    set,
                    ..
                },
                &Raw::Integer(number),
            ) => {
                let mut number = u64::try_from(number).ok()?;
                if max == u64::from(u32::MAX) {
                    number = number.min(max);
                }
                let is_good = match restriction {
                    Restriction::None => true,
                    Restriction::OrZero => number == 0 || number >= min,
                    Restriction::Even => number.is_multiple_of(2),
                };
                let is_inside =
                    number <= max && (number >= min || restriction == Restriction::OrZero);
                (is_good && is_inside).then(|| set(params, number))?;
            }
            (Kind::Real { min, max, set, .. }, &(Raw::Integer(_) | Raw::Float(_))) => {
                let number = raw.as_number()?;
                // Minus zero would be printed with its sign.
                let number = if number == 0.0 { 0.0 } else { number };
                (min..=max).contains(&number).then(|| set(params, number))?;
            }
            (Kind::Switch { set, .. }, &Raw::Bool(is_on)) => set(params, is_on),
            (Kind::Text { is_good, set, .. }, Raw::Text(text)) => {
                is_good(text).then(|| set(params, text.clone()))?;
            }
            (Kind::Texts { is_good, set, .. }, Raw::List(items)) => {
                let text = |item: &Item| Some(item.value.as_text()?.to_owned());
                let texts: Vec<String> = items.iter().map(text).collect::<Option<_>>()?;
                let all_good = texts.iter().all(|text| is_good(text));
                all_good.then(|| set(params, texts))?;
            }
            (Kind::Names { names, set, .. }, Raw::List(items)) => {
                let chosen = chosen(names, items)?;
                for (index, is_in) in chosen.into_iter().enumerate() {
                    set(params, index, is_in);
                }
            }
            (Kind::Bounds { gene }, Raw::List(items)) => {
                params.genome.bounds[gene] = bounds(&TABLE[gene], items)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The present ones of a list of names, in the list's order.
    fn chosen(&self, params: &Params) -> Vec<&'static str> {
        let Kind::Names { names, get, .. } = self.kind else {
            return Vec::new();
        };
        let all = names.iter().enumerate();
        all.filter(|(index, _)| get(params, *index))
            .map(|(_, name)| *name)
            .collect()
    }
}

/// Which of the names are in a list; `None` for an empty list, one with
/// anything else in it, or one that says something twice.
fn chosen(names: &[&str], items: &[Item]) -> Option<Vec<bool>> {
    let mut chosen = vec![false; names.len()];
    for item in items {
        let text = item.value.as_text()?;
        let index = names.iter().position(|name| *name == text)?;
        if std::mem::replace(&mut chosen[index], true) {
            return None;
        }
    }
    (!items.is_empty()).then_some(chosen)
}

/// The least and the most of a gene, in parts of its grid.
fn bounds(gene: &Gene, items: &[Item]) -> Option<[i32; 2]> {
    let [least, most] = items else {
        return None;
    };
    let bounds = [
        gene_value(gene, &least.value)?,
        gene_value(gene, &most.value)?,
    ];
    (bounds[0] <= bounds[1]).then_some(bounds)
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// `"a", "b" or "c"`.
fn listed(names: &[&str], last: &str) -> String {
    let quoted: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    match quoted.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
        None => String::new(),
    }
}

/// The value in parts of the gene's grid, if it is within the gene's range and
/// on the grid.
pub(crate) fn gene_value(gene: &Gene, value: &Raw) -> Option<i32> {
    let number = value.as_number()?;
    let parts = number * f64::from(gene.grid);
    let is_inside = (f64::from(gene.min)..=f64::from(gene.max)).contains(&parts);
    (is_inside && parts.fract() == 0.0).then_some(parts as i32)
}
