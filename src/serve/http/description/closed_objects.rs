//! Closes the schemas of a description: an answer has all of its fields and no
//! others.
//!
//! The derive leaves objects open, takes a nullable field for one that may be
//! left out, and writes a flattened struct as `allOf`, which cannot be closed.
//! In [`crate::api`] a field that is not known is `null` and never left out. So
//! here, in every object with properties,
//!
//! * the parts of an `allOf` become one object, or one `oneOf` of whole objects
//!   where a part has alternatives; a schema that was only such a part goes;
//! * every nullable property is required; one that is neither nullable nor
//!   required may be left out;
//! * additional properties are refused.

use serde_json::{Map, Value, json};

/// The beginning of every reference to a schema.
const SCHEMAS: &str = "#/components/schemas/";

/// Closes every object of a description.
pub(super) fn close(description: &mut Value) {
    let schemas = description["components"]["schemas"].clone();
    let parts = referenced_parts(&schemas);
    close_schema(description, &schemas);
    let text = description.to_string();
    if let Some(schemas) = description["components"]["schemas"].as_object_mut() {
        let is_needed = |name: &String| text.contains(&format!("\"{SCHEMAS}{name}\""));
        schemas.retain(|name, _| !parts.contains(name) || is_needed(name));
    }
}

/// The names of the schemas that are parts of another one's `allOf`.
fn referenced_parts(schemas: &Value) -> Vec<String> {
    let schemas = schemas.as_object().into_iter().flat_map(Map::values);
    let parts = schemas.filter_map(|schema| schema.get("allOf")?.as_array());
    let names = parts.flatten().filter_map(reference);
    names.map(str::to_owned).collect()
}

/// Closes a value of the description and everything below it. References are
/// looked up in `schemas`, which are not closed yet.
fn close_schema(value: &mut Value, schemas: &Value) {
    if let Some(merged) = merge_all_of(value, schemas) {
        *value = merged;
    }
    match value {
        Value::Array(items) => {
            for item in items {
                close_schema(item, schemas);
            }
        }
        Value::Object(map) => {
            // A property may itself be called `properties`: only an object's
            // own keyword is followed by `type`.
            if map.get("type") == Some(&json!("object")) {
                close_object(map);
            }
            for (_, inner) in map.iter_mut() {
                close_schema(inner, schemas);
            }
        }
        _ => {}
    }
}

/// Requires the nullable properties of one object and refuses others.
fn close_object(object: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = object.get("properties") else {
        return;
    };
    let is_required = |name: &str| {
        let required = object.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|other| other == name))
    };
    let required: Vec<Value> = properties
        .iter()
        .filter(|(name, schema)| is_required(name) || is_nullable(schema))
        .map(|(name, _)| json!(name))
        .collect();
    object.insert("required".to_owned(), required.into());
    object
        .entry("additionalProperties")
        .or_insert(Value::Bool(false));
}

fn is_nullable(schema: &Value) -> bool {
    let is_null = |kind: &Value| kind == "null";
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(is_null),
        kind if is_null(kind) => true,
        _ => schema["oneOf"]
            .as_array()
            .is_some_and(|parts| parts.iter().any(is_nullable)),
    }
}

/// The one schema that the parts of an `allOf` of objects make; `None` where
/// there is no `allOf`.
fn merge_all_of(schema: &Value, schemas: &Value) -> Option<Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let mut merged = vec![json!({ "type": "object", "required": [], "properties": {} })];
    for part in parts {
        let part = resolve(part, schemas);
        let alternatives = match part.get("oneOf").and_then(Value::as_array) {
            Some(alternatives) => alternatives.clone(),
            None => vec![part.clone()],
        };
        merged = merged
            .iter()
            .flat_map(|object| alternatives.iter().map(|other| join(object, other)))
            .collect();
    }
    let mut whole = match <[Value; 1]>::try_from(merged) {
        Ok([object]) => object,
        Err(alternatives) => json!({ "oneOf": alternatives }),
    };
    if let Some(description) = schema.get("description") {
        whole["description"] = description.clone();
    }
    Some(whole)
}

