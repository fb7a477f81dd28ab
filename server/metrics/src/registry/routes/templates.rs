//! `/admin/metrics/templates` and `/admin/metrics/suggestions`.

use axum::extract::State;
use axum::http::StatusCode;
use quotient::types::Currency;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;

use super::definition::{
    DefinitionReader, DefinitionWriter, MetricView, WithEtag, with_etag, words,
};
use crate::auth::AdminReader;
use crate::database::Db;
use crate::http::{HttpError, Json, Path, Query, Text, ToSchema, request};
use crate::registry::edit::NewMetric;
use crate::registry::metric::FormattingRules;
use crate::registry::suggestions::{self, SuggestionsView};
use crate::registry::templates::{self, Parameter, ParameterKind, Template, TemplateInstance};
use crate::registry::vocabulary::{Category, DataType, Scope, Visibility};
use crate::routes::paging::{DEFAULT_PAGE_LEN, check_page, page};
use crate::state::AppState;
use crate::{MetricError, MetricRegistry};

/// A parameter of a template.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "name": "span", "type": "span", "default": "30 days", "description": "How far it looks back."
}))]
pub(super) struct ParameterView {
    name: &'static str,
    /// The type of the values.
    #[serde(rename = "type")]
    kind: ParameterKind,
    default: &'static str,
    /// The effect of the parameter.
    description: &'static str,
}

impl From<&Parameter> for ParameterView {
    fn from(parameter: &Parameter) -> Self {
        let Parameter { name, kind, default, description, .. } = parameter;
        Self { name, kind: *kind, default, description }
    }
}

/// A template for a metric.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "tmpl_gmv_trailing_30", "key": "gmv_trailing_30", "name": "GMV, last 30 days",
    "description": "The 30 days up to and including the last one.", "category": "sales",
    "formula": "trailing(gmv, 30 days)", "data_type": "currency", "uses": ["gmv"], "sources": ["orders"],
    "parameters": [{"name": "span", "type": "span", "default": "30 days", "description": "How far it looks back."}]
}))]
pub(super) struct TemplateView {
    /// The id, the same in every store.
    id: String,
    /// The name in formulas of other templates.
    key: &'static str,
    name: &'static str,
    description: Option<&'static str>,
    /// The subject area.
    category: Category,
    /// The formula with default parameters; amounts are in the store's currency.
    formula: String,
    /// The type of the values.
    data_type: DataType,
    /// Keys of the templates that the formula uses.
    uses: &'static [String],
    /// Sources whose rows it reads.
    sources: &'static [String],
    parameters: Vec<ParameterView>,
}

impl TemplateView {
    fn of(template: &'static Template, currency: Currency) -> Self {
        Self {
            id: template.id(),
            key: &template.key,
            name: &template.name,
            description: template.description.as_deref(),
            category: template.category,
            formula: template.formula_in(currency),
            data_type: template.data_type,
            uses: &template.uses,
            sources: &template.sources,
            parameters: template.parameters().map(Into::into).collect(),
        }
    }
}

/// A page of templates.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TemplateListResponse {
    templates: Vec<TemplateView>,
    /// The number of templates on all pages.
    count: usize,
    /// The number of templates before the page.
    offset: u32,
    /// The maximum number of templates on the page.
    limit: u32,
}

/// A template.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TemplateResponse {
    template: TemplateView,
}

/// Filters for templates.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct TemplateQuery {
    /// The subject area.
    category: Option<Category>,
    /// The maximum number of templates on the page.
    #[param(minimum = 0, maximum = 200, default = 20)]
    limit: Option<u32>,
    /// The number of templates before the page.
    #[serde(default)]
    #[param(minimum = 0, maximum = 10_000_000, default = 0)]
    offset: u32,
}

/// A metric created from a template.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InstantiatedResponse {
    metric: MetricView,
    /// Metrics that the formula uses and that the store lacked: created with it, as drafts.
    created: Vec<MetricView>,
}

/// The metric to create from a template; absent fields are taken from the template.
#[request]
#[schema(example = json!({ "name": "Large orders", "parameters": { "threshold": 500 } }))]
pub(super) struct InstantiateRequest {
    /// The display name, from which the key is derived; with the template's name, the key is the template's too.
    name: Text<120>,
    /// Values of parameters, by name: texts and numbers.
    #[schema(value_type = Option<Object>)]
    parameters: Option<Map<String, Value>>,
    description: Option<Text<2000>>,
    /// The subject area.
    category: Option<Category>,
    /// The entity that a value describes; defaults to the store.
    scope: Option<Scope>,
    /// The type of the values.
    data_type: Option<DataType>,
    formatting_rules: Option<FormattingRules>,
    #[schema(max_items = 100)]
    tags: Option<Vec<Text<60>>>,
    /// The organisation that the metric belongs to.
    org_id: Option<Text<64>>,
    /// The owner; defaults to the caller. Only admins may name another user.
    owner_id: Option<Text<64>>,
    /// The users who see the metric; defaults to everyone.
    visibility: Option<Visibility>,
}

