//! `…/explain`, `…/decompose`, `…/diff` below a definition: how a metric's value is computed, and why it changed.

use axum::extract::State;
use jiff::civil::Date;
use quotient::calendar::{Period, TimeUnit};
use serde::{Deserialize, Serialize};

use super::ComputeState;
use super::requests::QuestionRequest;
use crate::auth::AdminReader;
use crate::clock::Timestamp;
use crate::compute::Question;
use crate::compute::explanation::{self, DecompositionView, DiffView, ExplanationView};
use crate::compute::question::Compare;
use crate::compute::records::ComputeContext;
use crate::compute::request::FiltersView;
use crate::compute::usable::usable;
use crate::database::Tx;
use crate::http::{HttpError, Json, Path, Query, Text, ToSchema};
use crate::ids::{RegionId, SalesChannelId};
use crate::routes::day::Day;
use crate::{MetricError, RegistrySnapshot};

/// Limit: the largest version number.
const MAX_VERSION: u32 = 2_147_483_647;

/// The explanation of a value.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExplainResponse {
    /// The metric's key.
    metric: String,
    /// The tree of parts.
    explanation: ExplanationView,
    /// The question with its defaults filled in.
    filters: FiltersView,
}

/// The two sides to compare.
#[derive(Debug, Default, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SidesQuery {
    /// The first day of the later side; defaults to 29 days before its last day.
    start_date: Option<Day>,
    /// The last day of the later side; defaults to today.
    end_date: Option<Day>,
    /// The first day of the earlier side; defaults to the one that `compare` gives.
    from_start_date: Option<Day>,
    /// The last day of the earlier side; defaults to the one that `compare` gives.
    from_end_date: Option<Day>,
    /// The default days of the earlier side: the preceding period of the same length, or the same dates a year earlier. While the
    /// later side has not ended, only the corresponding part of these days counts.
    #[serde(default)]
    compare: Compare,
    /// An IANA time zone name; defaults to the store's.
    timezone: Option<Text<64>>,
    /// The time zone of the earlier side; defaults to that of the later side.
    from_timezone: Option<Text<64>>,
    /// The currency whose rows are included on both sides; defaults to the store's.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    currency_code: Option<Text<3>>,
    /// Only sales in this sales channel, on both sides.
    sales_channel_id: Option<SalesChannelId>,
    /// Only sales in this region, on both sides.
    region_id: Option<RegionId>,
    /// Only sales to this country, on both sides, a two-letter code.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    country_code: Option<Text<2>>,
    /// Only rows that meet a condition in the formula language, on both sides: `country = 'gb' and total > 50 GBP`.
    #[serde(rename = "where")]
    condition: Option<Text<2048>>,
    /// The metric's version on the earlier side; defaults to the latest.
    #[param(minimum = 1, maximum = 2_147_483_647)]
    from_version: Option<u32>,
    /// How many levels of metrics the formula is split into: 1 for those that it names, 2 for those that they name.
    #[param(minimum = 1, maximum = 16)]
    levels: Option<u32>,
}

struct ComparedQuestions {
    key: String,
    from_formula: String,
    from: Question,
    to: Question,
}

impl SidesQuery {
    /// Returns the number of levels. A diff does not use it but checks it too.
    fn checked_levels(&self) -> Result<u32, HttpError> {
        let within = |number: Option<u32>, least: u32, most: u32| {
            number.is_none_or(|number| (least..=most).contains(&number))
        };
        if !within(self.from_version, 1, MAX_VERSION) {
            let message = "Invalid request: Field 'from_version': must be 1 or more";
            return Err(HttpError::invalid_data(message));
        }
        if !within(self.levels, 1, 16) {
            return Err(HttpError::invalid_data(
                "Invalid request: Field 'levels': must be 1 to 16",
            ));
        }
        Ok(self.levels.unwrap_or(1))
    }

    fn resolve(
        self,
        context: ComputeContext<'_, '_>,
        id: &str,
        actor_id: &str,
    ) -> Result<ComparedQuestions, HttpError> {
        let metric = usable(context.snapshot, id, actor_id, true)?;
        let both = QuestionRequest {
            currency_code: self.currency_code,
            sales_channel_id: self.sales_channel_id,
            region_id: self.region_id,
            country_code: self.country_code,
            condition: self.condition,
            ..QuestionRequest::default()
        };
        let later = QuestionRequest {
            start_date: self.start_date,
            end_date: self.end_date,
            timezone: self.timezone.clone(),
            ..both.clone()
        };
        let now = context.tx.now();
        let to = later.into_parts()?.1.resolve(context.snapshot, now)?;
        let ((first, last), elapsed) = earlier(&to, self.compare, context.snapshot)
            .ok_or_else(|| HttpError::invalid_data("The range leaves the calendar"))?;
        let is_default = self.from_start_date.is_none() && self.from_end_date.is_none();
        let before = QuestionRequest {
            start_date: self.from_start_date.or(Some(Day(first))),
            end_date: self.from_end_date.or(Some(Day(last))),
            timezone: self.from_timezone.or(self.timezone),
            ..both
        };
        let from_now = if is_default && !to.has_ended() { elapsed } else { now };
        let from = before.into_parts()?.1.resolve(context.snapshot, from_now)?;
        // The latest version is the metric itself.
        let from_formula = match self.from_version.filter(|number| *number != metric.version) {
            None => metric.key.clone(),
            Some(number) => {
                let registered = context.snapshot.registry().metric(&metric.key);
                let mut versions = registered.into_iter().flat_map(|own| &own.versions);
                let version = versions.find(|version| version.number == number);
                let missing = || {
                    HttpError::not_found(format!(
                        "The metric `{}` has no version {number}",
                        metric.key
                    ))
                };
                version.ok_or_else(missing)?.definition.formula.clone()
            }
        };
        Ok(ComparedQuestions { key: metric.key.clone(), from_formula, from, to })
    }
}

