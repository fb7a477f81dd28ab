//! What serde says about a value, in the words of the API.

use super::HttpError;

/// The 400 for what serde says of the value at `path`.
pub(super) fn refusal(path: &str, said: &str) -> HttpError {
    let (path, sentence) = sentence(path, said);
    HttpError::invalid_data(format!("Invalid request: {sentence}")).with_details(path, sentence)
}

/// The path at fault, and the sentence about it.
fn sentence(path: &str, said: &str) -> (String, String) {
    let said = said.rsplit_once(" at line ").map_or(said, |(said, _)| said);
    let path = if path == "." || path == "?" { "" } else { path };
    if let Some(name) = quoted(said, "missing field `") {
        let path = join(path, name);
        let sentence = format!("Field '{path}' is required");
        return (path, sentence);
    }
    if let Some(name) = quoted(said, "unknown field `") {
        let parent = path.strip_suffix(name).unwrap_or(path).trim_end_matches('.');
        return (join(parent, name), format!("Unrecognized fields: '{name}'"));
    }
    if let Some(sentence) = wrong_type(path, said) {
        return (path.to_owned(), sentence);
    }
    if let Some(got) = said.strip_prefix("invalid value: ") {
        let got = got.split_once(", expected ").map_or(got, |(got, _)| got);
        let field = if path.is_empty() { String::new() } else { format!(" for field '{path}'") };
        return (path.to_owned(), format!("Value{field} is not valid: '{}'", bare(got)));
    }
    let place = if path.is_empty() { String::new() } else { format!("Field '{path}': ") };
    (path.to_owned(), format!("{place}{said}"))
}

fn wrong_type(path: &str, said: &str) -> Option<String> {
    let (got, wanted) = said.strip_prefix("invalid type: ")?.split_once(", expected ")?;
    let place = if path.is_empty() { String::new() } else { format!(" for field '{path}'") };
    let (wanted, got) = (type_name(wanted, got), bare(got));
    Some(format!("Expected type: '{wanted}'{place}, got: '{got}'"))
}

/// The word of JSON for what serde wanted.
fn type_name<'a>(wanted: &'a str, got: &str) -> &'a str {
    match wanted {
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

/// The value that came, without serde's word for its type.
fn bare(got: &str) -> String {
    let value = ["string ", "integer ", "floating point ", "boolean ", "character "]
        .iter()
        .find_map(|kind| got.strip_prefix(kind));
    match value {
        Some(value) => value.trim_matches(['"', '`']).chars().take(MAX_SHOWN_CHARS).collect(),
        None if got == "map" => "object".to_owned(),
        None if got == "sequence" => "array".to_owned(),
        None => got.to_owned(),
    }
}

/// Limit: characters of a wrong value that are said back.
const MAX_SHOWN_CHARS: usize = 100;

fn quoted<'a>(said: &'a str, start: &str) -> Option<&'a str> {
    said.strip_prefix(start)?.split('`').next()
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}
