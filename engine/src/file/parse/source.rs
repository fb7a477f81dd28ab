//! Sources: their header with the form of their file, columns, links and coverage.

use jiff::civil::Date;

use super::cursor::TokenCursor;
use super::{LineReader, SeenProperties};
use crate::file::finding::{ParseResult, misfit};
use crate::file::layout::{ItemBlock, Line};
use crate::file::syntax::{
    DateSyntax, ItemKind, LinkSyntax, Located, PathSyntax, RowsOrigin, SourceSyntax,
};
use crate::file::token::LineTokenKind;
use crate::schema::{CsvForm, ENCODINGS, SourceKind};

const KINDS: [(&str, SourceKind); 3] = [
    ("event", SourceKind::Event),
    ("entity", SourceKind::Entity),
    ("snapshot", SourceKind::Snapshot),
];
const PROPERTIES: [&str; 6] = ["key", "date", "dated", "field", "link", "covers"];
const HEADER: &str = "for example: source orders event from \"orders.csv\"";
const FILE_PROPERTIES: [&str; 3] = ["delimiter", "encoding", "null"];
const DELIMITER: &str = "for example: delimiter \";\", or delimiter tab";
const NULLS: &str = "for example: null \"NULL\", \"n/a\"";

impl LineReader<'_> {
    pub(super) fn source_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        let name = self.keep(cursor.name("a source's name"))?;
        let kind = self.keep(cursor.choice("kind of source", &KINDS));
        let origin = if kind.is_some() { origin(&mut cursor) } else { Ok(None) };
        let damaged = kind.is_none() || origin.is_err();
        let mut source = SourceSyntax {
            name,
            kind: kind.unwrap_or(SourceKind::Event),
            origin: self.keep(origin).flatten(),
            fields: Vec::new(),
            key: None,
            date: None,
            links: Vec::new(),
            covers: None,
            damaged,
        };
        let mut once = SeenProperties::default();
        for property in &block.properties {
            let found = self.findings.len();
            self.source_property(property, &mut source, &mut once);
            source.damaged |= self.findings.len() > found;
        }
        Some(ItemKind::Source(source))
    }

    fn source_property(
        &mut self,
        line: &Line,
        source: &mut SourceSyntax,
        once: &mut SeenProperties,
    ) {
        let mut cursor = self.cursor(line);
        let Some((key, span)) = self.keyword(&mut cursor, "property of a source", &PROPERTIES)
        else {
            return;
        };
        let group = if key == "dated" { "date" } else { key };
        if !matches!(key, "field" | "link") && self.keep(once.check(group, span)).is_none() {
            return;
        }
        match key {
            "key" | "date" | "field" => {
                let Some(field) = self.field(&mut cursor, line) else { return };
                let index = source.fields.len();
                match key {
                    "key" => source.key = Some(index),
                    "date" => source.date = Some(DateSyntax::Field(index)),
                    _ => {}
                }
                source.fields.push(field);
            }
            "dated" => source.date = self.keep(dated(&mut cursor)).map(DateSyntax::Path),
            "link" => source.links.extend(self.keep(link(&mut cursor))),
            _ => source.covers = self.keep(covers(&mut cursor)),
        }
    }
}

fn origin(cursor: &mut TokenCursor<'_>) -> ParseResult<Option<RowsOrigin>> {
    if cursor.at_end() {
        return Ok(None);
    }
    cursor.expect_word("from", HEADER)?;
    if cursor.peek().is_some_and(|token| token.kind == LineTokenKind::Word) {
        let path = cursor.path("a file or a field")?;
        cursor.end(HEADER)?;
        return Ok(Some(RowsOrigin::Field(path)));
    }
    let name = cursor.quoted("a quoted file name or a field", HEADER)?;
    Ok(Some(RowsOrigin::File(name, csv_form(cursor)?)))
}

/// Reads what follows the name of a file, to the end of the line.
fn csv_form(cursor: &mut TokenCursor<'_>) -> ParseResult<CsvForm> {
    let mut form = CsvForm::default();
    let mut once = SeenProperties::default();
    while !cursor.at_end() {
        let (_, span) = cursor.peek_text();
        let property = cursor.one_of("property of a file", &FILE_PROPERTIES)?;
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

fn dated(cursor: &mut TokenCursor<'_>) -> ParseResult<PathSyntax> {
    let help = "for example: dated by order.created_at";
    cursor.expect_word("by", help)?;
    let path = cursor.path("links and a date")?;
    cursor.end(help)?;
    Ok(path)
}

fn link(cursor: &mut TokenCursor<'_>) -> ParseResult<LinkSyntax> {
    let help = "for example: link customer to customers by customer_id";
    let name = cursor.name("the link's name")?;
    cursor.expect_word("to", help)?;
    let target = cursor.name("the source it leads to")?;
    cursor.expect_word("by", help)?;
    let by = cursor.name("the field that holds the key")?;
    cursor.end(help)?;
    Ok(LinkSyntax { name, target, by })
}

fn covers(cursor: &mut TokenCursor<'_>) -> ParseResult<Located<(Date, Date)>> {
    let help = "for example: covers @2026-01-01 to @2026-12-31";
    let (_, span) = cursor.peek_text();
    let first = day(cursor, help)?;
    cursor.expect_word("to", help)?;
    let (_, last_span) = cursor.peek_text();
    let last = day(cursor, help)?;
    cursor.end(help)?;
    let span = span.to(last_span);
    if last < first {
        return Err(misfit(span, "the last day comes before the first", help));
    }
    Ok(Located::new((first, last), span))
}

fn day(cursor: &mut TokenCursor<'_>, help: &str) -> ParseResult<Date> {
    let (found, span) = cursor.peek_text();
    let digits = found.strip_prefix('@');
    let day = digits.filter(|digits| digits.len() == 10).and_then(|digits| digits.parse().ok());
    let Some(day) = day else {
        return Err(match digits {
            Some(_) => misfit(span, format!("`{found}` is not a day of the calendar"), help),
            None => cursor.missing("a day such as `@2026-01-31`", help),
        });
    };
    cursor.skip();
    Ok(day)
}
