//! Tests of repeated requests with a key.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};
use std::task::{self, Waker};
use std::time::Duration;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::AppendHeaders;
use axum::routing::post;
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::*;
use crate::clock::Clock;
use crate::database::temporary;

/// A route that counts its calls, and returns the configured status.
struct Bench {
    db: Db,
    clock: Clock,
    calls: Arc<AtomicUsize>,
    status: Arc<AtomicU16>,
    /// Whether responses say when to try again.
    asks_again: Arc<AtomicBool>,
    gate: Arc<Semaphore>,
}

impl Bench {
    fn new() -> Self {
        let clock = Clock::fixed("2026-01-01T00:00:00.000Z".parse().unwrap());
        let db = Db::open(&temporary::options(&clock)).unwrap();
        Self {
            db,
            clock,
            calls: Arc::default(),
            status: Arc::new(AtomicU16::new(200)),
            asks_again: Arc::default(),
            gate: Arc::new(Semaphore::new(1_000)),
        }
    }

    /// Returns a server that starts now, over the same database.
    fn app(&self) -> Router {
        self.app_for(true)
    }

    fn app_for(&self, is_admitted: bool) -> Router {
        let (calls, status, asks_again, gate, db) = (
            Arc::clone(&self.calls),
            Arc::clone(&self.status),
            Arc::clone(&self.asks_again),
            Arc::clone(&self.gate),
            self.db.clone(),
        );
        let handler = async move |body: String| {
            let _pass = gate.acquire().await.unwrap();
            let call = calls.fetch_add(1, Ordering::SeqCst);
            if body == "writes" {
                db.write(take_effect).await.unwrap();
            }
            let status = StatusCode::from_u16(status.load(Ordering::SeqCst)).unwrap();
            let retry = asks_again.load(Ordering::SeqCst).then_some([(RETRY_AFTER, "1")]);
            (status, retry.map(AppendHeaders), format!("{call}:{body}"))
        };
        let keys = Arc::new(Keys::new(self.db.clone(), self.clock.now()));
        Router::new()
            .route("/store/carts", post(handler))
            .layer(from_fn_with_state(keys, replay))
            .layer(from_fn(move |mut request: Request, next: Next| {
                let id = header(&request, "authorization").map(str::to_owned);
                request.extensions_mut().insert(Caller { is_admitted, id });
                next.run(request)
            }))
    }
}

/// Returns the status, the text, and whether it was a replay.
async fn send(app: &Router, credential: &str, body: &str) -> (u16, String, bool) {
    let request = Request::builder()
        .method("POST")
        .uri("/store/carts")
        .header("idempotency-key", "k1")
        .header("authorization", credential)
        .body(Body::from(body.to_owned()))
        .unwrap();
    let response = app.clone().oneshot(request).await.unwrap();
    let replayed = response.headers().contains_key("idempotent-replayed");
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap(), replayed)
}

#[tokio::test]
async fn the_same_request_has_its_first_answer_again_for_a_day() {
    let bench = Bench::new();
    let app = bench.app();

    assert_eq!(send(&app, "a", "x").await, (200, "0:x".to_owned(), false));
    assert_eq!(send(&app, "a", "x").await, (200, "0:x".to_owned(), true));
    assert_eq!(send(&bench.app(), "a", "x").await, (200, "0:x".to_owned(), true));
    assert_eq!(send(&app, "b", "x").await, (200, "1:x".to_owned(), false));

    bench.clock.advance(RETENTION_MS);
    assert_eq!(send(&app, "a", "x").await, (200, "2:x".to_owned(), false));
}

