//! Requests that make and change metrics, in both spellings.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::http::{HttpError, Patch, Text};
use crate::ids::MetricVersionId;
use crate::registry::edit::{MetricChange, NewMetric};
use crate::registry::metric::FormattingRules;
use crate::registry::vocabulary::{Category, DataType, Scope, Visibility};

/// Limit: tags of a metric, and dependencies that are said.
const MAX_WORDS: usize = 100;

/// Texts that were sent, unless there are too many.
fn words<const MAX: usize>(field: &str, sent: Vec<Text<MAX>>) -> Result<Vec<String>, HttpError> {
    if sent.len() > MAX_WORDS {
        let message = format!("Invalid request: Field '{field}': more than {MAX_WORDS} items");
        return Err(HttpError::invalid_data(message));
    }
    Ok(sent.into_iter().map(String::from).collect())
}

/// What a surface read, as all of them understand it.
pub(crate) trait EditRequest<T> {
    /// The same in the words of edits.
    ///
    /// # Errors
    /// 400 past a limit.
    fn read(self) -> Result<T, HttpError>;
}

/// A new definition.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "name": "Average order value", "category": "sales", "scope": "store", "formula": "net_sales / order_count",
    "data_type": "currency"
}))]
pub(crate) struct CreateDefinitionRequest {
    /// The name people read; its key follows from it. No other in the organisation has it.
    name: Text<120>,
    /// What it means.
    description: Option<Text<2000>>,
    /// What it is about; never changed.
    category: Category,
    /// The entity that a value is about; never changed.
    scope: Scope,
    /// Its formula, which must check.
    formula: Text<8000>,
    /// What kind of value it has.
    data_type: DataType,
    /// How values are shown.
    formatting_rules: Option<FormattingRules>,
    /// Keys of the metrics that the formula names: if they are given, exactly those.
    #[schema(max_items = 100)]
    dependencies: Option<Vec<Text<64>>>,
    /// Words to find it by.
    #[schema(max_items = 100)]
    tags: Option<Vec<Text<60>>>,
    /// The organisation it belongs to; never changed.
    org_id: Option<Text<64>>,
    /// Whose it is; the caller's if left out. Never changed.
    owner_id: Option<Text<64>>,
    /// Who sees it; everyone if left out.
    visibility: Option<Visibility>,
    /// Whether it is never removed; for admins.
    is_system: Option<bool>,
}

/// A new metric of the catalog.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Average order value", "category": "sales", "scope": "store", "formula": "net_sales / order_count",
    "dataType": "currency", "dependencies": ["net_sales", "order_count"], "tags": ["board"]
}))]
pub(crate) struct CreateCatalogMetricRequest {
    /// The name people read; its key follows from it. No other in the organisation has it.
    name: Text<120>,
    /// What it means.
    description: Option<Text<2000>>,
    /// What it is about; never changed.
    category: Category,
    /// The entity that a value is about; never changed.
    scope: Scope,
    /// Its formula, which must check.
    formula: Text<8000>,
    /// What kind of value it has; never changed here.
    data_type: DataType,
    /// How values are shown.
    formatting_rules: Option<FormattingRules>,
    /// Keys of the metrics that the formula names: if they are given, exactly those.
    #[schema(max_items = 100)]
    dependencies: Option<Vec<Text<64>>>,
    /// Words to find it by.
    #[schema(max_items = 100)]
    tags: Option<Vec<Text<60>>>,
    /// Who sees it; everyone if left out.
    visibility: Option<Visibility>,
    /// The organisation it belongs to; never changed.
    org_id: Option<Text<64>>,
    /// Whose it is; the caller's if left out. Never changed.
    owner_id: Option<Text<64>>,
    /// Whether it is never removed; for admins.
    is_system: Option<bool>,
}

