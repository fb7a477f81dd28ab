//! The registry: metrics kept over time, with changeable keys, versions, examples and a state.
//!
//! Invariant: every metric that is not removed checks against the others, and none uses itself. An
//! edit is applied as a whole, or refused with all reasons. Time and author are arguments. Start at
//! [`Registry`].

mod contents;
mod difference;
mod edit;
mod entry;
mod error;
mod lifecycle;
mod load;
mod parts;
mod rename;
mod revert;
mod snapshot;

use std::collections::BTreeMap;

pub use difference::{Difference, DifferingPart};
pub use entry::{
    Definition, Edit, Example, MetricId, Reference, RegisteredMetric, Signed, State, Version,
};
pub use error::RegistryError;
pub use load::LoadedRegistry;
pub use snapshot::Snapshot;

use crate::engine::Engine;
use crate::graph::MetricGraph;

/// Metrics with their history, and the engine that computes them.
///
/// ```
/// use quotient::Engine;
/// use quotient::registry::{Definition, Registry, Signed, State};
/// use quotient::schema::{Input, Schema};
/// use quotient::types::{Type, Unit};
///
/// let input = |name: &str| Input { name: name.into(), description: None, ty: Type::Quantity(Unit::NUMBER) };
/// let schema = Schema { inputs: vec![input("sales"), input("visits")], ..Schema::default() };
/// let mut registry = Registry::new(Engine::new(schema));
/// let signed = Signed::new("ada", "2026-03-01T09:00:00Z".parse()?);
///
/// let rate = registry.define(Definition::new("rate", "sales / visits"), &signed)?;
/// registry.define(Definition::new("double", "2 * rate // twice"), &signed)?;
///
/// registry.rename("rate", "yield", &signed)?;
/// assert_eq!(registry.metric("double").unwrap().definition.formula, "2 * yield // twice");
/// assert_eq!(registry.metric("yield").unwrap().id, rate);
///
/// let edited = registry.edit("yield", |definition| definition.formula = "SALES/visits".into(), &signed)?;
/// assert_eq!(edited.version, None, "the formula says the same");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Registry {
    engine: Engine,
    graph: MetricGraph,
    metrics: BTreeMap<MetricId, RegisteredMetric>,
    /// By key in lower case, including removed metrics.
    by_key: BTreeMap<String, MetricId>,
    /// Metrics by their index in the engine.
    order: Vec<MetricId>,
    last_id: u64,
}
