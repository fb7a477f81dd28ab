//! The notifications that alerts sent, and the responses.

use serde_json::{Value, json};

use super::{SECRET, a_minute, join, leave, made, server};
use crate::harness::{BEGIN, Person, Receiver, TestServer};

const PRIVATE: &str = "--webhook-private-targets=true";

async fn deliveries(server: &TestServer, query: &str) -> Vec<Value> {
    let path = format!("/admin/metrics/alert-deliveries?order=created_at{query}");
    let list = server.get(&Person::viewer(), &path).await.ok();
    assert!(!list.to_string().contains("whsec_"), "{list}");
    list["alert_deliveries"].as_array().expect("a list").clone()
}

fn outcome(delivery: &Value) -> (&str, &str, u64) {
    let text = |name: &str| delivery[name].as_str().unwrap_or_default();
    (text("status"), text("answer"), delivery["attempt_count"].as_u64().expect("a count"))
}

#[tokio::test]
async fn each_delivery_is_listed_with_its_last_answer() {
    let receiver = Receiver::answering(&[503]).await;
    let server = server(&[PRIVATE]).await;
    let webhook = json!({ "type": "webhook", "url": receiver.url(), "secret": SECRET });
    let path =
        made(&server, json!({ "name": "Many", "channels": [{ "type": "log" }, webhook] })).await;
    join(&server, BEGIN, 3).await;

    a_minute(&server).await;

    let id = path.rsplit('/').next().expect("an id");
    let own = format!("&alert_id={id}");
    let [fired] = &deliveries(&server, &own).await[..] else { panic!("one: the log needs none") };
    assert_eq!(outcome(fired), ("failed", "it answered 503 Service Unavailable", 1));
    assert_eq!((&fired["alert_name"], &fired["state"]), (&json!("Many"), &json!("firing")));
    assert_eq!(fired["channel"], json!({ "type": "webhook", "url": receiver.url() }));
    server.clock.advance(5_000);
    server.work().await;
    let [fired] = &deliveries(&server, &own).await[..] else { panic!("one") };
    let (status, answer, attempts) = outcome(fired);
    assert!(answer.starts_with("it answered 2"), "{answer}");
    assert_eq!((status, attempts), ("delivered", 2));

    leave(&server).await;
    a_minute(&server).await;
    let all = deliveries(&server, "").await;
    assert_eq!((all.len(), &all[1]["state"]), (2, &json!("ok")), "{all:?}");
    assert_eq!(deliveries(&server, "&status=failed").await, Vec::<Value>::new());
    assert_eq!(deliveries(&server, "&alert_id=alert_none").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_delivery_to_a_channel_that_is_gone_is_dropped() {
    let receiver = Receiver::answering(&[500]).await;
    let server = server(&[PRIVATE]).await;
    let webhook = json!({ "type": "webhook", "url": receiver.url(), "secret": SECRET });
    let path = made(&server, json!({ "channels": [webhook] })).await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    server.post(&Person::analyst(), &path, json!({ "channels": [] })).await.ok();

    server.clock.advance(5_000);
    server.work().await;

    let [only] = &deliveries(&server, "").await[..] else { panic!("one") };
    assert_eq!(outcome(only).0, "dropped", "{only}");
}
