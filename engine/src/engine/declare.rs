//! Metrics added by a program, and records turned into tables.

use std::collections::BTreeMap;

use super::request::Inputs;
use super::{Engine, Metric};
use crate::check::{Entry, State};
use crate::data::{Data, Rates, Record, RecordValue, Table, TableBuilder, plain_name};
use crate::diagnostics::{Code, Diagnostic};
use crate::format::FormatRules;
use crate::schema::{Source, SourceId};
use crate::source::Span;
use crate::syntax::parse;

impl Engine {
    /// Adds a metric under a key. It may use metrics added before it.
    ///
    /// Gives the warnings, or everything that refuses it; then nothing is added.
    pub fn define(&mut self, key: &str, formula: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if let Some(taken) = self.taken(key) {
            let message = format!("`{key}` is {taken} already");
            return Err(vec![
                Diagnostic::new(Code::E211, Span::default(), message).help("choose another key"),
            ]);
        }
        let validation = self.validate_as(formula, Some(key));
        if validation.formula.is_none() {
            return Err(validation.diagnostics);
        }
        self.library.entries.push(Entry {
            key: key.to_owned(),
            title: None,
            text: formula.to_owned(),
            expr: parse(formula, &self.limits).expr,
            refused: false,
            state: State::Unchecked,
        });
        self.library.check_all(&self.schema, &self.limits);
        self.metrics.push(Metric {
            key: key.to_owned(),
            title: None,
            description: None,
            category: None,
            unlisted: false,
            formula: formula.to_owned(),
            data_type: None,
            format: FormatRules::default(),
            examples: Vec::new(),
        });
        Ok(validation.diagnostics)
    }

    /// What else a key stands for.
    fn taken(&self, key: &str) -> Option<&'static str> {
        if self.library.find(key).is_some() {
            return Some("a metric");
        }
        if self.schema.placeholder(key).is_some() || self.schema.input(key).is_some() {
            return Some("a placeholder or an input");
        }
        if self.schema.source(key).is_some() || self.schema.population(key).is_some() {
            return Some("a source");
        }
        crate::functions::find(key).map(|_| "a function")
    }

    /// Tables from the rows and columns that a record gives.
    pub(super) fn record_data(&self, inputs: Inputs<'_>) -> Result<Data, Vec<Diagnostic>> {
        let refused = |message: String| {
            let help = "rows are objects with the source's field names";
            vec![Diagnostic::new(Code::E504, Span::default(), message).help(help)]
        };
        let mut tables = Vec::new();
        if let Some(record) = inputs.record {
            for (index, source) in self.schema.sources.iter().enumerate() {
                if let Some(rows) = rows_of(record, source) {
                    tables
                        .push(self.record_table(SourceId(index), source, &rows).map_err(refused)?);
                }
            }
        }
        let data = crate::data::build(&self.schema, tables, Rates::new());
        let mut data = data.map_err(|error| refused(error.to_string()))?;
        self.fill_computed(&mut data).map_err(|error| refused(error.to_string()))?;
        Ok(data)
    }

    fn record_table(
        &self,
        id: SourceId,
        source: &Source,
        rows: &[Row<'_>],
    ) -> Result<Table, String> {
        let fields: Vec<Option<usize>> = source
            .fields
            .iter()
            .enumerate()
            .map(|(at, f)| f.computed.is_none().then_some(at))
            .collect();
        let mut builder = TableBuilder::with_fields(&self.schema, id, fields);
        for row in rows {
            let mut cells = Vec::with_capacity(source.fields.len());
            for field in &source.fields {
                let value = row.get(plain_name(&field.name).as_str()).copied();
                let cell = value.map_or(Some(String::new()), RecordValue::cell);
                cells.push(cell.ok_or_else(|| {
                    format!("`{}.{}` is no single value", source.name, field.name)
                })?);
            }
            builder.push(&cells).map_err(|error| format!("`{}`: {error}", source.name))?;
        }
        Ok(builder.finish())
    }
}

type Row<'r> = BTreeMap<&'r str, &'r RecordValue>;

/// The rows a record gives for a source: `orders: [{…}]`, or columns `orders.total: […]`.
fn rows_of<'r>(record: &'r Record, source: &Source) -> Option<Vec<Row<'r>>> {
    let name = plain_name(&source.name);
    if let Some(RecordValue::List(items)) = record.get(&name) {
        let rows = items.iter().map(|item| match item {
            RecordValue::Fields(fields) => {
                fields.iter().map(|(name, value)| (name.as_str(), value)).collect()
            }
            RecordValue::Null
            | RecordValue::Bool(_)
            | RecordValue::Number(_)
            | RecordValue::Text(_)
            | RecordValue::Money(..)
            | RecordValue::List(_) => Row::new(),
        });
        return Some(rows.collect());
    }
    let prefix = format!("{name}.");
    let mut rows: Option<Vec<Row<'r>>> = None;
    for (key, value) in record.iter() {
        let (Some(field), RecordValue::List(items)) = (key.strip_prefix(&prefix), value) else {
            continue;
        };
        let rows = rows.get_or_insert_with(Vec::new);
        for (index, item) in items.iter().enumerate() {
            if rows.len() <= index {
                rows.push(Row::new());
            }
            if let Some(row) = rows.get_mut(index) {
                row.insert(field, item);
            }
        }
    }
    rows
}
