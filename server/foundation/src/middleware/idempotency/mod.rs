//! Writing twice: a POST that carries an `Idempotency-Key` has its effect once, and its first answer again.
//!
//! Invariant: a key is taken and its request run in one task of their own, so that a client that leaves never
//! leaves a key taken for nothing, and the answer is kept also when nobody waits for it. What failed by our fault is not
//! kept, so that a retry can succeed, and neither is what was done by nobody we know. A secret that an answer shows is
//! not kept either: the answer that is given again is the one without it.

mod queries;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, RETRY_AFTER};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use tracing::Instrument;

use super::{Client, header};
use crate::clock::Timestamp;
use crate::database::{self, Db, Tx};
use crate::http::{HttpError, ReplayBody, read_body, request_id};
use queries::{KeyedRequest, StoredRequest};

/// For how long an answer is kept.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Limit: characters of a key.
const MAX_KEY_CHARS: usize = 255;

/// Limit: keys that are remembered because they could not be given back.
const MAX_FAILED: usize = 10_000;

/// Seconds after which the answer of a request that still runs may be asked for again.
const RUNNING_RETRY_AFTER_S: u64 = 1;

/// Where keys are kept.
#[derive(Debug, Clone)]
pub struct Keys {
    db: Db,
    /// What was left running before this instant was cut off by the end of an earlier process.
    started: Timestamp,
    /// What failed and could not be given back, because the database could not be written.
    failed: Failed,
}

/// Callers and their keys.
type Failed = Arc<Mutex<BTreeSet<(String, String)>>>;

impl Keys {
    /// The keys of a server that starts now.
    pub fn new(db: Db, started: Timestamp) -> Self {
        Self { db, started, failed: Failed::default() }
    }
}

/// Forgets the answers that are too old to be given again. Answers how many.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize, database::Error> {
    Ok(queries::delete_before(tx, oldest(tx.now()))?)
}

fn oldest(now: Timestamp) -> i64 {
    now.as_millis().saturating_sub(KEPT_MS)
}

/// Answers a POST under `/admin` or `/store` that carries a key.
pub(super) async fn replay(State(keys): State<Keys>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_kept = path.starts_with("/admin/") || path.starts_with("/store/");
    if request.method() != Method::POST || !is_kept {
        return next.run(request).await;
    }
    let Some(key) = request.headers().get("idempotency-key") else {
        return next.run(request).await;
    };
    match read_key(key) {
        Ok(key) => once(keys, key, request, next).await.unwrap_or_else(HttpError::into_response),
        Err(refused) => refused.into_response(),
    }
}

/// A key that is empty or cannot be kept as it is would not protect whoever sends it, so it is refused.
fn read_key(key: &HeaderValue) -> Result<String, HttpError> {
    let is_fine =
        (1..=MAX_KEY_CHARS).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic);
    let text = key.to_str().ok().filter(|_| is_fine).ok_or_else(|| {
        HttpError::invalid_data("Idempotency-Key must be 1 to 255 visible ASCII characters")
    })?;
    Ok(text.to_owned())
}

async fn once(
    keys: Keys,
    key: String,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let principal = principal(&request);
    let (parts, body) = request.into_parts();
    let body = read_body(body).await?;
    let place = Arc::new(KeyedRequest {
        principal,
        key,
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        body_sha256: digest(parts.uri.query(), &body),
    });
    let request = Request::from_parts(parts, Body::from(body));
    let work = request_id::scope(request_id::current(), claim_and_run(keys, place, request, next));
    match tokio::spawn(work.in_current_span()).await {
        Ok(answer) => answer,
        Err(gone) => Err(HttpError::unexpected(gone)),
    }
}

/// Runs the request if its key was free, and otherwise answers what its place holds.
async fn claim_and_run(
    keys: Keys,
    place: Arc<KeyedRequest>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let (claimed, started, failed) = (Arc::clone(&place), keys.started, Arc::clone(&keys.failed));
    let found = keys.db.write(move |tx| claim(tx, &claimed, started, &failed)).await?;
    match found {
        Some(kept) => answer_again(&place, kept),
        None => run(keys, place, request, next).await,
    }
}

