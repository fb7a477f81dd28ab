//! Views of a metric, in both spellings.

use serde::Serialize;
use utoipa::ToSchema;

use crate::RegistrySnapshot;
use crate::clock::Timestamp;
use crate::http::Shape;
use crate::ids::{MetricExampleId, MetricId, MetricVersionId};
use crate::registry::lineage;
use crate::registry::metric::{FormattingRules, Metric, VersionRow};
use crate::registry::number;
use crate::registry::spelling::in_both_spellings;
use crate::registry::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility};

/// What can be answered of a metric.
pub(crate) static DEFINITION: Shape = Shape {
    name: "metric",
    defaults: &[
        "id",
        "key",
        "name",
        "description",
        "category",
        "scope",
        "formula",
        "data_type",
        "formatting_rules",
        "dependencies",
        "tags",
        "org_id",
        "owner_id",
        "visibility",
        "is_system",
        "is_active",
        "is_locked",
        "state",
        "version",
        "hash",
        "problem",
        "created_by",
        "updated_by",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// The same as the catalog spells it.
pub(crate) static CATALOG_METRIC: Shape = Shape {
    name: "metric",
    defaults: &[
        "id",
        "key",
        "name",
        "description",
        "category",
        "scope",
        "formula",
        "dataType",
        "formattingRules",
        "dependencies",
        "tags",
        "orgId",
        "ownerId",
        "visibility",
        "isSystem",
        "isActive",
        "isLocked",
        "state",
        "version",
        "hash",
        "problem",
        "createdBy",
        "updatedBy",
        "createdAt",
        "updatedAt",
        "deletedAt",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

in_both_spellings! {
    /// A metric.
    #[schema(example = json!({
        "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "average_order_value", "name": "Average order value",
        "description": null, "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "data_type": "currency", "formatting_rules": {}, "dependencies": ["net_sales", "order_count"], "tags": [],
        "org_id": null, "owner_id": null, "visibility": "public", "is_system": false, "is_active": true,
        "is_locked": false, "state": "draft", "version": 1, "hash": "5f1d7c0a9b3e4d62", "problem": null,
        "created_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "updated_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        "created_at": "2026-11-21T10:00:00.000Z", "updated_at": "2026-11-21T10:00:00.000Z", "deleted_at": null
    }))]
    MetricView,
    /// A metric, in the catalog's spelling.
    #[schema(example = json!({
        "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "average_order_value", "name": "Average order value",
        "description": null, "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "dataType": "currency", "formattingRules": {}, "dependencies": ["net_sales", "order_count"], "tags": [],
        "orgId": null, "ownerId": null, "visibility": "public", "isSystem": false, "isActive": true,
        "isLocked": false, "state": "draft", "version": 1, "hash": "5f1d7c0a9b3e4d62", "problem": null,
        "createdBy": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "updatedBy": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        "createdAt": "2026-11-21T10:00:00.000Z", "updatedAt": "2026-11-21T10:00:00.000Z", "deletedAt": null
    }))]
    CatalogMetricView {
        /// Its identity.
        id: MetricId,
        /// The name formulas use; given once, so that another name breaks no formula.
        key: String,
        /// The name people read.
        name: String,
        /// What it means.
        description: Option<String>,
        /// What it is about.
        category: Category,
        /// The entity that a value is about.
        scope: Scope,
        /// Its formula as written.
        formula: String,
        /// What kind of value it has.
        data_type: DataType,
        /// How values are shown.
        formatting_rules: FormattingRules,
        /// Keys of the metrics that its formula names.
        dependencies: Vec<String>,
        /// Words to find it by.
        tags: Vec<String>,
        /// The organisation it belongs to.
        org_id: Option<String>,
        /// Whose it is.
        owner_id: Option<String>,
        /// Who sees it.
        visibility: Visibility,
        /// Whether it is never removed.
        is_system: bool,
        /// Whether it is used.
        is_active: bool,
        /// Whether it is changed by force only.
        is_locked: bool,
        /// How far it is released.
        state: Lifecycle,
        /// The number of its last version.
        version: u32,
        /// The hash of its formula's tree; metrics that say the same have the same.
        hash: Option<String>,
        /// Why its formula does not check any more, as after the store's currency changed.
        problem: Option<String>,
        /// Who made it.
        created_by: Option<String>,
        /// Who changed it last.
        updated_by: Option<String>,
        /// When it was made.
        created_at: Timestamp,
        /// When it was changed last.
        updated_at: Timestamp,
        /// When it was taken out; the state draft brings it back.
        deleted_at: Option<Timestamp>,
    }
}

