//! `/admin/webhook-endpoints`: where events are sent.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{
    CreateEndpointRequest, NoRequest, RotateSecretRequest, UpdateEndpointRequest,
};
use crate::auth::AdminWriter;
use crate::database::Table as _;
use crate::http::{Answer, Fields, HttpError, Json, One, OneRequest, Path, ToSchema};
use crate::ids::{EventId, WebhookEndpointId};
use crate::resource::AdminRoutes;
use crate::state::AppState;
use crate::webhooks::error::WebhookError;
use crate::webhooks::outbound::endpoint::{self, WebhookEndpoint};
use crate::webhooks::outbound::send::call;
use crate::webhooks::state::WebhookState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<WebhookEndpoint, _>::at("/admin/webhook-endpoints", "Admin webhooks")
        .list()
        .show()
        .delete_by(endpoint::delete)
        .note("What waits for it is given up.")
        .router()
        .routes(routes!(create_webhook_endpoint))
        .routes(routes!(update_webhook_endpoint))
        .routes(routes!(rotate_webhook_endpoint_secret))
        .routes(routes!(test_webhook_endpoint))
}

type EndpointResponse = One<WebhookEndpoint>;

/// Returns the response with the secret, and the one for repetitions, without it.
fn with_secret(
    fields: &Fields<WebhookEndpoint>,
    endpoint: WebhookEndpoint,
) -> Result<Answer, HttpError> {
    let answer = fields.answer(&endpoint)?;
    let again = fields.answer(&WebhookEndpoint { secret: None, ..endpoint })?;
    Ok(answer.once(again))
}

/// Register an endpoint
///
/// Deliveries are signed according to Standard Webhooks, with the secret that only this response contains. Hosts
/// with private addresses are never called; redirects are not followed.
#[crate::http::operation(post, path = "/admin/webhook-endpoints", tag = "Admin webhooks", params(Fields<WebhookEndpoint>),
    request_body = CreateEndpointRequest,
    responses((status = 200, description = "The endpoint with its secret", body = EndpointResponse)))]
async fn create_webhook_endpoint(
    admin: AdminWriter,
    State(WebhookState { db, inbox, .. }): State<WebhookState>,
    fields: Fields<WebhookEndpoint>,
    Json(request): Json<CreateEndpointRequest>,
) -> Result<Answer, HttpError> {
    let (change, allows_private) = (request.change()?, inbox.sender.allows_private());
    let created =
        db.write(move |tx| endpoint::create(tx, change, allows_private, admin.actor_id())).await?;
    with_secret(&fields, created)
}

/// Change an endpoint
#[crate::http::operation(post, path = "/admin/webhook-endpoints/{id}", tag = "Admin webhooks",
    params(("id" = WebhookEndpointId, Path, description = "The endpoint"), Fields<WebhookEndpoint>),
    request_body = UpdateEndpointRequest,
    responses((status = 200, description = "The endpoint", body = EndpointResponse)))]
async fn update_webhook_endpoint(
    admin: AdminWriter,
    State(WebhookState { db, inbox, .. }): State<WebhookState>,
    Path(id): Path<WebhookEndpointId>,
    fields: Fields<WebhookEndpoint>,
    Json(request): Json<UpdateEndpointRequest>,
) -> Result<Answer, HttpError> {
    let (change, allows_private) = (request.change()?, inbox.sender.allows_private());
    let changed = db
        .write(move |tx| endpoint::update(tx, &id, change, allows_private, admin.actor_id()))
        .await?;
    fields.answer(&changed)
}

/// Replace the secret of an endpoint
///
/// This response shows the new one. For some hours deliveries have a signature by each.
#[crate::http::operation(post, path = "/admin/webhook-endpoints/{id}/rotate-secret", tag = "Admin webhooks",
    params(("id" = WebhookEndpointId, Path, description = "The endpoint"), Fields<WebhookEndpoint>),
    request_body = RotateSecretRequest,
    responses((status = 200, description = "The endpoint with its new secret", body = EndpointResponse)))]
async fn rotate_webhook_endpoint_secret(
    OneRequest { caller: admin, db, id, fields }: OneRequest<
        AdminWriter,
        WebhookEndpointId,
        WebhookEndpoint,
    >,
    Json(request): Json<RotateSecretRequest>,
) -> Result<Answer, HttpError> {
    let hours = request.hours()?;
    let rotated = db.write(move |tx| endpoint::rotate(tx, &id, hours, admin.actor_id())).await?;
    with_secret(&fields, rotated)
}

/// An endpoint's response to a test.
#[derive(Debug, Serialize, ToSchema)]
struct TestEndpointResponse {
    /// Whether it was taken.
    delivered: bool,
    #[schema(example = 204)]
    status: Option<u16>,
    duration_ms: i64,
    /// Why it was not taken.
    error: Option<String>,
    /// The first KiB of the response.
    answer: Option<String>,
}

/// Try an endpoint
///
/// Sends `webhook.test` once, even if the endpoint is disabled; nothing is stored or retried.
#[crate::http::operation(post, path = "/admin/webhook-endpoints/{id}/test", tag = "Admin webhooks",
    params(("id" = WebhookEndpointId, Path, description = "The endpoint")), request_body = NoRequest,
    responses((status = 200, description = "The answer", body = TestEndpointResponse)))]
async fn test_webhook_endpoint(
    _admin: AdminWriter,
    State(WebhookState { db, inbox, clock, .. }): State<WebhookState>,
    Path(id): Path<WebhookEndpointId>,
    Json(NoRequest {}): Json<NoRequest>,
) -> Result<Json<TestEndpointResponse>, HttpError> {
    let endpoint = db.read(move |tx| WebhookEndpoint::require::<WebhookError>(tx, &id)).await?;
    let (at, started_ms) = (clock.now(), clock.steady_ms());
    let body = json!({ "type": "webhook.test", "timestamp": at, "data": { "id": endpoint.id } });
    let event = EventId::new();
    let answer = call(&inbox.sender, &endpoint, event.as_str(), &body.to_string(), at).await;
    let duration_ms = clock.steady_ms().saturating_sub(started_ms);
    let error = match &answer {
        Ok(answer) => answer.accepted().err(),
        Err(error) => Some(error.to_string()),
    };
    let answer = answer.ok();
    Ok(Json(TestEndpointResponse {
        delivered: error.is_none(),
        status: answer.as_ref().map(|answer| answer.status.as_u16()),
        duration_ms,
        error,
        answer: answer.map(|answer| answer.text),
    }))
}
