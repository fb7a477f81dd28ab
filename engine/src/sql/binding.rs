//! Bindings: the tables and columns in which sources and fields lie.

use crate::schema::{DataType, FieldId, Schema, SourceId, same_name};

/// The representation of a field's values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A number as an integer with this many digits after the point: 2.55 at scale 2 is 255.
    Scaled(u32),
    /// An instant as an integer since 1970-01-01T00:00:00Z.
    Instant(InstantUnit),
    /// A day as the integer of days since 1970-01-01.
    Day,
    /// Text.
    Text,
    /// True or false; 1 and 0 in a database without a Boolean type.
    Bool,
}

/// The unit of an instant stored as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstantUnit {
    /// Microseconds.
    Microsecond,
    /// Milliseconds.
    Millisecond,
    /// Seconds.
    Second,
}

impl InstantUnit {
    /// Returns the length of the unit in microseconds.
    pub(super) const fn microseconds(self) -> i64 {
        match self {
            Self::Microsecond => 1,
            Self::Millisecond => 1_000,
            Self::Second => 1_000_000,
        }
    }
}

/// The column of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnBinding {
    /// The column's name.
    pub name: String,
    /// The representation of its values.
    pub storage: Storage,
}

/// The table or view of a source. Computed fields, and entities that are the values of another
/// source's field, are ordinary columns and tables; the owner of the database fills them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableBinding {
    /// The table's name.
    pub name: String,
    /// The columns, by field.
    pub columns: Vec<ColumnBinding>,
    /// A column and the text it must hold, if only some rows of the table belong to the source.
    pub only: Option<(String, String)>,
}

/// The table and columns of each source of a schema in a database.
///
/// Statements take their names from here and quote them. The column of a source's key must be
/// unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    tables: Vec<TableBinding>,
}

impl Binding {
    /// Binds tables in the order of a schema's sources, and columns in the order of the fields.
    pub const fn new(tables: Vec<TableBinding>) -> Self {
        Self { tables }
    }

    /// Binds each source and field to the table and column of the same name: amounts with the
    /// digits of their currency, other numbers as integers, instants in microseconds.
    pub fn by_name(schema: &Schema) -> Self {
        let table = |source: &crate::schema::Source| TableBinding {
            name: source.name.clone(),
            columns: source
                .fields
                .iter()
                .map(|field| ColumnBinding {
                    name: field.name.clone(),
                    storage: usual(&field.data_type, schema),
                })
                .collect(),
            only: None,
        };
        Self { tables: schema.sources.iter().map(table).collect() }
    }

    /// Binds a source to another table, by name.
    #[must_use]
    pub fn with_table(mut self, schema: &Schema, source: &str, table: &str) -> Self {
        let slot = schema.source(source).and_then(|id| self.tables.get_mut(id.0));
        if let Some(slot) = slot {
            table.clone_into(&mut slot.name);
        }
        self
    }

    /// Binds a source to a part of a table: the rows whose column holds a text.
    #[must_use]
    pub fn with_rows(mut self, schema: &Schema, source: &str, column: &str, text: &str) -> Self {
        let slot = schema.source(source).and_then(|id| self.tables.get_mut(id.0));
        if let Some(slot) = slot {
            slot.only = Some((column.to_owned(), text.to_owned()));
        }
        self
    }

    /// Binds a field to another column or representation.
    #[must_use]
    pub fn with_column(
        mut self,
        schema: &Schema,
        source: &str,
        field: &str,
        column: ColumnBinding,
    ) -> Self {
        let Some(id) = schema.source(source) else { return self };
        let fields = schema.source_at(id).map_or(&[][..], |source| &source.fields);
        let at = fields.iter().position(|known| same_name(&known.name, field));
        let table = self.tables.get_mut(id.0);
        if let Some(slot) = at.zip(table).and_then(|(at, table)| table.columns.get_mut(at)) {
            *slot = column;
        }
        self
    }

    /// Returns the table of a source.
    pub fn table(&self, source: SourceId) -> Option<&TableBinding> {
        self.tables.get(source.0)
    }

    /// Returns the column of a field.
    pub fn column(&self, source: SourceId, field: FieldId) -> Option<&ColumnBinding> {
        self.table(source)?.columns.get(field.0)
    }
}

fn usual(data_type: &DataType, schema: &Schema) -> Storage {
    match data_type {
        DataType::Money(currency) => {
            Storage::Scaled(currency.unwrap_or(schema.store.currency).digits())
        }
        DataType::MoneyBy { .. } => Storage::Scaled(schema.store.currency.digits()),
        DataType::Number
        | DataType::Count(_)
        | DataType::Ratio
        | DataType::Percent
        | DataType::Duration => Storage::Scaled(0),
        DataType::Text => Storage::Text,
        DataType::Bool => Storage::Bool,
        DataType::Date => Storage::Day,
        DataType::DateTime => Storage::Instant(InstantUnit::Microsecond),
    }
}
