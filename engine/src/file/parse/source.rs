//! Sources: their header, columns, links and coverage.

use jiff::civil::Date;

use super::LineReader;
use super::csv_form::csv_form;
use super::cursor::TokenCursor;
use super::finding::{ParseResult, misfit};
use super::properties::SeenProperties;
use crate::file::layout::{ItemBlock, Line};
use crate::file::syntax::{DateSyntax, ItemKind, LinkSyntax, Located, RowsOrigin, SourceSyntax};
use crate::file::token::LineTokenKind;
use crate::schema::SourceKind;

const KINDS: [&str; 3] = ["event", "entity", "snapshot"];
const PROPERTIES: [&str; 6] = ["key", "date", "dated", "field", "link", "covers"];
const HEADER: &str = "for example: source orders event from \"orders.csv\"";

impl LineReader<'_> {
    pub(super) fn source_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        let name = cursor.name("a source's name");
        let name = self.keep(name)?;
        let kind = cursor.one_of("kind of source", &KINDS);
        let kind = self.keep(kind);
        let origin = if kind.is_some() { origin(&mut cursor) } else { Ok(None) };
        let damaged = kind.is_none() || origin.is_err();
        let mut source = SourceSyntax {
            name,
            kind: match kind {
                Some("entity") => SourceKind::Entity,
                Some("snapshot") => SourceKind::Snapshot,
                _ => SourceKind::Event,
            },
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
        if !matches!(key, "field" | "link") {
            let first = once.check(group, span);
            if self.keep(first).is_none() {
                return;
            }
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
            "dated" => {
                let by = dated(&mut cursor);
                source.date = self.keep(by).map(DateSyntax::Path).or(source.date.take());
            }
            "link" => {
                let target = link(&mut cursor);
                source.links.extend(self.keep(target));
            }
            _ => {
                let days = covers(&mut cursor);
                source.covers = self.keep(days);
            }
        }
    }
}

fn origin(cursor: &mut TokenCursor<'_>) -> ParseResult<Option<RowsOrigin>> {
    if cursor.at_end() {
        return Ok(None);
    }
    cursor.expect_word("from", HEADER)?;
    let origin = if cursor.peek().is_some_and(|token| token.kind == LineTokenKind::Word) {
        RowsOrigin::Field(cursor.path("a file or a field")?)
    } else {
        let name = cursor.quoted("a quoted file name or a field", HEADER)?;
        return Ok(Some(RowsOrigin::File(name, csv_form(cursor)?)));
    };
    cursor.end(HEADER)?;
    Ok(Some(origin))
}

fn dated(cursor: &mut TokenCursor<'_>) -> ParseResult<crate::file::syntax::PathSyntax> {
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
