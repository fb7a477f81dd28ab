//! Rehearsals of a draft.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::Serialize;
use serde_json::{Map, Value};

use super::TAG;
use crate::auth::AdminReader;
use crate::database::{Db, Table as _, Tx};
use crate::definition::flow::Flow;
use crate::definition::{FlowError, check};
use crate::http::{HttpError, Json, Path, Refusal, ToSchema, request};
use crate::ids::FlowId;
use crate::insight::rehearsal::{self, Backtest, Deed, StepView};

/// A record, and what its visitor does.
#[request]
#[schema(example = json!({
    "record": { "order_total": { "amount": 42.5, "currency": "USD" }, "skus": ["MUG"] }, "answers": { "socks": "decline" },
}))]
pub(super) struct SimulateFlowRequest {
    /// The names that conditions read; others are unknown.
    #[schema(value_type = Object)]
    record: Map<String, Value>,
    /// What the visitor does, by the keys of buttons; by default they accept.
    answers: Option<BTreeMap<String, Deed>>,
}

/// The way of a record.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowSimulationResponse {
    path: Vec<StepView>,
}

/// The days of a backtest.
#[request]
#[schema(example = json!({ "days": 30 }))]
pub(super) struct BacktestFlowRequest {
    #[schema(minimum = 1, maximum = 365)]
    days: i64,
}

/// What past orders would have met.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowBacktestResponse {
    backtest: Backtest,
}

/// Returns a flow with a draft that checks.
fn checked(tx: &Tx<'_>, id: &FlowId) -> Result<Flow, FlowError> {
    let mut flow = Flow::require::<FlowError>(tx, id)?;
    let rules = (flow.currency, flow.redirect_hosts.as_slice());
    let mut draft = flow.draft.clone();
    let validation = check::check(tx, &mut draft, rules)?;
    if !validation.valid {
        return Err(FlowError::Invalid(validation.errors));
    }
    flow.draft = draft;
    Ok(flow)
}

/// Rehearse a draft with a record
///
/// Returns the way of the record, with the value of each condition and how it comes about. Writes nothing.
#[crate::http::operation(post, path = "/admin/flows/{id}/simulate", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow")),
    request_body = SimulateFlowRequest,
    responses((status = 200, description = "The way", body = FlowSimulationResponse),
              (status = 422, description = "Everything that is wrong with the draft")))]
pub(super) async fn simulate_flow(
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
    let path = rehearsal::simulate(&flow.draft, flow.currency, (request.record, &answers));
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
pub(super) async fn backtest_flow(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    Json(request): Json<BacktestFlowRequest>,
) -> Result<Json<FlowBacktestResponse>, HttpError> {
    let days = request.days;
    if !(1..=365).contains(&days) {
        return Err(Refusal::invalid("Field 'days' must be from 1 to 365").into());
    }
    let flow = db.read(move |tx| checked(tx, &id)).await?;
    let backtest = db.read(move |tx| rehearsal::backtest(tx, &flow.draft, (flow.currency, days)));
    let backtest = backtest.await.map_err(crate::sessions::error::SessionError::general)?;
    Ok(Json(FlowBacktestResponse { backtest }))
}