/// Returns the days with which a query is compared, and the instant up to which they count, so that as much of them has
/// elapsed as of the query's own days.
fn earlier(
    question: &Question,
    compare: Compare,
    snapshot: &RegistrySnapshot,
) -> Option<((Date, Date), Timestamp)> {
    let calendar = snapshot.schema().store.calendar.clone().in_zone(&question.timezone).ok()?;
    let (start, end) = question.instants()?;
    let period = Period::new(start.to_jiff(), end.to_jiff()).seen_at(question.now.to_jiff());
    let earlier = match compare {
        Compare::PreviousYear => calendar.last(period, TimeUnit::Year)?,
        Compare::PreviousPeriod | Compare::None => calendar.previous(period, 1, true)?,
    };
    let last = calendar.date_of(earlier.end).yesterday().ok()?;
    Some(((calendar.date_of(earlier.start), last), earlier.as_of.into()))
}

/// A change split over inputs.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DecomposeResponse {
    /// The metric's key.
    metric: String,
    decomposition: DecompositionView,
    /// The earlier side.
    from: FiltersView,
    /// The later side.
    to: FiltersView,
}

/// The comparison of two answers.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DiffResponse {
    /// The metric's key.
    metric: String,
    /// The steps between them.
    diff: DiffView,
    /// The earlier side.
    from: FiltersView,
    /// The later side.
    to: FiltersView,
}

/// Explains a metric's value: each part of its formula, with the statements that ran.
#[crate::http::operation(get, path = "/admin/metrics/definitions/{id}/explain", tag = "Admin metrics",
    params(("id" = Text<64>, Path, description = "An id or a key"), QuestionRequest),
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The explanation", body = ExplainResponse)))]
pub(super) async fn explain_metric(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Path(id): Path<Text<64>>,
    Query(query): Query<QuestionRequest>,
) -> Result<Json<ExplainResponse>, HttpError> {
    let (_, sent) = query.into_parts()?;
    let done = state.read(admin.actor_id(), move |ComputeContext { tx, snapshot, .. }, reader| {
        let metric = usable(snapshot, id.as_str(), reader, true)?;
        let question = sent.resolve(snapshot, tx.now())?;
        let explanation = explanation::explain(tx, snapshot, &metric.key, &question)?;
        let filters = FiltersView::of(&question, snapshot);
        Ok(ExplainResponse { metric: metric.key.clone(), explanation, filters })
    });
    done.await.map(Json)
}

/// Splits the change of a metric between two periods over its inputs.
#[crate::http::operation(get, path = "/admin/metrics/definitions/{id}/decompose", tag = "Admin metrics",
    params(("id" = Text<64>, Path, description = "An id or a key"), SidesQuery),
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The decomposition", body = DecomposeResponse)))]
pub(super) async fn decompose_metric(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Path(id): Path<Text<64>>,
    Query(query): Query<SidesQuery>,
) -> Result<Json<DecomposeResponse>, HttpError> {
    let levels = usize::try_from(query.checked_levels()?).unwrap_or(1);
    compared(state, admin, id, query, move |tx, snapshot, sides| {
        let ComparedQuestions { key, from, to, .. } = sides;
        // The formula itself is split: a metric that is named alone would be its own only input.
        let metric = snapshot.metric(&key).map_or(&*key, |metric| &*metric.formula);
        let decomposition = explanation::decompose(tx, snapshot, (metric, levels), (&from, &to))?;
        let (from, to) = (FiltersView::of(&from, snapshot), FiltersView::of(&to, snapshot));
        Ok(DecomposeResponse { metric: key, decomposition, from, to })
    })
    .await
}

/// Lists the causes of the difference between two values of a metric, with amounts.
#[crate::http::operation(get, path = "/admin/metrics/definitions/{id}/diff", tag = "Admin metrics",
    params(("id" = Text<64>, Path, description = "An id or a key"), SidesQuery),
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The comparison", body = DiffResponse)))]
pub(super) async fn compare_metric(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Path(id): Path<Text<64>>,
    Query(query): Query<SidesQuery>,
) -> Result<Json<DiffResponse>, HttpError> {
    query.checked_levels()?;
    compared(state, admin, id, query, |tx, snapshot, sides| {
        let ComparedQuestions { key, from_formula, from, to } = sides;
        let diff = explanation::diff(tx, snapshot, (&from_formula, &from), (&key, &to))?;
        let (from, to) = (FiltersView::of(&from, snapshot), FiltersView::of(&to, snapshot));
        Ok(DiffResponse { metric: key, diff, from, to })
    })
    .await
}

/// Answers a query about the two sides of a comparison.
async fn compared<T: Send + 'static>(
    state: ComputeState,
    admin: AdminReader,
    id: Text<64>,
    query: SidesQuery,
    answer: impl FnOnce(&Tx<'_>, &RegistrySnapshot, ComparedQuestions) -> Result<T, MetricError>
    + Send
    + 'static,
) -> Result<Json<T>, HttpError> {
    let done = state.read(admin.actor_id(), move |context, reader| {
        let sides = query.resolve(context, id.as_str(), reader)?;
        Ok(answer(context.tx, context.snapshot, sides)?)
    });
    done.await.map(Json)
}
