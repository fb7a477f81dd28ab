//! Short items: imports, populations, dimensions, placeholders, inputs, rates.

use super::LineReader;
use super::cursor::TokenCursor;
use super::finding::{ParseResult, unknown};
use crate::diagnostics::Code;
use crate::file::layout::ItemBlock;
use crate::file::syntax::ItemKind;
use crate::file::token::LineTokenKind;

/// The aggregates that a bare placeholder can stand for.
const AGGREGATIONS: [&str; 9] =
    ["sum", "count", "count_distinct", "avg", "min", "max", "median", "first", "last"];

impl LineReader<'_> {
    pub(super) fn use_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        self.no_properties("use", block);
        let help = "for example: use \"base.metrics\"";
        let path = cursor.quoted("a quoted file name", help);
        let path = path.and_then(|path| cursor.end(help).map(|()| path));
        self.keep(path).map(ItemKind::Use)
    }

    pub(super) fn rates_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        self.no_properties("rates", block);
        let help = "for example: rates from \"rates.csv\"";
        let mut read = || {
            cursor.expect_word("from", help)?;
            let path = cursor.quoted("a quoted file name", help)?;
            cursor.end(help)?;
            Ok(ItemKind::Rates(path))
        };
        let item = read();
        self.keep(item)
    }

    pub(super) fn population_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        self.no_properties("population", block);
        let item = population(&mut cursor);
        self.keep(item)
    }

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
            let column = read();
            columns.extend(self.keep(column));
        }
        name.map(|name| ItemKind::Dimension { name, columns })
    }

    pub(super) fn placeholder_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        self.no_properties("placeholder", block);
        let item = placeholder(&mut cursor);
        self.keep(item)
    }

    pub(super) fn input_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        self.no_properties("input", block);
        let help = "for example: input ad_spend money";
        let name = cursor.name("a name");
        let name = self.keep(name)?;
        let data_type = self.data_type(&mut cursor)?;
        let end = cursor.end(help);
        self.keep(end);
        Some(ItemKind::Input { name, data_type })
    }
}

fn population(cursor: &mut TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: population sales = orders where status != 'cancelled'";
    let name = cursor.name("a name")?;
    cursor.expect(LineTokenKind::Equals, "=", help)?;
    let source = cursor.name("a source's name")?;
    cursor.expect_word("where", help)?;
    let condition = cursor.rest("a condition after `where`", help)?;
    Ok(ItemKind::Population { name, source, condition })
}

fn placeholder(cursor: &mut TokenCursor<'_>) -> ParseResult<ItemKind> {
    let help = "for example: placeholder revenue = orders.total sum";
    let key = cursor.name("a name")?;
    cursor.expect(LineTokenKind::Equals, "=", help)?;
    let path = cursor.path("a source and a field")?;
    let aggregation = if cursor.at_end() {
        None
    } else {
        let (found, span) = cursor.peek_text();
        let known = AGGREGATIONS.iter().find(|known| known.eq_ignore_ascii_case(found));
        let Some(known) = known else {
            return Err(unknown(Code::E802, "aggregation", (found, span), &AGGREGATIONS));
        };
        cursor.skip();
        Some(crate::file::syntax::Located::new((*known).to_owned(), span))
    };
    cursor.end(help)?;
    Ok(ItemKind::Placeholder { key, path, aggregation })
}
