//! `/admin/metrics/alerts`.

mod requests;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::alert::{Alert, AlertDelivery, StateChange};
use super::channel::Channel;
use super::delivery::{self, Notifier};
use super::edit::{self, AlertEditor};
use super::queries;
use super::routes::requests::{CreateAlertRequest, UpdateAlertRequest};
use super::{AlertError, Backtest};
use crate::MetricRegistry;
use crate::auth::{AdminAnalyst, AdminReader};
use crate::database::Db;
use crate::http::{Answer, Deleted, ErrorBody, HttpError, Json, ListRequest, Page, Path, ToSchema};
use crate::ids::AlertId;
use crate::registry::QUESTION_TIMEOUT;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_alerts, create_alert))
        .routes(routes!(show_alert, update_alert, delete_alert))
        .routes(routes!(list_alert_history))
        .routes(routes!(list_alert_deliveries))
        .routes(routes!(try_alert))
}

type AlertPage = Page<Alert>;
type AlertHistoryPage = Page<StateChange>;
type AlertDeliveryPage = Page<AlertDelivery>;
type DeletedAlert = Deleted<Alert>;

/// An alert.
#[derive(Debug, Serialize, ToSchema)]
struct AlertResponse {
    alert: Alert,
}

/// An alert that was created or changed.
#[derive(Debug, Serialize, ToSchema)]
struct AlertWrittenResponse {
    alert: Alert,
    /// How often it would have fired recently; null if it is paused and its metric is not computed.
    backtest: Option<Backtest>,
}

/// The outcome of testing an alert's channels.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "alert_01K9AVJ7W3S4T5X6Y7Z8A9B0C1", "delivered": 1, "results": [
    { "channel": { "type": "log" }, "delivered": true, "error": null },
    { "channel": { "type": "email", "to": "ops@shop.example" }, "delivered": false, "error": "Connection refused" }] }))]
struct AlertTrialResponse {
    id: AlertId,
    /// The number of channels that accepted the notification.
    delivered: usize,
    /// The channels in order.
    results: Vec<ChannelTrial>,
}

/// The outcome of testing a channel.
#[derive(Debug, Serialize, ToSchema)]
struct ChannelTrial {
    channel: Channel,
    /// Whether the channel accepted the notification.
    delivered: bool,
    /// The error if it did not.
    error: Option<String>,
}

fn editor(admin: &AdminAnalyst, notifier: &Notifier) -> AlertEditor {
    AlertEditor { id: admin.actor_id().to_owned(), policy: notifier.policy() }
}

/// List alerts
#[crate::http::operation(get, path = "/admin/metrics/alerts", tag = "Admin metrics: alerts", params(ListRequest<Alert>),
    responses((status = 200, description = "A page", body = AlertPage)))]
async fn list_alerts(
    State(db): State<Db>,
    admin: AdminReader,
    list: ListRequest<Alert>,
) -> Result<Answer, HttpError> {
    list.read::<_, AlertError>(db, move |tx, query, _| {
        Ok(queries::page(tx, query, admin.actor_id())?)
    })
    .await
}

/// Create an alert
///
/// The response says how often the alert would have fired in the last 90 days. A channel that cannot be delivered to is
/// refused with 400: an e-mail address if no mail server is configured, a webhook without a secret or with a private
/// address.
#[crate::http::operation(post, path = "/admin/metrics/alerts", tag = "Admin metrics: alerts",
    request_body = CreateAlertRequest,
    responses((status = 201, description = "The alert", body = AlertWrittenResponse),
              (status = 422, description = "The condition does not check, or is not true or false", body = ErrorBody)))]
async fn create_alert(
    State(state): State<AppState>,
    admin: AdminAnalyst,
    Json(request): Json<CreateAlertRequest>,
) -> Result<Response, HttpError> {
    let AppState { shared, registry, evaluator, notifier, .. } = state;
    let db = shared.db.clone();
    let (change, editor) = (request.change()?, editor(&admin, &notifier));
    let (tried, own) = (change.clone(), editor.clone());
    let backtest =
        db.read_within(QUESTION_TIMEOUT, move |tx| edit::try_new(tx, &evaluator, tried, &own));
    let backtest = Some(backtest.await?);
    let alert = db.write(move |tx| edit::create(tx, &registry, change, &editor)).await?;
    Ok((StatusCode::CREATED, Json(AlertWrittenResponse { alert, backtest })).into_response())
}

/// Show an alert
#[crate::http::operation(get, path = "/admin/metrics/alerts/{id}", tag = "Admin metrics: alerts",
    params(("id" = AlertId, Path, description = "The alert")),
    responses((status = 200, description = "The alert", body = AlertResponse)))]
async fn show_alert(
    State(db): State<Db>,
    State(registry): State<MetricRegistry>,
    admin: AdminReader,
    Path(id): Path<AlertId>,
) -> Result<Json<AlertResponse>, HttpError> {
    let alert = db.read(move |tx| edit::find(tx, &registry, &id, admin.actor_id())).await?;
    Ok(Json(AlertResponse { alert }))
}

