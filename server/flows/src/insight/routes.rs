//! `/admin/flows/{id}/simulate`, `backtest` and `submissions`, `/admin/flow-sessions`.

use std::collections::BTreeMap;

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;
use utoipa_axum::router::OpenApiRouter;

use super::queries;
use super::rehearsal::{self, Backtest, RehearsalAction, StepView};
use super::submission::{self, SessionDetails, Submission};
use crate::audit_log::{self, EntityType};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Listable as _, Table as _, Tx};
use crate::definition::flow::Flow;
use crate::definition::{FlowError, check};
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Path, Refusal, ToSchema, request};
use crate::ids::{FlowId, FlowSessionId};
use crate::sessions::error::SessionError;
use crate::sessions::session::Session;
use crate::state::AppState;

const TAG: &str = "Admin flows";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(simulate_flow))
        .routes(routes!(backtest_flow))
        .routes(routes!(list_flow_submissions))
        .routes(routes!(show_flow_session))
        .routes(routes!(erase_flow_session))
}

/// A record, and the visitor's actions.
#[request]
#[schema(example = json!({
    "record": { "order_total": { "amount": 42.5, "currency": "USD" }, "skus": ["MUG"] }, "answers": { "socks": "decline" },
}))]
struct SimulateFlowRequest {
    /// The names that conditions read; others are null.
    #[schema(value_type = Object)]
    record: Map<String, Value>,
    /// The visitor's actions by button key; defaults to accepting.
    answers: Option<BTreeMap<String, RehearsalAction>>,
}

/// The path of a record.
#[derive(Debug, Serialize, ToSchema)]
struct FlowSimulationResponse {
    path: Vec<StepView>,
}

/// The days of a backtest.
#[request]
#[schema(example = json!({ "days": 30 }))]
struct BacktestFlowRequest {
    #[schema(minimum = 1, maximum = 365)]
    days: i64,
}

/// What past orders would have been shown.
#[derive(Debug, Serialize, ToSchema)]
struct FlowBacktestResponse {
    backtest: Backtest,
}

/// Returns a flow with a valid draft.
fn checked(tx: &Tx<'_>, id: &FlowId) -> Result<Flow, FlowError> {
    let mut flow = Flow::require::<FlowError>(tx, id)?;
    check::require_valid(tx, &mut flow.draft, (flow.currency, &flow.redirect_hosts))?;
    Ok(flow)
}

/// Rehearse a draft with a record
///
/// Returns the path of the record, with the value of each condition and its explanation. Writes nothing.
#[crate::http::operation(post, path = "/admin/flows/{id}/simulate", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow")),
    request_body = SimulateFlowRequest,
    responses((status = 200, description = "The way", body = FlowSimulationResponse),
              (status = 422, description = "Everything that is wrong with the draft")))]
async fn simulate_flow(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    Json(request): Json<SimulateFlowRequest>,
) -> Result<Json<FlowSimulationResponse>, HttpError> {
    let text = Value::Object(request.record.clone()).to_string();
    if let Err(error) = quotient::data::Record::from_json(&text) {
        return Err(Refusal::invalid(format!("Field 'record': {error}")).into());
    }
    let flow = db.read(move |tx| checked(tx, &id)).await?;
    let answers = request.answers.unwrap_or_default();
    let path = rehearsal::simulate(&flow.draft, flow.currency, request.record, &answers);
    Ok(Json(FlowSimulationResponse { path }))
}

/// Rehearse a draft with past orders
///
/// Counts the buttons that the orders of the last days would have reached. Writes nothing.
#[crate::http::operation(post, path = "/admin/flows/{id}/backtest", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow")),
    request_body = BacktestFlowRequest,
    responses((status = 200, description = "The counts", body = FlowBacktestResponse),
              (status = 422, description = "Everything that is wrong with the draft")))]
async fn backtest_flow(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    Json(request): Json<BacktestFlowRequest>,
) -> Result<Json<FlowBacktestResponse>, HttpError> {
    let days = request.days;
    if !(1..=365).contains(&days) {
        return Err(Refusal::invalid("Field 'days' must be from 1 to 365").into());
    }
    let read = db.read(move |tx| {
        let flow = checked(tx, &id)?;
        let orders = rehearsal::past_orders(tx, (flow.currency, days))?;
        Ok::<_, HttpError>((flow, orders))
    });
    let (flow, orders) = read.await?;
    let count = move || rehearsal::backtest(&flow.draft, flow.currency, &orders);
    let backtest = spawn_blocking(count).await.map_err(HttpError::unexpected)?;
    Ok(Json(FlowBacktestResponse { backtest }))
}

type SubmissionListResponse = Page<Submission>;

/// A session with its journey.
#[derive(Debug, Serialize, ToSchema)]
struct FlowSessionResponse {
    flow_session: SessionDetails,
}

/// List a flow's submissions
///
/// What shoppers did at the flow's buttons, in all versions.
#[crate::http::operation(get, path = "/admin/flows/{id}/submissions", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), ListRequest<Submission>),
    responses((status = 200, description = "A page", body = SubmissionListResponse)))]
async fn list_flow_submissions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    list: ListRequest<Submission>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, _| {
        Flow::require::<FlowError>(tx, &id)?;
        let query = query.narrow("p.flow_id = ?", [id.as_str().to_owned().into()]);
        Ok::<_, FlowError>(Submission::page(tx, query)?)
    })
    .await
}

/// Show a session of a flow
///
/// Its journey with the conditions that determined it, and its answers.
#[crate::http::operation(get, path = "/admin/flow-sessions/{id}", tag = TAG,
    params(("id" = FlowSessionId, Path, description = "The session")),
    responses((status = 200, description = "The session", body = FlowSessionResponse)))]
async fn show_flow_session(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowSessionId>,
) -> Result<Json<FlowSessionResponse>, HttpError> {
    let flow_session = db.read(move |tx| submission::details(tx, &id)).await?;
    Ok(Json(FlowSessionResponse { flow_session }))
}

/// Erase what a person wrote in a session
///
/// Its answers, reasons and the visitor's context are deleted; figures stay. Its tokens become invalid.
#[crate::http::operation(post, path = "/admin/flow-sessions/{id}/erase", tag = TAG,
    params(("id" = FlowSessionId, Path, description = "The session")),
    responses((status = 200, description = "The session", body = FlowSessionResponse)))]
async fn erase_flow_session(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowSessionId>,
) -> Result<Json<FlowSessionResponse>, HttpError> {
    let flow_session = db
        .write(move |tx| {
            let session = Session::require::<SessionError>(tx, &id)?;
            queries::erase(tx, &id)?;
            let entity = (EntityType::Flow, session.flow_id.as_str());
            let states = (None, Some(serde_json::json!({ "session_id": id })));
            audit_log::record_change(tx, entity, "erase_session", states, admin.actor_id())?;
            submission::details(tx, &id)
        })
        .await?;
    Ok(Json(FlowSessionResponse { flow_session }))
}
