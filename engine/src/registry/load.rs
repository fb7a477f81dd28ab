//! Metrics from formula files.

use super::{Definition, Example, Registry, Signed, State};
use crate::diagnostics::Diagnostic;
use crate::engine::Engine;
use crate::file::{Loaded, MetricDefinition};

/// A registry loaded from formula files.
#[derive(Debug)]
pub struct LoadedRegistry {
    /// The metrics that check: active ones, and as drafts those whose examples fail or that use
    /// drafts.
    pub registry: Registry,
    /// All findings, with the index of the file and the place in it.
    pub findings: Vec<(usize, Diagnostic)>,
}

impl Registry {
    /// Creates a registry from the metrics of formula files; those that do not check are omitted.
    pub fn from_loaded(loaded: &Loaded, signed: &Signed) -> LoadedRegistry {
        let (mut engine, findings) = Engine::from_loaded(loaded);
        let checks = |index: usize| engine.type_and_inputs(index).is_some();
        let kept: Vec<bool> = (0..engine.metrics().len()).map(checks).collect();
        engine.withdraw(|index| kept.get(index) == Some(&false));
        let mut registry = Self::over(engine);
        for (metric, _) in loaded.metrics.iter().zip(&kept).filter(|(_, kept)| **kept) {
            registry.add_loaded(metric);
        }
        registry.enter_in_order();
        for id in registry.order.clone() {
            registry.add_version(id, signed.clone(), None);
        }
        let order: Vec<String> = registry.graph.order().into_iter().map(str::to_owned).collect();
        for key in order {
            // A metric that may not be active stays a draft.
            registry.set_state(&key, State::Active).ok();
        }
        LoadedRegistry { registry, findings }
    }

    fn add_loaded(&mut self, metric: &MetricDefinition) {
        let examples = metric.examples.iter().map(|example| Example {
            context: example.context.text.clone(),
            expected: example.expected.text.clone(),
        });
        let definition = Definition {
            key: metric.key.value.clone(),
            title: metric.title.clone(),
            description: metric.description.clone(),
            category: metric.category.clone(),
            unlisted: metric.unlisted,
            formula: metric.formula.text.clone(),
            data_type: metric.data_type.as_ref().map(|declared| declared.value),
            format: metric.format.clone(),
        };
        self.insert_draft(definition, examples.collect());
    }
}