/// Change an alert
///
/// The response says how often the alert would have fired in the last 90 days. An alert whose metric is not computed can
/// only be paused and deleted.
#[crate::http::operation(post, path = "/admin/metrics/alerts/{id}", tag = "Admin metrics: alerts",
    params(("id" = AlertId, Path, description = "The alert")), request_body = UpdateAlertRequest,
    responses((status = 200, description = "The alert", body = AlertWrittenResponse),
              (status = 422, description = "The condition does not check, or is not true or false", body = ErrorBody)))]
async fn update_alert(
    State(state): State<AppState>,
    admin: AdminAnalyst,
    Path(id): Path<AlertId>,
    Json(request): Json<UpdateAlertRequest>,
) -> Result<Json<AlertWrittenResponse>, HttpError> {
    let AppState { shared, registry, evaluator, notifier, .. } = state;
    let db = shared.db.clone();
    let (change, editor) = (request.change()?, editor(&admin, &notifier));
    let tried = (id.clone(), change.clone(), editor.clone());
    let backtest = db.read_within(QUESTION_TIMEOUT, move |tx| {
        let (id, change, editor) = tried;
        edit::try_change(tx, &evaluator, &id, change, &editor)
    });
    let backtest = backtest.await?;
    let alert = db.write(move |tx| edit::update(tx, &registry, (&id, change), &editor)).await?;
    Ok(Json(AlertWrittenResponse { alert, backtest }))
}

/// Delete an alert
///
/// Its history remains.
#[crate::http::operation(delete, path = "/admin/metrics/alerts/{id}", tag = "Admin metrics: alerts",
    params(("id" = AlertId, Path, description = "The alert")),
    responses((status = 200, description = "Deleted", body = DeletedAlert)))]
async fn delete_alert(
    State(state): State<AppState>,
    admin: AdminAnalyst,
    Path(id): Path<AlertId>,
) -> Result<Json<DeletedAlert>, HttpError> {
    let AppState { shared, registry, notifier, .. } = state;
    let db = shared.db.clone();
    let (deleted, editor) = (id.clone(), editor(&admin, &notifier));
    db.write(move |tx| edit::remove(tx, &registry, &deleted, &editor)).await?;
    Ok(Json(Deleted::new(id)))
}

/// Test an alert's channels
///
/// Sends a test notification to each channel immediately; the response says which ones accepted it. The alert does
/// not change.
#[crate::http::operation(post, path = "/admin/metrics/alerts/{id}/test", tag = "Admin metrics: alerts",
    params(("id" = AlertId, Path, description = "The alert")),
    responses((status = 200, description = "The outcome per channel", body = AlertTrialResponse)))]
async fn try_alert(
    State(state): State<AppState>,
    admin: AdminAnalyst,
    Path(id): Path<AlertId>,
) -> Result<Json<AlertTrialResponse>, HttpError> {
    let AppState { shared, registry, notifier, .. } = state;
    let db = shared.db.clone();
    let alert = db.read(move |tx| edit::find(tx, &registry, &id, admin.actor_id())).await?;
    let outcomes = delivery::try_out(&notifier, &alert).await.into_iter();
    let results: Vec<ChannelTrial> = outcomes
        .map(|(channel, outcome)| ChannelTrial {
            channel,
            delivered: outcome.is_ok(),
            error: outcome.err(),
        })
        .collect();
    let delivered = results.iter().filter(|trial| trial.delivered).count();
    Ok(Json(AlertTrialResponse { id: alert.id, delivered, results }))
}

/// List an alert's history
#[crate::http::operation(get, path = "/admin/metrics/alerts/{id}/history", tag = "Admin metrics: alerts",
    params(("id" = AlertId, Path, description = "The alert"), ListRequest<StateChange>),
    responses((status = 200, description = "A page", body = AlertHistoryPage)))]
async fn list_alert_history(
    State(db): State<Db>,
    State(registry): State<MetricRegistry>,
    admin: AdminReader,
    Path(id): Path<AlertId>,
    list: ListRequest<StateChange>,
) -> Result<Answer, HttpError> {
    list.read::<_, AlertError>(db, move |tx, query, _| {
        edit::find(tx, &registry, &id, admin.actor_id())?;
        Ok(queries::history(tx, query, &id)?)
    })
    .await
}

/// List deliveries of alerts
///
/// The deliveries to the channels in the last 90 days, with their latest responses.
#[crate::http::operation(get, path = "/admin/metrics/alert-deliveries", tag = "Admin metrics: alerts",
    params(ListRequest<AlertDelivery>),
    responses((status = 200, description = "A page", body = AlertDeliveryPage)))]
async fn list_alert_deliveries(
    State(db): State<Db>,
    admin: AdminReader,
    list: ListRequest<AlertDelivery>,
) -> Result<Answer, HttpError> {
    list.read::<_, AlertError>(db, move |tx, query, _| {
        Ok(queries::deliveries(tx, query, admin.actor_id())?)
    })
    .await
}
