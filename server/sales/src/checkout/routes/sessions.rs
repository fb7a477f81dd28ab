//! `/store/payment-sessions`: the attempts to pay a cart.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, FromRequestParts as _, Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::auth::Shop;
use crate::checkout::CheckoutError;
use crate::checkout::end_sessions::{self, SessionError};
use crate::http::{HttpError, Json, MAX_LIMIT, Query, ToSchema, request};
use crate::ids::{PaymentCollectionId, PaymentSessionId};
use crate::payments::view::SessionView;
use crate::state::PaymentState;
use crate::statuses::SessionStatus;

/// Limit: sessions in one deletion.
const MAX_SESSIONS: usize = 20;

/// Which sessions to list.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListSessionsQuery {
    #[serde(alias = "payment_collection_id")]
    collection_id: PaymentCollectionId,
    /// Only sessions with one of these statuses; unknown statuses are rejected.
    #[serde(default)]
    status: Vec<String>,
    /// Only sessions of one of these providers.
    #[serde(default)]
    provider_id: Vec<String>,
    /// `parked` also lists sessions that were started for an earlier total.
    include: Option<String>,
    #[serde(default = "default_limit")]
    #[param(maximum = 200)]
    limit: u16,
    #[serde(default)]
    #[param(maximum = 65535)]
    offset: u16,
}

fn default_limit() -> u16 {
    20
}

/// The sessions of a collection.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionListResponse {
    /// Oldest first.
    sessions: Vec<SessionView>,
    /// The total number on all pages.
    count: usize,
    collection_id: PaymentCollectionId,
}

/// The sessions to delete.
#[request]
pub(super) struct DeleteSessionsRequest {
    collection_id: PaymentCollectionId,
    /// At most 20.
    session_ids: Vec<PaymentSessionId>,
}

/// The sessions to delete: of the body, or of the query if the body is empty, because proxies may drop it.
pub(super) struct SessionsToDelete(DeleteSessionsRequest);

impl<S: Send + Sync> FromRequest<S> for SessionsToDelete {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        if request.body().is_end_stream() {
            let (mut parts, _empty) = request.into_parts();
            let Query(sessions) = Query::from_request_parts(&mut parts, state).await?;
            return Ok(Self(sessions));
        }
        let Json(sessions) = Json::from_request(request, state).await?;
        Ok(Self(sessions))
    }
}

/// The outcome of a deletion.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionsDeletedResponse {
    /// Whether none failed.
    success: bool,
    deleted: Vec<PaymentSessionId>,
    failed: Vec<PaymentSessionId>,
    errors: Vec<SessionError>,
    metadata: DeletionFacts,
}

/// Facts about a deletion.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeletionFacts {
    collection_id: PaymentCollectionId,
    requested: usize,
    /// The most calls of the provider for one session.
    attempts: u32,
    duration_ms: u128,
}

/// An error of these routes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionsErrorBody {
    message: String,
    #[schema(nullable = false)]
    error: Option<String>,
}

/// Lists the payment sessions of a collection.
#[crate::http::operation(get, path = "/store/payment-sessions", tag = "Store payments",
    params(ListSessionsQuery),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The sessions", body = SessionListResponse),
              (status = 400, description = "The collection is missing or a filter is wrong", body = SessionsErrorBody),
              (status = 500, description = "They cannot be read", body = SessionsErrorBody)))]
