//! Nested rows: `"items": [{"order": {"status": "completed"}}]` contains the linked row itself instead of its key.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Record, RecordValue, plain_name};
use crate::schema::{DataType, Link, Schema, Source};

/// Limit: links from a row to a row inside a row.
const MAX_DEPTH: usize = 16;

/// Returns the record with nested rows as rows of their own sources; `None` if it has none.
pub(super) fn flattened(schema: &Schema, record: &Record) -> Option<Record> {
    let mut flat: Option<Record> = None;
    for _ in 0..MAX_DEPTH {
        let mut is_flat = true;
        for source in schema.sources.iter().filter(|source| !source.links.is_empty()) {
            let record = flat.as_ref().unwrap_or(record);
            let Some(RecordValue::List(rows)) = record.get(&source.name) else { continue };
            if !rows.iter().any(|row| is_nested(source, row)) {
                continue;
            }
            is_flat = false;
            let mut next = record.clone();
            let mut own = rows.clone();
            for link in &source.links {
                take_out(schema, source, link, &mut own, &mut next);
            }
            next.set(&source.name, RecordValue::List(own));
            flat = Some(next);
        }
        if is_flat {
            break;
        }
    }
    flat
}

fn is_nested(source: &Source, row: &RecordValue) -> bool {
    let RecordValue::Fields(fields) = row else { return false };
    source
        .links
        .iter()
        .any(|link| matches!(fields.get(&plain_name(&link.name)), Some(RecordValue::Fields(_))))
}

/// Moves the rows that are given for a link to the link's target.
fn take_out(
    schema: &Schema,
    source: &Source,
    link: &Link,
    rows: &mut [RecordValue],
    record: &mut Record,
) {
    let Some(target) = schema.sources.get(link.target.0) else { return };
    let key = target.key.and_then(|key| target.fields.get(key.0));
    let (Some(by), Some(key)) = (source.fields.get(link.by.0), key) else { return };
    let is_text = key.data_type == DataType::Text;
    let (name, by, key) = (plain_name(&link.name), plain_name(&by.name), plain_name(&key.name));
    let mut linked = match record.get(&target.name) {
        Some(RecordValue::List(rows)) => rows.clone(),
        Some(_) | None => Vec::new(),
    };
    // Only rows of one key can be equal.
    let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, row) in linked.iter().enumerate() {
        by_key.entry(cell(row, &key)).or_default().push(index);
    }
    let mut taken: BTreeSet<String> = by_key.keys().cloned().collect();
    for row in rows.iter() {
        let RecordValue::Fields(fields) = row else { continue };
        taken.insert(cell(row, &by));
        taken.extend(fields.get(&name).map(|inner| cell(inner, &key)));
    }
    let mut next = 0_usize;
    for row in rows {
        let RecordValue::Fields(fields) = row else { continue };
        if !matches!(fields.get(&name), Some(RecordValue::Fields(_))) {
            continue;
        }
        let Some(RecordValue::Fields(mut inner)) = fields.remove(&name) else { continue };
        let given = inner.get(&key).or_else(|| fields.get(&by)).cloned();
        let id = given.unwrap_or_else(|| {
            next = next.max(linked.len());
            loop {
                let id = made_up(next, is_text);
                next = next.saturating_add(1);
                if !id.cell().is_some_and(|text| taken.contains(&text)) {
                    return id;
                }
            }
        });
        let same = by_key.entry(id.cell().unwrap_or_default()).or_default();
        inner.insert(key.clone(), id.clone());
        fields.insert(by.clone(), id);
        let inner = RecordValue::Fields(inner);
        if !same.iter().any(|index| linked.get(*index) == Some(&inner)) {
            same.push(linked.len());
            linked.push(inner);
        }
    }
    record.set(&target.name, RecordValue::List(linked));
}

/// Returns the text of a row's cell; empty if there is none.
fn cell(row: &RecordValue, name: &str) -> String {
    let RecordValue::Fields(fields) = row else { return String::new() };
    fields.get(name).and_then(RecordValue::cell).unwrap_or_default()
}

/// Returns a generated key for a row without one.
fn made_up(index: usize, is_text: bool) -> RecordValue {
    if is_text {
        RecordValue::Text(format!("row {index}"))
    } else {
        RecordValue::Number(rust_decimal::Decimal::from(index))
    }
}
