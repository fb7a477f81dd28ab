//! Requests of the catalog beside definitions.

use serde::Deserialize;
use utoipa::openapi::ObjectBuilder;
use utoipa::{IntoParams, ToSchema};

use crate::http::{MAX_SEARCH_CHARS, Text, text};
use crate::registry::default_metrics::DefaultMetric;
use crate::registry::vocabulary::Lifecycle;

/// What a list of the catalog can be asked for beside its filters. The list reads it; this describes it.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct CatalogListQuery {
    /// Text to search for, as `q`.
    #[param(schema_with = searched)]
    search: Option<String>,
}

fn searched() -> ObjectBuilder {
    text::described(MAX_SEARCH_CHARS)
}

/// How a metric is removed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct CatalogRemovalQuery {
    /// Whether a lock is passed over; for admins.
    pub(super) force_update: Option<bool>,
}

/// The state that a metric is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({ "state": "active" }))]
pub(crate) struct CatalogLifecycleRequest {
    /// The state.
    pub(super) state: Lifecycle,
    /// Whether a lock is passed over; for admins.
    pub(super) force_update: Option<bool>,
}

/// Which metrics to begin with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "names": ["example_daily_gmv"] }))]
pub(crate) struct SeedExamplesRequest {
    /// Their names; all of them if left out.
    pub(super) names: Option<Vec<DefaultMetric>>,
}

/// A formula to be checked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({ "formula": "net_sales / order_count" }))]
pub(crate) struct CatalogFormulaRequest {
    /// The formula.
    pub(super) formula: Text<8000>,
    /// The id or key of a metric whose formula it is to be.
    pub(super) metric_id: Option<Text<120>>,
}
