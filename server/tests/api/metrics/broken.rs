//! Metrics that no longer compile because the store's currency changed.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::active;
use super::registry::send;
use crate::harness::{Person, TestServer};

const DEFINITION: &str = "/admin/metrics-registry/definitions/over_fifty";

/// Creates a server with a metric in dollars and one that uses it, whose store then changes to another currency.
async fn server() -> TestServer {
    let server = TestServer::empty().await;
    server.write_store("usd").await;
    active(&server, "Over fifty", "count(orders where total > 50 USD)").await;
    active(&server, "Portion", "over_fifty / count(orders)").await;
    set_currency(&server, "gbp").await;
    let view = server.get(&Person::viewer(), DEFINITION).await.ok();
    assert!(view["metric"]["problem"].is_string(), "{view:#}");
    server
}

#[tokio::test]
async fn a_metric_that_is_invalid_in_another_currency_says_why() {
    let server = TestServer::empty().await;
    server.write_store("usd").await;
    active(&server, "Over fifty", "count(orders where total > 50 USD)").await;
    active(&server, "Portion", "over_fifty / count(orders)").await;
    let compute = async |mut body: Value| {
        body["currency_code"] = json!("eur");
        server.post(&Person::viewer(), "/admin/metrics/compute", body).await.refused(422)
    };

    let own = compute(json!({ "metrics": ["over_fifty"] })).await;

    let cause = "the metric `over_fifty` has errors of its own: ";
    let why = own.split_once(cause).unwrap_or_else(|| panic!("{own}")).1;
    assert!(why.contains("USD"), "{own}");
    for body in [json!({ "metrics": ["portion"] }), json!({ "formula": "[Over fifty] + 1" })] {
        let refused = compute(body).await;
        assert!(refused.ends_with(&format!("{cause}{why}")), "{refused}");
    }
}

async fn set_currency(server: &TestServer, currency: &'static str) {
    let other = server.other_process();
    let set = other.write::<_, Error>(move |tx| {
        Ok(tx.execute("update store set default_currency = ?1", [currency])?)
    });
    set.await.expect("a currency");
}

async fn lifecycle(server: &TestServer, state: &str, status: u16) -> String {
    let path = format!("{DEFINITION}/lifecycle");
    let reply = server.post(&Person::admin(), &path, json!({ "state": state })).await;
    assert_eq!(reply.status, status, "{reply:#?}");
    reply.body.to_string()
}

#[tokio::test]
async fn a_metric_that_no_longer_compiles_is_repaired_by_another_formula() {
    let server = server().await;
    let admin = Person::admin();
    let formula = "count(orders where total > 50 GBP)";
    let check = json!({ "formula": formula, "metric_id": "over_fifty" });
    let checked = server.post(&admin, "/admin/metrics/validate", check).await.ok();
    assert_eq!(checked["is_valid"], true, "{checked:#}");
    let wrong = json!({ "formula": "count(orders where total > 40 USD)" });
    send(&server, &admin, ("PATCH", DEFINITION), wrong).await.refused(422);

    let mended = send(&server, &admin, ("PATCH", DEFINITION), json!({ "formula": formula })).await;

    let mended = mended.ok();
    assert_eq!(
        (&mended["metric"]["version"], &mended["metric"]["state"], &mended["metric"]["problem"]),
        (&json!(2), &json!("active"), &Value::Null)
    );
    let values = server.get(&admin, "/admin/metrics?metrics=over_fifty,portion").await.ok();
    assert_eq!(values["metrics"]["over_fifty"]["value"], 0, "{values:#}");
    assert!(values["metrics"]["portion"]["error"].is_null(), "{values:#}");
}

#[tokio::test]
async fn a_metric_that_no_longer_compiles_can_still_be_edited_apart_from_its_formula() {
    let server = server().await;
    let admin = Person::admin();
    let change = json!({ "description": "Large orders", "tags": ["old"] });
    let changed = send(&server, &admin, ("PATCH", DEFINITION), change).await.ok();
    assert_eq!(
        (&changed["metric"]["description"], &changed["metric"]["version"]),
        (&json!("Large orders"), &json!(1))
    );
    let path = format!("{DEFINITION}/examples");
    let example = json!({ "context": { "orders": [] }, "expected": "0" });
    server.post(&admin, &path, example).await.refused(422);

    lifecycle(&server, "archived", 200).await;
    lifecycle(&server, "draft", 200).await;
    let refused = lifecycle(&server, "active", 422).await;
    assert!(refused.contains("no longer sound"), "{refused}");
    server.delete(&admin, DEFINITION).await.ok();

    server.get(&admin, DEFINITION).await.refused(404);
}

#[tokio::test]
async fn a_metric_that_no_longer_compiles_goes_back_to_a_version_that_does() {
    let server = server().await;
    let admin = Person::admin();
    let formula = json!({ "formula": "count(orders where total > 50 GBP)" });
    send(&server, &admin, ("PATCH", DEFINITION), formula).await.ok();
    set_currency(&server, "usd").await;

    let path = format!("{DEFINITION}/versions");
    let back = server.post(&admin, &path, json!({ "version": 1 })).await.ok();

    assert_eq!((&back["metric"]["version"], &back["metric"]["problem"]), (&json!(3), &Value::Null));
}