#[tokio::test]
async fn another_request_with_the_key_is_a_conflict() {
    let bench = Bench::new();
    let app = bench.app();
    send(&app, "a", "x").await;

    assert_eq!(send(&app, "a", "y").await.0, 409);
    assert_eq!(bench.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn refusals_are_stored_but_not_internal_errors_or_unauthenticated_requests() {
    let bench = Bench::new();
    let app = bench.app();

    for (status, replayed) in [(500, false), (401, false), (400, false), (400, true)] {
        bench.status.store(status, Ordering::SeqCst);
        let (answered, _, is_again) = send(&app, "a", "x").await;
        assert_eq!((answered, is_again), (status, replayed));
    }
}

#[tokio::test]
async fn a_refusal_that_passes_is_not_stored_unless_something_was_changed() {
    let bench = Bench::new();
    let app = bench.app();

    for (status, asks_again, body, replayed) in [
        (429, false, "x", false),
        (429, true, "x", false),
        (409, false, "x", false),
        (409, false, "x", false),
        (409, true, "x", false),
        (409, true, "writes", false),
        (409, true, "writes", true),
    ] {
        bench.status.store(status, Ordering::SeqCst);
        bench.asks_again.store(asks_again, Ordering::SeqCst);
        let (answered, _, is_again) = send(&app, "a", body).await;
        assert_eq!((answered, is_again), (status, replayed), "{asks_again} {body}");
    }
    assert_eq!(bench.calls.load(Ordering::SeqCst), 6);
}

#[test]
fn a_key_is_visible_ascii_or_refused() {
    let long = "k".repeat(MAX_KEY_CHARS + 1);
    for (key, is_fine) in [("k1", true), ("", false), (long.as_str(), false), ("a b", false)] {
        assert_eq!(read_key(&HeaderValue::from_str(key).unwrap()).is_ok(), is_fine, "{key:?}");
    }
    assert!(read_key(&HeaderValue::from_bytes(&[0xff]).unwrap()).is_err());
}

#[test]
fn a_key_that_is_sent_twice_is_refused() {
    let mut headers = HeaderMap::new();
    assert!(sent_key(&headers).is_none());
    headers.append(IDEMPOTENCY_KEY, HeaderValue::from_static("k1"));
    assert!(matches!(sent_key(&headers), Some(Ok(_))));
    headers.append(IDEMPOTENCY_KEY, HeaderValue::from_static("k2"));
    assert!(matches!(sent_key(&headers), Some(Err(_))));
}

async fn is_claimed(db: &Db) -> bool {
    let place = place();
    db.read(move |tx| queries::find(tx, &place)).await.unwrap().is_some()
}

/// Returns the request of the caller `a` with the body `x`.
fn place() -> KeyedRequest {
    let caller = Caller { is_admitted: true, id: Some("a".to_owned()) };
    let request = Request::builder().extension(caller).body(Body::empty()).unwrap();
    KeyedRequest {
        principal: principal(&request),
        key: "k1".to_owned(),
        method: "POST".to_owned(),
        path: "/store/carts".to_owned(),
        body_sha256: digest(None, b"x"),
    }
}

#[tokio::test]
async fn a_request_that_runs_is_a_conflict_and_its_client_may_leave() {
    let bench = Bench::new();
    let app = bench.app();
    let closed = bench.gate.acquire_many(1_000).await.unwrap();
    let leaving = app.clone();
    let client = tokio::spawn(async move { send(&leaving, "a", "x").await });
    while !is_claimed(&bench.db).await {
        tokio::task::yield_now().await;
    }
    assert_eq!(send(&app, "a", "y").await.0, 409);
    assert_eq!(send(&app, "a", "x").await.0, 409);

    client.abort();
    drop(closed);

    assert_eq!(send_until_answered(&app).await, (200, "0:x".to_owned(), true));
    assert_eq!(bench.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_client_that_leaves_as_its_key_is_taken_is_served_when_it_asks_again() {
    let bench = Bench::new();
    let app = bench.app();
    let mut leaving = Box::pin(send(&app, "a", "x"));
    assert!(leaving.as_mut().poll(&mut task::Context::from_waker(Waker::noop())).is_pending());
    while !is_claimed(&bench.db).await {
        tokio::task::yield_now().await;
    }
    drop(leaving);

    assert_eq!(send_until_answered(&app).await, (200, "0:x".to_owned(), true));
}

/// Repeats the request of the caller `a` until it is no longer running, for at most ten seconds.
async fn send_until_answered(app: &Router) -> (u16, String, bool) {
    let answered = async {
        loop {
            let answer = send(app, "a", "x").await;
            if answer.0 != 409 {
                return answer;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), answered).await.unwrap()
}

fn take_effect(tx: &Tx<'_>) -> Result<(), database::Error> {
    tx.execute("create table if not exists effect (number integer) strict", [])?;
    tx.execute("insert into effect values (1)", [])?;
    Ok(())
}

/// Claims the key of the request, and leaves it as an ending process would.
async fn claim_and_stop(bench: &Bench, has_effect: bool) {
    let (keys, place) = (Arc::new(Keys::new(bench.db.clone(), bench.clock.now())), place());
    let claimed = place.clone();
    bench.db.write(move |tx| keys.claim(tx, &claimed)).await.unwrap();
    if has_effect {
        let context = Context::new("").with_mark(move |tx| queries::put_committed(tx, &place));
        context.run(bench.db.write(take_effect)).await.unwrap();
    }
}

#[tokio::test]
async fn a_request_cut_off_before_its_effect_runs_again() {
    let bench = Bench::new();
    claim_and_stop(&bench, false).await;

    assert_eq!(send(&bench.app(), "a", "x").await.0, 409);
    bench.clock.advance(1);
    assert_eq!(send(&bench.app(), "a", "x").await, (200, "0:x".to_owned(), false));
}

#[tokio::test]
async fn a_request_cut_off_after_its_effect_never_runs_again() {
    let bench = Bench::new();
    claim_and_stop(&bench, true).await;
    bench.clock.advance(1);

    let (status, message, _) = send(&bench.app(), "a", "x").await;

    assert_eq!(status, 409);
    assert!(message.contains("took effect"), "{message}");
    assert_eq!(bench.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_failure_after_an_effect_never_runs_again() {
    let bench = Bench::new();
    let app = bench.app();
    bench.status.store(500, Ordering::SeqCst);

    assert_eq!(send(&app, "a", "writes").await.0, 500);
    assert_eq!(send(&app, "a", "writes").await.0, 409);
    assert_eq!(bench.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn while_another_process_serves_the_file_nothing_counts_as_cut_off() {
    let bench = Bench::new();
    claim_and_stop(&bench, false).await;
    bench.clock.advance(1);
    let mut path = bench.db.path().as_os_str().to_owned();
    path.push("-server");
    let other = File::create(path).unwrap();
    other.lock().unwrap();

    assert_eq!(send(&bench.app(), "a", "x").await.0, 409);

    drop(other);
    assert_eq!(send(&bench.app(), "a", "x").await.0, 200);
}

#[tokio::test]
async fn a_caller_that_is_not_admitted_has_no_keys() {
    let bench = Bench::new();
    let app = bench.app_for(false);

    assert_eq!(send(&app, "a", "x").await, (200, "0:x".to_owned(), false));
    assert_eq!(send(&app, "a", "x").await, (200, "1:x".to_owned(), false));
}

#[test]
fn a_caller_is_known_by_its_id_and_a_guest_by_its_address() {
    let of = |id: Option<&str>, headers: &[(&str, &str)], last: u8| {
        let client = Client { address: [203, 0, 113, last].into(), is_local: false };
        let caller = Caller { is_admitted: true, id: id.map(str::to_owned) };
        let mut request = Request::builder().extension(caller).extension(client);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        principal(&request.body(Body::empty()).unwrap())
    };
    let [old, new] = ["Bearer old", "Bearer new"].map(|token| [("authorization", token)]);
    let [one, two] = ["_ga=1", "_ga=2"].map(|cookie| [("cookie", cookie)]);

    assert_eq!(of(Some("ident_1"), &old, 1), of(Some("ident_1"), &new, 2), "a new token");
    assert_ne!(of(Some("ident_1"), &old, 1), of(Some("ident_2"), &old, 1));
    assert_eq!(of(None, &one, 1), of(None, &two, 1), "a foreign cookie");
    assert_ne!(of(None, &one, 1), of(None, &one, 2), "guests with the same foreign cookie");
    let shop = [("x-publishable-api-key", "pk_1")];
    assert_ne!(of(None, &shop, 1), of(None, &[], 1));
}
