//! The parts of a formula that are computed per key, for programs that estimate the cost of a query in advance.

use std::collections::BTreeSet;

use super::{Engine, Formula};
use crate::calendar::TimeUnit;
use crate::check::{Kind, Per, Typed, all_sources_below};

/// A part of a formula that is computed for each value of some keys, such as `count(orders) per customer_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedPart {
    /// The names of the keys.
    pub keys: Vec<String>,
    /// The length of the periods it is computed for as well.
    pub unit: Option<TimeUnit>,
    /// The sources whose rows it reads.
    pub sources: Vec<String>,
}

impl Engine {
    /// Returns the parts of a formula, and of the metrics below it, that are computed for each value of some keys. No
    /// rollup answers them: their rows are grouped anew for each query.
    ///
    /// ```
    /// use quotient::Engine;
    /// use quotient::file;
    ///
    /// let text = "store\n    currency USD\n\nsource orders event\n    date at date\n    field customer text\n";
    /// let loaded = file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
    /// let (engine, _) = Engine::from_loaded(&loaded);
    /// let formula = engine.compile("max(count(orders) per customer)").expect("a formula");
    ///
    /// let parts = engine.keyed_parts(&formula);
    /// assert_eq!((&*parts[0].keys[0], &*parts[0].sources[0]), ("customer", "orders"));
    /// ```
    pub fn keyed_parts(&self, formula: &Formula) -> Vec<KeyedPart> {
        let metrics = self.typed_metrics();
        let (mut parts, mut seen) = (Vec::new(), BTreeSet::new());
        let mut pending = vec![&formula.checked.typed];
        while let Some(typed) = pending.pop() {
            for node in &typed.nodes {
                if let Kind::Metric(metric) = node.kind
                    && seen.insert(metric)
                {
                    pending.extend(metrics.get(metric.0).copied().flatten());
                } else if let Kind::Per(per) = &node.kind
                    && !per.keys.is_empty()
                {
                    parts.push(self.keyed_part(typed, per));
                }
            }
        }
        parts
    }

    fn keyed_part(&self, typed: &Typed, per: &Per) -> KeyedPart {
        let mut sources = Vec::new();
        for id in all_sources_below(&typed.nodes, per.value, &self.library) {
            let name = self.schema.source_at(id).map(|source| source.name.clone());
            sources.extend(name.filter(|name| !sources.contains(name)));
        }
        let keys = per.keys.iter().map(|key| key.name.to_string()).collect();
        KeyedPart { keys, unit: per.unit, sources }
    }
}
