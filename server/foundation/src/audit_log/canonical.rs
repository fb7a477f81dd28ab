//! Canonical JSON: keys sorted by their bytes, no white space, numbers as given.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// JSON in canonical form, as stored.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct CanonicalJson(Box<RawValue>);

impl CanonicalJson {
    pub(super) fn of(value: &Value) -> serde_json::Result<Self> {
        RawValue::from_string(text(value)).map(Self)
    }

    pub(super) fn get(&self) -> &str {
        self.0.get()
    }
}

impl FromSql for CanonicalJson {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        // Text that is not JSON was not written by this server: it is returned as a string, and its hash does not match.
        let raw = RawValue::from_string(text.to_owned());
        Ok(Self(raw.or_else(|_| RawValue::from_string(quoted(text))).unwrap_or_default()))
    }
}

impl ToSql for CanonicalJson {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.get().into())
    }
}

/// Returns a value in canonical form.
fn text(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn the_order_of_keys_and_white_space_make_no_difference() {
        let one: serde_json::Value =
            serde_json::from_str(r#"{ "b": [1.50, null], "a": {"d": "x", "c": true} }"#).unwrap();
        assert_eq!(super::text(&one), r#"{"a":{"c":true,"d":"x"},"b":[1.50,null]}"#);
        assert_eq!(super::text(&json!({})), "{}");
    }

    /// Hashes of stored entries depend on each byte.
    #[test]
    fn nested_objects_texts_and_long_numbers_are_written_as_ever() {
        let sent = r#"[{"é":{"z":[{"b":1,"a":-0.0}],"Z":"\u00e9\u0001\n\"\\/\u007f😀"},"e":{}},
            123456789012345678901234567890.10, 1e400, 1E+2, 18446744073709551616, []]"#;
        let value: serde_json::Value = serde_json::from_str(sent).unwrap();
        let canonical = concat!(
            r#"[{"e":{},"é":{"Z":"é\u0001\n\"\\/"#,
            "\u{7f}",
            r#"😀","z":[{"a":-0.0,"b":1}]}},"#,
            "123456789012345678901234567890.10,1e+400,1e+2,18446744073709551616,[]]",
        );
        assert_eq!(super::text(&value), canonical);
    }
}
