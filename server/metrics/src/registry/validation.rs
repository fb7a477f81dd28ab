//! Validation of an unsaved formula: findings, type, dependencies, and the metrics it would break.

use jiff::tz::TimeZone;
use quotient::check::Additivity;
use quotient::diagnostics::{Code, Diagnostic};
use quotient::format::{self, FormatRules};
use quotient::registry::{RegistryError, Signed};
use quotient::types::{Type, Value};
use quotient::{Formula, Validation};
use rust_decimal::Decimal;
use serde::Serialize;

use super::findings::{self, FindingView};
use super::lineage::{self, DependentView};
use super::load::{self, number};
use super::metric::Metric;
use super::spelling::in_both_spellings;
use super::vocabulary::{Lifecycle, kind};
use crate::RegistrySnapshot;
use crate::http::ToSchema;

/// A metric that would no longer compile.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({ "key": "aov", "message": "The formula does not check: money divided by text" }))]
pub(crate) struct BrokenView {
    /// The metric's key.
    key: String,
    /// Why it would not compile.
    message: String,
}

/// The effects of a formula on the metrics that use its metric.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({ "dependents": [], "broken": [], "refusal": null }))]
pub(crate) struct ImpactView {
    /// The metrics that use the metric.
    dependents: Vec<DependentView>,
    /// Those of them that would no longer compile.
    broken: Vec<BrokenView>,
    /// Why saving the formula would be refused, if so.
    refusal: Option<String>,
}

in_both_spellings! {
    /// The result of checking a formula.
    #[schema(example = json!({
        "valid": true, "errors": [], "warnings": [], "type": "currency", "unit": "USD", "additivity": "non-additive",
        "level": "aggregate", "dependencies": ["net_sales", "order_count"], "sources": ["items", "orders"],
        "inputs": [], "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "default_formatting": "$1,234.50", "cycle": null, "impact": null
    }))]
    ValidationView,
    /// The result of checking a formula, with the catalog's names.
    #[schema(example = json!({
        "valid": true, "errors": [], "warnings": [], "type": "currency", "unit": "USD", "additivity": "non-additive",
        "level": "aggregate", "dependencies": ["net_sales", "order_count"], "sources": ["items", "orders"],
        "inputs": [], "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "defaultFormatting": "$1,234.50", "cycle": null, "impact": null
    }))]
    CatalogValidationView {
        /// Whether the formula could be saved.
        valid: bool,
        /// Findings that refuse the formula.
        errors: Vec<FindingView>,
        /// Other findings.
        warnings: Vec<FindingView>,
        /// The type of the values.
        #[serde(rename = "type")]
        kind: Option<&'static str>,
        /// The currency or the counted unit.
        unit: Option<String>,
        /// Whether values of parts add up to the value of the whole.
        additivity: Option<&'static str>,
        /// `constant`, or `aggregate` if it depends on rows or other values.
        level: Option<&'static str>,
        /// Keys of the metrics that it uses.
        dependencies: Vec<String>,
        /// Sources whose rows it reads, including those of its metrics.
        sources: Vec<String>,
        /// Placeholders that it uses, including those of its metrics.
        inputs: Vec<String>,
        /// The canonical form: lower case, fewest brackets, no comments.
        canonical: Option<String>,
        /// The hash of the syntax tree; equivalent formulas have the same one.
        hash: Option<String>,
        /// How 1234.5 is formatted by default.
        default_formatting: Option<String>,
        /// The whole cycle, if it would use itself.
        cycle: Option<Vec<String>>,
        /// The effects on the metrics that use the given metric.
        impact: Option<ImpactView>,
    }
}

/// Checks a formula, and its effects on other metrics if it is for an existing one.
pub(crate) fn of(
    snapshot: &RegistrySnapshot,
    formula: &str,
    metric: Option<&Metric>,
    viewer: &str,
) -> ValidationView {
    let checked = snapshot.engine().validate(formula);
    let mut view = match metric {
        Some(metric) => of_metric(snapshot, (formula, &checked), metric, viewer),
        None => view(formula, &checked.diagnostics, checked.formula.as_ref(), None, None),
    };
    if let Some(formula) = &checked.formula {
        view.warnings.extend(idle_metrics(snapshot, formula));
        view.warnings.extend(placeholders_without_value(snapshot, formula));
    }
    view
}

