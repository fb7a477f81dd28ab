//! Flows as merchants write them: checks, versions, tokens.

use serde_json::{Value, json};

use super::{FLOWS, draft};
use crate::harness::{Person, Store, TestServer};

async fn made(server: &TestServer, fields: Value) -> Value {
    let mut body = json!({ "name": "Lamps", "kind": "post_purchase", "currency_code": "gbp" });
    let (Value::Object(all), Value::Object(fields)) = (&mut body, fields) else {
        panic!("fields are an object");
    };
    all.extend(fields);
    server.post(&Person::admin(), FLOWS, body).await.ok()["flow"].clone()
}

fn path(flow: &Value, rest: &str) -> String {
    format!("{FLOWS}/{}{rest}", flow["id"].as_str().expect("an id"))
}

/// Returns the paths of the findings of a draft.
async fn findings(server: &TestServer, flow: &Value, draft: Value) -> Vec<(String, String)> {
    let body = json!({ "draft": draft });
    let reply = server.post(&Person::viewer(), &path(flow, "/validate"), body).await.ok();
    let validation = &reply["validation"];
    let errors = validation["errors"].as_array().expect("findings");
    assert_eq!(validation["valid"], errors.is_empty());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found: Vec<_> =
        errors.iter().map(|one| (text(&one["path"]), text(&one["message"]))).collect();
    found.sort();
    found
}

#[tokio::test]
async fn all_errors_of_a_draft_are_found_at_once() {
    let (server, store) = TestServer::with_store().await;
    let flow = made(&server, json!({})).await;
    let wrong = json!({
        "entry": "a",
        "buttons": {
            "a": { "type": "offer", "title": "A", "show_when": "order_totl > 5 GBP",
                   "image_url": "//evil.example/x.png",
                   "offer": { "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "quantity": 2, "max_quantity": 1,
                              "price": { "type": "percent_off", "value": 101 } },
                   "accept_next": [{ "to": "b" }, { "to": "nowhere" }],
                   "decline_next": [{ "when": "is_guest", "to": "b" }] },
            "b": { "type": "question", "title": "B", "fields": [
                       { "key": "x", "label": "X", "type": "choice" }, { "key": "x", "label": "X", "type": "text" }],
                   "accept_next": [{ "to": "a" }], "decline_next": [{ "to": "c" }] },
            "c": { "type": "end", "title": "C", "redirect_url": "javascript:alert(1)",
                   "accept_next": [{ "to": "a" }] },
            "d": { "type": "notice", "title": "D", "accept_next": [] },
        },
    });

    let found = findings(&server, &flow, wrong.clone()).await;

    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "buttons.a.accept_next",
            "buttons.a.accept_next[0]",
            "buttons.a.accept_next[1].to",
            "buttons.a.decline_next",
            "buttons.a.image_url",
            "buttons.a.offer.max_quantity",
            "buttons.a.offer.price.value",
            "buttons.a.offer.variant_id",
            "buttons.a.show_when",
            "buttons.b.fields[0].options",
            "buttons.b.fields[1].key",
            "buttons.c.accept_next",
            "buttons.c.redirect_url",
            "buttons.d.accept_next",
            "buttons.d.key",
        ],
        "{found:#?}"
    );
    let body = json!({ "draft": wrong });
    server.post(&Person::admin(), &path(&flow, ""), body).await.ok();
    let refused = server.post(&Person::admin(), &path(&flow, "/publish"), json!({})).await;
    assert_eq!(refused.status, 422);
    let details = refused.body["details"].as_array().expect("details").clone();
    assert_eq!(details.len(), found.len());
    let condition = details.iter().find(|one| one["path"] == "buttons.a.show_when");
    let formula = &condition.expect("a finding")["details"][0];
    assert_eq!(formula["code"], "E203");
    assert_eq!(formula["suggestion"], "order_total > 5 GBP");
    assert!(findings(&server, &flow, draft(&store)).await.is_empty());
}

/// Addresses that a browser would interpret as leading elsewhere, or that are invalid.
const ELSEWHERE: [&str; 18] = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https:\\\\evil.example",
    "https://evil.example/",
    "https://shop.example@evil.example/",
    "https://user:word@shop.example/",
    "https://shop.example.evil.example/",
    "https://evil.example\u{3002}shop.example/",
    "https://shop.example\u{ff0e}evil.example/",
    "http://shop.example/",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "/a\r\nlocation: https://evil.example",
];

