//! Answers compared with the description of the interface.
//!
//! A validator for the part of JSON Schema that the description uses. A keyword
//! that it does not know is a failure, so nothing that the description demands
//! is passed over.

use loatune::serve::http::OPENAPI;
use regex::Regex;
use serde_json::{Map, Value};

/// Fails unless `answer` is what the schema of that name in the description
/// says.
#[track_caller]
pub fn check(name: &str, answer: &Value) {
    let description: Value = serde_json::from_str(&OPENAPI).unwrap();
    let reference = format!("#/components/schemas/{name}");
    let mut faults = Vec::new();
    let validator = Validator {
        root: &description,
        faults: &mut faults,
    };
    validator.refer(&reference, answer, "");
    assert!(faults.is_empty(), "{name}: {faults:#?}\n{answer:#}");
}

/// Keywords that say something to people only.
const ANNOTATIONS: &[&str] = &[
    "description",
    "title",
    "format",
    "default",
    "example",
    "examples",
];

struct Validator<'a> {
    root: &'a Value,
    /// Where in the answer something is wrong, and what.
    faults: &'a mut Vec<String>,
}

impl Validator<'_> {
    /// Checks a value against the schema that a reference such as
    /// `#/components/schemas/Status` names.
    fn refer(mut self, reference: &str, value: &Value, at: &str) {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        let schema = self.root.pointer(pointer);
        let schema = schema.unwrap_or_else(|| panic!("there is no {reference}"));
        self.check(schema, value, at);
    }

    fn again(&mut self) -> Validator<'_> {
        Validator {
            root: self.root,
            faults: self.faults,
        }
    }

    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let rules = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.fault(at, "nothing is allowed here"),
            Value::Object(rules) => rules,
            other => panic!("{other} is no schema"),
        };
        for (keyword, rule) in rules {
            self.check_keyword(keyword, rule, rules, value, at);
        }
    }

    fn check_keyword(
        &mut self,
        keyword: &str,
        rule: &Value,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) {
        let list = || rule.as_array().unwrap();
        match keyword {
            "$ref" => self.again().refer(rule.as_str().unwrap(), value, at),
            "type" => {
                let is_one = match rule {
                    Value::String(kind) => has_type(value, kind),
                    _ => list()
                        .iter()
                        .any(|kind| has_type(value, kind.as_str().unwrap())),
                };
                self.demand(is_one, at, &format!("{value} is not of type {rule}"));
            }
            "const" => self.demand(value == rule, at, &format!("{value} is not {rule}")),
            "enum" => {
                let message = format!("{value} is not one of {rule}");
                self.demand(list().contains(value), at, &message);
            }
            "anyOf" | "oneOf" => {
                let fits = list()
                    .iter()
                    .filter(|schema| self.fits(schema, value))
                    .count();
                let is_good = fits == 1 || fits > 1 && keyword == "anyOf";
                self.demand(is_good, at, &format!("{value} fits {fits} of {keyword}"));
            }
            "allOf" => {
                for schema in list() {
                    self.check(schema, value, at);
                }
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                let (Some(value), Some(bound)) = (value.as_f64(), rule.as_f64()) else {
                    return;
                };
                let is_good = match keyword {
                    "minimum" => value >= bound,
                    "maximum" => value <= bound,
                    "exclusiveMinimum" => value > bound,
                    _ => value < bound,
                };
                self.demand(is_good, at, &format!("{value}: {keyword} is {bound}"));
            }
            "minItems" | "maxItems" => {
                let (Some(items), Some(bound)) = (value.as_array(), rule.as_u64()) else {
                    return;
                };
                let count = items.len() as u64;
                let is_good = if keyword == "minItems" {
                    count >= bound
                } else {
                    count <= bound
                };
                self.demand(is_good, at, &format!("{count} items: {keyword} is {bound}"));
            }
            "pattern" => {
                if let (Some(text), Some(pattern)) = (value.as_str(), rule.as_str()) {
                    let is_good = Regex::new(pattern).unwrap().is_match(text);
                    self.demand(is_good, at, &format!("{text:?} does not match {pattern}"));
                }
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (n, (item, schema)) in items.zip(list()).enumerate() {
                    self.check(schema, item, &format!("{at}/{n}"));
                }
            }
            "items" => {
                let first = rules.get("prefixItems").and_then(Value::as_array);
                let items = value.as_array().into_iter().flatten().enumerate();
                for (n, item) in items.skip(first.map_or(0, Vec::len)) {
                    self.check(rule, item, &format!("{at}/{n}"));
                }
            }
            "required" => {
                let Some(fields) = value.as_object() else {
                    return;
                };
                for name in list() {
                    let is_there = fields.contains_key(name.as_str().unwrap());
                    self.demand(is_there, at, &format!("{name} is missing"));
                }
            }
            "properties" => {
                for (name, schema) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        self.check(schema, value, &format!("{at}/{name}"));
                    }
                }
            }
            "additionalProperties" => {
                let named = rules.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if !named.is_some_and(|named| named.contains_key(name)) {
                        self.check(rule, value, &format!("{at}/{name}"));
                    }
                }
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    self.check(rule, &Value::from(name.as_str()), at);
                }
            }
            known if ANNOTATIONS.contains(&known) => {}
            other => panic!("the validator does not know the keyword {other:?}"),
        }
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut faults = Vec::new();
        let mut inner = Validator {
            root: self.root,
            faults: &mut faults,
        };
        inner.check(schema, value, "");
        faults.is_empty()
    }

    fn demand(&mut self, is_good: bool, at: &str, message: &str) {
        if !is_good {
            self.fault(at, message);
        }
    }

    fn fault(&mut self, at: &str, message: &str) {
        self.faults.push(format!("{at}: {message}"));
    }
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("there is no type {other:?}"),
    }
}

