//! The value of a metric, its series and its breakdown.

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::Context;
use crate::decimal;
use crate::figures::{self, Answer, Chart, Figure, ValuesAnswer};
use crate::locale::Locale;
use crate::page::Part;
use crate::range::{Choice, Range, choices};
use crate::visit::Visit;

/// The dimensions of a breakdown, with their names.
const DIMENSIONS: &[(&str, &str)] = &[
    ("", "nothing"),
    ("country", "country"),
    ("sales_channel", "sales channel"),
    ("region", "region"),
    ("product", "product"),
    ("category", "category"),
    ("variant", "variant"),
    ("utm_source", "source"),
    ("plan", "plan"),
];

/// Limit: groups shown.
const GROUPS: usize = 100;

/// A value with its context.
#[derive(Debug, Clone)]
pub(super) struct ValueView {
    pub(super) figure: Figure,
    pub(super) unit: Option<String>,
    pub(super) chart: Option<Chart>,
    pub(super) dimensions: Vec<Choice>,
    pub(super) dimension: String,
    pub(super) groups: Vec<GroupRow>,
    /// The number of groups beyond those shown.
    pub(super) more: usize,
    pub(super) warnings: Vec<String>,
    pub(super) as_of: Option<String>,
    pub(super) version: Option<u32>,
    pub(super) curl: String,
}

/// A row of a breakdown.
#[derive(Debug, Clone)]
pub(super) struct GroupRow {
    pub(super) name: String,
    pub(super) figure: Figure,
    pub(super) bar: i64,
}

/// Computes the value over the range.
pub(super) async fn read((visit, metric, range): Context<'_>) -> Part<ValueView> {
    let dimension = visit.parameters.text("group");
    let dimension = DIMENSIONS.iter().find(|(own, _)| *own == dimension).map_or("", |own| own.0);
    let (subject, value) = if metric.is_in_use() {
        ("metrics", Value::from(vec![metric.key.clone()]))
    } else {
        ("formula", metric.formula.clone().into())
    };
    let earlier = range.earlier().map(|earlier| earlier.question(subject, value.clone()));
    let mut question = range.question(subject, value);
    if !dimension.is_empty() {
        question.insert("group_by".to_owned(), Value::from(vec![dimension]));
    }
    let (now, before) = tokio::join!(one(visit, question.clone()), async {
        match earlier {
            Some(earlier) => one(visit, earlier).await.ok(),
            None => None,
        }
    });
    let mut view = of(visit, &now?, before.as_ref(), (range, dimension));
    view.curl = curl(&question);
    Ok(view)
}

/// Returns the answer about the only metric of a query.
pub(crate) async fn one(visit: &Visit, question: Map<String, Value>) -> Part<Answer> {
    let path = "/admin/metrics/compute";
    let computed: ValuesAnswer = visit.api.post(path, &question.into()).await?;
    computed.metrics.into_values().next().ok_or_else(crate::client::Failure::unreadable)
}

fn of(
    visit: &Visit,
    answer: &Answer,
    before: Option<&Answer>,
    (range, dimension): (&Range, &'static str),
) -> ValueView {
    let behind = before.map(|before| (range.compare.name(), before));
    let zone = (&visit.store, range.granularity);
    let groups = rows(&answer.groups, range.locale);
    ValueView {
        figure: Figure::of(answer, range.locale),
        unit: answer.unit.clone(),
        chart: Chart::of_values(("This period", answer), behind, zone),
        dimensions: choices(DIMENSIONS, dimension),
        dimension: dimension.replace('_', " "),
        more: groups.len().saturating_sub(GROUPS),
        groups: groups.into_iter().take(GROUPS).collect(),
        warnings: answer.warnings.clone(),
        as_of: answer.as_of.as_deref().map(|at| visit.store.moment(at)),
        version: answer.definition.as_ref().and_then(|definition| definition.version),
        curl: String::new(),
    }
}

/// Returns the groups, largest first.
fn rows(groups: &[Answer], locale: Locale) -> Vec<GroupRow> {
    let mut sorted: Vec<(Option<Decimal>, &Answer)> =
        groups.iter().map(|group| (decimal::read(&group.value), group)).collect();
    sorted.sort_by(|(left, _), (right, _)| right.cmp(left));
    let bars = figures::bars(&sorted.iter().map(|(value, _)| *value).collect::<Vec<_>>());
    let row = |((_, group), bar): ((Option<Decimal>, &Answer), i64)| GroupRow {
        name: group.keys.values().map(name_of).collect::<Vec<_>>().join(" · "),
        figure: Figure::of(group, locale),
        bar,
    };
    sorted.into_iter().zip(bars).map(row).collect()
}

/// Returns the displayed value of a dimension.
fn name_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(none)".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// Returns the `curl` line of a query about metrics.
pub(super) fn curl(question: &Map<String, Value>) -> String {
    let body = Value::Object(question.clone()).to_string();
    let body = body.replace('\'', r"'\''");
    format!(
        "curl \"$STORE/admin/metrics/compute\" -H \"Authorization: Bearer $SECRET\" \\\n  -H 'content-type: application/json' -d '{body}'"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_formula_with_quotes_stays_one_word_of_the_shell() {
        let question = json!({ "formula": "count(orders where status = 'x')" });
        let line = curl(question.as_object().expect("an object"));
        assert!(
            line.ends_with(r#"-d '{"formula":"count(orders where status = '\''x'\'')"}'"#),
            "{line}"
        );
    }
}
