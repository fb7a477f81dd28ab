//! The rows below a part of the tree: what its value was computed from, with links to the records.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::Context;
use crate::client::{segment, target};
use crate::listing::{Head, Paging};
use crate::page::Part;
use crate::records::names::{self, Name, Named};
use crate::records::{CellView, Table};

/// The number of rows per page.
const LIMIT: &str = "20";

/// The rows of a part.
#[derive(Debug)]
pub(super) struct RowsView {
    pub(super) label: String,
    pub(super) table: Table,
    pub(super) paging: Paging,
    /// Why they are not listed.
    pub(super) unlisted: Option<String>,
}

#[derive(Debug, Deserialize)]
struct RowsAnswer {
    label: String,
    source: String,
    unlisted: Option<String>,
    rows: Vec<Row>,
    count: u64,
    offset: u64,
    limit: u64,
}

#[derive(Debug, Deserialize)]
struct Row {
    key: Value,
    at: Value,
    value: Value,
    formatted: String,
    links: Vec<Link>,
}

#[derive(Debug, Deserialize)]
struct Link {
    source: String,
    key: Value,
}

impl Row {
    /// Returns the key of the row itself, or of a linked row.
    fn key_in(&self, source: &str, own: &str) -> Option<&str> {
        if source == own {
            return self.key.as_str();
        }
        self.links.iter().find(|link| link.source == source)?.key.as_str()
    }
}

/// Reads the rows of a part by its number.
pub(super) async fn read((visit, metric, range): Context<'_>, part: &str) -> Part<RowsView> {
    let offset = visit.parameters.text("offset");
    let own = [("aggregate", part), ("limit", LIMIT), ("offset", offset)];
    let mut query = range.report().to_vec();
    query.extend(own.map(|(name, text)| (name, text.to_owned())));
    let path = format!("/admin/metrics/definitions/{}/rows", segment(&metric.key));
    let answer: RowsAnswer = visit.api.get(&target(&path, &query)).await?;
    let own = &*answer.source;
    let links = answer.rows.first().map_or(&[][..], |row| &row.links);
    let sources = std::iter::once(own).chain(links.iter().map(|link| &*link.source));
    let mut records: Vec<(&'static Named, BTreeMap<String, Name>)> = Vec::new();
    for named in sources.filter_map(names::of_source) {
        if records.iter().any(|(known, _)| known.source == named.source) {
            continue;
        }
        let keys = answer.rows.iter().filter_map(|row| row.key_in(named.source, own));
        let keys: BTreeSet<&str> = keys.collect();
        records.push((named, named.read(visit, &keys).await));
    }
    let moment = |at: &Value| at.as_str().map_or_else(String::new, |at| visit.store.moment(at));
    let row = |row: &Row| {
        let mut cells: Vec<CellView> = Vec::new();
        if records.is_empty() {
            cells.push(cell("Row", row.key.as_str().unwrap_or_default()));
        }
        cells.extend(records.iter().map(|(kind, names)| record(row, own, kind, names)));
        cells.push(cell("When", &moment(&row.at)));
        let shown = if row.value.is_null() { "–" } else { &row.formatted };
        cells.push(CellView { is_number: true, ..cell("Value", shown) });
        cells
    };
    let rows: Vec<Vec<CellView>> = answer.rows.iter().map(row).collect();
    let heads =
        rows.first().into_iter().flatten().map(|cell| Head::plain(cell.label, cell.is_number));
    let mut paging = Paging::of(visit, (answer.offset, answer.limit, answer.count));
    for link in [&mut paging.previous, &mut paging.next].into_iter().flatten() {
        link.push_str("#rows");
    }
    Ok(RowsView {
        label: answer.label,
        table: Table { heads: heads.collect(), rows, more: None },
        paging,
        unlisted: answer.unlisted,
    })
}

fn cell(label: &'static str, text: &str) -> CellView {
    CellView { label, text: text.to_owned(), href: None, is_number: false, bar: None, chip: None }
}

/// Returns the cell for the record that a row is or links to.
fn record(row: &Row, own: &str, kind: &'static Named, names: &BTreeMap<String, Name>) -> CellView {
    let key = row.key_in(kind.source, own).unwrap_or_default();
    match names.get(key) {
        Some((name, page)) => CellView { href: Some(page.clone()), ..cell(kind.label(), name) },
        None => cell(kind.label(), key),
    }
}
