//! Request bodies: who may send one, how many bytes are held at once, and how long a body may take.
//!
//! Invariants: a body is read only for an existing route and an admitted caller; a slow sender occupies no permit of
//! [`super::load`], because the body is read before; neither one address nor several can use up the memory that small bodies
//! need, such as those of carts and log-ins.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CONNECTION, TRANSFER_ENCODING};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::webhooks::{CutBody, MAX_WAREHOUSE_BYTES, is_warehouse};
use super::{Caller, Client};
use crate::config::HttpSettings;
use crate::http::{HttpError, MAX_BODY_BYTES};

/// Limit: bytes of bodies in memory from one address.
const MAX_ADDRESS_BYTES: usize = 32 * MAX_BODY_BYTES;

/// Limit: bytes of bodies in memory from all addresses.
const MAX_BYTES: usize = 512 * MAX_BODY_BYTES;

/// The bytes of each body that do not count among those of all addresses.
const SMALL_BYTES: usize = 16 * 1024;

/// Seconds after which a request that was refused for lack of memory may be retried.
const RETRY_AFTER_S: u64 = 1;

/// The bodies in memory, and the time limit of each.
#[derive(Debug, Clone)]
pub(super) struct Bodies {
    timeout: Duration,
    held: Arc<Mutex<HeldBytes>>,
}

#[derive(Debug, Default)]
struct HeldBytes {
    /// Without the first [`SMALL_BYTES`] of each body.
    total: usize,
    by_address: BTreeMap<IpAddr, usize>,
}

impl Bodies {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        Self { timeout: Duration::from_secs(settings.body_timeout_s), held: Arc::default() }
    }

    fn reserve(&self, address: IpAddr) -> Reservation {
        Reservation { bodies: self.clone(), address, bytes: 0 }
    }
}

/// The bytes of one body, counted until it is dropped.
struct Reservation {
    bodies: Bodies,
    address: IpAddr,
    bytes: usize,
}

impl Reservation {
    /// Counts more bytes; returns whether there is room for them.
    fn grow(&mut self, bytes: usize) -> bool {
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = self.bytes.saturating_add(bytes);
        let large = whole.saturating_sub(SMALL_BYTES).saturating_sub(self.large_bytes());
        let total = held.total.saturating_add(large);
        let own = held.by_address.entry(self.address).or_default();
        let grown = own.saturating_add(bytes);
        if total > MAX_BYTES && large > 0 || grown > MAX_ADDRESS_BYTES {
            return false;
        }
        *own = grown;
        held.total = total;
        self.bytes = whole;
        true
    }

    fn large_bytes(&self) -> usize {
        self.bytes.saturating_sub(SMALL_BYTES)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.total = held.total.saturating_sub(self.large_bytes());
        if let Some(own) = held.by_address.get_mut(&self.address) {
            *own = own.saturating_sub(self.bytes);
            if *own == 0 {
                held.by_address.remove(&self.address);
            }
        }
    }
}

/// Reads the body; responds with 408 after the time limit.
pub(super) async fn receive(
    State(bodies): State<Bodies>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // Invariant: if a body is framed in two ways, the bytes after it are not read as the next request.
    let is_chunked = request.headers().contains_key(TRANSFER_ENCODING);
    let extensions = request.extensions();
    let is_admitted = extensions.get::<Caller>().is_none_or(|caller| caller.is_admitted)
        && extensions.get::<MatchedPath>().is_some();
    let client = extensions.get::<Client>();
    let address = client.map_or(Ipv4Addr::UNSPECIFIED.into(), |client| client.address);
    let (parts, body) = request.into_parts();
    if !is_admitted {
        // Its route rejects it whatever the body says.
        return closing(next.run(Request::from_parts(parts, Body::empty())).await);
    }
    let mut reservation = bodies.reserve(address);
    if is_warehouse(parts.uri.path()) {
        let response = receive_any(bodies.timeout, parts, body, reservation, next).await;
        return if is_chunked { closing(response) } else { response };
    }
    match tokio::time::timeout(bodies.timeout, read(body, &mut reservation)).await {
        Ok(Ok(bytes)) => {
            let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            if is_chunked { closing(response) } else { response }
        }
        Ok(Err(refused)) => closing(refused.into_response()),
        Err(_elapsed) => closing(HttpError::timed_out().into_response()),
    }
}

