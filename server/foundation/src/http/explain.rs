//! Translates serde's error messages into those of the API.

use super::HttpError;
use super::located::LocatedError;

/// Returns the 400 for serde's message about a value.
pub(super) fn refusal(error: &LocatedError) -> HttpError {
    let (path, sentence) = sentence(&error.path(), error.message());
    HttpError::invalid_data(format!("Invalid request: {sentence}")).with_details(path, sentence)
}

/// Returns the path of the offending field, and the message about it.
fn sentence(path: &str, message: &str) -> (String, String) {
    if let Some(name) = quoted(message, "missing field `") {
        let path = join(path, name);
        let sentence = format!("Field '{path}' is required");
        return (path, sentence);
    }
    if let Some(name) = quoted(message, "unknown field `") {
        return (join(path, name), format!("Unrecognized fields: '{name}'"));
    }
    if let Some(sentence) = wrong_type(path, message) {
        return (path.to_owned(), sentence);
    }
    if let Some(got) = message.strip_prefix("invalid value: ") {
        let got = got.split_once(", expected ").map_or(got, |(got, _)| got);
        let field = if path.is_empty() { String::new() } else { format!(" for field '{path}'") };
        return (path.to_owned(), format!("Value{field} is not valid: '{}'", bare(got)));
    }
    let place = if path.is_empty() { String::new() } else { format!("Field '{path}': ") };
    (path.to_owned(), format!("{place}{message}"))
}

fn wrong_type(path: &str, message: &str) -> Option<String> {
    let (got, expected) = message.strip_prefix("invalid type: ")?.split_once(", expected ")?;
    let place = if path.is_empty() { String::new() } else { format!(" for field '{path}'") };
    let (expected, got) = (type_name(expected, got), bare(got));
    Some(format!("Expected type: '{expected}'{place}, got: '{got}'"))
}

/// Returns the JSON type for serde's expected type.
fn type_name<'a>(expected: &'a str, got: &str) -> &'a str {
    match expected {
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => {
            let is_fraction = got.starts_with("floating point") || got == "number";
            if is_fraction { "integer" } else { "number" }
        }
        "f32" | "f64" => "number",
        "a string" | "str" | "string" | "a character" => "string",
        "a boolean" => "boolean",
        "a sequence" | "sequence" => "array",
        "a map" | "map" => "object",
        other if other.starts_with("struct ") => "object",
        other => other,
    }
}

/// Returns the received value, without serde's name of its type.
fn bare(got: &str) -> String {
    let value = ["string ", "integer ", "floating point ", "boolean ", "character "]
        .iter()
        .find_map(|kind| got.strip_prefix(kind));
    match value {
        Some(value) => value.trim_matches(['"', '`']).chars().take(MAX_QUOTED_CHARS).collect(),
        None if got == "map" => "object".to_owned(),
        None if got == "sequence" => "array".to_owned(),
        None => got.to_owned(),
    }
}

/// Limit: characters of a wrong value that are repeated in the message.
const MAX_QUOTED_CHARS: usize = 100;

fn quoted<'a>(message: &'a str, start: &str) -> Option<&'a str> {
    message.strip_prefix(start)?.split('`').next()
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}