macro_rules! reads_new_metric {
    ($request:ident) => {
        impl EditRequest<NewMetric> for $request {
            fn read(self) -> Result<NewMetric, HttpError> {
                let dependencies = self.dependencies.map(|sent| words("dependencies", sent));
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
    };
}

reads_new_metric!(CreateDefinitionRequest);
reads_new_metric!(CreateCatalogMetricRequest);

/// Changes of a definition; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "formula": "net_sales / order_count default 0", "force_update": true }))]
pub(crate) struct UpdateDefinitionRequest {
    /// The name people read; the key stays.
    name: Option<Text<120>>,
    /// What it means.
    #[serde(default)]
    description: Patch<Text<2000>>,
    /// Its formula, which must check, as must all that is built on it.
    formula: Option<Text<8000>>,
    /// What kind of value it has.
    data_type: Option<DataType>,
    /// How values are shown.
    formatting_rules: Option<FormattingRules>,
    /// Keys of the metrics that the formula names: if they are given, exactly those.
    #[schema(max_items = 100)]
    dependencies: Option<Vec<Text<64>>>,
    /// Words to find it by.
    #[schema(max_items = 100)]
    tags: Option<Vec<Text<60>>>,
    /// Who sees it.
    visibility: Option<Visibility>,
    /// Whether it is used.
    is_active: Option<bool>,
    /// Whether it is changed by force only.
    is_locked: Option<bool>,
    /// Taken and not believed: who changed it is who sent the credential.
    #[serde(rename = "updated_by")]
    _updated_by: Option<Text<64>>,
    /// Whether a lock is passed over; for admins.
    force_update: Option<bool>,
}

/// Changes of a metric of the catalog; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({ "formula": "net_sales / order_count default 0", "forceUpdate": true }))]
pub(crate) struct UpdateCatalogMetricRequest {
    /// The name people read; the key stays.
    name: Option<Text<120>>,
    /// What it means.
    #[serde(default)]
    description: Patch<Text<2000>>,
    /// Its formula, which must check, as must all that is built on it.
    formula: Option<Text<8000>>,
    /// How values are shown.
    formatting_rules: Option<FormattingRules>,
    /// Keys of the metrics that the formula names: if they are given, exactly those.
    #[schema(max_items = 100)]
    dependencies: Option<Vec<Text<64>>>,
    /// Words to find it by.
    #[schema(max_items = 100)]
    tags: Option<Vec<Text<60>>>,
    /// Who sees it.
    visibility: Option<Visibility>,
    /// Whether it is used.
    is_active: Option<bool>,
    /// Whether it is changed by force only.
    is_locked: Option<bool>,
    /// Whether a lock is passed over; for admins.
    force_update: Option<bool>,
}

macro_rules! reads_change {
    ($request:ident, $data_type:expr) => {
        impl EditRequest<MetricChange> for $request {
            fn read(self) -> Result<MetricChange, HttpError> {
                let data_type: fn(&Self) -> Option<DataType> = $data_type;
                let dependencies =
                    self.dependencies.clone().map(|sent| words("dependencies", sent));
                let tags = self.tags.clone().map(|sent| words("tags", sent));
                Ok(MetricChange {
                    data_type: data_type(&self),
                    name: self.name.map(String::from),
                    description: self.description.sent().map(|sent| sent.map(String::from)),
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
    };
}

reads_change!(UpdateDefinitionRequest, |request| request.data_type);
reads_change!(UpdateCatalogMetricRequest, |_request| None);

/// The version to go back to: its number or its id.
#[derive(Debug, Clone)]
pub(crate) struct WhichVersion {
    pub(super) number: Option<u32>,
    pub(super) id: Option<MetricVersionId>,
    pub(super) force: bool,
}

/// Which version to go back to, by its number or by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "version": 1 }))]
pub(crate) struct RollbackRequest {
    /// Its number.
    #[schema(minimum = 0, maximum = 4_294_967_295_u32)]
    version: Option<u32>,
    /// Its id.
    version_id: Option<MetricVersionId>,
    /// Whether a lock is passed over; for admins.
    force_update: Option<bool>,
}

/// Which version to go back to, by its number or by its id, in the catalog's spelling.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({ "version": 1 }))]
pub(crate) struct CatalogRollbackRequest {
    /// Its number.
    #[schema(minimum = 0, maximum = 4_294_967_295_u32)]
    version: Option<u32>,
    /// Its id.
    version_id: Option<MetricVersionId>,
    /// Whether a lock is passed over; for admins.
    force_update: Option<bool>,
}

impl From<RollbackRequest> for WhichVersion {
    fn from(request: RollbackRequest) -> Self {
        let force = request.force_update.unwrap_or(false);
        Self { number: request.version, id: request.version_id, force }
    }
}

impl From<CatalogRollbackRequest> for WhichVersion {
    fn from(request: CatalogRollbackRequest) -> Self {
        let force = request.force_update.unwrap_or(false);
        Self { number: request.version, id: request.version_id, force }
    }
}

/// A formula to be checked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "formula": "net_sales / order_count", "metric_id": "average_order_value" }))]
pub(crate) struct FormulaRequest {
    /// The formula.
    pub(crate) formula: Text<8000>,
    /// The id or key of a metric whose formula it is to be.
    pub(crate) metric_id: Option<Text<120>>,
}

/// A context with the result that the metric must give for it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "context": { "net_sales": 100, "order_count": 4 }, "expected": "25 USD" }))]
pub(crate) struct ExampleRequest {
    /// The values that are given.
    #[schema(value_type = Object)]
    pub(crate) context: Map<String, Value>,
    /// What the formula must give: a constant as formulas write it, or `null (reason)`.
    pub(crate) expected: Text<200>,
}
