//! Rows as texts, for rows in memory as well as for database tables.

use std::fmt::Write;

use quotient::Engine;
use quotient::data::{Data, Rates};
use quotient::schema::{DataType, Schema, Source};
use quotient::sql::{Binding, ColumnBinding, InstantUnit, Storage};

use crate::stores::fixtures;

/// The rows of one source.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) source: String,
    pub(crate) header: Vec<String>,
    pub(crate) cells: Vec<Vec<String>>,
}

/// The rows of a store.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    pub(crate) tables: Vec<Rows>,
}

/// How a database writes types and literals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ddl {
    pub(crate) integer: &'static str,
    pub(crate) text: &'static str,
    pub(crate) boolean: &'static str,
    /// The text after the columns of a table.
    pub(crate) engine: &'static str,
    pub(crate) has_booleans: bool,
}

impl Tables {
    /// The CSV files that the sources name.
    pub(crate) fn committed(schema: &Schema) -> Self {
        let table = |source: &Source| {
            let file = source.data.as_ref()?;
            let mut reader = csv::Reader::from_path(fixtures().join(file)).expect("a file");
            let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
            let header = texts(reader.headers().expect("a header"));
            let cells = reader.records().map(|row| texts(&row.expect("a line"))).collect();
            Some(Rows { source: source.name.clone(), header, cells })
        };
        Self { tables: schema.sources.iter().filter_map(table).collect() }
    }

    /// The same as rows in memory.
    pub(crate) fn data(&self, engine: &Engine, rates: Rates) -> Data {
        let tables = self.tables.iter().map(|rows| {
            let header: Vec<&str> = rows.header.iter().map(String::as_str).collect();
            let mut table = engine.table(&rows.source, &header).expect("a table");
            for row in &rows.cells {
                let cells: Vec<&str> = row.iter().map(String::as_str).collect();
                table.push(&cells).unwrap_or_else(|error| panic!("{}: {error}", rows.source));
            }
            table.finish()
        });
        engine.data(tables.collect(), rates).expect("rows that link")
    }

    /// Their location: numbers at the finest scale, like rows in memory.
    pub(crate) fn binding(&self, schema: &Schema, unit: InstantUnit) -> Binding {
        let mut binding = Binding::by_name(schema);
        for rows in &self.tables {
            let source = source(schema, &rows.source);
            for (place, name) in rows.header.iter().enumerate() {
                let Some(id) = source.field(name) else { continue };
                let field = source.fields.get(id.0).expect("a field");
                let storage = match storage(&field.data_type) {
                    Storage::Scaled(_) => Storage::Scaled(scale(rows, place)),
                    Storage::Instant(_) => Storage::Instant(unit),
                    plain @ (Storage::Text | Storage::Bool | Storage::Day) => plain,
                };
                let column = ColumnBinding { name: field.name.clone(), storage };
                binding = binding.with_column(schema, &source.name, name, column);
            }
        }
        binding
    }

    /// The statements that create and fill the tables.
    pub(crate) fn script(&self, schema: &Schema, binding: &Binding, ddl: Ddl) -> Vec<String> {
        let mut script = Vec::new();
        for rows in &self.tables {
            let id = schema.source(&rows.source).expect("a source");
            let source = source(schema, &rows.source);
            let fields: Vec<_> = rows.header.iter().map(|name| source.field(name)).collect();
            let columns: Vec<String> = fields
                .iter()
                .flatten()
                .map(|field| {
                    let column = binding.column(id, *field).expect("a column");
                    let kind = match column.storage {
                        Storage::Text => ddl.text,
                        Storage::Bool => ddl.boolean,
                        Storage::Scaled(_) | Storage::Instant(_) | Storage::Day => ddl.integer,
                    };
                    format!("\"{}\" {kind}", column.name)
                })
                .collect();
            let table = &rows.source;
            script.push(format!("CREATE TABLE \"{table}\" ({}){}", columns.join(", "), ddl.engine));
            for chunk in rows.cells.chunks(500) {
                let mut text = format!("INSERT INTO \"{table}\" VALUES ");
                for (number, row) in chunk.iter().enumerate() {
                    let cells = row.iter().zip(&fields).filter_map(|(cell, field)| {
                        let column = binding.column(id, (*field)?).expect("a column");
                        Some(literal(cell, column.storage, ddl))
                    });
                    let cells: Vec<String> = cells.collect();
                    let comma = if number > 0 { ", " } else { "" };
                    write!(text, "{comma}({})", cells.join(", ")).expect("text");
                }
                script.push(text);
            }
        }
        script
    }
}

fn source<'s>(schema: &'s Schema, name: &str) -> &'s Source {
    schema.source(name).and_then(|id| schema.source_at(id)).expect("a source")
}

fn storage(data_type: &DataType) -> Storage {
    match data_type {
        DataType::Text => Storage::Text,
        DataType::Bool => Storage::Bool,
        DataType::Date => Storage::Day,
        DataType::DateTime => Storage::Instant(InstantUnit::Microsecond),
        DataType::Number
        | DataType::Count(_)
        | DataType::Ratio
        | DataType::Percent
        | DataType::Money(_)
        | DataType::MoneyBy { .. }
        | DataType::Duration => Storage::Scaled(0),
    }
}

/// The most digits after the point in a column.
fn scale(rows: &Rows, place: usize) -> u32 {
    let digits = |row: &Vec<String>| {
        let cell = row.get(place)?;
        u32::try_from(cell.split_once('.')?.1.len()).ok()
    };
    rows.cells.iter().filter_map(digits).max().unwrap_or(0)
}

fn literal(cell: &str, storage: Storage, ddl: Ddl) -> String {
    if cell.is_empty() {
        return "NULL".to_owned();
    }
    match storage {
        Storage::Text => format!("'{}'", cell.replace('\'', "''")),
        Storage::Bool => match (cell == "true", ddl.has_booleans) {
            (truth, true) => truth.to_string(),
            (truth, false) => u8::from(truth).to_string(),
        },
        Storage::Day => {
            let day: jiff::civil::Date = cell.parse().expect("a day");
            let epoch = jiff::civil::date(1970, 1, 1);
            (day.duration_since(epoch).as_hours() / 24).to_string()
        }
        Storage::Instant(unit) => {
            let at: jiff::Timestamp = cell.parse().expect("an instant");
            match unit {
                InstantUnit::Microsecond => at.as_microsecond(),
                InstantUnit::Millisecond => at.as_millisecond(),
                InstantUnit::Second => at.as_second(),
            }
            .to_string()
        }
        Storage::Scaled(scale) => {
            let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
            let width = usize::try_from(scale).expect("a scale");
            let text = format!("{whole}{part:0<width$}");
            text.parse::<i64>().expect("a number").to_string()
        }
    }
}
