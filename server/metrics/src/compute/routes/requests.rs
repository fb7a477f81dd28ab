//! Questions as query parameters and as bodies.

use std::collections::BTreeMap;

use quotient::Filter;
use quotient::diagnostics::Diagnostic;
use serde::Deserialize;

use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::question::Compare;
use crate::compute::request::{MAX_GROUPS, UnresolvedQuestion};
use crate::http::{HttpError, Text, ToSchema, request};
use crate::ids::{RegionId, SalesChannelId};
use crate::registry::LIMITS;
use crate::routes::day::Day;

/// Limit: metrics of one question.
pub(crate) const MAX_METRICS: usize = 100;

/// Limit: letters of an id or a key.
const MAX_NAME_LEN: usize = 64;

/// Comma-separated names. A hundred such lists fit into the head of a request.
pub(crate) type Names = Text<500>;

/// Limit: parameters of one condition.
const MAX_PARAMETERS: usize = 100;

/// A question about the store.
#[derive(Debug, Clone, Default, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuestionRequest {
    /// Keys or ids; the active metrics of sales and orders if empty.
    #[serde(default)]
    #[param(max_items = 100)]
    pub(crate) metrics: Vec<Names>,
    /// The first day; defaults to 29 days before the last day.
    pub(super) start_date: Option<Day>,
    /// The last day, inclusive, at most ten years after the first; defaults to today.
    pub(super) end_date: Option<Day>,
    /// The length of the buckets.
    #[serde(default)]
    pub(super) granularity: Granularity,
    /// The comparison: none or an earlier period.
    #[serde(default)]
    pub(super) compare: Compare,
    /// An IANA time zone name; defaults to the store's.
    pub(super) timezone: Option<Text<64>>,
    /// The currency whose rows are included; defaults to the store's.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    pub(super) currency_code: Option<Text<3>>,
    /// Only sales in this sales channel.
    pub(super) sales_channel_id: Option<SalesChannelId>,
    /// Only sales in this region.
    pub(super) region_id: Option<RegionId>,
    /// Only sales to this country, a two-letter code.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    pub(super) country_code: Option<Text<2>>,
    /// Only rows that meet a condition in the formula language: `country = 'gb' and total > 50 GBP`.
    #[serde(rename = "where")]
    pub(super) condition: Option<Text<2048>>,
    /// The values of the parameters of the condition, `:name`.
    #[serde(skip)]
    #[param(ignore)]
    pub(super) parameters: BTreeMap<String, ParameterValue>,
    /// Shared dimensions to group by, separated by commas or repeated.
    #[serde(default)]
    #[param(max_items = 2)]
    pub(super) group_by: Vec<Names>,
    #[serde(default)]
    pub(crate) explain: bool,
}

/// A question, with options for its response.
#[request]
#[derive(Clone, Default)]
#[schema(example = json!({ "formula": "sum(orders.total) / count(orders)", "granularity": "month", "explain": true }))]
pub(crate) struct ComputeRequest {
    /// An unsaved formula, whose result has the key `formula`.
    pub(crate) formula: Option<Text<8192>>,
    #[serde(default)]
    pub(crate) explain: bool,
    /// Keys or ids; the active metrics of sales and orders if empty.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub(crate) metrics: Vec<Names>,
    /// The first day; defaults to 29 days before the last day.
    start_date: Option<Day>,
    /// The last day, inclusive, at most ten years after the first; defaults to today.
    end_date: Option<Day>,
    /// The length of the buckets.
    #[serde(default)]
    granularity: Granularity,
    /// The comparison: none or an earlier period.
    #[serde(default)]
    compare: Compare,
    /// An IANA time zone name; defaults to the store's.
    timezone: Option<Text<64>>,
    /// The currency whose rows are included; defaults to the store's.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    currency_code: Option<Text<3>>,
    /// Only sales in this sales channel.
    sales_channel_id: Option<SalesChannelId>,
    /// Only sales in this region.
    region_id: Option<RegionId>,
    /// Only sales to this country, a two-letter code.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    country_code: Option<Text<2>>,
    /// Only rows that meet a condition in the formula language: `country = :country and total > :least`.
    #[serde(rename = "where")]
    condition: Option<Text<2048>>,
    /// The values of the parameters of the condition by name. An amount or a date is a text: `50 GBP`, `2026-03-29`.
    #[serde(default)]
    parameters: BTreeMap<String, ParameterValue>,
    /// Shared dimensions to group by.
    #[serde(default)]
    #[schema(max_items = 2)]
    group_by: Vec<Names>,
}

