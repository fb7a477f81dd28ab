//! The positions of names and values in the text of a JSON record.
//!
//! Only text already parsed as JSON arrives here, so nothing is checked again.

use crate::source::Span;

/// An entry of a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonEntry {
    /// The unescaped name.
    pub(crate) name: String,
    /// The position of the name, with its quotes.
    pub(crate) name_span: Span,
    /// The place of the value.
    pub(crate) value_span: Span,
}

/// Returns the entries of the object at a position, in order; none if it is not an object.
pub(crate) fn entries(text: &str, object: Span) -> Vec<JsonEntry> {
    let mut reader = Reader::within(text, object);
    let mut entries = Vec::new();
    if !reader.take(b'{') {
        return entries;
    }
    while reader.next() == Some(b'"') {
        let name_span = reader.value();
        reader.take(b':');
        let value_span = reader.value();
        let name = serde_json::from_str(name_span.slice(text)).unwrap_or_default();
        entries.push(JsonEntry { name, name_span, value_span });
        if !reader.take(b',') {
            break;
        }
    }
    entries
}

/// Returns the positions of the values of the array at a position; none if it is not an array.
pub(crate) fn items(text: &str, array: Span) -> Vec<Span> {
    let mut reader = Reader::within(text, array);
    let mut items = Vec::new();
    if !reader.take(b'[') {
        return items;
    }
    while reader.next().is_some_and(|byte| byte != b']') {
        items.push(reader.value());
        if !reader.take(b',') {
            break;
        }
    }
    items
}

/// A position in JSON text.
struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    fn within(text: &'t str, span: Span) -> Self {
        let range = span.range();
        Self { bytes: text.as_bytes().get(..range.end).unwrap_or_default(), at: range.start }
    }

    /// Returns the next byte that is no blank.
    fn next(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at = self.at.saturating_add(1);
        }
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, sign: u8) -> bool {
        let is_there = self.next() == Some(sign);
        self.at = self.at.saturating_add(usize::from(is_there));
        is_there
    }

    /// Skips a value with everything in it, and returns its place.
    fn value(&mut self) -> Span {
        self.next();
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            match byte {
                b'"' => self.string(),
                b'{' | b'[' => depth = depth.saturating_add(1),
                b'}' | b']' | b',' | b':' if depth == 0 => break,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at = self.at.saturating_add(1);
            let is_whole = matches!(byte, b'"' | b'}' | b']');
            if depth == 0
                && (is_whole || self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace))
            {
                break;
            }
        }
        Span::new(start, self.at)
    }

    /// Skips to the quote that ends a string.
    fn string(&mut self) {
        loop {
            self.at = self.at.saturating_add(1);
            match self.bytes.get(self.at) {
                Some(b'\\') => self.at = self.at.saturating_add(1),
                Some(b'"') | None => break,
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_items_have_their_places() {
        let text = r#" { "a\"b": -1.5 ,"rows" : [ {"x": "}"}, [1, 2] ,null], "last":{"y":{}}} "#;
        let whole = Span::new(1, text.len());
        let found = entries(text, whole);
        let shown: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|own| (own.name.as_str(), own.name_span.slice(text), own.value_span.slice(text)))
            .collect();

        assert_eq!(
            shown,
            [
                ("a\"b", r#""a\"b""#, "-1.5"),
                ("rows", r#""rows""#, r#"[ {"x": "}"}, [1, 2] ,null]"#),
                ("last", r#""last""#, r#"{"y":{}}"#),
            ]
        );
        let rows = items(text, found[1].value_span);
        let rows: Vec<&str> = rows.iter().map(|item| item.slice(text)).collect();
        assert_eq!(rows, [r#"{"x": "}"}"#, "[1, 2]", "null"]);
        assert_eq!(entries(text, found[0].value_span), []);
        assert_eq!(items(text, whole), []);
    }

    #[test]
    fn text_without_an_end_is_read_to_its_end() {
        for text in ["{", "{\"a", "{\"a\": ", "{\"a\": [1, ", "{\"a\\"] {
            let whole = Span::new(0, text.len());
            assert!(entries(text, whole).len() < 2, "{text}");
        }
    }
}
