//! Questions as they come in by query and by body.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::compute::Granularity;
use crate::compute::question::Compare;
use crate::compute::request::{Day, MAX_GROUPS, SentQuestion};
use crate::http::{HttpError, Text};
use crate::ids::{RegionId, SalesChannelId};

/// Limit: metrics of one question.
pub(crate) const MAX_METRICS: usize = 100;

/// What is asked of the store.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuestionRequest {
    /// Keys or ids; the active metrics of sales and orders where none is named.
    #[serde(default)]
    #[param(max_items = 100)]
    pub(crate) metrics: Vec<Text<64>>,
    /// The first day; 29 days before the last one where it is left out.
    start_date: Option<Day>,
    /// The last day, which is in the range; today where it is left out. At most 366 days after the first.
    end_date: Option<Day>,
    /// How finely the range is cut.
    #[serde(default)]
    granularity: Granularity,
    /// What values are compared with.
    #[serde(default)]
    compare: Compare,
    /// A zone of the IANA database; the store's where it is left out.
    timezone: Option<Text<64>>,
    /// The currency whose rows count; the store's where it is left out.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    currency_code: Option<Text<3>>,
    /// Only what was sold in this sales channel.
    sales_channel_id: Option<SalesChannelId>,
    /// Only what was sold in this region.
    region_id: Option<RegionId>,
    /// Only what goes to this country, by two letters.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    country_code: Option<Text<2>>,
    /// Shared dimensions.
    #[serde(default)]
    #[param(max_items = 2)]
    group_by: Vec<Text<64>>,
}

/// A question, and how it is to be answered.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "formula": "sum(orders.total) / count(orders)", "granularity": "month", "explain": true }))]
pub(crate) struct ComputeRequest {
    /// A formula that is not saved, answered under `formula`.
    pub(crate) formula: Option<Text<10000>>,
    /// Whether each value is opened.
    #[serde(default)]
    pub(crate) explain: bool,
    /// Keys or ids; the active metrics of sales and orders where none is named.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub(crate) metrics: Vec<Text<64>>,
    /// The first day; 29 days before the last one where it is left out.
    start_date: Option<Day>,
    /// The last day, which is in the range; today where it is left out. At most 366 days after the first.
    end_date: Option<Day>,
    /// How finely the range is cut.
    #[serde(default)]
    granularity: Granularity,
    /// What values are compared with.
    #[serde(default)]
    compare: Compare,
    /// A zone of the IANA database; the store's where it is left out.
    timezone: Option<Text<64>>,
    /// The currency whose rows count; the store's where it is left out.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    currency_code: Option<Text<3>>,
    /// Only what was sold in this sales channel.
    sales_channel_id: Option<SalesChannelId>,
    /// Only what was sold in this region.
    region_id: Option<RegionId>,
    /// Only what goes to this country, by two letters.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    country_code: Option<Text<2>>,
    /// Shared dimensions.
    #[serde(default)]
    #[schema(max_items = 2)]
    group_by: Vec<Text<64>>,
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
            group_by: self.group_by,
        }
    }
}

impl QuestionRequest {
    pub(crate) fn between(
        start_date: Option<Day>,
        end_date: Option<Day>,
        timezone: Option<Text<64>>,
    ) -> Self {
        Self { start_date, end_date, timezone, ..Self::default() }
    }

    /// The metrics by the names that were sent, and the question.
    ///
    /// # Errors
    /// 400 past a limit.
    pub(crate) fn into_parts(self) -> Result<(Vec<String>, SentQuestion), HttpError> {
        let too_many = |what: &str, limit: usize| {
            HttpError::invalid_data(format!("Invalid request: at most {limit} {what}"))
        };
        if self.metrics.len() > MAX_METRICS {
            return Err(too_many("metrics", MAX_METRICS));
        }
        if self.group_by.len() > MAX_GROUPS {
            return Err(too_many("dimensions in group_by", MAX_GROUPS));
        }
        check_letters("currency_code", self.currency_code.as_ref().map(Text::as_str), 3)?;
        check_letters("country_code", self.country_code.as_ref().map(Text::as_str), 2)?;
        let names = self.metrics.iter().flat_map(|sent| sent.as_str().split(','));
        let mut metrics: Vec<String> = Vec::new();
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            if !metrics.iter().any(|known| known == name) {
                metrics.push(name.to_owned());
            }
        }
        let sent = SentQuestion {
            start_date: self.start_date,
            end_date: self.end_date,
            granularity: self.granularity,
            compare: self.compare,
            timezone: self.timezone.map(String::from),
            currency_code: self.currency_code.map(String::from),
            sales_channel_id: self.sales_channel_id,
            region_id: self.region_id,
            country_code: self.country_code.map(String::from),
            group_by: self.group_by.into_iter().map(String::from).collect(),
        };
        Ok((metrics, sent))
    }
}

fn check_letters(field: &str, code: Option<&str>, count: usize) -> Result<(), HttpError> {
    let is_code = |code: &str| code.len() == count && code.bytes().all(|b| b.is_ascii_alphabetic());
    if code.is_none_or(is_code) {
        return Ok(());
    }
    let message = format!("Invalid request: Field '{field}': must be {count} letters");
    Err(HttpError::invalid_data(message).with_details(field, format!("must be {count} letters")))
}
