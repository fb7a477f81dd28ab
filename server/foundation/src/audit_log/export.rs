//! Exports the audit log as a file: its entries in order, then the head of the chain.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::chain::{Head, PAGE_LEN};
use super::entry::AuditEntry;
use super::queries;
use crate::clock::Timestamp;
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
        text.push_str(&end(form, &page)?);
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
        ExportFormat::Csv => format!("{}\r\n", COLUMNS.join(",")),
    }
}

fn written(form: ExportFormat, entry: &AuditEntry, is_first: bool) -> Result<String, Error> {
    let json = || {
        serde_json::to_string(entry)
            .map_err(|error| Error::from(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))
    };
    match form {
        ExportFormat::Json => Ok(format!("{}{}", if is_first { "" } else { "," }, json()?)),
        ExportFormat::Ndjson => Ok(format!("{}\n", json()?)),
        ExportFormat::Csv => {
            let at = entry.at.to_string();
            row(&[
                entry.id.as_str(),
                entry.entity_type.as_str(),
                &entry.entity_id,
                &entry.action,
                &entry.actor_type,
                &entry.actor_id,
                &entry.request_id,
                entry.before.as_ref().map_or("", |raw| raw.get()),
                entry.after.as_ref().map_or("", |raw| raw.get()),
                entry.changed.get(),
                &at,
                &entry.previous_hash,
                &entry.hash,
            ])
        }
    }
}

fn end(form: ExportFormat, page: &Page) -> Result<String, Error> {
    let Page { head, count, .. } = page;
    let Head { seq, hash } = head;
    match form {
        ExportFormat::Json => {
            let head = json!({ "entries": seq, "hash": hash });
            Ok(format!(r#"],"count":{count},"chain_head":{head}}}"#))
        }
        ExportFormat::Ndjson => {
            Ok(format!("{}\n", json!({ "chain_head": { "entries": seq, "hash": hash } })))
        }
        ExportFormat::Csv => {
            let mut cells = [""; COLUMNS.len()];
            let seq = seq.to_string();
            let [first, second, .., last] = &mut cells;
            (*first, *second, *last) = ("chain_head", &seq, hash);
            row(&cells)
        }
    }
}

fn row(cells: &[&str]) -> Result<String, Error> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: String| Error::from(rusqlite::Error::ToSqlConversionFailure(error.into()));
    writer
        .write_record(cells.iter().map(|cell| inert(cell)))
        .map_err(|error| failed(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Escapes a cell for spreadsheets: one that starts like a formula gets a leading quote.
fn inert(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("'{cell}");
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn a_cell_that_begins_like_a_formula_gets_a_quote() {
        for cell in ["=1+1", "+1", "-1", "@a", "\tx"] {
            assert_eq!(inert(cell), format!("'{cell}"));
        }
        assert_eq!(inert("1-1"), "1-1");
    }
}