impl ComputeRequest {
    pub(crate) fn into_question(self) -> QuestionRequest {
        QuestionRequest {
            metrics: self.metrics,
            start_date: self.start_date,
            end_date: self.end_date,
            granularity: self.granularity,
            compare: self.compare,
            timezone: self.timezone,
            currency_code: self.currency_code,
            sales_channel_id: self.sales_channel_id,
            region_id: self.region_id,
            country_code: self.country_code,
            condition: self.condition,
            parameters: self.parameters,
            group_by: self.group_by,
            explain: self.explain,
        }
    }
}

impl QuestionRequest {
    /// Splits the request into the names of its metrics and the question; 400 if a limit is exceeded.
    pub(crate) fn into_parts(self) -> Result<(Vec<String>, UnresolvedQuestion), HttpError> {
        let too_many = |what: &str, limit: usize| {
            HttpError::invalid_data(format!("There are more than {limit} {what}"))
        };
        let metrics = listed(&self.metrics)?;
        if metrics.len() > MAX_METRICS {
            return Err(too_many("metrics", MAX_METRICS));
        }
        let group_by = listed(&self.group_by)?;
        if group_by.len() > MAX_GROUPS {
            return Err(too_many("dimensions in group_by", MAX_GROUPS));
        }
        check_letters("currency_code", self.currency_code.as_ref().map(Text::as_str), 3)?;
        check_letters("country_code", self.country_code.as_ref().map(Text::as_str), 2)?;
        let sent = UnresolvedQuestion {
            start_date: self.start_date,
            end_date: self.end_date,
            granularity: self.granularity,
            compare: self.compare,
            timezone: self.timezone.map(String::from),
            currency_code: self.currency_code.map(String::from),
            sales_channel_id: self.sales_channel_id,
            region_id: self.region_id,
            country_code: self.country_code.map(String::from),
            condition: filter(self.condition, self.parameters)?,
            group_by,
        };
        Ok((metrics, sent))
    }
}

/// The value of a parameter of a condition.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a truth value, a number, or a text of at most 256 characters")]
pub(crate) enum ParameterValue {
    /// A truth value.
    Bool(bool),
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// A text, an amount with its currency, a length of time or a date.
    Text(Text<256>),
}

fn filter(
    condition: Option<Text<2048>>,
    parameters: BTreeMap<String, ParameterValue>,
) -> Result<Option<Filter>, HttpError> {
    if parameters.len() > MAX_PARAMETERS {
        return Err(HttpError::invalid_data(format!(
            "There are more than {MAX_PARAMETERS} parameters"
        )));
    }
    let Some(condition) = condition else {
        if parameters.is_empty() {
            return Ok(None);
        }
        let message = "parameters are the values of a condition: send it as `where`";
        return Err(HttpError::invalid_data(message));
    };
    let text = |(name, value)| {
        let value = match value {
            ParameterValue::Bool(value) => value.to_string(),
            ParameterValue::Number(value) => value.to_string(),
            ParameterValue::Text(value) => value.into(),
        };
        (name, value)
    };
    let parameters = parameters.into_iter().map(text).collect();
    let filter = Filter { condition: condition.into(), parameters };
    let refused = |found: Vec<Diagnostic>| MetricError::Formula(found).about(&filter.condition);
    filter.check(&LIMITS).map_err(refused)?;
    if let Some(unused) = filter.parameters.keys().find(|name| !filter.uses(name)) {
        let message = format!("The condition has no parameter `:{unused}`");
        return Err(HttpError::invalid_data(message));
    }
    Ok(Some(filter))
}

/// Returns comma-separated or repeated names, without duplicates.
pub(crate) fn listed(sent: &[Names]) -> Result<Vec<String>, HttpError> {
    let mut names: Vec<String> = Vec::new();
    for name in sent.iter().flat_map(|sent| sent.as_str().split(',')).map(str::trim) {
        if name.chars().count() > MAX_NAME_LEN {
            let message = format!("A name in a list has at most {MAX_NAME_LEN} letters");
            return Err(HttpError::invalid_data(message));
        }
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn check_letters(field: &str, code: Option<&str>, count: usize) -> Result<(), HttpError> {
    let is_code = |code: &str| code.len() == count && code.bytes().all(|b| b.is_ascii_alphabetic());
    if code.is_none_or(is_code) {
        return Ok(());
    }
    let message = format!("Invalid request: Field '{field}': must be {count} letters");
    Err(HttpError::invalid_data(message).with_details(field, format!("must be {count} letters")))
}
