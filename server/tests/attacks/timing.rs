//! Response times: a nearly correct secret is rejected as quickly as a completely wrong one, and an address with an
//! account is answered as quickly as one without.
//!
//! Two kinds of requests are sent in random order over one connection, and their times compared by Welch's t-test. The slowest
//! tenth is left out, because it reflects the machine and not the program.

#![expect(clippy::float_arithmetic, reason = "times are measured")]

use std::net::SocketAddr;
use std::time::Instant;

use quotient_server::auth::SecretDigest;
use quotient_server::database::Error;
use quotient_server::testing::rounds;
use serde_json::json;

use super::wire::{Wire, request};
use crate::harness::{Person, Store, TestServer};
use crate::reliability::process::Process;

/// Limit: how sure a measurement may be that two means differ.
const MAX_T: f64 = 4.5;

/// Measurements that have to be sure of it.
const ATTEMPTS: usize = 3;

/// No rate limit interferes.
const LIMITS: &[&str] = &[
    "--store-per-minute",
    "1000000000",
    "--admin-per-minute",
    "1000000000",
    "--login-per-minute",
    "100000000",
    "--conversions-per-minute",
    "1000000000",
];

/// A check, with a request of each kind, and the status of both.
struct Check {
    name: &'static str,
    requests: [Vec<u8>; 2],
    status: u16,
}

/// Times of one kind.
#[derive(Default)]
struct Sample {
    count: f64,
    sum: f64,
    sum_of_squares: f64,
}

impl Sample {
    fn add(&mut self, time_us: f64) {
        self.count += 1.0;
        self.sum += time_us;
        self.sum_of_squares += time_us * time_us;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// The variance of the mean.
    fn variance(&self) -> f64 {
        let variance = self.sum_of_squares / self.count - self.mean() * self.mean();
        variance.max(0.0) / self.count
    }
}

/// Returns Welch's t of two samples.
fn welch([one, other]: &[Sample; 2]) -> f64 {
    (one.mean() - other.mean()) / (one.variance() + other.variance()).sqrt()
}

/// Sends one of the requests; returns its time in microseconds.
fn time(wire: &mut Wire, call: &[u8], status: u16) -> f64 {
    let begun = Instant::now();
    let answer = wire.call(call).expect("an answer");
    let took = begun.elapsed();
    assert_eq!(answer.status, status, "{}", String::from_utf8_lossy(&answer.body));
    took.as_secs_f64() * 1e6
}

/// Compares the times of both kinds of requests. Other work of the machine varies over time, and a leak does not.
fn measure(check: &Check, count: usize, server: SocketAddr) {
    // It is not a number if the machine was too busy to answer one kind in time.
    let is_same = || compare(check, count, server).abs() < MAX_T;
    assert!((0..ATTEMPTS).any(|_| is_same()), "{}: the times differ", check.name);
}

/// Sends both kinds of requests; returns how sure it is that their times differ.
#[expect(clippy::print_stdout, reason = "a measurement is for people")]
fn compare(check: &Check, count: usize, server: SocketAddr) -> f64 {
    let mut wire = Wire::open(1, server).expect("a connection");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut kind = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::from(random >> 63 == 1)
    };
    let mut times: Vec<(f64, usize)> = (0..count)
        .map(|_| {
            let kind = kind();
            (time(&mut wire, &check.requests[kind], check.status), kind)
        })
        .collect();
    times.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut samples = <[Sample; 2]>::default();
    for (time_us, kind) in times.iter().take(count * 9 / 10) {
        samples[*kind].add(*time_us);
    }
    let t = welch(&samples);
    let [one, other] = &samples;
    println!(
        "{}: t {t:.2} of {} requests, means {:.1} and {:.1} µs",
        check.name,
        one.count + other.count,
        one.mean(),
        other.mean()
    );
    t
}

fn check(
    name: &'static str,
    status: u16,
    requests: [(&str, &str, Person, &serde_json::Value); 2],
) -> Check {
    let requests = requests.map(|(method, path, person, body)| {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        request(method, path, &person.header_lines(), &body)
    });
    Check { name, requests, status }
}

/// The secrets: one that is nearly right, and one that is all wrong.
fn guesses(secret: &str) -> [String; 2] {
    let (prefix, _digits) = secret.split_at(secret.len() - 64);
    let (most, last) = secret.split_at(secret.len() - 1);
    // No token of the tests ends so.
    let other = if last == "7" { "8" } else { "7" };
    [format!("{most}{other}"), format!("{prefix}{}", "9e".repeat(32))]
}

/// Stores a token of a kind for the first account; returns it.
async fn store_token(server: &TestServer, kind: &'static str) -> String {
    let token = format!("tok_{}", "5a".repeat(32));
    let digest = SecretDigest::of(&token);
    let other = server.other_process();
    let stored = other.write::<_, Error>(move |tx| {
        Ok(tx.execute(
            "insert or replace into token (hash, kind, actor_type, identity_id, created_at, expires_at)
             select ?1, ?2, actor_type, id, 0, 4102444800000 from identity limit 1",
            (digest, kind),
        )?)
    });
    stored.await.expect("a token");
    token
}

