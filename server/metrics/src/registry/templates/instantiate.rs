//! Creates a metric from a template, with the metrics that it uses.

use serde_json::{Map, Value};

use quotient::registry::RegistryError;

use super::{Template, find, parameters};
use crate::database::Tx;
use crate::registry::edit::{self, Editor, NewMetric};
use crate::registry::metric::{Metric, slug};
use crate::registry::vocabulary::Lifecycle;
use crate::{MetricError, MetricRegistry};

/// The templates of the demo store's metrics; those that they use are created as well.
const DEMO_METRICS: [&str; 5] =
    ["total_sales", "aov", "units_per_order", "gross_margin", "repeat_purchase_rate"];

/// A template with the values of its parameters, and the metric to create, without the formula.
#[derive(Debug, Clone)]
pub(crate) struct TemplateInstance {
    pub template: &'static Template,
    pub parameters: Map<String, Value>,
    pub metric: NewMetric,
}

/// Creates a metric from a template and returns it with the metrics created because its formula uses them.
pub(crate) fn instantiate(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    instance: TemplateInstance,
    editor: &Editor,
) -> Result<(Metric, Vec<Metric>), MetricError> {
    let currency = registry.snapshot(tx)?.currency();
    let formula = parameters::filled(instance.template, &instance.parameters, currency)?;
    let mut created = Vec::new();
    for template in needed(instance.template) {
        if registry.visible_to(tx, &editor.id)?.metric(&template.key).is_some() {
            continue;
        }
        if registry.snapshot(tx)?.metrics().values().any(|metric| metric.key == template.key) {
            let by = "the key of a metric that was removed or is private".to_owned();
            return Err(RegistryError::Taken { name: template.key.clone(), by }.into());
        }
        created.push(create_unchanged(tx, registry, template, editor)?);
    }
    let TemplateInstance { template, metric, .. } = instance;
    let has_its_name = metric.name.to_lowercase() == template.name.to_lowercase();
    let key = if has_its_name { template.key.clone() } else { slug(&metric.name) };
    let new = NewMetric { formula, ..metric };
    let metric = edit::create_as(tx, registry, &key, new, editor)?;
    Ok((metric, created))
}

/// Creates and activates the metrics of the demo store, on behalf of its first admin.
pub fn create_demo_metrics(tx: &Tx<'_>, admin_id: &str) -> Result<(), MetricError> {
    let registry = MetricRegistry::default();
    let editor = Editor { id: admin_id.to_owned(), is_admin: true };
    let templates = DEMO_METRICS.into_iter().filter_map(find);
    for template in templates.flat_map(|template| needed(template).into_iter().chain([template])) {
        if registry.snapshot(tx)?.metric(&template.key).is_none() {
            let metric = create_unchanged(tx, &registry, template, &editor)?;
            edit::set_state(tx, &registry, (&metric.key, Lifecycle::Active, false), &editor)?;
        }
    }
    Ok(())
}

/// Creates the metric of a template with the template's key, name and default parameters.
fn create_unchanged(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    template: &Template,
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let currency = registry.snapshot(tx)?.currency();
    let formula = parameters::filled(template, &Map::new(), currency)?;
    edit::create_as(tx, registry, &template.key, template.metric(&formula), editor)
}

/// Returns the templates that a template uses, each after those that it uses itself.
fn needed(template: &Template) -> Vec<&'static Template> {
    let mut ordered: Vec<&'static Template> = Vec::new();
    // Each is visited twice: first to expand it, then, after its dependencies, to add it.
    let mut open: Vec<(&'static Template, bool)> =
        template.uses.iter().rev().filter_map(|key| Some((find(key)?, false))).collect();
    while let Some((next, is_expanded)) = open.pop() {
        if ordered.iter().any(|other| other.key == next.key) {
            continue;
        }
        if is_expanded {
            ordered.push(next);
            continue;
        }
        open.push((next, true));
        open.extend(next.uses.iter().rev().filter_map(|key| Some((find(key)?, false))));
    }
    ordered
}

impl Template {
    /// Returns its metric with a formula.
    pub(crate) fn metric(&self, formula: &str) -> NewMetric {
        NewMetric {
            description: self.description.clone(),
            ..NewMetric::new(&self.name, self.category, formula, self.data_type)
        }
    }
}
