//! Requests of the catalog other than those for definitions.

use serde::Deserialize;
use utoipa::openapi::ObjectBuilder;

use crate::http::{IntoParams, MAX_SEARCH_CHARS, request, text};
use crate::registry::default_metrics::DefaultMetric;

/// Parameters of the catalog's list beside its filters. The list parses them; this type only describes them.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct CatalogListQuery {
    /// Text to search for, same as `q`.
    #[param(schema_with = search_schema)]
    search: Option<String>,
}

fn search_schema() -> ObjectBuilder {
    text::described(MAX_SEARCH_CHARS)
}

/// Options for removing a metric.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct CatalogRemovalQuery {
    /// Whether to override a lock; for admins only.
    pub(super) force_update: Option<bool>,
}

/// The default metrics to create.
#[request]
#[schema(example = json!({ "names": ["example_daily_gmv"] }))]
pub(crate) struct SeedExamplesRequest {
    /// Names of default metrics; defaults to all.
    pub(super) names: Option<Vec<DefaultMetric>>,
}
