//! Tests of tokens, keys and addresses over a database, and of what is known about a caller before the route runs.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
use axum::{Extension, Router};
use clap::Parser as _;
use rusqlite::named_params;
use serde_json::json;
use tower::ServiceExt as _;

use super::clients::{self, Scope};
use super::credentials::TokenKind;
use super::identities::Identity;
use super::password::PasswordHash;
use super::queries;
use super::reset::ResetRequest;
use super::*;
use crate::clock::{Clock, HOUR_MS, MINUTE_MS, Timestamp};
use crate::config::CommandLine;
use crate::database::{Db, Error, Tx, temporary};
use crate::ids::{ApiKeyId, OauthClientId};
use crate::middleware::Caller;
use crate::state::Shared;

/// The state over an empty database, and a clock that stands still.
struct Bench {
    clock: Clock,
    shared: Shared,
}

impl Bench {
    fn new(arguments: &[&str]) -> Self {
        let clock = Clock::fixed("2026-01-01T00:00:00.000Z".parse().unwrap());
        let db = Db::open(&temporary::options(&clock)).unwrap();
        let line = std::iter::once("quotient-server").chain(arguments.iter().copied());
        let shared = Shared::new(db, clock.clone(), CommandLine::parse_from(line).settings);
        Self { clock, shared }
    }

