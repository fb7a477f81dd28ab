//! A server that is killed while eight clients write: what was acknowledged is there.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quotient_server::clock::Clock;
use quotient_server::database::{self, Db, Options};
use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

const CYCLES: u64 = 100;
const WRITERS: u64 = 8;

/// What clients were told has been done.
#[derive(Debug, Default)]
struct Acknowledged {
    carts: Vec<String>,
    orders: Vec<String>,
}

/// One client over a connection of its own.
struct Client {
    agent: ureq::Agent,
    url: String,
}

impl Client {
    fn new(url: &str) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(10)))
            .build()
            .into();
        Self { agent, url: url.to_owned() }
    }

    /// The answer, unless the server died before giving it.
    fn post(&self, path: &str, body: &Value) -> Option<Value> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("content-type", "application/json");
        for (name, value) in Person::visitor().headers() {
            request = request.header(name, value);
        }
        let response = request.send(body.to_string()).ok()?;
        let status = response.status();
        let body = response.into_body().read_to_vec().ok()?;
        let text = String::from_utf8_lossy(&body);
        assert!(status.is_success() || status == 503, "{path}: {status} {text}");
        serde_json::from_slice(&body).ok().filter(|_body| status.is_success())
    }

    fn shop(&self, store: &Store, acknowledged: &Mutex<Acknowledged>) -> Option<()> {
        let made = self.post(
            "/store/carts",
            &json!({"region_id": store.britain, "email": "ada@example.com"}),
        )?;
        let cart = made["cart"]["id"].as_str()?.to_owned();
        acknowledged.lock().expect("the list").carts.push(cart.clone());
        self.post(
            &format!("/store/carts/{cart}/line-items"),
            &json!({"variant_id": store.mug, "quantity": 1}),
        )?;
        let address = crate::harness::address();
        self.post(&format!("/store/carts/{cart}"), &json!({"shipping_address": address}))?;
        self.post(
            &format!("/store/carts/{cart}/shipping-methods"),
            &json!({"option_id": store.postage}),
        )?;
        let made = self.post("/store/payment-collections", &json!({"cart_id": cart}))?;
        let collection = made["payment_collection"]["id"].as_str()?;
        let path = format!("/store/payment-collections/{collection}/payment-sessions");
        self.post(&path, &json!({"provider_id": "pp_sandbox"}))?;
        let placed = self.post(&format!("/store/carts/{cart}/complete"), &json!({}))?;
        let order = placed["order"]["id"].as_str()?.to_owned();
        acknowledged.lock().expect("the list").orders.push(order);
        Some(())
    }
}

fn start(path: &Path) -> (Child, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let child = Command::new(env!("CARGO_BIN_EXE_quotient-server"))
        .args(["--database", &path.display().to_string(), "--listen", &address.to_string()])
        .args(["--store-per-minute", "100000000", "--log", "error", "--empty=true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    let url = format!("http://{address}");
    let begun = Instant::now();
    while ureq::get(format!("{url}/health/ready")).call().is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the server does not answer");
        std::thread::sleep(Duration::from_millis(5));
    }
    (child, url)
}

/// One life of a server: eight clients write until it is killed.
fn live_and_die(path: &Path, store: &Store, acknowledged: &Arc<Mutex<Acknowledged>>, cycle: u64) {
    let (mut server, url) = start(path);
    let dead = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..WRITERS)
        .map(|_| {
            let client = Client::new(&url);
            let (store, acknowledged, dead) =
                (store.clone(), Arc::clone(acknowledged), Arc::clone(&dead));
            std::thread::spawn(move || {
                while !dead.load(Ordering::Relaxed) && client.shop(&store, &acknowledged).is_some()
                {
                }
            })
        })
        .collect();
    // From the first requests to some hundred of them, differently each time.
    std::thread::sleep(Duration::from_millis((cycle.wrapping_mul(37) % 180).saturating_add(20)));
    server.kill().expect("the server is there to be killed");
    server.wait().expect("it ends");
    dead.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().expect("a client saw only good answers");
    }
}

#[tokio::test]
async fn a_hundred_kills_under_eight_writers_lose_nothing_that_was_acknowledged() {
    let (server, store) = TestServer::with_store().await;
    let path = std::env::temp_dir().join(format!("quotient-kill-{}.db", std::process::id()));
    server.db.backup(path.clone()).await.expect("a copy");
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));

    for cycle in 0..CYCLES {
        let (path_of_server, store, list) =
            (path.clone(), store.clone(), Arc::clone(&acknowledged));
        tokio::task::spawn_blocking(move || live_and_die(&path_of_server, &store, &list, cycle))
            .await
            .expect("a life of the server");
        verify(&path, &acknowledged, cycle).await;
    }

    let list = acknowledged.lock().expect("the list");
    assert!(list.orders.len() > 50, "only {} orders were acknowledged", list.orders.len());
    for suffix in ["", "-wal", "-shm"] {
        let _absent = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

async fn verify(path: &Path, acknowledged: &Mutex<Acknowledged>, cycle: u64) {
    let db = Db::open(&Options::new(path, Clock::system())).expect("the database opens again");
    let (carts, orders) = {
        let list = acknowledged.lock().expect("the list");
        (json!(list.carts).to_string(), json!(list.orders).to_string())
    };
    let missing = db.read::<_, database::Error>(move |tx| {
        let missing = "select count(*) from json_each(?1) where value not in (select id from cart)";
        let carts: i64 = tx.query_row(missing, [carts], |row| row.get(0))?;
        let missing =
            "select count(*) from json_each(?1) where value not in (select id from orders)";
        let orders: i64 = tx.query_row(missing, [orders], |row| row.get(0))?;
        Ok((carts, orders))
    });
    assert_eq!(missing.await.expect("a count"), (0, 0), "after kill {cycle}");
    let findings = db.read(database::audit).await.expect("the audit runs");
    assert!(findings.is_empty(), "after kill {cycle}: {findings:#?}");
    db.close().await;
}
