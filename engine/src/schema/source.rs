//! Sources: tables of rows and the form of their files, fields, and the links between sources.

use jiff::civil::Date;

use crate::types::{Bases, Currency, CurrencyOf, Type, Unit};

/// A source, as an index in [`Schema::sources`](super::Schema::sources).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct SourceId(pub usize);

/// A field, as an index in [`Source::fields`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct FieldId(pub usize);

/// A link, as an index in [`Source::links`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct LinkId(pub usize);

/// The kind of a source's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// Events at a point in time: orders, refunds.
    Event,
    /// Undated entities: customers, products.
    Entity,
    /// Snapshots of the whole state, one for each day: inventory.
    Snapshot,
}

/// A table of rows.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name used in formulas.
    pub name: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The kind of the rows.
    pub kind: SourceKind,
    /// The unique key of a row.
    pub key: Option<FieldId>,
    /// The column that dates a row; events and snapshots have one.
    pub date: Option<Path>,
    /// The columns.
    pub fields: Vec<Field>,
    /// Links to rows of other sources, many to one.
    pub links: Vec<Link>,
    /// The source and field whose distinct values are the rows and fill the key.
    pub derived_from: Option<(SourceId, FieldId)>,
    /// The covered days; outside them the answer is null, not zero.
    pub coverage: Option<Coverage>,
    /// The location of the rows for the program, relative to the formula file; the engine never
    /// opens it.
    pub data: Option<String>,
    /// How that file is written.
    pub form: CsvForm,
}

/// The encodings that a formula file can name.
pub const ENCODINGS: [&str; 14] = [
    "utf-8",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "latin1",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "macintosh",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-kr",
];

/// The form of a CSV file. The engine reads no files: it knows the nulls, a program the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvForm {
    /// The character of ASCII between two cells.
    pub delimiter: u8,
    /// One of [`ENCODINGS`]; `None` means UTF-8, or what a byte order mark says.
    pub encoding: Option<&'static str>,
    /// Texts that stand for no value, as an empty cell does.
    pub nulls: Vec<String>,
}

impl Default for CsvForm {
    fn default() -> Self {
        Self { delimiter: b',', encoding: None, nulls: Vec::new() }
    }
}

/// The first and the last covered day, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

/// A column of a source.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name used in formulas and in the header of a data file.
    pub name: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The type of the values.
    pub data_type: DataType,
    /// The only texts allowed, if known.
    pub known_values: Option<Vec<String>>,
    /// The components of an amount.
    pub bases: Bases,
    /// The formula of a computed column, over the fields of the row or aggregates of rows linked to it. It is evaluated
    /// once, on loading, over all of time.
    pub computed: Option<String>,
}

/// The type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataType {
    /// A plain number.
    Number,
    /// A count of the named entity.
    Count(String),
    /// A ratio.
    Ratio,
    /// A fraction, displayed in percent.
    Percent,
    /// An amount in one currency; `None` means the store's.
    Money(Option<Currency>),
    /// An amount with its currency in another field, and the rate to the store's currency if the
    /// row carries one.
    MoneyBy {
        /// The text field with the currency's code.
        currency: FieldId,
        /// The number field with the rate: the store's currency per unit.
        rate: Option<FieldId>,
    },
    /// A length of time in seconds.
    Duration,
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A day.
    Date,
    /// An instant.
    DateTime,
}

/// A many-to-one link: a field of this source holds the key of another.
#[derive(Debug, Clone)]
pub struct Link {
    /// The name used in formulas: `order`.
    pub name: String,
    /// The target source.
    pub target: SourceId,
    /// The field with the target's key.
    pub by: FieldId,
}

/// A path from a row along links to a field.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Path {
    /// The links to follow; each belongs to the source at the end of the one before.
    pub links: Vec<LinkId>,
    /// The field in the last source.
    pub field: FieldId,
}

impl Path {
    /// Creates a path to a field of the source itself.
    pub const fn field(field: FieldId) -> Self {
        Self { links: Vec::new(), field }
    }
}

impl DataType {
    /// Returns the type of the column's values in a store with this currency.
    pub fn to_type(&self, store_currency: Currency) -> Type {
        Type::Quantity(match self {
            Self::Number => Unit::NUMBER,
            Self::Count(entity) => Unit::count(entity),
            Self::Ratio => Unit::RATIO,
            Self::Percent => Unit::PERCENT,
            Self::Money(currency) => {
                Unit::money(CurrencyOf::Fixed(currency.unwrap_or(store_currency)))
            }
            Self::MoneyBy { .. } => Unit::money(CurrencyOf::Mixed),
            Self::Duration => Unit::DURATION,
            Self::Text => return Type::Text,
            Self::Bool => return Type::Bool,
            Self::Date => return Type::Date,
            Self::DateTime => return Type::DateTime,
        })
    }
}