in_both_spellings! {
    /// A version of a metric, never changed.
    #[schema(example = json!({
        "id": "metver_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "version": 2, "name": "Average order value",
        "formula": "net_sales / order_count", "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "data_type": "currency", "formatting_rules": {}, "author": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "note": null,
        "restored_from": null, "created_at": "2026-11-21T10:00:00.000Z"
    }))]
    VersionView,
    /// A version of a metric, in the catalog's spelling.
    #[schema(example = json!({
        "id": "metver_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "version": 2, "name": "Average order value",
        "formula": "net_sales / order_count", "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "dataType": "currency", "formattingRules": {}, "author": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "note": null,
        "restoredFrom": null, "createdAt": "2026-11-21T10:00:00.000Z"
    }))]
    CatalogVersionView {
        /// Its identity.
        id: MetricVersionId,
        /// 1, 2, 3 …
        version: u32,
        /// The name people read.
        name: String,
        /// The formula as written.
        formula: String,
        /// The formula in its one spelling.
        canonical: String,
        /// The hash of the formula's tree.
        hash: String,
        /// What kind of value it has.
        data_type: DataType,
        /// How values are shown.
        formatting_rules: FormattingRules,
        /// Who made it.
        author: Option<String>,
        /// Why.
        note: Option<String>,
        /// The version that it brought back.
        restored_from: Option<u32>,
        /// When it was made.
        created_at: Timestamp,
    }
}

impl VersionView {
    pub(super) fn of(row: VersionRow) -> Self {
        Self {
            id: row.id,
            version: row.number,
            name: row.name,
            formula: row.formula,
            canonical: row.canonical,
            hash: row.hash,
            data_type: row.data_type,
            formatting_rules: row.formatting_rules,
            author: row.author,
            note: row.note,
            restored_from: row.restored_from,
            created_at: row.created_at,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct MetricDetails {
    pub(crate) metric: Metric,
    dependencies: Vec<String>,
    hash: Option<String>,
    problem: Option<String>,
}

impl MetricDetails {
    pub(crate) fn of(snapshot: &RegistrySnapshot, metric: Metric) -> Self {
        let known = snapshot.registry().by_id(number(metric.seq));
        Self {
            dependencies: lineage::named(snapshot, &metric.key),
            hash: known.and_then(|known| known.version()).map(|version| version.hash.to_string()),
            problem: snapshot.broken().get(&metric.key).cloned(),
            metric,
        }
    }

    pub(crate) fn view(&self) -> MetricView {
        let Self { metric, dependencies, hash, problem } = self.clone();
        MetricView {
            id: metric.id,
            key: metric.key,
            name: metric.name,
            description: metric.description,
            category: metric.category,
            scope: metric.scope,
            formula: metric.formula,
            data_type: metric.data_type,
            formatting_rules: metric.formatting_rules,
            dependencies,
            tags: metric.tags,
            org_id: metric.org_id,
            owner_id: metric.owner_id,
            visibility: metric.visibility,
            is_system: metric.is_system,
            is_active: metric.is_active,
            is_locked: metric.is_locked,
            state: metric.state,
            version: metric.version,
            hash,
            problem,
            created_by: metric.created_by,
            updated_by: metric.updated_by,
            created_at: metric.created_at,
            updated_at: metric.updated_at,
            deleted_at: metric.deleted_at,
        }
    }
}

/// A context with the result that a metric must give for it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "metex_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "context": { "net_sales": 100, "order_count": 4 }, "expected": "25 USD",
    "created_at": "2026-11-21T10:00:00.000Z"
}))]
pub(crate) struct ExampleView {
    /// Its identity.
    pub(crate) id: MetricExampleId,
    /// The values that are given.
    #[schema(value_type = Object)]
    pub(crate) context: serde_json::Value,
    /// What the formula must give: a constant, or `null (reason)`.
    pub(crate) expected: String,
    /// When it was added.
    pub(crate) created_at: Timestamp,
}

/// What an example gave.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "metex_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "expected": "25 USD", "passed": false, "message": "it gives 20 USD"
}))]
pub(crate) struct ExampleOutcomeView {
    /// The example.
    pub(crate) id: MetricExampleId,
    /// What the formula must give.
    pub(crate) expected: String,
    /// Whether it does.
    pub(crate) passed: bool,
    /// What it gave instead.
    pub(crate) message: Option<String>,
}
