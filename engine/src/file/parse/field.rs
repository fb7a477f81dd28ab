//! Columns and their types.

use super::cursor::TokenCursor;
use super::store::currency;
use super::{LineReader, SeenProperties};
use crate::diagnostics::Code;
use crate::file::finding::{ParseResult, misfit, nearest_word, unknown};
use crate::file::layout::Line;
use crate::file::syntax::{FieldSyntax, Located, TypeSyntax};
use crate::file::token::LineTokenKind;
use crate::types::{Bases, Basis};

const TYPES: [&str; 10] = [
    "number", "count", "ratio", "percent", "money", "duration", "text", "bool", "date", "datetime",
];

impl LineReader<'_> {
    /// `name type [of tags] [in (values)] [= formula]`
    pub(super) fn field(
        &mut self,
        cursor: &mut TokenCursor<'_>,
        line: &Line,
    ) -> Option<FieldSyntax> {
        let name = self.keep(cursor.name("a name"))?;
        let data_type = self.data_type(cursor)?;
        let mut field = FieldSyntax {
            name,
            description: line.description(self.text),
            data_type,
            bases: Bases::NONE,
            known_values: None,
            formula: None,
        };
        // A field with an unreadable clause is kept, so that its uses resolve.
        self.keep(clauses(cursor, &mut field));
        Some(field)
    }

    /// Reads a type; a misspelt one is reported and taken as the nearest.
    pub(super) fn data_type(
        &mut self,
        cursor: &mut TokenCursor<'_>,
    ) -> Option<Located<TypeSyntax>> {
        let (found, span) = cursor.peek_text();
        let exact = TYPES.iter().copied().find(|known| known.eq_ignore_ascii_case(found));
        let word = exact.or_else(|| {
            self.findings.push(unknown(Code::E802, "type", (found, span), &TYPES));
            nearest_word(found, TYPES)
        })?;
        cursor.skip();
        self.keep(data_type(word, cursor)).map(|value| Located::new(value, span))
    }
}

fn data_type(word: &str, cursor: &mut TokenCursor<'_>) -> ParseResult<TypeSyntax> {
    Ok(match word {
        "number" => TypeSyntax::Number,
        "count" => TypeSyntax::Count(in_parentheses(cursor, |cursor| {
            cursor.name("what is counted").map(|name| name.value)
        })?),
        "ratio" => TypeSyntax::Ratio,
        "percent" => TypeSyntax::Percent,
        "money" if cursor.take_word("by") => {
            let currency = cursor.name("the field with the currency")?;
            let rate = cursor.take_word("at").then(|| cursor.name("the field with the rate"));
            TypeSyntax::MoneyBy { currency, rate: rate.transpose()? }
        }
        "money" => TypeSyntax::Money(in_parentheses(cursor, currency)?),
        "duration" => TypeSyntax::Duration,
        "text" => TypeSyntax::Text,
        "bool" => TypeSyntax::Bool,
        "date" => TypeSyntax::Date,
        _ => TypeSyntax::DateTime,
    })
}

fn in_parentheses<T>(
    cursor: &mut TokenCursor<'_>,
    read: impl FnOnce(&mut TokenCursor<'_>) -> ParseResult<T>,
) -> ParseResult<Option<T>> {
    if cursor.take(LineTokenKind::Open).is_none() {
        return Ok(None);
    }
    let value = read(cursor)?;
    cursor.expect(LineTokenKind::Close, ")", "close the bracket")?;
    Ok(Some(value))
}

fn clauses(cursor: &mut TokenCursor<'_>, field: &mut FieldSyntax) -> ParseResult<()> {
    let mut seen = SeenProperties::default();
    while !cursor.at_end() {
        let (_, span) = cursor.peek_text();
        if cursor.take_word("of") {
            seen.check("of", span)?;
            let money =
                matches!(field.data_type.value, TypeSyntax::Money(_) | TypeSyntax::MoneyBy { .. });
            if !money {
                let help = "goods, discount, shipping, tax, tip and fee say what money contains";
                return Err(misfit(span, "only money has contents", help));
            }
            field.bases = bases(cursor)?;
        } else if cursor.take_word("in") {
            seen.check("in", span)?;
            if field.data_type.value != TypeSyntax::Text {
                return Err(misfit(span, "only text has known values", "leave the list out"));
            }
            field.known_values = Some(known_values(cursor)?);
        } else if cursor.take(LineTokenKind::Equals).is_some() {
            let help = "for example: field is_large bool = total > 100";
            field.formula = Some(cursor.rest("a formula after `=`", help)?);
        } else {
            let help = "after the type: `of goods, tax`, `in ('a', 'b')` or `= formula`";
            return cursor.end(help);
        }
    }
    Ok(())
}

fn bases(cursor: &mut TokenCursor<'_>) -> ParseResult<Bases> {
    let table = Basis::ALL.map(|basis| (basis.name(), basis));
    let mut contents = Bases::NONE;
    loop {
        contents = contents.with(cursor.choice("content of money", &table)?);
        if cursor.take(LineTokenKind::Comma).is_none() {
            return Ok(contents);
        }
    }
}

fn known_values(cursor: &mut TokenCursor<'_>) -> ParseResult<Vec<String>> {
    let help = "for example: in ('pending', 'completed')";
    let mut values: Vec<String> = Vec::new();
    cursor.expect(LineTokenKind::Open, "(", help)?;
    loop {
        values.push(cursor.quoted("a quoted text", help)?.value);
        // Lists with one value per line often end with a comma.
        let more = cursor.take(LineTokenKind::Comma).is_some();
        if cursor.take(LineTokenKind::Close).is_some() {
            return Ok(values);
        }
        if !more {
            return Err(cursor.missing("`,` or `)`", help));
        }
    }
}
