//! Idempotency: a POST with an `Idempotency-Key` takes effect once, and repetitions get its first response.
//!
//! Invariant: claiming a key and running its request happen in a separate task, so that a disconnecting client never
//! leaves a claimed key without a result, and the response is stored even if nobody waits for it. The first
//! transaction of the request that changes anything also records that it did, so that a request whose response was
//! lost by a crash or an internal error never runs twice: a retry runs if the first request changed nothing, and is a
//! conflict otherwise. Refusals that pass, such as 429, are not stored: the next repetition runs. Only callers with valid
//! credentials use keys. Secrets are not stored: replays omit them.

mod queries;

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};

use super::{Caller, Client, header};
use crate::clock::{DAY_MS, Timestamp};
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::http::{HttpError, ReplayBody, read_body};
use queries::{KeyedRequest, Progress, StoredRequest};

/// How long a response is stored.
const RETENTION_MS: i64 = DAY_MS;

/// Limit: characters of a key.
const MAX_KEY_CHARS: usize = 255;

/// Limit: keys remembered because releasing them failed.
const MAX_FAILED: usize = 10_000;

/// The headers that are stored with a response. Others are about its connection, or set by later middleware; a cookie is a
/// secret.
const REPLAYED: [HeaderName; 4] = [CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, LOCATION];

#[derive(Debug, Clone)]
pub struct Keys {
    db: Db,
    /// Requests that were running before this instant were interrupted by the end of an earlier process.
    started: Timestamp,
    /// Requests without stored response whose keys could not be released, because the database could not be written.
    failed: Failed,
    /// The file whose lock this process holds as the only server of the database, if it does.
    lock: Arc<Mutex<Option<File>>>,
}

type Failed = Arc<Mutex<BTreeSet<(String, String)>>>;

impl Keys {
    pub fn new(db: Db, started: Timestamp) -> Self {
        Self { db, started, failed: Failed::default(), lock: Arc::default() }
    }

    /// Claims a key, or returns the stored request.
    fn claim(
        &self,
        tx: &Tx<'_>,
        place: &KeyedRequest,
    ) -> Result<Option<StoredRequest>, database::Error> {
        let id = place.id();
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stored =
            queries::find(tx, place)?.filter(|stored| stored.created_at > oldest(tx.now()));
        if let Some(earlier) = &mut stored
            && (failed.contains(&id) || self.was_cut_off(earlier))
        {
            match earlier.progress {
                Progress::Running => stored = None,
                Progress::Committed => earlier.progress = Progress::Lost,
                Progress::Lost | Progress::Done(_) => {}
            }
        }
        if stored.is_none() {
            queries::put_running(tx, place)?;
            failed.remove(&id);
        }
        Ok(stored)
    }

    /// Releases a key whose response is not stored; if the request changed something, a repetition is refused.
    async fn release(&self, place: Arc<KeyedRequest>) {
        let id = place.id();
        if self.db.write(move |tx| queries::release(tx, &place)).await.is_err() {
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.len() >= MAX_FAILED {
                failed.pop_first();
            }
            failed.insert(id);
        }
    }

    /// Forgets a key whose response is not final, so that a repetition runs, if nothing was changed. Returns whether it was
    /// forgotten.
    async fn forget(&self, place: &Arc<KeyedRequest>) -> bool {
        let place = Arc::clone(place);
        let forgotten = self.db.write(move |tx| queries::forget(tx, &place)).await;
        forgotten.unwrap_or_else(|error| {
            tracing::error!(%error, "a key could not be forgotten");
            false
        })
    }

    /// Returns whether a request without response was running in a process that has ended.
    fn was_cut_off(&self, stored: &StoredRequest) -> bool {
        stored.created_at < self.started && self.is_alone()
    }

    /// Returns whether no other process serves the file: this one holds the lock of a file beside it.
    fn is_alone(&self) -> bool {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.is_none() {
            let mut path = self.db.path().as_os_str().to_owned();
            path.push("-server");
            *lock = File::create(path).ok().filter(|file| file.try_lock().is_ok());
        }
        lock.is_some()
    }
}

/// Deletes expired responses and returns how many.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize, database::Error> {
    queries::delete_before(tx, oldest(tx.now()))
}

fn oldest(now: Timestamp) -> Timestamp {
    now.minus_ms(RETENTION_MS)
}

pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Said to a repetition while the first request runs.
pub const STILL_RUNS: &str = "The request with this Idempotency-Key still runs";

/// Said to a repetition of a request whose response was lost.
pub const RESPONSE_LOST: &str = "The request with this Idempotency-Key took effect, but its response was lost: \
     read what it changed";

/// Handles a POST under `/admin` or `/store` with a key.
pub(super) async fn replay(
    State(keys): State<Arc<Keys>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_covered = path.starts_with("/admin/") || path.starts_with("/store/");
    let extensions = request.extensions();
    let is_admitted = extensions.get::<Caller>().is_some_and(|caller| caller.is_admitted)
        && extensions.get::<MatchedPath>().is_some();
    if request.method() != Method::POST || !is_covered || !is_admitted {
        return next.run(request).await;
    }
    let Some(key) = sent_key(request.headers()) else {
        return next.run(request).await;
    };
    match key {
        Ok(key) => once(keys, key, request, next).await.unwrap_or_else(HttpError::into_response),
        Err(refused) => refused.into_response(),
    }
}

