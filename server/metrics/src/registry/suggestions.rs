//! Suggestions: formulas with sensible units, templates not used yet, equivalent definitions, and unused ones.

use std::collections::{BTreeMap, BTreeSet};

use quotient::types::DeclaredType;
use serde::Serialize;

use super::lineage;
use super::metric::Metric;
use super::number;
use super::queries::sources;
use super::templates::{self, Template};
use super::vocabulary::{Lifecycle, kind};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::{MetricError, RegistrySnapshot};

/// Limit: names that proposals are built from; every pair of them is tried.
const MAX_NAMES: usize = 10;

/// Limit: proposals of one type.
const MAX_PROPOSALS: usize = 10;

/// The types of proposals: amounts and ratios.
const PROPOSED_TYPES: &[DeclaredType] = &[DeclaredType::Currency, DeclaredType::Percentage];

/// A formula that compiles and that no metric has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "formula": "net_sales / order_count", "type": "currency", "unit": "USD" }))]
pub(crate) struct ProposalView {
    formula: String,
    /// The type of the values.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The currency or the counted unit.
    unit: Option<String>,
}

/// A template that no metric was created from.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "template_id": "tmpl_conversion_rate", "key": "conversion_rate", "name": "Conversion rate", "blocked": true,
    "missing_data": ["sessions"]
}))]
pub(crate) struct UnusedTemplateView {
    template_id: String,
    /// The key its metric would have.
    key: String,
    name: String,
    /// Whether data that it needs is missing.
    blocked: bool,
    /// Sources that it reads and that have no rows.
    missing_data: Vec<String>,
}

/// A reference to a metric.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "aov", "name": "Average order value" }))]
pub(crate) struct NamedMetricView {
    /// The metric's id.
    id: String,
    /// The name in formulas.
    key: String,
    name: String,
}

impl NamedMetricView {
    fn of(metric: &Metric) -> Self {
        Self { id: metric.id.to_string(), key: metric.key.clone(), name: metric.name.clone() }
    }
}

/// Metrics with equivalent formulas.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "hash": "5f1d7c0a9b3e4d62", "metrics": [] }))]
pub(crate) struct DuplicateView {
    /// The common hash of the formulas.
    hash: String,
    metrics: Vec<NamedMetricView>,
}

/// All suggestions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "proposals": [], "templates": [], "unused": [], "duplicates": [] }))]
pub(crate) struct SuggestionsView {
    /// Formulas of existing metrics and placeholders with sensible units, which no metric has.
    proposals: Vec<ProposalView>,
    /// Templates without a metric, those without missing data first.
    templates: Vec<UnusedTemplateView>,
    /// Drafts that no other metric uses.
    unused: Vec<NamedMetricView>,
    /// Metrics with equivalent formulas.
    duplicates: Vec<DuplicateView>,
}

pub(crate) fn of(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    viewer: &str,
) -> Result<SuggestionsView, MetricError> {
    let visible = snapshot.metrics().values().filter(|metric| {
        metric.deleted_at.is_none()
            && lineage::is_visible(metric, viewer)
            && !snapshot.broken().contains_key(&metric.key)
    });
    let visible: Vec<&Metric> = visible.collect();
    let names = snapshot.schema().sources.iter().map(|source| source.name.as_str());
    let empty = sources::empty(tx, names)?;
    Ok(SuggestionsView {
        proposals: proposals(snapshot, &visible),
        templates: unused_templates(snapshot, &empty),
        unused: unused(snapshot, &visible),
        duplicates: duplicates(snapshot, &visible),
    })
}

fn proposals(snapshot: &RegistrySnapshot, visible: &[&Metric]) -> Vec<ProposalView> {
    let mut ranked = visible.to_vec();
    ranked.sort_by_key(|metric| metric.state != Lifecycle::Active);
    let keys = ranked.iter().map(|metric| metric.key.as_str());
    let schema = snapshot.schema();
    // Without an aggregation, a placeholder has no value from the store.
    let placeholders = schema.placeholders.iter().filter(|own| own.aggregation.is_some());
    let placeholders = placeholders.map(|placeholder| placeholder.key.as_str());
    let inputs = schema.inputs.iter().map(|input| input.name.as_str());
    let names: Vec<&str> = placeholders.chain(inputs).chain(keys).take(MAX_NAMES).collect();
    let mut formulas = BTreeSet::new();
    let mut proposals = Vec::new();
    for declared in PROPOSED_TYPES {
        let fits = snapshot.engine().proposals(&names, *declared);
        let fresh = fits.into_iter().filter(|fit| formulas.insert(fit.formula.clone()));
        proposals.extend(fresh.take(MAX_PROPOSALS).map(|fit| {
            let (kind, unit) = kind(&fit.ty);
            ProposalView { formula: fit.formula, kind, unit }
        }));
    }
    proposals
}

fn unused_templates(snapshot: &RegistrySnapshot, empty: &[&str]) -> Vec<UnusedTemplateView> {
    let is_unused = |template: &&Template| snapshot.metric(&template.key).is_none();
    let view = |template: &Template| {
        let missing = template.sources.iter().filter(|source| empty.contains(&source.as_str()));
        let missing_data: Vec<String> = missing.cloned().collect();
        UnusedTemplateView {
            template_id: template.id(),
            key: template.key.clone(),
            name: template.name.clone(),
            blocked: !missing_data.is_empty(),
            missing_data,
        }
    };
    let mut templates: Vec<_> = templates::all().iter().filter(is_unused).map(view).collect();
    templates.sort_by_key(|template| template.blocked);
    templates
}

fn unused(snapshot: &RegistrySnapshot, visible: &[&Metric]) -> Vec<NamedMetricView> {
    let is_unused = |metric: &&&Metric| {
        let users = snapshot.registry().graph().users(&metric.key).unwrap_or_default();
        metric.state == Lifecycle::Draft && users.is_empty()
    };
    visible.iter().filter(is_unused).map(|metric| NamedMetricView::of(metric)).collect()
}

fn duplicates(snapshot: &RegistrySnapshot, visible: &[&Metric]) -> Vec<DuplicateView> {
    let mut by_hash: BTreeMap<String, Vec<NamedMetricView>> = BTreeMap::new();
    for metric in visible {
        let registered = snapshot.registry().by_id(number(metric.seq));
        if let Some(version) = registered.and_then(quotient::registry::RegisteredMetric::version) {
            by_hash.entry(version.hash.to_string()).or_default().push(NamedMetricView::of(metric));
        }
    }
    let several = by_hash.into_iter().filter(|(_, metrics)| metrics.len() > 1);
    several.map(|(hash, metrics)| DuplicateView { hash, metrics }).collect()
}
