//! Canonical JSON: keys sorted by their bytes, no white space, numbers as given.

use serde_json::Value;

/// Returns a value in canonical form.
pub(super) fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// Returns a text as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&quoted(key));
                text.push(':');
                write(member, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
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
}
