//! A metric made of a template, with the metrics that it needs.

use serde_json::{Map, Value};

use quotient::registry::RegistryError;

use super::{Template, find, parameters};
use crate::database::Tx;
use crate::registry::edit::{self, Editor, NewMetric};
use crate::registry::metric::{FormattingRules, Metric, slug};
use crate::registry::vocabulary::{Category, DataType, Scope, Visibility};
use crate::{MetricError, MetricRegistry};

/// What is to be made, with everything that is to be other than the template says.
#[derive(Debug, Clone)]
pub(crate) struct TemplateInstance {
    pub template: &'static Template,
    pub name: String,
    pub parameters: Map<String, Value>,
    pub description: Option<String>,
    pub category: Option<Category>,
    pub scope: Option<Scope>,
    pub data_type: Option<DataType>,
    pub formatting_rules: FormattingRules,
    pub tags: Vec<String>,
    pub org_id: Option<String>,
    pub owner_id: Option<String>,
    pub visibility: Visibility,
}

/// Makes a metric of a template, and gives the metrics that were made with it because its formula names them.
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
        let formula = parameters::filled(template, &Map::new(), currency)?;
        let new = plain(template, formula);
        created.push(edit::create_as(tx, registry, (&template.key, new), editor)?);
    }
    let TemplateInstance { template, name, .. } = instance;
    let has_its_name = name.to_lowercase() == template.name.to_lowercase();
    let key = if has_its_name { template.key.clone() } else { slug(&name) };
    let new = NewMetric {
        name,
        description: instance.description.or_else(|| template.description.clone()),
        category: instance.category.unwrap_or(template.category),
        scope: instance.scope.unwrap_or(Scope::Store),
        data_type: instance.data_type.unwrap_or(template.data_type),
        formatting_rules: instance.formatting_rules,
        tags: instance.tags,
        org_id: instance.org_id,
        owner_id: instance.owner_id,
        visibility: instance.visibility,
        ..plain(template, formula)
    };
    let metric = edit::create_as(tx, registry, (&key, new), editor)?;
    Ok((metric, created))
}

/// The templates that a template's formula names, each behind those it is built on itself.
fn needed(template: &Template) -> Vec<&'static Template> {
    let mut found: Vec<&'static Template> = Vec::new();
    // Each is met twice: first to open it, then, behind its own parts, to take it.
    let mut open: Vec<(&'static Template, bool)> =
        template.uses.iter().rev().filter_map(|key| Some((find(key)?, false))).collect();
    while let Some((next, is_opened)) = open.pop() {
        if found.iter().any(|known| known.key == next.key) {
            continue;
        }
        if is_opened {
            found.push(next);
            continue;
        }
        open.push((next, true));
        open.extend(next.uses.iter().rev().filter_map(|key| Some((find(key)?, false))));
    }
    found
}

fn plain(template: &Template, formula: String) -> NewMetric {
    NewMetric {
        name: template.name.clone(),
        description: template.description.clone(),
        category: template.category,
        scope: Scope::Store,
        formula,
        data_type: template.data_type,
        formatting_rules: FormattingRules::default(),
        dependencies: None,
        tags: Vec::new(),
        org_id: None,
        owner_id: None,
        visibility: Visibility::Public,
        is_system: false,
    }
}