/// Takes the place of a key, or answers what is there.
fn claim(
    tx: &Tx<'_>,
    place: &KeyedRequest,
    started: Timestamp,
    failed: &Failed,
) -> Result<Option<StoredRequest>, database::Error> {
    let id = place.id();
    let has_failed = failed.lock().unwrap_or_else(PoisonError::into_inner).contains(&id);
    let kept = queries::find(tx, place)?.filter(|kept| {
        let is_recent = kept.created_at > oldest(tx.now());
        let was_cut_off = kept.answer.is_none() && kept.created_at < started.as_millis();
        is_recent && !was_cut_off && !(has_failed && kept.answer.is_none())
    });
    if kept.is_none() {
        queries::put_running(tx, place, tx.now().as_millis())?;
        failed.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
    Ok(kept)
}

fn answer_again(place: &KeyedRequest, kept: StoredRequest) -> Result<Response, HttpError> {
    if !kept.is_for(place) {
        let message = "The Idempotency-Key was used for another request";
        return Err(HttpError::conflict(message));
    }
    let Some(answer) = kept.answer else {
        let retry_after = HeaderValue::from(RUNNING_RETRY_AFTER_S);
        return Err(HttpError::conflict("The request with this Idempotency-Key still runs")
            .with_header(RETRY_AFTER, retry_after));
    };
    let status = StatusCode::from_u16(answer.status).map_err(HttpError::unexpected)?;
    let mut response = (status, answer.body).into_response();
    let headers = response.headers_mut();
    headers.remove(CONTENT_TYPE);
    if let Some(value) = answer.content_type.and_then(|text| text.parse().ok()) {
        headers.insert(CONTENT_TYPE, value);
    }
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    Ok(response)
}

/// Runs the request and keeps its answer, or gives the place back when the fault is ours.
async fn run(
    keys: Keys,
    place: Arc<KeyedRequest>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let outcome =
        tokio::spawn(request_id::scope(request_id::current(), next.run(request)).in_current_span())
            .await;
    let response = match outcome {
        Ok(response) => response,
        Err(panicked) => HttpError::unexpected(panicked).into_response(),
    };
    let status = response.status();
    if status.is_server_error() || status == StatusCode::UNAUTHORIZED {
        let id = place.id();
        if keys.db.write(move |tx| give_back(tx, &place)).await.is_err() {
            let mut failed = keys.failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.len() >= MAX_FAILED {
                failed.pop_first();
            }
            failed.insert(id);
        }
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let body: Bytes = body.collect().await.map_err(HttpError::unexpected)?.to_bytes();
    let answer = queries::StoredResponse {
        status: parts.status.as_u16(),
        content_type: parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
        body: parts
            .extensions
            .remove::<ReplayBody>()
            .map_or_else(|| body.to_vec(), |kept| kept.0.to_vec()),
    };
    if let Err(error) = keys.db.write(move |tx| keep(tx, &place, &answer)).await {
        // What was done stands and is answered; only the same request again will be told that it runs.
        tracing::error!(%error, "an answer could not be kept");
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn give_back(tx: &Tx<'_>, place: &KeyedRequest) -> Result<(), database::Error> {
    Ok(queries::delete(tx, place)?)
}

fn keep(
    tx: &Tx<'_>,
    place: &KeyedRequest,
    answer: &queries::StoredResponse,
) -> Result<(), database::Error> {
    Ok(queries::put_done(tx, place, answer)?)
}

/// What was asked for, as a digest: a query may hold a secret as well.
fn digest(query: Option<&str>, body: &[u8]) -> Vec<u8> {
    let query = query.unwrap_or_default();
    let parts = Sha256::new().chain_update(query).chain_update([0]).chain_update(body);
    parts.finalize().to_vec()
}

/// Who sends a key, as a digest: whoever holds the credential, and without one the address. Two callers never share
/// a key, so none gets another's answer.
fn principal(request: &Request) -> String {
    let mut digest = Sha256::new();
    let own = [AUTHORIZATION.as_str(), COOKIE.as_str()];
    for name in own.into_iter().chain(["x-publishable-api-key"]) {
        digest.update(header(request, name).unwrap_or_default());
        digest.update([0]);
    }
    if own.iter().all(|name| header(request, name).is_none())
        && let Some(client) = request.extensions().get::<Client>()
    {
        digest.update(client.address.to_string());
    }
    hex::encode(digest.finalize())
}

#[cfg(test)]
mod tests;