/// Returns the key of a request. Of two keys, a proxy might choose the other one.
fn sent_key(headers: &HeaderMap) -> Option<Result<String, HttpError>> {
    let mut all = headers.get_all(IDEMPOTENCY_KEY).iter();
    let key = read_key(all.next()?);
    Some(match all.next() {
        None => key,
        Some(_) => Err(HttpError::invalid_data("Idempotency-Key must be sent once")),
    })
}

/// A key that is empty or cannot be stored unchanged would not protect its sender, so it is rejected.
fn read_key(key: &HeaderValue) -> Result<String, HttpError> {
    let is_fine =
        (1..=MAX_KEY_CHARS).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic);
    let text = key.to_str().ok().filter(|_| is_fine).ok_or_else(|| {
        HttpError::invalid_data("Idempotency-Key must be 1 to 255 visible ASCII characters")
    })?;
    Ok(text.to_owned())
}

async fn once(
    keys: Arc<Keys>,
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
    match Context::current().spawn(claim_and_run(keys, place, request, next)).await {
        Ok(answer) => answer,
        Err(gone) => Err(HttpError::unexpected(gone)),
    }
}

/// Runs the request if its key is free, and otherwise returns the stored response.
async fn claim_and_run(
    keys: Arc<Keys>,
    place: Arc<KeyedRequest>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let (claimed, claims) = (Arc::clone(&place), Arc::clone(&keys));
    let stored = keys.db.write(move |tx| claims.claim(tx, &claimed)).await?;
    match stored {
        Some(stored) => answer_again(&place, stored),
        None => run(keys, place, request, next).await,
    }
}

fn answer_again(place: &KeyedRequest, stored: StoredRequest) -> Result<Response, HttpError> {
    if !stored.is_for(place) {
        let message = "The Idempotency-Key was used for another request";
        return Err(HttpError::conflict(message));
    }
    let answer = match stored.progress {
        Progress::Running | Progress::Committed => {
            return Err(HttpError::busy(STILL_RUNS));
        }
        Progress::Lost => return Err(HttpError::conflict(RESPONSE_LOST)),
        Progress::Done(answer) => answer,
    };
    let status = StatusCode::from_u16(answer.status).map_err(HttpError::unexpected)?;
    let mut response = (status, answer.body).into_response();
    let headers = response.headers_mut();
    headers.remove(CONTENT_TYPE);
    for name in REPLAYED {
        if let Some(value) = answer.headers.get(name.as_str()).and_then(|text| text.parse().ok()) {
            headers.insert(name, value);
        }
    }
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    Ok(response)
}

/// Runs the request and stores its response, or releases the key after an internal error, for a stream, and after a
/// refusal that is about this moment.
async fn run(
    keys: Arc<Keys>,
    place: Arc<KeyedRequest>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let marked = Arc::clone(&place);
    let context =
        Context::current().with_mark(move |connection| queries::put_committed(connection, &marked));
    let response = match context.spawn(next.run(request)).await {
        Ok(response) => response,
        Err(panicked) => HttpError::unexpected(panicked).into_response(),
    };
    let status = response.status();
    // A stream is not stored: it may be a large file.
    let is_stream = response.body().size_hint().exact().is_none();
    if status.is_server_error() || status == StatusCode::UNAUTHORIZED || is_stream {
        keys.release(place).await;
        return Ok(response);
    }
    let is_passing = [StatusCode::CONFLICT, StatusCode::TOO_MANY_REQUESTS].contains(&status)
        || response.headers().contains_key(RETRY_AFTER);
    if is_passing && keys.forget(&place).await {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let body: Bytes = body.collect().await.map_err(HttpError::unexpected)?.to_bytes();
    let answer = queries::StoredResponse {
        status: parts.status.as_u16(),
        headers: REPLAYED.iter().filter_map(|name| replayed(&parts.headers, name)).collect(),
        body: parts
            .extensions
            .remove::<ReplayBody>()
            .map_or_else(|| body.to_vec(), |replay| replay.0.to_vec()),
    };
    let stored = Arc::clone(&place);
    if let Err(error) = keys.db.write(move |tx| queries::put_done(tx, &stored, &answer)).await {
        tracing::error!(%error, "a response could not be stored");
        keys.release(place).await;
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// Returns the name and the value of a header that is stored.
fn replayed(headers: &HeaderMap, name: &HeaderName) -> Option<(String, String)> {
    let value = headers.get(name)?.to_str().ok()?;
    Some((name.to_string(), value.to_owned()))
}

/// Returns a digest of the request, since the query may contain a secret too.
fn digest(query: Option<&str>, body: &[u8]) -> Vec<u8> {
    let query = query.unwrap_or_default();
    let parts = Sha256::new().chain_update(query).chain_update([0]).chain_update(body);
    parts.finalize().to_vec()
}

/// Returns a digest of the caller, since callers must not share a key: one would get another's response. It is not made of
/// the headers, because a caller may repeat a request with another token, and with other cookies of the page. Guests have
/// no valid credential: they are identified by the resource whose id they know, or else by their address, which may change.
fn principal(request: &Request) -> String {
    let mut digest = Sha256::new();
    let extensions = request.extensions();
    let id = extensions.get::<Caller>().and_then(|caller| caller.id.as_deref());
    for value in [id, header(request, "x-publishable-api-key")] {
        digest.update(value.unwrap_or_default());
        digest.update([0]);
    }
    if id.is_none() {
        let route = extensions.get::<MatchedPath>();
        if route.is_some_and(|route| route.as_str().contains('{')) {
            digest.update(request.uri().path());
        } else if let Some(client) = extensions.get::<Client>() {
            digest.update(client.address.to_string());
        }
    }
    hex::encode(digest.finalize())
}

#[cfg(test)]
mod tests;