#[tokio::test]
async fn shoppers_are_sent_only_where_the_flow_allows_now() {
    let (server, store) = TestServer::with_store().await;
    let leading_to = |url: &str| {
        let mut draft = draft(&store);
        draft["buttons"]["lamp"]["image_url"] = json!(url);
        draft["buttons"]["thanks"]["redirect_url"] = json!(url);
        draft
    };
    let allowed = "https://shop.example/thanks";
    let fields = json!({
        "kind": "pre_purchase", "is_public": true, "redirect_hosts": ["shop.example"], "draft": leading_to(allowed),
    });
    let flow = made(&server, fields).await;
    for url in ELSEWHERE {
        if url.contains('\r') {
            let body = json!({ "draft": leading_to(url) });
            server.post(&Person::viewer(), &path(&flow, "/validate"), body).await.refused(400);
            continue;
        }
        let found = findings(&server, &flow, leading_to(url)).await;
        let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["buttons.lamp.image_url", "buttons.thanks.redirect_url"], "{url:?}");
    }
    let flow = server.post(&Person::admin(), &path(&flow, "/publish"), json!({})).await.ok();
    let flow = flow["flow"].clone();
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let shown = async || {
        let begun = server.begin_store(&flow, Some(&cart)).await.ok();
        begun["entry_button"]["image_url"].clone()
    };
    assert_eq!(shown().await, allowed);

    let none = json!({ "redirect_hosts": [] });
    server.post(&Person::admin(), &path(&flow, ""), none).await.ok();
    assert_eq!(shown().await, Value::Null);
}

#[tokio::test]
async fn an_offered_product_must_be_published_with_a_price_in_the_currency() {
    let (server, store) = TestServer::with_store().await;
    let in_yen = made(&server, json!({ "currency_code": "jpy" })).await;
    let mut draft_in_yen = draft(&store);
    draft_in_yen["buttons"]["lamp"]["accept_next"][0]["when"] = json!("accepted_total > 20 JPY");

    let found = findings(&server, &in_yen, draft_in_yen).await;

    let message = "the variant has no price in jpy".to_owned();
    assert_eq!(
        found,
        [
            ("buttons.lamp.offer.variant_id".to_owned(), message.clone()),
            ("buttons.print.offer.variant_id".to_owned(), message),
        ]
    );
    let in_pounds = findings(&server, &in_yen, draft(&store)).await;
    assert!(in_pounds.iter().any(|(path, _)| path == "buttons.lamp.accept_next[0].when"));
}