mod tests {
    use serde_json::json;

    use super::Validator;

    fn is_valid(schema: &serde_json::Value, value: &serde_json::Value) -> bool {
        let mut faults = Vec::new();
        let mut validator = Validator {
            root: schema,
            faults: &mut faults,
        };
        validator.check(schema, value, "");
        faults.is_empty()
    }

    /// The validator itself: every keyword takes what it should and refuses what
    /// it should.
    #[test]
    fn keywords_take_and_refuse() {
        let object = json!({
            "type": "object",
            "required": ["a"],
            "properties": { "a": { "type": "integer", "minimum": 1, "maximum": 3 } },
            "additionalProperties": false,
        });
        for (schema, good, bad) in [
            (object.clone(), json!({"a": 2}), json!({"a": 4})),
            (object.clone(), json!({"a": 1}), json!({})),
            (object.clone(), json!({"a": 3.0}), json!({"a": 1.5})),
            (object, json!({"a": 1}), json!({"a": 1, "b": 0})),
            (json!({"type": ["string", "null"]}), json!(null), json!(1)),
            (json!({"enum": ["x", "o"]}), json!("o"), json!("z")),
            (json!({"const": 7}), json!(7), json!(8)),
            (json!({"pattern": "^[a-h][1-8]$"}), json!("b3"), json!("i9")),
            (
                json!({"items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}),
                json!([true]),
                json!([]),
            ),
            (
                json!({"items": {"type": "boolean"}, "maxItems": 2}),
                json!([true, false]),
                json!([true, 1]),
            ),
            (
                json!({"prefixItems": [{"type": "string"}], "items": false}),
                json!(["a"]),
                json!(["a", "b"]),
            ),
            (
                json!({"anyOf": [{"type": "null"}, {"minimum": 5}]}),
                json!(6),
                json!(4),
            ),
            (
                json!({"oneOf": [{"type": "number"}, {"const": 5}]}),
                json!(6),
                json!(5),
            ),
            (
                json!({"additionalProperties": {"type": "string"}}),
                json!({"any": "text"}),
                json!({"any": 1}),
            ),
        ] {
            assert!(is_valid(&schema, &good), "{schema} takes {good}");
            assert!(!is_valid(&schema, &bad), "{schema} refuses {bad}");
        }
    }

    #[test]
    #[should_panic(expected = "does not know the keyword \"dependentRequired\"")]
    fn an_unknown_keyword_is_a_failure() {
        is_valid(&json!({"dependentRequired": {}}), &json!({}));
    }
}
