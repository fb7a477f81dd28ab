//! The answers to a question, checked against its fields.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value;

use super::error::SessionError;
use super::path;
use crate::auth::Email;
use crate::definition::draft::{FieldDraft, FieldKind};
use crate::http::text;

/// Limit: bytes of all answers to a question.
const MAX_BYTES: usize = 8 * 1024;

/// Returns the answers to store, by the keys of their fields.
///
/// # Errors
/// [`SessionError::Answers`] with every field that is missing or invalid.
pub(super) fn check<'a>(
    fields: &'a [FieldDraft],
    answers: &BTreeMap<String, Value>,
) -> Result<Vec<(&'a FieldDraft, Value)>, SessionError> {
    let mut wrong: Vec<(String, String)> = Vec::new();
    let bytes = serde_json::to_string(answers).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_BYTES {
        wrong.push(("answers".to_owned(), "answers have at most 8 KiB".to_owned()));
        return Err(SessionError::Answers(wrong));
    }
    let mut valid = Vec::new();
    for field in fields {
        let path = format!("answers.{}", field.key);
        let answer = answers.get(&field.key).filter(|value| !is_empty(value));
        match answer {
            None if field.required => wrong.push((path, "is required".to_owned())),
            None => {}
            Some(value) => match read(field, value) {
                Ok(value) => valid.push((field, value)),
                Err(message) => wrong.push((path, message.to_owned())),
            },
        }
    }
    for key in answers.keys().filter(|key| fields.iter().all(|field| field.key != **key)) {
        wrong.push((format!("answers.{key}"), "is no field of this question".to_owned()));
    }
    if wrong.is_empty() { Ok(valid) } else { Err(SessionError::Answers(wrong)) }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn read(field: &FieldDraft, value: &Value) -> Result<Value, &'static str> {
    let is_option = |value: &Value| field.options.iter().any(|option| value == option.as_str());
    let (is_valid, message) = match (field.kind, value) {
        (FieldKind::Boolean, _) => (value.is_boolean(), "must be true or false"),
        (FieldKind::Number, Value::Number(_)) => (path::is_readable(value), "has too many digits"),
        (FieldKind::Number, _) => (false, "must be a number"),
        (FieldKind::Choice, _) => (is_option(value), "must be one of the options"),
        (FieldKind::Choices, _) => {
            let values = value.as_array();
            let are_options = values.is_some_and(|values| values.iter().all(is_option));
            (are_options, "must be a list of options")
        }
        (FieldKind::Text, _) => return read_text(field, value, |_| true),
        (FieldKind::Email, _) => {
            return read_text(field, value, |text| text.parse::<Email>().is_ok());
        }
        (FieldKind::Phone, _) => return read_text(field, value, is_phone),
        (FieldKind::Date, _) => return read_text(field, value, is_date),
    };
    if is_valid { Ok(value.clone()) } else { Err(message) }
}

fn read_text(
    field: &FieldDraft,
    value: &Value,
    is_valid: impl Fn(&str) -> bool,
) -> Result<Value, &'static str> {
    let answer = value.as_str().ok_or("must be a text")?;
    let cleaned = text::clean(answer, field.max_length());
    let cleaned = cleaned.map_err(|_refused| "is too long or has control characters")?;
    if is_valid(&cleaned) { Ok(cleaned.into()) } else { Err("is not valid") }
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_usual = |letter: char| letter.is_ascii_digit() || " +-()./".contains(letter);
    (5..=20).contains(&digits) && text.chars().all(is_usual)
}

fn is_date(text: &str) -> bool {
    let date = text.parse::<Date>();
    date.is_ok_and(|date| date.year() > 0 && date.to_string() == text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{BTreeMap, check};
    use crate::definition::draft::FieldDraft;

    #[test]
    fn only_an_answer_that_conditions_can_read_is_stored() {
        let field = |kind: &str| -> FieldDraft {
            serde_json::from_value(json!({ "key": "it", "label": "It", "type": kind })).unwrap()
        };
        for (kind, value, is_kept) in [
            ("number", "1.5", true),
            ("number", "-1e3", true),
            ("number", "9999999999999999999999999999", true),
            ("number", "1e40", false),
            ("number", "1e400", false),
            ("date", "\"2024-02-29\"", true),
            ("date", "\"0001-01-01\"", true),
            ("date", "\"2026-02-31\"", false),
            ("date", "\"2026-+2-+1\"", false),
            ("date", "\"2026-2-01\"", false),
            ("date", "\"0000-01-01\"", false),
            ("date", "\"-26-01-01\"", false),
        ] {
            let value: Value = serde_json::from_str(value).unwrap();
            let answers = BTreeMap::from([("it".to_owned(), value.clone())]);
            assert_eq!(check(&[field(kind)], &answers).is_ok(), is_kept, "{kind}: {value}");
        }
    }
}
