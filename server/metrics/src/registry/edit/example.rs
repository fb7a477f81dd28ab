//! Edits of the examples of a metric.

use quotient::registry::Example;

use super::{Action, Editor, audited, number};
use crate::database::Tx;
use crate::ids::MetricExampleId;
use crate::registry::queries::examples::{self, ExampleRow};
use crate::{MetricError, MetricRegistry};

/// Limit: examples of a metric. Those of one in use are evaluated at each edit, while other writes wait.
pub(crate) const MAX_EXAMPLES: usize = 50;

/// Adds an example: a context with the expected result.
pub(crate) fn add_example(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, example, force): (&str, Example, bool),
    editor: &Editor,
) -> Result<MetricExampleId, MetricError> {
    audited(tx, registry, (Action::Example, id_or_key), editor, |mut session| {
        let metric = session.live(id_or_key)?;
        session.unlocked(&metric, force)?;
        if session.is_broken(&metric) {
            return Err(MetricError::broken(metric.key));
        }
        let registered = session.draft.by_id(number(metric.seq));
        let mut all = registered.map(|metric| metric.examples.clone()).unwrap_or_default();
        if all.len() >= MAX_EXAMPLES {
            return Err(MetricError::TooManyExamples(metric.key));
        }
        all.push(example.clone());
        session.act(|registry| registry.set_examples(&metric.key, all.clone()))?;
        let id = examples::insert(tx, metric.seq, &example)?;
        session.save(metric, Action::Example)?;
        Ok(id)
    })
}

/// Removes an example.
///
/// # Errors
/// [`MetricError::NoExample`]; [`MetricError::Locked`].
pub(crate) fn remove_example(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, example_id, force): (&str, &MetricExampleId, bool),
    editor: &Editor,
) -> Result<(), MetricError> {
    audited(tx, registry, (Action::RemoveExample, id_or_key), editor, |mut session| {
        let metric = session.live(id_or_key)?;
        session.unlocked(&metric, force)?;
        let (removed, rest): (Vec<ExampleRow>, Vec<ExampleRow>) =
            examples::of_metric(tx, metric.seq)?.into_iter().partition(|row| row.id == *example_id);
        if removed.is_empty() {
            return Err(MetricError::NoExample(example_id.to_string()));
        }
        examples::remove(tx, example_id)?;
        if session.is_broken(&metric) {
            return session.save_broken(metric, Action::RemoveExample).map(drop);
        }
        let rest: Vec<Example> = rest.into_iter().map(Example::from).collect();
        session.act(|registry| registry.set_examples(&metric.key, rest.clone()))?;
        session.save(metric, Action::RemoveExample).map(drop)
    })
}
