//! Requests that create and change metrics, in both naming styles.

use serde_json::{Map, Value};
use utoipa::openapi::ObjectBuilder;

use super::expected::Expected;
use crate::http::{HttpError, Patch, Text, request, text};
use crate::ids::MetricVersionId;
use crate::registry::edit::{MetricChange, NewMetric};
use crate::registry::metric::FormattingRules;
use crate::registry::spelling::requests_in_both_spellings;
use crate::registry::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility};

/// Limit: tags and declared dependencies of a metric.
const MAX_WORDS: usize = 100;

/// Converts texts of a request, unless there are too many.
pub(crate) fn words<const MAX: usize>(
    field: &str,
    texts: Vec<Text<MAX>>,
) -> Result<Vec<String>, HttpError> {
    if texts.len() > MAX_WORDS {
        let message = format!("Invalid request: Field '{field}': more than {MAX_WORDS} items");
        return Err(HttpError::invalid_data(message));
    }
    Ok(texts.into_iter().map(String::from).collect())
}

requests_in_both_spellings! {
    /// A new definition.
    #[schema(example = json!({
        "name": "Average order value", "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "data_type": "currency"
    }))]
    CreateDefinitionRequest,
    /// A new metric of the catalog.
    #[schema(example = json!({
        "name": "Average order value", "category": "sales", "scope": "store", "formula": "net_sales / order_count",
        "dataType": "currency", "dependencies": ["net_sales", "order_count"], "tags": ["board"]
    }))]
    CreateCatalogMetricRequest {
        /// The display name, from which the key is derived. Unique within the organisation.
        name: Text<120>,
        description: Option<Text<2000>>,
        /// The subject area; immutable.
        category: Category,
        /// The entity that a value describes; immutable.
        scope: Scope,
        /// The formula, which must compile.
        formula: Text<8192>,
        /// The type of the values; immutable in the catalog.
        data_type: DataType,
        formatting_rules: Option<FormattingRules>,
        /// Keys of the metrics that the formula uses; if given, they must be exactly those.
        #[schema(max_items = 100)]
        dependencies: Option<Vec<Text<64>>>,
        #[schema(max_items = 100)]
        tags: Option<Vec<Text<60>>>,
        /// The organisation that the metric belongs to; immutable.
        org_id: Option<Text<64>>,
        /// The owner; defaults to the caller. Only admins may name another user. Immutable.
        owner_id: Option<Text<64>>,
        /// The users who see the metric; defaults to everyone.
        visibility: Option<Visibility>,
        /// Whether the metric can never be removed; for admins only.
        is_system: Option<bool>,
    }
}

impl CreateDefinitionRequest {
    /// Converts the request, unless it exceeds a limit.
    pub(crate) fn read(self) -> Result<NewMetric, HttpError> {
        let dependencies = self.dependencies.map(|keys| words("dependencies", keys));
        Ok(NewMetric {
            name: self.name.into(),
            description: self.description.map(String::from),
            category: self.category,
            scope: self.scope,
            formula: self.formula.into(),
            data_type: self.data_type,
            formatting_rules: self.formatting_rules.unwrap_or_default(),
            dependencies: dependencies.transpose()?,
            tags: words("tags", self.tags.unwrap_or_default())?,
            org_id: self.org_id.map(String::from),
            owner_id: self.owner_id.map(String::from),
            visibility: self.visibility.unwrap_or(Visibility::Public),
            is_system: self.is_system.unwrap_or(false),
        })
    }
}

requests_in_both_spellings! {
    /// Changes of a definition; absent fields keep their value.
    #[schema(example = json!({ "formula": "net_sales / order_count default 0", "force_update": true }))]
    UpdateDefinitionRequest,
    /// Changes of a metric of the catalog; absent fields keep their value.
    #[schema(example = json!({ "formula": "net_sales / order_count default 0", "forceUpdate": true }))]
    UpdateCatalogMetricRequest {
        /// The display name; the key does not change.
        name: Option<Text<120>>,
        description: Patch<Text<2000>>,
        /// The formula, which must compile, as must all metrics that use it.
        formula: Option<Text<8192>>,
        formatting_rules: Option<FormattingRules>,
        /// Keys of the metrics that the formula uses; if given, they must be exactly those.
        #[schema(max_items = 100)]
        dependencies: Option<Vec<Text<64>>>,
        #[schema(max_items = 100)]
        tags: Option<Vec<Text<60>>>,
        /// The users who see the metric.
        visibility: Option<Visibility>,
        /// Whether the metric is active; an inactive one is computed only where drafts are.
        is_active: Option<bool>,
        /// Whether the metric can be changed only by force; the owner of a private one may unlock it.
        is_locked: Option<bool>,
        /// Why the metric changes, for its versions.
        note: Option<Text<500>>,
        /// Whether to override a lock; for admins only.
        force_update: Option<bool>,
    }
    and {
        /// The type of the values.
        data_type: Option<DataType>,
        /// On whose behalf the caller makes the change; defaults to the caller. The audit log names the caller in any case.
        updated_by: Option<Text<64>>,
    }
}

