//! What names mean: the store's settings, sources with their fields and links, shared dimensions,
//! placeholders, populations and inputs.
//!
//! A schema is plain data, filled by a formula file or by hand. Names match without regard to case
//! and are kept as written. Start at [`Schema`].

mod columns;
mod lookup;
mod source;
mod store;

pub(crate) use columns::Columns;
pub(crate) use lookup::folded;
pub use lookup::{Names, link_chain, same_name};
pub use source::{
    Computed, Coverage, DataType, Field, FieldId, Link, LinkId, Path, Source, SourceId, SourceKind,
};
pub use store::{MixedCurrency, Store};

use crate::types::Type;

/// Everything a formula's names can stand for, except metrics.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// Currency, zone, calendar and policies.
    pub store: Store,
    /// Where rows come from.
    pub sources: Vec<Source>,
    /// Names shared by several sources, for filters and groups.
    pub dimensions: Vec<Dimension>,
    /// Short names of fields.
    pub placeholders: Vec<Placeholder>,
    /// Sources with a standing condition.
    pub populations: Vec<Population>,
    /// Values that only a context record gives.
    pub inputs: Vec<Input>,
}

/// One name mapped on several sources.
#[derive(Debug, Clone)]
pub struct Dimension {
    /// The name used in conditions and groups.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// Where each source has it.
    pub columns: Vec<(SourceId, Path)>,
}

/// A key for a source's field, with the aggregate it means when it stands alone.
#[derive(Debug, Clone)]
pub struct Placeholder {
    /// The name used in formulas.
    pub key: String,
    /// For people.
    pub description: Option<String>,
    /// The source of the field.
    pub source: SourceId,
    /// The field.
    pub field: Path,
    /// The aggregate a bare use means: the name of an aggregate function.
    pub aggregation: Option<String>,
}

/// A source with a standing condition, links kept: `sales = orders where status != 'cancelled'`.
#[derive(Debug, Clone)]
pub struct Population {
    /// The name used like a source's.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// The source whose rows it keeps.
    pub source: SourceId,
    /// The condition, as formula text.
    pub condition: String,
}

/// A value that a context record gives and no source has.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name used in formulas and records.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// Its type.
    pub ty: Type,
}