/// Reads as much of a body as there is room for, and never rejects it: bytes beyond the limit are read and discarded.
async fn receive_any(
    timeout: Duration,
    mut parts: Parts,
    body: Body,
    mut reservation: Reservation,
    next: Next,
) -> Response {
    let mut bytes = Vec::new();
    let reading = read_head(body, &mut bytes, &mut reservation);
    let is_whole = tokio::time::timeout(timeout, reading).await.unwrap_or(false);
    if !is_whole {
        parts.extensions.insert(CutBody);
    }
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    if is_whole { response } else { closing(response) }
}

/// Reads a body to its end and keeps its beginning; returns whether that is all of it.
async fn read_head(mut body: Body, bytes: &mut Vec<u8>, reservation: &mut Reservation) -> bool {
    let mut is_whole = true;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        let Ok(data) = frame.into_data() else { continue };
        let left = MAX_WAREHOUSE_BYTES.saturating_sub(bytes.len());
        is_whole = is_whole && data.len() <= left && reservation.grow(data.len());
        if is_whole {
            bytes.extend_from_slice(&data);
        }
    }
    is_whole
}

async fn read(mut body: Body, reservation: &mut Reservation) -> Result<Bytes, HttpError> {
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if declared > MAX_BODY_BYTES {
        return Err(HttpError::payload_too_large(MAX_BODY_BYTES));
    }
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_broken| HttpError::invalid_data("The body broke off"))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len().saturating_add(data.len()) > MAX_BODY_BYTES {
            return Err(HttpError::payload_too_large(MAX_BODY_BYTES));
        }
        if !reservation.grow(data.len()) {
            return Err(HttpError::unavailable(RETRY_AFTER_S));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// Closes the connection after the response, so that the rest of a body is not read as the next request.
fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::config::CommandLine;

    #[test]
    fn an_address_holds_its_share_and_returns_it() {
        let settings = CommandLine::parse_from(["quotient-server"]).settings;
        let bodies = Bodies::new(&settings.http);
        let (one, other) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let mut first = bodies.reserve(one);
        assert!(first.grow(MAX_ADDRESS_BYTES));

        assert!(!bodies.reserve(one).grow(1));
        assert!(bodies.reserve(other).grow(1));

        drop(first);
        assert!(bodies.reserve(one).grow(1));
        assert_eq!(bodies.held.lock().unwrap().total, 0);
        assert!(bodies.held.lock().unwrap().by_address.is_empty());
    }

    #[test]
    fn sixteen_addresses_with_large_bodies_leave_room_for_small_ones() {
        let settings = CommandLine::parse_from(["quotient-server"]).settings;
        let bodies = Bodies::new(&settings.http);
        let mut held = Vec::new();
        for host in 1..=16 {
            for _ in 0..MAX_ADDRESS_BYTES / MAX_BODY_BYTES {
                let mut body = bodies.reserve([10, 0, 0, host].into());
                assert!(body.grow(MAX_BODY_BYTES));
                held.push(body);
            }
        }
        let mut rest = bodies.reserve([10, 0, 0, 17].into());
        while rest.grow(SMALL_BYTES) {}

        let mut cart = bodies.reserve([10, 0, 0, 18].into());
        assert!(cart.grow(SMALL_BYTES));
        assert!(!cart.grow(MAX_BODY_BYTES - SMALL_BYTES));
        drop((held, rest, cart));
        assert_eq!(bodies.held.lock().unwrap().total, 0);
    }
}
