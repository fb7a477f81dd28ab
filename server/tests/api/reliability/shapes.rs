//! An internal error has the body that each route documents, and reveals nothing about its cause.

use quotient_server::database::Error;
use serde_json::{Value, json};

use crate::harness::{Person, TestServer};
use crate::sms::NUMBER_KEY;

const CART: &str = "cart_01JD2Q8Z5M6T3W9XKCV4B7N09Z";

/// A route, the table without which it fails, and the members of its error.
struct Failing {
    call: (&'static str, &'static str, Value),
    table: &'static str,
    members: &'static [&'static str],
}

fn failing(
    method: &'static str,
    path: &'static str,
    body: Value,
    table: &'static str,
    members: &'static [&'static str],
) -> Failing {
    Failing { call: (method, path, body), table, members }
}

/// Returns the routes that document their own body for an internal error.
fn routes() -> Vec<Failing> {
    let none = Value::Null;
    let cart = json!({ "cart_id": CART });
    let token = json!({ "cart_id": CART, "confirmation_token_id": "ctoken_card_visa" });
    let grant = json!({
        "grant_type": "client_credentials", "client_id": "oac_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "client_secret": "ocs_1",
    });
    let sessions = json!({
        "collection_id": "pay_col_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "session_ids": ["payses_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"],
    });
    let listed = "/store/payment-sessions?collection_id=pay_col_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    let membership = "/store/membership/status?order_id=order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    let consent = json!({ "phone": "+4915112345678", "consent": true });
    let button =
        json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "session_token": "fst_1" });
    vec![
        failing(
            "GET",
            "/store/analytics/config",
            none.clone(),
            "storefront_setting",
            &["error", "message"],
        ),
        failing(
            "POST",
            "/store/sms-marketing/opt-in",
            consent,
            "sms_consent",
            &["error", "success"],
        ),
        failing("GET", membership, none.clone(), "orders", &["message"]),
        failing("POST", "/store/oauth/token", grant, "oauth_client", &["error", "message"]),
        failing("POST", "/store/payment-intent/update-amount", cart, "cart", &["error"]),
        failing("POST", "/store/payment/confirm-with-token", token, "cart", &["error"]),
        failing("GET", listed, none.clone(), "payment_collection", &["error", "message"]),
        failing(
            "DELETE",
            "/store/payment-sessions",
            sessions,
            "payment_collection",
            &["error", "message"],
        ),
        failing("POST", "/flow-builder/init", json!({ "flow_id": "pf_1" }), "flow", &["error"]),
        failing("POST", "/flow-builder/accept", button.clone(), "flow_token", &["error"]),
        failing("POST", "/flow-builder/decline", button, "flow_token", &["error"]),
        failing(
            "GET",
            "/flow-builder/button/fbtn_01JD2Q8Z5M6T3W9XKCV4B7NZZZ",
            none.clone(),
            "flow_button",
            &["error"],
        ),
        failing("GET", "/flow-builder/receipt", none, "flow_token", &["error"]),
    ]
}

/// Renames a table.
async fn rename(server: &TestServer, from: String, to: String) {
    let other = server.other_process();
    let renamed = other.write::<_, Error>(move |tx| {
        Ok(tx.execute_batch(&format!("alter table {from} rename to {to}"))?)
    });
    renamed.await.expect("the table has another name");
}

#[tokio::test]
async fn a_failure_inside_has_the_body_of_its_route() {
    let (server, _store) =
        TestServer::with_store_and(&["--sms-provider=sandbox", NUMBER_KEY]).await;
    let person = Person::visitor().with_header("x-flow-session", "fst_1");
    for Failing { call: (method, path, body), table, members } in routes() {
        let gone = format!("{table}_gone");
        rename(&server, table.to_owned(), gone.clone()).await;
        let body = (!body.is_null()).then(|| body.to_string().into_bytes());
        let reply = server.call(&person, method, path, body).await;
        rename(&server, gone, table.to_owned()).await;

        assert_eq!(reply.status, 500, "{method} {path}: {reply:?}");
        let mut found: Vec<&String> = reply.body.as_object().expect("an object").keys().collect();
        found.sort_unstable();
        assert_eq!(found, members, "{method} {path}");
        assert!(!reply.body.to_string().contains(table), "{method} {path}: {reply:?}");
    }
}
