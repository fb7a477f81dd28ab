//! Checks of a JSON document before parsing: its depth, and that no key occurs twice in an object.
//!
//! One pass over the bytes without recursion. Syntax is checked by the parser that follows.

use std::collections::BTreeSet;

use super::HttpError;

/// Limit: nesting depth of brackets.
pub(super) const MAX_DEPTH: usize = 64;

/// The keys of an open object; `None` for an array.
type Open<'a> = Option<BTreeSet<std::borrow::Cow<'a, str>>>;

/// Checks the depth and the keys.
///
/// # Errors
/// 400 if it is nested too deep, has a duplicate key, is not UTF-8, or starts with a byte order mark.
pub(super) fn check(bytes: &[u8]) -> Result<(), HttpError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_not_utf8| HttpError::invalid_data("Malformed JSON: it is not UTF-8"))?;
    if text.starts_with('\u{feff}') {
        return Err(HttpError::invalid_data("Malformed JSON: it starts with a byte order mark"));
    }
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', '}', ']', '"']) {
        let (_, tail) = rest.split_at(at);
        let (mark, tail) = tail.split_at(1);
        rest = match mark {
            "{" => descend(&mut open, Some(BTreeSet::new())).map(|()| tail)?,
            "[" => descend(&mut open, None).map(|()| tail)?,
            "\"" => string(&mut open, tail)?,
            _ => {
                open.pop();
                tail
            }
        };
    }
    Ok(())
}

fn descend<'a>(open: &mut Vec<Open<'a>>, level: Open<'a>) -> Result<(), HttpError> {
    if open.len() >= MAX_DEPTH {
        return Err(HttpError::invalid_data(format!(
            "Malformed JSON: nested deeper than {MAX_DEPTH}"
        )));
    }
    open.push(level);
    Ok(())
}

/// Reads a string after its opening quote, and records it as a key if a colon follows. Returns the rest after it.
fn string<'a>(open: &mut [Open<'a>], tail: &'a str) -> Result<&'a str, HttpError> {
    let mut escaped = false;
    let end = tail.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    let Some((content, rest)) = end.and_then(|end| tail.split_at_checked(end)) else {
        return Ok("");
    };
    let rest = rest.strip_prefix('"').unwrap_or(rest);
    let is_key = rest.trim_start_matches([' ', '\t', '\r', '\n']).starts_with(':');
    if let (true, Some(Some(keys))) = (is_key, open.last_mut())
        && !keys.insert(unescaped(content))
    {
        return Err(HttpError::invalid_data(format!(
            "Malformed JSON: the key '{content}' is twice"
        )));
    }
    Ok(rest)
}

/// Returns a key without escapes, so that `"\u0061"` is `"a"`.
fn unescaped(content: &str) -> std::borrow::Cow<'_, str> {
    if content.contains('\\')
        && let Ok(key) = serde_json::from_str::<String>(&format!("\"{content}\""))
    {
        return key.into();
    }
    content.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_may_be_in_an_object_once() {
        for (text, is_fine) in [
            (r#"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":1}]}"#, true),
            (r#"{"a":"a","b":"a"}"#, true),
            (r#"["a","a"]"#, true),
            (r#"{"a":1,"a":2}"#, false),
            (r#"{"a":1,"\u0061" : 2}"#, false),
            (r#"{"m":{"x":1,"y":2,"x":3}}"#, false),
            (r#"{"a\"":1,"a":2}"#, true),
            (r#"{"a\\":1,"a\\":2}"#, false),
        ] {
            assert_eq!(check(text.as_bytes()).is_ok(), is_fine, "{text}");
        }
    }

    #[test]
    fn depth_has_an_end_and_takes_no_stack() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));

        assert!(check(nested(64).as_bytes()).is_ok());
        assert!(check(nested(65).as_bytes()).is_err());
        assert!(check("[".repeat(1_000_000).as_bytes()).is_err());
        assert!(check(r#"{"a":"#.repeat(200_000).as_bytes()).is_err());
    }

    #[test]
    fn other_encodings_are_refused() {
        assert!(check(&[0xff, 0xfe, b'{', 0]).is_err());
        assert!(check("\u{feff}{}".as_bytes()).is_err());
    }
}
