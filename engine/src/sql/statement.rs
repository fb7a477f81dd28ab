//! A statement under construction: bound values, the table of buckets, common table expressions.

use super::dialect::{BoundColumnKind, Dialect};
use super::query::{BoundValue, Query};

/// Delimiters of a value's number until the text is complete: characters that occur in no name and
/// no keyword.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

/// The values of a column in the table of buckets.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BucketColumn {
    made: BoundColumnKind,
    values: Vec<Option<BoundValue>>,
}

/// The parts of one statement that its expressions share.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    dialect: Dialect,
    /// The number of requested buckets.
    bucket_count: usize,
    values: Vec<BoundValue>,
    columns: Vec<BucketColumn>,
    /// The tables `r1`, `r2` … that precede the statement.
    before: Vec<String>,
    per_bucket: bool,
}

impl Statement {
    pub(super) fn new(dialect: Dialect, bucket_count: usize) -> Self {
        Self {
            dialect,
            bucket_count,
            values: Vec::new(),
            columns: Vec::new(),
            before: Vec::new(),
            per_bucket: false,
        }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns a placeholder for a value. Equal values share one.
    pub(super) fn value(&mut self, value: BoundValue) -> String {
        let index = index_in(&mut self.values, value);
        format!("{OPEN}{index}{CLOSE}")
    }

    pub(super) fn integer(&mut self, value: i64) -> String {
        self.value(BoundValue::Integer(value))
    }

    /// Returns a placeholder if the value is the same for all buckets, otherwise a column of the
    /// table of buckets.
    pub(super) fn of_bucket(
        &mut self,
        made: BoundColumnKind,
        mut values: Vec<Option<BoundValue>>,
    ) -> String {
        values.truncate(self.bucket_count);
        let first = values.first().cloned().flatten();
        if values.iter().all(|value| *value == first) {
            return match first {
                Some(value) => self.value(value),
                None => self.dialect.words().null(made).to_owned(),
            };
        }
        self.per_bucket = true;
        format!("b.c{}", index_in(&mut self.columns, BucketColumn { made, values }))
    }

    /// Returns whether the statement distinguishes rows by bucket.
    pub(super) const fn is_per_bucket(&self) -> bool {
        self.per_bucket
    }

    /// Adds a table before the statement and returns its name. Equal tables are shared.
    pub(super) fn table(&mut self, body: String) -> String {
        format!("r{}", index_in(&mut self.before, body).saturating_add(1))
    }

    /// Completes the statement and numbers its values in order of occurrence.
    pub(super) fn finish(mut self, body: &str) -> Query {
        let mut with = Vec::new();
        if self.per_bucket {
            with.push(self.buckets());
        }
        let named = self.before.iter().zip(1_usize..);
        with.extend(named.map(|(body, number)| format!("r{number} AS (\n{body})")));
        let head =
            if with.is_empty() { String::new() } else { format!("WITH {}\n", with.join(",\n")) };
        let text = [head.as_str(), body, self.dialect.words().end()].concat();
        self.numbered(&text)
    }

    fn buckets(&mut self) -> String {
        let words = self.dialect.words();
        let columns = std::mem::take(&mut self.columns);
        let made: Vec<BoundColumnKind> = columns.iter().map(|column| column.made).collect();
        let rows: Vec<Vec<String>> = (0..self.bucket_count)
            .map(|bucket| {
                let mut row = vec![bucket.to_string()];
                for column in &columns {
                    row.push(match column.values.get(bucket).cloned().flatten() {
                        Some(value) => self.value(value),
                        None => words.null(column.made).to_owned(),
                    });
                }
                row
            })
            .collect();
        words.buckets(&made, &rows)
    }

    fn numbered(&self, text: &str) -> Query {
        let mut order: Vec<usize> = Vec::new();
        let mut out = String::with_capacity(text.len());
        let mut pieces = text.split(OPEN);
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let Some((number, rest)) = piece.split_once(CLOSE) else { continue };
            let Ok(index) = number.parse::<usize>() else { continue };
            let place = index_in(&mut order, index);
            if let Some(value) = self.values.get(index) {
                out.push_str(&self.dialect.words().mark(place.saturating_add(1), value));
            }
            out.push_str(rest);
        }
        let values = order.iter().filter_map(|index| self.values.get(*index).cloned()).collect();
        Query { text: out, values }
    }
}

/// Returns the index of a value in a list, where it is added if it is new.
fn index_in<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len().saturating_sub(1)
    })
}
