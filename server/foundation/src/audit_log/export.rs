//! Exports the audit log as a file: its entries in order, then the head of the chain.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::canonical::CanonicalJson;
use super::chain::{Head, PAGE_LEN};
use super::entry::AuditEntry;
use super::queries;
use crate::clock::Timestamp;
use crate::csv;
use crate::database::{Error, Tx};
use crate::http::ToSchema;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// One object: `changes`, `count` and `chain_head`.
    #[default]
    Json,
    /// One object per line, `chain_head` last.
    Ndjson,
    /// One row per entry, the head of the chain last.
    Csv,
}

impl ExportFormat {
    /// Returns the file name extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct ExportFilter {
    /// From this instant on.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub until: Option<Timestamp>,
    /// Only entries about this entity.
    pub entity_id: Option<String>,
}

/// The state of an export.
#[derive(Debug, Clone)]
pub struct Page {
    /// The head of the chain at the start: later entries are not exported.
    pub head: Head,
    /// The position of the last exported entry.
    seq: i64,
    /// The number of exported entries.
    count: u64,
    is_done: bool,
}

impl Page {
    /// Starts an export of the chain up to `head`.
    pub fn begin(head: Head) -> Self {
        Self { head, seq: 0, count: 0, is_done: false }
    }
}

/// Returns the next part of the file; `None` after the end.
pub fn page(
    tx: &Tx<'_>,
    (filter, form): (&ExportFilter, ExportFormat),
    mut page: Page,
) -> Result<Option<(String, Page)>, Error> {
    if page.is_done {
        return Ok(None);
    }
    let mut text = if page.seq == 0 { start(form) } else { String::new() };
    let entries = queries::exported(tx, filter, (page.seq, page.head.seq), PAGE_LEN)?;
    page.is_done = entries.len() < usize::try_from(PAGE_LEN).unwrap_or(usize::MAX);
    for entry in entries {
        text.push_str(&written(form, &entry, page.count == 0)?);
        page.seq = entry.seq;
        page.count = page.count.saturating_add(1);
    }
    if page.is_done {
        text.push_str(&end(form, &page));
    }
    Ok(Some((text, page)))
}

const COLUMNS: [&str; 13] = [
    "id",
    "entity_type",
    "entity_id",
    "action",
    "actor_type",
    "actor_id",
    "request_id",
    "before",
    "after",
    "changed",
    "at",
    "previous_hash",
    "hash",
];

fn start(form: ExportFormat) -> String {
    match form {
        ExportFormat::Json => r#"{"changes":["#.to_owned(),
        ExportFormat::Ndjson => String::new(),
        ExportFormat::Csv => csv::line(COLUMNS),
    }
}

fn written(form: ExportFormat, entry: &AuditEntry, is_first: bool) -> Result<String, Error> {
    let json = || serde_json::to_string(entry);
    match form {
        ExportFormat::Json => Ok(format!("{}{}", if is_first { "" } else { "," }, json()?)),
        ExportFormat::Ndjson => Ok(format!("{}\n", json()?)),
        ExportFormat::Csv => {
            let at = entry.at.to_string();
            let cells = [
                entry.id.as_str(),
                entry.entity_type.as_str(),
                &entry.entity_id,
                &entry.action,
                &entry.actor_type,
                &entry.actor_id,
                &entry.request_id,
                entry.before.as_ref().map_or("", CanonicalJson::get),
                entry.after.as_ref().map_or("", CanonicalJson::get),
                entry.changed.get(),
                &at,
                &entry.previous_hash,
                &entry.hash,
            ];
            Ok(csv::line(cells.map(csv::text)))
        }
    }
}

fn end(form: ExportFormat, page: &Page) -> String {
    let Page { head, count, .. } = page;
    let Head { seq, hash } = head;
    match form {
        ExportFormat::Json => {
            let head = json!({ "entries": seq, "hash": hash });
            format!(r#"],"count":{count},"chain_head":{head}}}"#)
        }
        ExportFormat::Ndjson => {
            format!("{}\n", json!({ "chain_head": { "entries": seq, "hash": hash } }))
        }
        ExportFormat::Csv => {
            let mut cells = [""; COLUMNS.len()];
            let seq = seq.to_string();
            let [first, second, .., last] = &mut cells;
            (*first, *second, *last) = ("chain_head", &seq, hash);
            csv::line(cells.map(csv::text))
        }
    }
}
