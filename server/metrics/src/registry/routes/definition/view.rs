//! Views of a metric, in both naming styles, and their tags: an edit based on an older state of a metric is refused.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use quotient_foundation::digest::sha256_hex;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::http::{self, IfMatch, Json, Resource, ToSchema};
use crate::ids::{MetricExampleId, MetricId};
use crate::registry::lineage;
use crate::registry::metric::{FormattingRules, Metric};
use crate::registry::number;
use crate::registry::queries::metrics::{CATALOG, METRICS};
use crate::registry::spelling::in_both_spellings;
use crate::registry::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility, kind};
use crate::{MetricError, RegistrySnapshot};

in_both_spellings! {
    /// A metric.
    #[derive(Resource)]
    #[resource(name = "metric", list = METRICS)]
    #[schema(example = json!({
        "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "average_order_value", "name": "Average order value",
        "description": null, "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "data_type": "currency", "unit": "EUR", "formatting_rules": {}, "dependencies": ["net_sales", "order_count"], "tags": [],
        "org_id": null, "owner_id": null, "visibility": "public", "is_system": false, "is_active": true,
        "is_locked": false, "state": "draft", "version": 1, "hash": "5f1d7c0a9b3e4d62", "problem": null,
        "created_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "updated_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        "created_at": "2026-11-21T10:00:00.000Z", "updated_at": "2026-11-21T10:00:00.000Z", "deleted_at": null
    }))]
    MetricView,
    /// A metric, with the catalog's names.
    #[derive(Resource)]
    #[resource(name = "metric", list = CATALOG)]
    #[schema(example = json!({
        "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "average_order_value", "name": "Average order value",
        "description": null, "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "dataType": "currency", "unit": "EUR", "formattingRules": {}, "dependencies": ["net_sales", "order_count"], "tags": [],
        "orgId": null, "ownerId": null, "visibility": "public", "isSystem": false, "isActive": true,
        "isLocked": false, "state": "draft", "version": 1, "hash": "5f1d7c0a9b3e4d62", "problem": null,
        "createdBy": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "updatedBy": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        "createdAt": "2026-11-21T10:00:00.000Z", "updatedAt": "2026-11-21T10:00:00.000Z", "deletedAt": null
    }))]
    CatalogMetricView {
        id: MetricId,
        /// The name in formulas; it never changes, so that renaming the metric breaks no formula.
        key: String,
        name: String,
        description: Option<String>,
        /// The subject area.
        category: Category,
        /// The entity that a value describes.
        scope: Scope,
        /// The formula as written.
        formula: String,
        /// The type of the values.
        data_type: DataType,
        /// The currency of the values, or what they count; none if they have no unit or the formula does not compile.
        unit: Option<String>,
        formatting_rules: FormattingRules,
        /// Keys of the metrics that the formula uses.
        dependencies: Vec<String>,
        tags: Vec<String>,
        /// The organisation that the metric belongs to.
        org_id: Option<String>,
        owner_id: Option<String>,
        /// The users who see the metric.
        visibility: Visibility,
        /// Whether the metric can never be removed.
        is_system: bool,
        /// Whether the metric is in use.
        is_active: bool,
        /// Whether the metric can be changed only by force; the owner of a private one may unlock it.
        is_locked: bool,
        state: Lifecycle,
        /// The number of the latest version.
        version: u32,
        /// The hash of the formula's syntax tree; equivalent metrics have the same one.
        hash: Option<String>,
        /// Why the formula no longer compiles, for example after the store's currency changed.
        problem: Option<String>,
        created_by: Option<String>,
        /// The last editor.
        updated_by: Option<String>,
        /// When the metric was created.
        created_at: Timestamp,
        /// When the metric was last changed.
        updated_at: Timestamp,
        /// When the metric was removed; setting the state draft restores it.
        deleted_at: Option<Timestamp>,
    }
}

impl MetricView {
    pub(crate) fn of(snapshot: &RegistrySnapshot, metric: Metric) -> Self {
        let registered = snapshot.registry().by_id(number(metric.seq));
        let formula = snapshot.engine().compiled(&metric.key).ok();
        Self {
            unit: formula.and_then(|formula| kind(formula.ty()).1),
            dependencies: lineage::named(snapshot, &metric),
            hash: registered
                .and_then(|registered| registered.version())
                .map(|version| version.hash.to_string()),
            problem: snapshot.broken().get(&metric.key).cloned(),
            id: metric.id,
            key: metric.key,
            name: metric.name,
            description: metric.description,
            category: metric.category,
            scope: metric.scope,
            formula: metric.formula,
            data_type: metric.data_type,
            formatting_rules: metric.formatting_rules,
            tags: metric.tags,
            org_id: metric.org_id,
            owner_id: metric.owner_id,
            visibility: metric.visibility,
            is_system: metric.is_system,
            is_active: metric.is_active,
            is_locked: metric.is_locked,
            state: metric.state,
            version: metric.version,
            created_by: metric.created_by,
            updated_by: metric.updated_by,
            created_at: metric.created_at,
            updated_at: metric.updated_at,
            deleted_at: metric.deleted_at,
        }
    }
}

/// Rejects an edit if the metric is in none of the named states.
pub(super) fn check_etag(matching: &IfMatch, metric: &MetricView) -> Result<(), MetricError> {
    let is_current = matching.admits(&tag(metric));
    if is_current { Ok(()) } else { Err(MetricError::Changed(metric.key.clone())) }
}

/// Returns a tag that changes with every field of the view.
fn tag(view: &MetricView) -> String {
    sha256_hex(serde_json::to_vec(view).unwrap_or_default())
}

/// A response with the metric's tag.
pub(crate) type WithEtag<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// Builds the response for a metric, with the naming of the surface.
pub(crate) fn with_etag<T: Serialize>(
    status: StatusCode,
    metric: MetricView,
    body: impl FnOnce(MetricView) -> T,
) -> WithEtag<T> {
    (status, http::etag(&tag(&metric)), Json(body(metric)))
}

/// A context with the expected result.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "example of a metric")]
#[schema(example = json!({
    "id": "metex_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "context": { "net_sales": 100, "order_count": 4 }, "expected": "25 USD",
    "created_at": "2026-11-21T10:00:00.000Z"
}))]
pub(crate) struct ExampleView {
    pub(crate) id: MetricExampleId,
    /// The inputs.
    #[schema(value_type = Object)]
    pub(crate) context: serde_json::Value,
    /// The expected result: a constant, or `null (reason)`.
    pub(crate) expected: String,
    /// When it was added.
    pub(crate) created_at: Timestamp,
}

/// The result of running an example.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "metex_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "expected": "25 USD", "passed": false, "message": "it gives 20 USD"
}))]
pub(crate) struct ExampleOutcomeView {
    pub(crate) id: MetricExampleId,
    pub(crate) expected: String,
    /// Whether the formula gives the expected result.
    pub(crate) passed: bool,
    /// The actual result if it differs.
    pub(crate) message: Option<String>,
}
