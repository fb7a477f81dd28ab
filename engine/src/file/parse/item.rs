//! Short items: imports, populations, dimensions, placeholders, inputs, rates.

use super::LineReader;
use super::cursor::TokenCursor;
use crate::file::finding::ParseResult;
use crate::file::layout::ItemBlock;
use crate::file::syntax::{ItemKind, Located};
use crate::file::token::LineTokenKind;

/// The aggregates that a bare placeholder can stand for.
const AGGREGATIONS: [&str; 9] =
    ["sum", "count", "count_distinct", "avg", "min", "max", "median", "first", "last"];

impl LineReader<'_> {
    pub(super) fn dimension_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        let help = "below it, a line for each source: `orders country` or `lines order.country`";
        let name = cursor.name("a name").and_then(|name| cursor.end(help).map(|()| name));
        let name = self.keep(name);
        let mut columns = Vec::new();
        for property in &block.properties {
            let mut cursor = self.cursor(property);
            let mut read = || {
                let source = cursor.name("a source's name")?;
                let path = cursor.path("a field, or links and a field")?;
                cursor.end(help)?;
                Ok((source, path))
            };
            columns.extend(self.keep(read()));
        }
        name.map(|name| ItemKind::Dimension { name, columns })
    }

    pub(super) fn input_item(&mut self, mut cursor: TokenCursor<'_>) -> Option<ItemKind> {
        let name = self.keep(cursor.name("a name"))?;
        let data_type = self.data_type(&mut cursor)?;
        self.keep(cursor.end("for example: input ad_spend money"));
        Some(ItemKind::Input { name, data_type })
    }
}

pub(super) fn import(mut cursor: TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: use \"base.metrics\"";
    let path = cursor.quoted("a quoted file name", help)?;
    cursor.end(help)?;
    Ok(ItemKind::Use(path))
}

pub(super) fn rates(mut cursor: TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: rates from \"rates.csv\"";
    cursor.expect_word("from", help)?;
    let path = cursor.quoted("a quoted file name", help)?;
    cursor.end(help)?;
    Ok(ItemKind::Rates(path))
}

pub(super) fn population(mut cursor: TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: population sales = orders where status != 'cancelled'";
    let name = cursor.name("a name")?;
    cursor.expect(LineTokenKind::Equals, "=", help)?;
    let source = cursor.name("a source's name")?;
    cursor.expect_word("where", help)?;
    let condition = cursor.rest("a condition after `where`", help)?;
    Ok(ItemKind::Population { name, source, condition })
}

pub(super) fn placeholder(mut cursor: TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: placeholder revenue = orders.total sum";
    let key = cursor.name("a name")?;
    cursor.expect(LineTokenKind::Equals, "=", help)?;
    let path = cursor.path("a source and a field")?;
    let aggregation = if cursor.at_end() {
        None
    } else {
        let (_, span) = cursor.peek_text();
        Some(Located::new(cursor.one_of("aggregation", &AGGREGATIONS)?.to_owned(), span))
    };
    cursor.end(help)?;
    Ok(ItemKind::Placeholder { key, path, aggregation })
}