/// Warns of metrics that are not in use: a metric that names one cannot be activated.
fn idle_metrics(snapshot: &RegistrySnapshot, formula: &Formula) -> Vec<FindingView> {
    let named = formula.metrics().iter().filter_map(|key| snapshot.stored(key));
    let idle = |metric: &Metric| {
        let state = match metric.state {
            _ if metric.deleted_at.is_some() => "removed",
            Lifecycle::Draft => "a draft",
            Lifecycle::Archived => "archived",
            Lifecycle::Active | Lifecycle::Deprecated => return None,
        };
        let message = format!("the metric `{}` is {state}", metric.key);
        let help = "a metric that uses it can be activated once this one is".to_owned();
        Some(FindingView::of_store("W901", message, help, formula))
    };
    named.filter_map(idle).collect()
}

/// Warns of placeholders without aggregation that are used alone.
fn placeholders_without_value(snapshot: &RegistrySnapshot, formula: &Formula) -> Vec<FindingView> {
    let alone = lineage::named_inputs(formula).filter(|key| {
        let placeholder = snapshot.schema().placeholder(key);
        placeholder.is_some_and(|placeholder| placeholder.aggregation.is_none())
    });
    let warning = |key: &String| {
        let message = format!("from the store, the placeholder `{key}` has no value");
        let help = format!("aggregate it, as in `sum({key})`");
        FindingView::of_store("W902", message, help, formula)
    };
    alone.map(warning).collect()
}

/// Checks the new formula of a metric, and its effects on other metrics.
fn of_metric(
    snapshot: &RegistrySnapshot,
    (formula, checked): (&str, &Validation),
    metric: &Metric,
    viewer: &str,
) -> ValidationView {
    let revived = || load::revived(snapshot.registry(), number(metric.seq)).ok();
    let revived = if snapshot.broken().contains_key(&metric.key) { revived() } else { None };
    let mut trial = revived.unwrap_or_else(|| snapshot.registry().clone());
    let signed = Signed::new(viewer, jiff::Timestamp::UNIX_EPOCH);
    let edited =
        trial.edit(&metric.key, |definition| formula.clone_into(&mut definition.formula), &signed);
    let broken = match &edited {
        Err(RegistryError::Breaks(metrics)) => metrics
            .iter()
            .map(|(key, found)| BrokenView { key: key.clone(), message: findings::first(found) })
            .collect(),
        Ok(_) | Err(_) => Vec::new(),
    };
    let impact = ImpactView {
        dependents: lineage::dependents(snapshot, metric, viewer),
        broken,
        refusal: edited.as_ref().err().map(ToString::to_string),
    };
    let cycle = match &edited {
        Err(RegistryError::Formula(found)) if found.iter().any(|own| own.code == Code::E601) => {
            snapshot.registry().closed_cycle(&metric.key, formula)
        }
        Ok(_) | Err(_) => None,
    };
    match &edited {
        Err(RegistryError::Formula(found)) => view(formula, found, None, cycle, Some(impact)),
        Ok(_) | Err(_) => {
            view(formula, &checked.diagnostics, checked.formula.as_ref(), cycle, Some(impact))
        }
    }
}

fn view(
    text: &str,
    diagnostics: &[Diagnostic],
    formula: Option<&Formula>,
    cycle: Option<Vec<String>>,
    impact: Option<ImpactView>,
) -> ValidationView {
    let listed = |is_error: bool| {
        let those = diagnostics.iter().filter(|finding| finding.is_error() == is_error);
        those.map(|finding| FindingView::of(finding, text)).collect()
    };
    let is_refused = impact.as_ref().is_some_and(|impact| impact.refusal.is_some());
    let kind = formula.map(|formula| kind(formula.ty()));
    let level = formula.map(|formula| match formula.additivity() {
        Additivity::Constant => "constant",
        Additivity::Additive
        | Additivity::SemiAdditive
        | Additivity::Extremal
        | Additivity::NonAdditive => "aggregate",
    });
    ValidationView {
        valid: formula.is_some() && !is_refused,
        errors: listed(true),
        warnings: listed(false),
        kind: kind.as_ref().map(|(kind, _)| *kind),
        unit: kind.and_then(|(_, unit)| unit),
        additivity: formula.map(|formula| formula.additivity().name()),
        level,
        dependencies: formula.map(|formula| formula.metrics().to_vec()).unwrap_or_default(),
        sources: formula.map(|formula| formula.sources().to_vec()).unwrap_or_default(),
        inputs: formula.map(|formula| formula.inputs().to_vec()).unwrap_or_default(),
        canonical: formula.map(|formula| formula.canonical().to_owned()),
        hash: formula.map(|formula| formula.hash().to_string()),
        default_formatting: formula.and_then(|formula| sample(formula.ty())),
        cycle,
        impact,
    }
}

fn sample(ty: &Type) -> Option<String> {
    let number = Value::Number(Decimal::new(12_345, 1));
    matches!(ty, Type::Quantity(_))
        .then(|| format::value(&number, ty, &FormatRules::default(), &TimeZone::UTC))
}