/// The eight kinds of secrets that are checked, except passwords, which take long by design.
async fn secrets(server: &TestServer, store: &Store) -> Vec<Check> {
    let null = serde_json::Value::Null;
    let nobody = Person::nobody;
    let bearer = |secret: &str| guesses(secret).map(|guess| nobody().with_bearer(&guess));
    let pair = |name, status, (method, path): (&str, &str), [near, far]: [Person; 2]| {
        check(name, status, [(method, path, near, &null), (method, path, far, &null)])
    };
    let guest = server.ready_cart(&Person::visitor(), store, &store.mug, 1).await;
    let completed = server.complete(&Person::visitor(), &guest).await.ok();
    let order = format!("/store/orders/{}", completed["order"]["id"].as_str().expect("an order"));
    let order_token = completed["order_token"].as_str().expect("a token");
    let invited = json!({ "email": "grace@example.com" });
    let invited = server.post(&Person::admin(), "/admin/invites", invited).await.ok();
    let invitation = invited["invite"]["token"].as_str().expect("a token");
    let registered = crate::auth::register(server, "user", "grace@example.com").await;
    let registered = nobody().with_bearer(&registered);
    let [near, far] =
        guesses(invitation).map(|guess| format!("/admin/invites/accept?token={guess}"));
    let (session, reset) =
        (store_token(server, "session").await, store_token(server, "reset").await);
    let access = format!("{:064x}", 0);
    let admins = ("GET", "/admin/customers");
    let (empty, password) = (json!({}), json!({ "password": "another password" }));
    let update = "/auth/user/emailpass/update";
    let [reset_near, reset_far] = bearer(&reset);
    vec![
        pair("secret key", 401, admins, bearer(Person::SECRET)),
        pair(
            "publishable key",
            401,
            ("GET", "/store/regions"),
            guesses(Person::PUBLISHABLE)
                .map(|guess| nobody().with_header("x-publishable-api-key", &guess)),
        ),
        pair("access token", 401, admins, bearer(&access)),
        pair(
            "session",
            401,
            admins,
            guesses(&session)
                .map(|guess| nobody().with_header("cookie", &format!("connect.sid={guess}"))),
        ),
        check(
            "reset token",
            401,
            [("POST", update, reset_near, &password), ("POST", update, reset_far, &password)],
        ),
        check(
            "invitation",
            400,
            [("POST", &near, registered.clone(), &empty), ("POST", &far, registered, &empty)],
        ),
        pair(
            "order token",
            404,
            ("GET", &order),
            guesses(order_token)
                .map(|guess| Person::visitor().with_header("x-order-token", &guess)),
        ),
    ]
}

/// A report must not reveal whether an order exists.
async fn report(server: &TestServer, store: &Store) -> Check {
    let (visitor, nobody) = (Person::visitor(), Person::nobody);
    let cart = server.ready_cart(&visitor, store, &store.mug, 1).await;
    let order = server.complete(&visitor, &cart).await.ok()["order"]["id"].clone();
    let placed = json!({ "order_id": order });
    let unknown = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" });
    let path = "/track/partners/conversion";
    let requests = [("POST", path, nobody(), &placed), ("POST", path, nobody(), &unknown)];
    check("report of an order", 202, requests)
}

/// A request must not reveal whether a password is nearly correct, or whether an address has an account.
fn accounts() -> (Vec<Check>, Check) {
    let nobody = Person::nobody;
    let log_in = |email: &str, password: &str| json!({ "email": email, "password": password });
    let path = "/auth/customer/emailpass";
    let log_ins = |name, one: &serde_json::Value, other: &serde_json::Value| {
        check(name, 401, [("POST", path, nobody(), one), ("POST", path, nobody(), other)])
    };
    let near = log_in("ada@example.com", "correct horse batterz");
    let far = log_in("ada@example.com", "Zebra stapler window?");
    let unknown = log_in("bob@example.com", "Zebra stapler window?");
    let asked = |email: &str| json!({ "identifier": email });
    let reset = "/auth/customer/emailpass/reset-password";
    let (known, stranger) = (asked("ada@example.com"), asked("bob@example.com"));
    let resets = [("POST", reset, nobody(), &known), ("POST", reset, nobody(), &stranger)];
    (
        vec![log_ins("password", &near, &far), log_ins("log-in of an account", &far, &unknown)],
        check("reset of an account", 201, resets),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_an_answer_reveals_nothing_about_a_secret_or_an_account() {
    let (server, store) = TestServer::with_store().await;
    crate::auth::customer(&server, "ada@example.com").await;
    let mut checks = secrets(&server, &store).await;
    checks.push(report(&server, &store).await);
    let (slow, reset) = accounts();
    checks.push(reset);
    // The program runs by another clock.
    let other = server.other_process();
    let extended = other.write::<_, Error>(|tx| {
        Ok(tx.execute_batch(
            "update token set expires_at = 4102444800000; update invite set expires_at = 4102444800000",
        )?)
    });
    extended.await.expect("tokens that last");
    let (_folder, path) = server.copied().await;
    drop(server);
    let measured = tokio::task::spawn_blocking(move || {
        let process = Process::start_with(&[], &path, LIMITS);
        for check in &checks {
            measure(check, rounds(400, 100_000), process.address);
        }
        for check in &slow {
            measure(check, rounds(20, 5_000), process.address);
        }
    });
    measured.await.expect("no difference");
}

#[test]
fn a_difference_of_a_tenth_is_seen() {
    let mut samples = <[Sample; 2]>::default();
    for number in 0..1_000_u32 {
        let noise = f64::from(number % 100);
        samples[0].add(500.0 + noise);
        samples[1].add(550.0 + noise);
    }
    assert!(welch(&samples) < -MAX_T);
}
