//! `…/rows` below a definition: the rows that a part of a metric's explanation counts.

use axum::extract::State;
use quotient::sql::RowsPage;
use serde::{Deserialize, Serialize};

use super::ComputeState;
use super::requests::QuestionRequest;
use crate::auth::AdminReader;
use crate::compute::counted::{self, CountedRowsView};
use crate::compute::records::ComputeContext;
use crate::compute::request::FiltersView;
use crate::compute::usable::usable;
use crate::http::{HttpError, Json, Path, Query, Text, ToSchema};
use crate::ids::{RegionId, SalesChannelId};
use crate::routes::day::Day;
use crate::routes::paging::{DEFAULT_PAGE_LEN, check_page};

/// A part of an explanation, and a page of its rows.
#[derive(Debug, Default, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RowsQuery {
    /// The number of the part: `aggregate` in the explanation of the same question.
    #[param(maximum = 4_000)]
    aggregate: u32,
    /// The first day; defaults to 29 days before the last day.
    start_date: Option<Day>,
    /// The last day, inclusive, at most ten years after the first; defaults to today.
    end_date: Option<Day>,
    /// An IANA time zone name; defaults to the store's.
    timezone: Option<Text<64>>,
    /// The currency whose rows are included; defaults to the store's.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{3}$", example = "usd")]
    currency_code: Option<Text<3>>,
    /// Only sales in this sales channel.
    sales_channel_id: Option<SalesChannelId>,
    /// Only sales in this region.
    region_id: Option<RegionId>,
    /// Only sales to this country, a two-letter code.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "gb")]
    country_code: Option<Text<2>>,
    /// Only rows that meet a condition in the formula language: `country = 'gb' and total > 50 GBP`.
    #[serde(rename = "where")]
    condition: Option<Text<2048>>,
    /// The maximum number of rows to return.
    #[param(minimum = 0, maximum = 200)]
    limit: Option<u32>,
    /// The number of rows to skip.
    #[param(minimum = 0, maximum = 10_000_000)]
    offset: Option<u32>,
}

/// The rows of a part.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CountedRowsResponse {
    /// The metric's key.
    metric: String,
    /// The part and its rows.
    #[serde(flatten)]
    counted: CountedRowsView,
    /// The question with its defaults filled in.
    filters: FiltersView,
}

/// Lists the rows that a part of a metric's explanation counts, newest first, with what they link to.
#[crate::http::operation(get, path = "/admin/metrics/definitions/{id}/rows", tag = "Admin metrics",
    params(("id" = Text<64>, Path, description = "An id or a key"), RowsQuery),
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "A page", body = CountedRowsResponse)))]
pub(super) async fn list_metric_rows(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Path(id): Path<Text<64>>,
    Query(query): Query<RowsQuery>,
) -> Result<Json<CountedRowsResponse>, HttpError> {
    let RowsQuery { aggregate, limit, offset, .. } = query;
    let page = RowsPage { offset: offset.unwrap_or(0), limit: limit.unwrap_or(DEFAULT_PAGE_LEN) };
    check_page(limit, page.offset)?;
    let question = QuestionRequest {
        start_date: query.start_date,
        end_date: query.end_date,
        timezone: query.timezone,
        currency_code: query.currency_code,
        sales_channel_id: query.sales_channel_id,
        region_id: query.region_id,
        country_code: query.country_code,
        condition: query.condition,
        ..QuestionRequest::default()
    };
    let (_, sent) = question.into_parts()?;
    let done = state.read(admin.actor_id(), move |ComputeContext { tx, snapshot, .. }, reader| {
        let metric = usable(snapshot, id.as_str(), reader, true)?;
        let question = sent.resolve(snapshot, tx.now())?;
        let found = counted::rows(tx, snapshot, (&metric.key, &question), (aggregate, page))?;
        let missing = || HttpError::not_found(format!("There is no part {aggregate} with rows"));
        let counted = found.ok_or_else(missing)?;
        let filters = FiltersView::of(&question, snapshot);
        Ok(CountedRowsResponse { metric: metric.key.clone(), counted, filters })
    });
    done.await.map(Json)
}
