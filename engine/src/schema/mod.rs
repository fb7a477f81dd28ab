//! The schema, which gives names their meaning: the store's settings, sources with their fields and
//! links, shared dimensions, placeholders, populations and inputs.
//!
//! A schema is plain data from a formula file or a program. Names match case-insensitively and are
//! kept as written. Start at [`Schema`].

mod columns;
mod lookup;
mod source;

pub(crate) use columns::Columns;
pub(crate) use lookup::folded;
pub use lookup::{Names, link_chain, same_name};
pub use source::{
    Coverage, CsvForm, DataType, ENCODINGS, Field, FieldId, Link, LinkId, Path, Source, SourceId,
    SourceKind,
};

use crate::calendar::Calendar;
use crate::types::{Currency, Type};

/// The meaning of every name except metrics.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// Currency, zone, calendar and policies.
    pub store: Store,
    /// The sources of rows.
    pub sources: Vec<Source>,
    /// Names shared by several sources, for filters and groups.
    pub dimensions: Vec<Dimension>,
    /// Keys for fields.
    pub placeholders: Vec<Placeholder>,
    /// Sources with a standing condition.
    pub populations: Vec<Population>,
    /// Values that only a context record gives.
    pub inputs: Vec<Input>,
}

/// Settings common to all computations.
#[derive(Debug, Clone)]
pub struct Store {
    /// The reporting currency.
    pub currency: Currency,
    /// Zone, first weekday, fiscal and retail years.
    pub calendar: Calendar,
    /// The treatment of sums over several currencies.
    pub mixed_currency: MixedCurrency,
}

/// The treatment of sums over several currencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MixedCurrency {
    /// Each row is converted at the rate of its own day.
    #[default]
    Convert,
    /// The answer is a list, one amount for each currency.
    Split,
    /// The answer is null.
    Refuse,
}

impl MixedCurrency {
    /// Returns whether amounts of several currencies become amounts of one.
    pub(crate) const fn converts(self) -> bool {
        matches!(self, Self::Convert)
    }
}

impl Default for Store {
    fn default() -> Self {
        Self {
            currency: Currency::USD,
            calendar: Calendar::default(),
            mixed_currency: MixedCurrency::default(),
        }
    }
}

/// A name for a column in each of several sources.
#[derive(Debug, Clone)]
pub struct Dimension {
    /// The name used in conditions and groups.
    pub name: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The path to the column in each source.
    pub columns: Vec<(SourceId, Path)>,
}

/// A key for a source's field, with the aggregate for a bare use.
#[derive(Debug, Clone)]
pub struct Placeholder {
    /// The name used in formulas.
    pub key: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The source of the field.
    pub source: SourceId,
    /// The field.
    pub field: Path,
    /// The aggregate for a bare use, as the name of an aggregate function.
    pub aggregation: Option<String>,
}

/// A source with a standing condition and the same links: `sales = orders where status !=
/// 'cancelled'`.
#[derive(Debug, Clone)]
pub struct Population {
    /// The name, used like that of a source.
    pub name: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The source whose rows are filtered.
    pub source: SourceId,
    /// The condition, as formula text.
    pub condition: String,
}

/// A value that only a context record gives.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name used in formulas and records.
    pub name: String,
    /// A description in prose.
    pub description: Option<String>,
    /// The type.
    pub ty: Type,
}
