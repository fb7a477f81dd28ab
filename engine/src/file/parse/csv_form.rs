//! How a file of rows is written: `delimiter ";" encoding windows-1252 null "NULL", "-"`.

use super::cursor::TokenCursor;
use super::finding::{ParseResult, misfit};
use super::properties::SeenProperties;
use crate::file::token::LineTokenKind;
use crate::schema::{CsvForm, ENCODINGS};

const PROPERTIES: [&str; 3] = ["delimiter", "encoding", "null"];
const DELIMITER: &str = "for example: delimiter \";\", or delimiter tab";
const NULLS: &str = "for example: null \"NULL\", \"n/a\"";

/// Reads what follows the name of a file, to the end of the line.
pub(super) fn csv_form(cursor: &mut TokenCursor<'_>) -> ParseResult<CsvForm> {
    let mut form = CsvForm::default();
    let mut once = SeenProperties::default();
    while !cursor.at_end() {
        let (_, span) = cursor.peek_text();
        let property = cursor.one_of("property of a file", &PROPERTIES)?;
        once.check(property, span)?;
        match property {
            "delimiter" => form.delimiter = delimiter(cursor)?,
            "encoding" => form.encoding = Some(cursor.one_of("encoding", &ENCODINGS)?),
            _ => form.nulls = nulls(cursor)?,
        }
    }
    Ok(form)
}

fn delimiter(cursor: &mut TokenCursor<'_>) -> ParseResult<u8> {
    if cursor.take_word("tab") {
        return Ok(b'\t');
    }
    let text = cursor.quoted("a quoted character or `tab`", DELIMITER)?;
    match text.value.as_bytes() {
        // Anything else would be read as part of a cell.
        [sign] if sign.is_ascii_punctuation() && *sign != b'"' => Ok(*sign),
        [blank @ (b' ' | b'\t')] => Ok(*blank),
        _ => {
            let message = format!("`{}` cannot be a delimiter", text.value);
            Err(misfit(text.span, message, DELIMITER))
        }
    }
}

fn nulls(cursor: &mut TokenCursor<'_>) -> ParseResult<Vec<String>> {
    let mut nulls = vec![cursor.quoted("a quoted text", NULLS)?.value];
    while cursor.take(LineTokenKind::Comma).is_some() {
        nulls.push(cursor.quoted("a quoted text after the comma", NULLS)?.value);
    }
    Ok(nulls)
}