#[tokio::test]
async fn versions_are_published_and_rolled_back_and_never_change() {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    assert_eq!(flow["version"], 1);
    let mut changed = draft(&store);
    changed["buttons"]["thanks"]["title"] = json!("Thanks a lot");
    server.post(&Person::admin(), &path(&flow, ""), json!({ "draft": changed })).await.ok();
    let note = json!({ "note": "kinder" });
    let published = server.post(&Person::admin(), &path(&flow, "/publish"), note).await.ok();
    assert_eq!(published["flow"]["version"], 2);

    let back = json!({ "version": 1 });
    let rolled = server.post(&Person::admin(), &path(&flow, "/rollback"), back).await.ok();

    assert_eq!(rolled["flow"]["version"], 3);
    let versions = server.get(&Person::viewer(), &path(&flow, "/versions")).await.ok();
    let title = |index: usize| {
        versions["versions"][index]["definition"]["buttons"]["thanks"]["title"].clone()
    };
    assert_eq!(versions["count"], 3);
    assert_eq!([title(0), title(1), title(2)], ["Thank you", "Thanks a lot", "Thank you"]);
    assert_eq!(versions["versions"][1]["note"], "kinder");
    let query = path(&flow, "/versions?limit=1&offset=1&fields=version");
    let page = server.get(&Person::viewer(), &query).await.ok();
    assert_eq!(
        (&page["count"], &page["offset"], &page["limit"]),
        (&json!(3), &json!(1), &json!(1))
    );
    let shown: Vec<_> = page["versions"].as_array().expect("a page").iter().collect();
    assert_eq!(
        (shown.len(), &shown[0]["version"], &shown[0]["note"]),
        (1, &json!(2), &Value::Null)
    );
    let missing = json!({ "version": 9 });
    server.post(&Person::admin(), &path(&flow, "/rollback"), missing).await.refused(404);
    let other = server.other_process();
    let changed_version = other.write(|tx| {
        let sql = "update flow_version set note = 'x' where number = 1";
        Ok::<_, quotient_server::database::Error>(tx.execute(sql, []).is_err())
    });
    assert!(changed_version.await.expect("a write"), "a version was changed");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_change_based_on_an_older_state_is_refused() {
    let (server, _store) = TestServer::with_store().await;
    let flow = made(&server, json!({})).await;
    let shown = server.get(&Person::admin(), &path(&flow, "")).await;
    let tag = shown.headers["etag"].to_str().expect("a tag").to_owned();
    let person = Person::admin().with_header("if-match", &tag);
    let body = json!({ "name": "Other lamps" });

    let first = server.post(&person, &path(&flow, ""), body.clone()).await;
    let second = server.post(&person, &path(&flow, ""), body).await;

    assert_eq!((first.status, second.status), (200, 409));
    assert_ne!(first.headers["etag"].to_str().expect("a tag"), tag);
}

#[tokio::test]
async fn names_and_limits_of_a_flow_are_checked() {
    let (server, _store) = TestServer::with_store().await;
    for fields in [
        json!({ "allowed_origins": ["*"] }),
        json!({ "allowed_origins": ["https://a.example/"] }),
        json!({ "redirect_hosts": ["a.example/b"] }),
        json!({ "offer_window_minutes": 4 }),
        json!({ "offer_window_minutes": 1441 }),
        json!({ "redirect_hosts": vec!["a.example"; 21] }),
        json!({ "draft": { "buttons": { "a": { "type": "offer", "title": "<b>", "html": "x" } } } }),
    ] {
        let mut body = json!({ "name": "Lamps", "kind": "post_purchase", "currency_code": "gbp" });
        body.as_object_mut()
            .expect("an object")
            .extend(fields.as_object().expect("fields").clone());
        server.post(&Person::admin(), FLOWS, body).await.refused(400);
    }
}

#[tokio::test]
async fn a_copy_is_a_draft_of_its_own_and_an_old_token_works_for_a_while() {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("pre_purchase", draft(&store)).await;
    let copy = json!({ "currency_code": "usd" });
    let copy =
        server.post(&Person::admin(), &path(&flow, "/copy"), copy).await.ok()["flow"].clone();
    assert_eq!((&copy["version"], &copy["currency_code"]), (&Value::Null, &json!("usd")));
    assert_ne!(copy["public_token"], flow["public_token"]);
    let hours = json!({ "overlap_hours": 1 });
    let rotated =
        server.post(&Person::admin(), &path(&flow, "/rotate-token"), hours).await.ok()["flow"]
            .clone();
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let begin = async |token: &Value| {
        let body = json!({ "flow_id": token, "cart_id": cart });
        server.post(&Person::nobody(), "/flow-builder/init", body).await.status
    };

    let statuses = [begin(&flow["public_token"]).await, begin(&rotated["public_token"]).await];
    server.clock.advance(3_600_001);
    let later = [begin(&flow["public_token"]).await, begin(&rotated["public_token"]).await];

    assert_eq!(statuses, [200, 200]);
    assert_eq!(later, [400, 200]);
}

#[tokio::test]
async fn an_archived_flow_begins_no_session_and_those_under_way_finish_unless_revoked() {
    let (server, store) = TestServer::with_store().await;
    for (revoke, status) in [("", 200), ("?revoke=true", 401)] {
        let flow = server.flow("pre_purchase", draft(&store)).await;
        let (begun, cart) = begin_before(&server, &store, &flow).await;

        server.delete(&Person::admin(), &path(&flow, revoke)).await.ok();

        let body = json!({ "flow_id": flow["id"], "cart_id": cart });
        server.post(&Person::nobody(), "/flow-builder/init", body).await.refused(400);
        let token = &begun["session"]["token"];
        let pressed = server.press("decline", token, &begun["entry_button"], json!({})).await;
        assert_eq!(pressed.status, status, "{pressed:?}");
        server.get(&Person::admin(), &path(&flow, "")).await.refused(404);
    }
}

async fn begin_before(server: &TestServer, store: &Store, flow: &Value) -> (Value, String) {
    let cart = server.cart_with(&Person::visitor(), store, &store.mug, 1).await;
    let body = json!({ "flow_id": flow["id"], "cart_id": cart });
    let begun = server.post(&Person::nobody(), "/flow-builder/init", body).await.ok();
    (begun, cart)
}

#[tokio::test]
async fn every_change_of_a_flow_is_in_the_audit_log() {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    server.post(&Person::admin(), &path(&flow, "/rotate-token"), json!({})).await.ok();
    server.delete(&Person::admin(), &path(&flow, "")).await.ok();

    for action in ["create", "publish", "rotate_token", "delete"] {
        let other = server.other_process();
        let found = other.read::<_, quotient_server::database::Error>(move |tx| {
            let sql = "select count(*) from audit_entry where entity_type = 'flow' and action = ?1";
            Ok(tx.query_row(sql, [action], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(found.await.expect("a number"), 1, "{action}");
    }
    assert_eq!(server.events_named("flow.published").await, 1);
}