/// An object with the properties of two.
fn join(first: &Value, second: &Value) -> Value {
    let mut joined = first.clone();
    if let Some(properties) = second["properties"].as_object() {
        for (name, schema) in properties {
            joined["properties"][name] = schema.clone();
        }
    }
    if let (Some(names), Some(others)) = (
        joined["required"].as_array_mut(),
        second["required"].as_array(),
    ) {
        names.extend(others.iter().cloned());
    }
    if let Some(description) = second.get("description") {
        joined["description"] = description.clone();
    }
    joined
}

fn resolve<'a>(schema: &'a Value, schemas: &'a Value) -> &'a Value {
    let found = reference(schema).and_then(|name| schemas.get(name));
    found.unwrap_or(schema)
}

/// The name of the schema that a reference leads to.
fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(schemas: &Value) -> Value {
        let mut description = json!({ "components": { "schemas": schemas } });
        close(&mut description);
        description["components"]["schemas"].take()
    }

    #[test]
    fn nullable_fields_are_required_and_others_may_be_left_out() {
        let text = json!({ "type": "string" });
        let nullable = json!({ "type": ["string", "null"] });
        let reference =
            json!({ "oneOf": [{ "$ref": "#/components/schemas/B" }, { "type": "null" }] });
        let schemas = closed(&json!({ "A": {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": text, "nullable": nullable, "reference": reference, "optional": text
            }
        }}));
        let a = &schemas["A"];
        assert_eq!(a["required"], json!(["text", "nullable", "reference"]));
        assert_eq!(a["additionalProperties"], false);
    }

    #[test]
    fn maps_stay_open() {
        let map = json!({ "type": "object", "additionalProperties": { "type": "number" } });
        assert_eq!(closed(&json!({ "A": map }))["A"], map);
    }

    #[test]
    fn a_flattened_struct_is_one_object() {
        let number = json!({ "type": "integer" });
        let row = json!({ "type": "object", "required": ["a"], "properties": { "a": number } });
        let own = json!({ "type": "object", "required": ["b"], "properties": { "b": number } });
        let whole = json!({
            "description": "Both.",
            "allOf": [{ "$ref": "#/components/schemas/Row" }, own]
        });
        let rows = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Row" } });
        let schemas = closed(&json!({ "Row": row, "Rows": rows, "Whole": whole }));
        assert!(schemas.get("Row").is_some(), "{schemas:#}");
        assert_eq!(
            schemas["Whole"],
            json!({
                "type": "object",
                "required": ["a", "b"],
                "properties": { "a": number, "b": number },
                "description": "Both.",
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn alternatives_of_a_flattened_enum_are_whole_objects() {
        let of = |kind: &str| {
            json!({
                "type": "object",
                "required": ["kind"],
                "properties": { "kind": { "type": "string", "enum": [kind] } }
            })
        };
        let number = json!({
            "type": "object",
            "required": ["number"],
            "properties": { "number": { "type": "integer" } }
        });
        let kind = json!({ "oneOf": [of("born"), of("died")] });
        let event = json!({ "allOf": [{ "$ref": "#/components/schemas/Kind" }, number] });
        let schemas = closed(&json!({ "Event": event, "Kind": kind }));
        assert!(schemas.get("Kind").is_none(), "{schemas:#}");
        let alternatives = schemas["Event"]["oneOf"].as_array();
        let alternatives = alternatives.map(Vec::as_slice).unwrap_or_default();
        assert_eq!(alternatives.len(), 2);
        for (alternative, kind) in alternatives.iter().zip(["born", "died"]) {
            assert_eq!(alternative["required"], json!(["kind", "number"]));
            assert_eq!(alternative["properties"]["kind"]["enum"], json!([kind]));
            assert_eq!(alternative["additionalProperties"], false);
        }
    }
}
