//! Sources: tables of rows, their fields and the links between them.

use std::sync::Arc;

use jiff::civil::Date;

use crate::types::{Bases, CurrencyOf, Flavour, Type, Unit};

/// A source by its index in [`Schema::sources`](super::Schema::sources).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct SourceId(pub usize);

/// A field by its index in [`Source::fields`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct FieldId(pub usize);

/// A link by its index in [`Source::links`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct LinkId(pub usize);

/// Whether rows happen, exist, or are states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// Each row happened at a time: orders, refunds.
    Event,
    /// Each row exists, undated: customers, products.
    Entity,
    /// Each day holds the whole state again: inventory.
    Snapshot,
}

/// A table of rows.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name used in formulas.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// Whether rows happen, exist, or are states.
    pub kind: SourceKind,
    /// The field that names a row; unique.
    pub key: Option<FieldId>,
    /// What places a row in time; events and snapshots have one.
    pub date: Option<Path>,
    /// Columns.
    pub fields: Vec<Field>,
    /// Links to rows of other sources, many to one.
    pub links: Vec<Link>,
    /// Rows are the distinct values of another source's field, which fill the key.
    pub derived_from: Option<(SourceId, FieldId)>,
    /// The days the source knows; outside them there is no zero but no answer.
    pub coverage: Option<Coverage>,
    /// Where a program finds the rows, relative to the formula file; the engine never opens it.
    pub data: Option<String>,
}

/// The first and the last day a source knows, both included.
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
    /// For people.
    pub description: Option<String>,
    /// What it holds.
    pub data_type: DataType,
    /// The only texts it can hold, if that is known.
    pub known_values: Option<Vec<String>>,
    /// What an amount contains.
    pub bases: Bases,
    /// The column is computed and not read.
    pub computed: Option<Computed>,
}

/// A formula that fills a column once, when the data is loaded, over all of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computed {
    /// The formula's text; it speaks of the row, or aggregates rows linked to it.
    pub formula: String,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataType {
    /// A plain number.
    Number,
    /// A whole number of the named entity.
    Count(String),
    /// A ratio.
    Ratio,
    /// A fraction of one, shown in percent.
    Percent,
    /// An amount in one currency; none means the store's.
    Money(Option<crate::types::Currency>),
    /// An amount whose currency another field names, with the rate to the store's currency if it
    /// was stamped on the row.
    MoneyBy {
        /// The text field that holds the currency's code.
        currency: FieldId,
        /// The number field that holds the store's currency per unit.
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
    /// The source it leads to.
    pub target: SourceId,
    /// The field that holds the target's key.
    pub by: FieldId,
}

/// From a row along links to a field.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Path {
    /// The links to follow, each of the source before it.
    pub links: Vec<LinkId>,
    /// The field of the last source.
    pub field: FieldId,
}

impl Path {
    /// The path to a field of the source itself.
    pub const fn field(field: FieldId) -> Self {
        Self { links: Vec::new(), field }
    }
}

impl DataType {
    /// The type of the column's values in a store with this currency.
    pub fn to_type(&self, store_currency: crate::types::Currency) -> Type {
        let dimensionless =
            |flavour| Unit { money: 0, currency: CurrencyOf::Mixed, time: 0, flavour };
        Type::Quantity(match self {
            Self::Number => Unit::NUMBER,
            Self::Count(entity) => dimensionless(Flavour::Count(Some(Arc::from(entity.as_str())))),
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