impl UpdateDefinitionRequest {
    /// Converts the request, unless it exceeds a limit.
    pub(crate) fn read(self) -> Result<MetricChange, HttpError> {
        let dependencies = self.dependencies.map(|sent| words("dependencies", sent));
        let tags = self.tags.map(|sent| words("tags", sent));
        Ok(MetricChange {
            data_type: self.data_type,
            updated_by: self.updated_by.map(String::from),
            note: self.note.map(String::from),
            name: self.name.map(String::from),
            description: self.description.map(String::from),
            formula: self.formula.map(String::from),
            formatting_rules: self.formatting_rules,
            dependencies: dependencies.transpose()?,
            tags: tags.transpose()?,
            visibility: self.visibility,
            is_active: self.is_active,
            is_locked: self.is_locked,
            force: self.force_update.unwrap_or(false),
        })
    }
}

/// The version to roll back to: its number or its id.
#[derive(Debug, Clone)]
pub(crate) struct VersionReference {
    pub(super) number: Option<u32>,
    pub(super) id: Option<MetricVersionId>,
    pub(super) force: bool,
}

requests_in_both_spellings! {
    /// The version to roll back to, by number or by id.
    #[schema(example = json!({ "version": 1 }))]
    RollbackRequest,
    /// The version to roll back to, by number or by id, with the catalog's names.
    #[schema(example = json!({ "version": 1 }))]
    CatalogRollbackRequest {
        /// The version's number.
        #[schema(minimum = 0, maximum = 4_294_967_295_u32)]
        version: Option<u32>,
        version_id: Option<MetricVersionId>,
        /// Whether to override a lock; for admins only.
        force_update: Option<bool>,
    }
}

impl From<RollbackRequest> for VersionReference {
    fn from(request: RollbackRequest) -> Self {
        let force = request.force_update.unwrap_or(false);
        Self { number: request.version, id: request.version_id, force }
    }
}

requests_in_both_spellings! {
    /// A new lifecycle state for a metric.
    #[schema(example = json!({ "state": "active" }))]
    LifecycleRequest,
    /// A new lifecycle state for a metric.
    #[schema(example = json!({ "state": "active" }))]
    CatalogLifecycleRequest {
        state: Lifecycle,
        /// Whether to override a lock, and to archive a metric that active alerts use; for admins only.
        force_update: Option<bool>,
    }
}

/// Limit: characters of a formula.
pub(crate) const MAX_FORMULA_CHARS: usize = 8192;

/// Returns the schema of a formula to check, which may be empty.
fn formula_schema() -> ObjectBuilder {
    text::described(MAX_FORMULA_CHARS)
}

requests_in_both_spellings! {
    /// A formula to check.
    #[schema(example = json!({ "formula": "net_sales / order_count", "metric_id": "average_order_value" }))]
    FormulaRequest,
    /// A formula to check.
    #[schema(example = json!({ "formula": "net_sales / order_count" }))]
    CatalogFormulaRequest {
        /// The formula; findings refer to positions in it as sent.
        #[schema(schema_with = formula_schema)]
        formula: String,
        /// The id or key of the metric that would get the formula.
        metric_id: Option<Text<120>>,
    }
}

/// A context with the expected result.
#[request]
#[schema(example = json!({ "context": { "net_sales": 100, "order_count": 4 }, "expected": "25 USD" }))]
pub(crate) struct ExampleRequest {
    /// The inputs.
    #[schema(value_type = Object)]
    pub(crate) context: Map<String, Value>,
    /// The expected result: a number, or a text with a constant as in formulas or `null (reason)`.
    pub(crate) expected: Expected,
    /// Overrides a lock; admins only.
    pub(crate) force_update: Option<bool>,
}