pub(super) async fn list_payment_sessions(
    State(PaymentState { db, .. }): State<PaymentState>,
    shop: Shop,
    query: Result<Query<ListSessionsQuery>, HttpError>,
) -> Result<Json<SessionListResponse>, HttpError> {
    let Query(query) = query.map_err(in_own_shape)?;
    if !query.status.iter().all(|word| SessionStatus::parse(word).is_some()) {
        return Err(refusal("`status` is no status of a payment session"));
    }
    if u32::from(query.limit) > MAX_LIMIT {
        return Err(refusal("`limit` is at most 200"));
    }
    let with_parked = match query.include.as_deref() {
        None => false,
        Some("parked") => true,
        Some(_) => return Err(refusal("`include` can only be `parked`")),
    };
    let collection_id = query.collection_id.clone();
    let sessions = db
        .read(move |tx| end_sessions::of_collection(tx, &collection_id, &shop))
        .await
        .map_err(|error: CheckoutError| in_own_shape(error.into()))?;
    let is_wanted = |session: &SessionView| {
        (query.status.is_empty() || query.status.iter().any(|word| word == session.status))
            && (query.provider_id.is_empty() || query.provider_id.contains(&session.provider_id))
    };
    let wanted: Vec<SessionView> = sessions
        .into_iter()
        .filter(|session| with_parked || session.parked_at.is_none())
        .map(SessionView::from)
        .filter(is_wanted)
        .collect();
    let count = wanted.len();
    let sessions = wanted.into_iter().skip(query.offset.into()).take(query.limit.into()).collect();
    Ok(Json(SessionListResponse { sessions, count, collection_id: query.collection_id }))
}

/// Deletes payment sessions of a collection. If the body is empty, `collection_id` and `session_ids` are read from the
/// query.
///
/// A session that is only started is deleted immediately. An authorized one is canceled at the provider first, in
/// three attempts; after that, the server keeps retrying on its own. A captured one stays, and so does that of a cart
/// which is completed or being completed.
#[crate::http::operation(delete, path = "/store/payment-sessions", tag = "Store payments", request_body = DeleteSessionsRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "What was deleted", body = SessionsDeletedResponse),
              (status = 400, description = "A session is not of the collection", body = SessionsErrorBody),
              (status = 409, description = "Another request about the payment is in progress; try again",
                  body = crate::http::ErrorBody),
              (status = 500, description = "They cannot be deleted", body = SessionsErrorBody)))]
pub(super) async fn delete_payment_sessions(
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    shop: Shop,
    request: Result<SessionsToDelete, HttpError>,
) -> Result<Json<SessionsDeletedResponse>, HttpError> {
    let started = Instant::now();
    let SessionsToDelete(request) = request.map_err(in_own_shape)?;
    let DeleteSessionsRequest { collection_id, mut session_ids } = request;
    if session_ids.is_empty() || session_ids.len() > MAX_SESSIONS {
        let message = format!("session_ids must name 1 to {MAX_SESSIONS} sessions");
        return Err(refusal(&message));
    }
    let mut named = BTreeSet::new();
    session_ids.retain(|id| named.insert(id.clone()));
    let requested = session_ids.len();
    let id = collection_id.clone();
    let ended = end_sessions::end(db, gateway, shop, id, session_ids)
        .await
        .map_err(|error| in_own_shape(error.into()))?;
    let mut response = SessionsDeletedResponse {
        success: true,
        deleted: Vec::new(),
        failed: Vec::new(),
        errors: Vec::new(),
        metadata: DeletionFacts {
            collection_id,
            requested,
            attempts: ended.attempts,
            duration_ms: Duration::as_millis(&started.elapsed()),
        },
    };
    for outcome in ended.outcomes {
        match outcome {
            Ok(id) => response.deleted.push(id),
            Err(error) => {
                response.success = false;
                response.failed.push(error.id.clone());
                response.errors.push(error);
            }
        }
    }
    Ok(Json(response))
}

fn refusal(message: &str) -> HttpError {
    HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "message": message }))
}

/// Converts an error to the body of these routes; errors about the caller's credentials stay
/// unchanged.
fn in_own_shape(error: HttpError) -> HttpError {
    match error.status() {
        StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => refusal(error.message()),
        _ => error.reshaped(&[StatusCode::INTERNAL_SERVER_ERROR], |error| {
            json!({ "message": "The payment sessions cannot be handled", "error": error.message() })
        }),
    }
}