    fn credentials(&self) -> &Credentials {
        &self.shared.credentials
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> T {
        self.shared.db.write(work).await.unwrap()
    }

    /// Writes a customer's identity.
    async fn identity(&self) -> Identity {
        let created = self.shared.db.write(|tx| {
            let hash = PasswordHash("none".to_owned());
            identities::create(tx, ActorType::Customer, &ada(), hash)
        });
        created.await.unwrap()
    }

    /// Requests a reset, and returns its token.
    async fn reset(&self) -> Option<Secret> {
        let request =
            ResetRequest { email: ada(), actor_type: ActorType::Customer, metadata: json!({}) };
        self.credentials().issue_reset(request, true).await.unwrap()
    }

    async fn is_valid(&self, secret: &Secret) -> bool {
        self.credentials().token(secret.digest()).await.unwrap().is_some()
    }

    /// Writes an API key, and returns its id.
    async fn key(&self, secret: &'static str, kind: &'static str) -> ApiKeyId {
        let id = ApiKeyId::new();
        let row_id = id.clone();
        self.write(move |tx| {
            tx.insert("api_key", named_params! {
                ":id": row_id, ":type": kind, ":title": "a key", ":token_hash": SecretDigest::of(secret),
                ":redacted": "…", ":created_at": tx.now(), ":updated_at": tx.now(),
            })
        })
        .await;
        id
    }

    /// Uses a key that is not cached, and returns when it was last used.
    async fn used_at(&self, secret: &str, id: &ApiKeyId) -> Option<Timestamp> {
        self.credentials().change(|_tx| Ok::<_, Error>(())).await.unwrap();
        assert!(self.credentials().key(secret).await.unwrap().is_some());
        // The use is written by a task of its own, before the next write.
        tokio::task::yield_now().await;
        let id = id.clone();
        self.write(move |tx| {
            tx.sql("select last_used_at from api_key where id = ?1").one([id], |row| row.get(0))
        })
        .await
    }

    /// Writes a client of OAuth with a token, and returns the token.
    async fn client_token(&self) -> Secret {
        let secret = Secret::generate(clients::CLIENT_TOKEN_PREFIX).unwrap();
        let token = secret.clone();
        self.write(move |tx| {
            let id = OauthClientId::new();
            tx.insert("oauth_client", named_params! {
                ":id": id, ":name": "a shop", ":secret_hash": SecretDigest::of("none"), ":redacted": "…",
                ":scopes": r#"["storefront"]"#, ":is_enabled": true, ":created_at": tx.now(), ":updated_at": tx.now(),
            })?;
            clients::issue(tx, &id, (&token, &[Scope::Storefront]), tx.now().plus_ms(HOUR_MS))
        })
        .await;
        secret
    }

    /// Returns the status, and what the route is told about the caller.
    async fn caller(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let route = async |caller: Option<Extension<Caller>>| match caller {
            Some(Extension(Caller { is_admitted, id })) => {
                let kind = id.as_deref().and_then(|id| id.split('_').next()).unwrap_or("guest");
                format!("{is_admitted} {kind}")
            }
            None => "not looked up".to_owned(),
        };
        let app = Router::new()
            .fallback(any(route))
            .layer(from_fn_with_state(self.shared.clone(), look_up_caller));
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status();
        let text = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        (status.as_u16(), String::from_utf8(text.to_vec()).unwrap())
    }
}

fn ada() -> Email {
    "ada@example.com".parse().unwrap()
}

#[tokio::test]
async fn a_token_and_a_session_last_as_long_as_is_set() {
    let bench = Bench::new(&["--token-hours", "2", "--session-hours", "3"]);
    bench.identity().await;
    let reset = bench.reset().await.unwrap();
    let holder = bench.credentials().token(reset.digest()).await.unwrap().unwrap();
    let access = bench.credentials().extend(&holder, TokenKind::Access).await.unwrap();
    let session = bench.credentials().extend(&holder, TokenKind::Session).await.unwrap();

    for (token, span_ms) in [(reset, 15 * MINUTE_MS), (access, 2 * HOUR_MS), (session, 3 * HOUR_MS)]
    {
        let start: Timestamp = "2026-01-01T00:00:00.000Z".parse().unwrap();
        let passed_ms = bench.clock.now().as_millis() - start.as_millis();
        bench.clock.advance(span_ms - passed_ms - 1);
        assert!(bench.is_valid(&token).await, "a millisecond before {span_ms}");
        bench.clock.advance(1);
        assert!(!bench.is_valid(&token).await, "after {span_ms}");
    }
}

#[tokio::test]
async fn a_mailbox_gets_one_reset_a_minute_and_a_token_works_once() {
    let bench = Bench::new(&[]);
    assert!(bench.reset().await.is_none(), "no account");
    bench.identity().await;
    assert!(bench.reset().await.is_some());
    bench.clock.advance(MINUTE_MS - 1);
    assert!(bench.reset().await.is_none());
    bench.clock.advance(1);
    let secret = bench.reset().await.unwrap();

    let holder = bench.credentials().token(secret.digest()).await.unwrap().unwrap();
    let set = async |email: Option<&str>| {
        let password: NewPassword = serde_json::from_value(json!("correct horse")).unwrap();
        let email = email.map(|email| email.parse().unwrap());
        bench.credentials().set_password(Arc::clone(&holder), email, password).await
    };
    assert!(matches!(set(Some("bob@example.com")).await, Err(AuthError::Unauthorized)));
    assert!(set(Some("ada@example.com")).await.is_ok());
    // The second of two that hold the token at the same time.
    assert!(matches!(set(None).await, Err(AuthError::Unauthorized)));
}

#[tokio::test]
async fn tokens_that_are_over_are_deleted_and_counted() {
    let bench = Bench::new(&[]);
    bench.identity().await;
    bench.client_token().await;
    bench.reset().await.unwrap();
    bench.clock.advance(MINUTE_MS);
    bench.reset().await.unwrap();

    assert_eq!(bench.write(forget_ended).await, 0);
    bench.clock.advance(HOUR_MS - MINUTE_MS);
    assert_eq!(bench.write(forget_ended).await, 3);
    assert_eq!(bench.write(forget_ended).await, 0);
}

#[tokio::test]
async fn an_identity_keeps_its_newest_tokens_and_addresses() {
    let bench = Bench::new(&[]);
    let identity = bench.identity().await;
    bench
        .write(move |tx| {
            for number in 0..101_u8 {
                let tx = tx.at(tx.now().plus_ms(i64::from(number)));
                let digest = SecretDigest::of(&number.to_string());
                let expires_at = tx.now().plus_ms(HOUR_MS);
                queries::insert_token(&tx, digest, TokenKind::Access, &identity, expires_at)?;
                if number < 21 {
                    queries::note_address(&tx, &identity.id, address(number))?;
                }
            }
            queries::delete_oldest_tokens(tx, &identity.id)
        })
        .await;

    let is_kept = async |number: u8| {
        let digest = SecretDigest::of(&number.to_string());
        bench.credentials().token(digest).await.unwrap().is_some()
    };
    assert_eq!([is_kept(0).await, is_kept(1).await, is_kept(100).await], [false, true, true]);
    let is_known = async |actor_type: ActorType, number: u8| {
        bench.credentials().is_known(actor_type, ada(), address(number)).await.unwrap()
    };
    assert!(!is_known(ActorType::Customer, 0).await, "the oldest of 21");
    assert!(is_known(ActorType::Customer, 1).await && is_known(ActorType::Customer, 20).await);
    assert!(!is_known(ActorType::Customer, 21).await && !is_known(ActorType::User, 20).await);
}

fn address(number: u8) -> IpAddr {
    [203, 0, 113, number].into()
}

#[tokio::test]
async fn the_use_of_a_secret_key_is_recorded_once_an_hour() {
    let bench = Bench::new(&[]);
    let id = bench.key("sk_1", "secret").await;
    let first = bench.clock.now();

    assert_eq!(bench.used_at("sk_1", &id).await, Some(first));
    bench.clock.advance(HOUR_MS - 1);
    assert_eq!(bench.used_at("sk_1", &id).await, Some(first));
    bench.clock.advance(1);
    assert_eq!(bench.used_at("sk_1", &id).await, Some(bench.clock.now()));

    let public = bench.key("pk_1", "publishable").await;
    assert_eq!(bench.used_at("pk_1", &public).await, None);
}

#[tokio::test]
async fn the_cache_ends_with_a_revocation_elsewhere_and_only_then() {
    let bench = Bench::new(&[]);
    let id = bench.key("sk_1", "secret").await;
    let generation = Arc::clone(&bench.credentials().generation);
    let follower = tokio::spawn(bench.credentials().clone().follow_revocations());
    let reaches = async |at_least: u64| {
        let polls = async {
            while generation.load(Ordering::SeqCst) < at_least {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), polls).await.unwrap();
    };

    reaches(1).await;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_eq!(generation.load(Ordering::SeqCst), 1, "nothing was revoked meanwhile");
    bench
        .write(move |tx| {
            tx.sql("update api_key set revoked_at = :now where id = :id")
                .run(named_params! { ":id": id, ":now": tx.now() })
        })
        .await;
    reaches(2).await;
    follower.abort();
}

#[tokio::test]
async fn a_caller_is_looked_up_before_a_body_is_read() {
    let bench = Bench::new(&[]);
    bench.key("sk_1", "secret").await;
    bench.key("pk_1", "publishable").await;
    let client = bench.client_token().await;
    let client = format!("Bearer {}", client.reveal());
    let (shop, nobody) = (("x-publishable-api-key", "pk_1"), ("authorization", "Bearer tok_1"));
    let basic = ("authorization", "Basic c2tfMTo=");
    let unknown_key = ("authorization", "Basic c2tfMjo=");

    for (method, path, headers, told) in [
        ("GET", "/store/carts", vec![nobody], "not looked up"),
        ("POST", "/webhooks/card", vec![nobody], "not looked up"),
        ("POST", "/admin/products", vec![], "false guest"),
        ("POST", "/admin/products", vec![basic], "true apk"),
        ("POST", "/admin/products", vec![unknown_key], "false guest"),
        ("POST", "/store/carts", vec![], "false guest"),
        ("POST", "/store/carts", vec![basic], "false apk"),
        ("POST", "/store/carts", vec![shop], "true guest"),
        ("POST", "/store/carts", vec![shop, nobody], "true guest"),
        ("POST", "/store/carts", vec![shop, ("authorization", &client)], "true oac"),
        ("POST", "/auth/customer/emailpass", vec![], "true guest"),
        ("POST", "/auth/customer/emailpass", vec![nobody], "true guest"),
    ] {
        let seen = bench.caller(method, path, &headers).await;
        assert_eq!(seen, (200, told.to_owned()), "{method} {path} {headers:?}");
    }
}

#[tokio::test]
async fn a_caller_who_cannot_be_looked_up_is_refused_only_with_an_idempotency_key() {
    let bench = Bench::new(&[]);
    bench.write(|tx| tx.sql("alter table api_key rename to elsewhere").run([])).await;
    let shop = ("x-publishable-api-key", "pk_1");

    let (status, told) = bench.caller("POST", "/store/carts", &[shop]).await;
    assert_eq!((status, told.as_str()), (200, "true guest"));
    let (status, _) = bench.caller("POST", "/store/carts", &[shop, ("idempotency-key", "1")]).await;
    assert!(status >= 500, "{status}");
}