impl InstantiateRequest {
    fn read(self, template: &'static Template) -> Result<TemplateInstance, HttpError> {
        let plain = template.metric("");
        let metric = NewMetric {
            name: self.name.into(),
            description: self.description.map(String::from).or(plain.description),
            category: self.category.unwrap_or(plain.category),
            scope: self.scope.unwrap_or(plain.scope),
            data_type: self.data_type.unwrap_or(plain.data_type),
            formatting_rules: self.formatting_rules.unwrap_or_default(),
            tags: words("tags", self.tags.unwrap_or_default())?,
            org_id: self.org_id.map(String::from),
            owner_id: self.owner_id.map(String::from),
            visibility: self.visibility.unwrap_or(plain.visibility),
            ..plain
        };
        Ok(TemplateInstance { template, parameters: self.parameters.unwrap_or_default(), metric })
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_metric_templates))
        .routes(routes!(show_metric_template))
        .routes(routes!(instantiate_metric_template))
        .routes(routes!(list_metric_suggestions))
}

async fn store_currency(db: &Db, registry: MetricRegistry) -> Result<Currency, MetricError> {
    db.read(move |tx| Ok(registry.snapshot(tx)?.currency())).await
}

fn template(id: &str) -> Result<&'static Template, HttpError> {
    let missing = || HttpError::not_found(format!("Metric template with id: {id} was not found"));
    templates::find(id).ok_or_else(missing)
}

/// Lists the templates, each after those that it uses.
#[crate::http::operation(get, path = "/admin/metrics/templates", tag = "Admin metrics", params(TemplateQuery),
    responses((status = 200, description = "A page", body = TemplateListResponse)))]
pub(super) async fn list_metric_templates(
    _admin: AdminReader,
    State(db): State<Db>,
    State(registry): State<MetricRegistry>,
    Query(query): Query<TemplateQuery>,
) -> Result<Json<TemplateListResponse>, HttpError> {
    let TemplateQuery { category, limit, offset } = query;
    check_page(limit, offset)?;
    let limit = limit.unwrap_or(DEFAULT_PAGE_LEN);
    let is_selected =
        |template: &&Template| category.is_none_or(|category| category == template.category);
    let selected: Vec<&'static Template> = templates::all().iter().filter(is_selected).collect();
    let currency = store_currency(&db, registry).await?;
    let templates = page(&selected, (limit, offset)).iter();
    let templates = templates.map(|template| TemplateView::of(template, currency));
    Ok(Json(TemplateListResponse {
        templates: templates.collect(),
        count: selected.len(),
        offset,
        limit,
    }))
}

/// Shows a template.
#[crate::http::operation(get, path = "/admin/metrics/templates/{id}", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The template", body = TemplateResponse)))]
pub(super) async fn show_metric_template(
    _admin: AdminReader,
    State(db): State<Db>,
    State(registry): State<MetricRegistry>,
    Path(id): Path<String>,
) -> Result<Json<TemplateResponse>, HttpError> {
    let currency = store_currency(&db, registry).await?;
    Ok(Json(TemplateResponse { template: TemplateView::of(template(&id)?, currency) }))
}

/// Creates a metric from a template, as a draft. Metrics that its formula uses and that the store lacks are created
/// too, as drafts with the keys of their templates, and listed in `created`.
#[crate::http::operation(post, path = "/admin/metrics/templates/{id}/instantiate", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key")),
    request_body = InstantiateRequest,
    responses((status = 201, description = "The metric", body = InstantiatedResponse),
        (status = 422, description = "The formula does not check in this store")))]
pub(super) async fn instantiate_metric_template(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<InstantiateRequest>,
) -> Result<WithEtag<InstantiatedResponse>, HttpError> {
    let instance = request.read(template(&id)?)?;
    let instantiated = work.make(move |tx, registry, editor| {
        let (metric, created) = templates::instantiate(tx, registry, instance, editor)?;
        let visible = registry.visible_to(tx, &editor.id)?;
        let created = created.into_iter().map(|metric| MetricView::of(&visible, metric)).collect();
        Ok((MetricView::of(&visible, metric), created))
    });
    let (metric, created) = instantiated.await?;
    Ok(with_etag(StatusCode::CREATED, metric, |metric| InstantiatedResponse { metric, created }))
}

/// Suggests metrics: formulas of existing metrics and placeholders with sensible units, unused templates with the data
/// that they lack, drafts that no metric uses, and equivalent metrics.
#[crate::http::operation(get, path = "/admin/metrics/suggestions", tag = "Admin metrics",
    responses((status = 200, description = "The suggestions", body = SuggestionsResponse)))]
pub(super) async fn list_metric_suggestions(
    reading: DefinitionReader,
) -> Result<Json<SuggestionsResponse>, HttpError> {
    let suggestions = reading.ask(suggestions::of).await?;
    Ok(Json(SuggestionsResponse { suggestions }))
}

/// Suggestions for metrics.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SuggestionsResponse {
    suggestions: SuggestionsView,
}
