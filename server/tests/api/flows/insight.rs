//! What merchants learn: rehearsals, submissions, sessions, erasure.

use serde_json::{Value, json};

use super::{FLOWS, draft};
use crate::harness::{Person, Store, TestServer};

fn path(flow: &Value, rest: &str) -> String {
    format!("{FLOWS}/{}{rest}", flow["id"].as_str().expect("an id"))
}

async fn pressed() -> (TestServer, Store, Value, Value) {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let token = &begun["session"]["token"];
    let reason = json!({ "reason": "Ada has one" });
    let question = server.press("decline", token, &begun["entry_button"], reason).await.ok();
    let answers = json!({ "answers": { "size": "L", "mail": "ada@example.org" } });
    server.press("accept", token, &question["nextButton"], answers).await.ok();
    (server, store, flow, begun)
}

#[tokio::test]
async fn a_record_is_run_through_the_draft_with_every_condition_explained() {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let body = json!({
        "record": { "skus": ["PRINT"], "answer_size": "L" }, "answers": { "lamp": "decline" },
    });

    let path_of = server.post(&Person::viewer(), &path(&flow, "/simulate"), body).await.ok();

    let steps: Vec<String> = path_of["path"]
        .as_array()
        .expect("a path")
        .iter()
        .map(|step| {
            format!(
                "{} {}",
                step["key"].as_str().unwrap_or(""),
                step["action"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(steps, ["lamp decline", "why accept", "print skipped", "thanks end"]);
    let conditions = &path_of["path"][3]["conditions"];
    assert_eq!(conditions[0]["condition"], "answer_size = 'L'");
    assert_eq!((&conditions[0]["value"], &conditions[1]["value"]), (&json!(true), &json!(false)));
    assert!(conditions[1]["explain"]["label"].is_string(), "{path_of:#}");
    assert_eq!(server.number("select count(*) from flow_session").await, 0);
    let unreadable = json!({ "record": { "order_total": { "amount": 1, "currency": "XXX!" } } });
    server.post(&Person::viewer(), &path(&flow, "/simulate"), unreadable).await.refused(400);
}

#[tokio::test]
async fn past_orders_are_run_through_the_draft() {
    let (server, store) = TestServer::with_store().await;
    let mut changed = draft(&store);
    changed["buttons"]["lamp"]["show_when"] = json!("item_count >= 1 and orders_before = 0");
    let flow = server.flow("post_purchase", changed).await;
    for _ in 0..3 {
        server.kept_order(&store, "pm_card_visa").await;
    }

    let counts =
        server.post(&Person::viewer(), &path(&flow, "/backtest"), json!({ "days": 7 })).await.ok();

    assert_eq!(counts["backtest"]["orders"], 3);
    let of = |key: &str| {
        let buttons = counts["backtest"]["buttons"].as_array().expect("buttons");
        let found = buttons.iter().find(|one| one["key"] == key).expect("a button").clone();
        (found["if_accepted"].as_i64(), found["if_declined"].as_i64())
    };
    // The same guest has ordered thrice: only the first order has none before it.
    assert_eq!(of("lamp"), (Some(1), Some(1)));
    assert_eq!(of("why"), (Some(3), Some(3)));
    assert_eq!(of("thanks"), (Some(3), Some(3)));
    server
        .post(&Person::viewer(), &path(&flow, "/backtest"), json!({ "days": 0 }))
        .await
        .refused(400);
}

#[tokio::test]
async fn submissions_are_listed_and_a_session_is_shown_with_its_answers() {
    let (server, _store, flow, begun) = pressed().await;

    let list =
        server.get(&Person::viewer(), &path(&flow, "/submissions?action=declined")).await.ok();
    let id = begun["session"]["id"].as_str().expect("an id");
    let session = server.get(&Person::viewer(), &format!("/admin/flow-sessions/{id}")).await.ok();

    assert_eq!(list["count"], 1);
    assert_eq!(
        (&list["submissions"][0]["button_key"], &list["submissions"][0]["reason"]),
        (&json!("lamp"), &json!("Ada has one"))
    );
    let session = &session["flow_session"];
    assert_eq!(session["current_button"], "print");
    let answers: Vec<&Value> = session["answers"].as_object().expect("answers").values().collect();
    assert_eq!(answers, [&json!({ "mail": "ada@example.org", "size": "L" })]);
    let answered = session["journey"].as_array().expect("a journey");
    let answered = answered.iter().find(|one| one["action"] == "answered").expect("an answer");
    assert_eq!(answered["conditions"][0]["condition"], "answer_size = 'L'");
    let foreign = path(&json!({ "id": "flow_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }), "/submissions");
    server.get(&Person::viewer(), &foreign).await.refused(404);
}

#[tokio::test]
async fn erasing_removes_what_a_person_wrote_and_keeps_the_figures() {
    let (server, _store, _flow, begun) = pressed().await;
    let id = begun["session"]["id"].as_str().expect("an id");
    let token = begun["session"]["token"].as_str().expect("a token");

    let erased = server
        .post(&Person::admin(), &format!("/admin/flow-sessions/{id}/erase"), json!({}))
        .await
        .ok();

    assert_eq!(erased["flow_session"]["answers"], json!({}));
    assert_eq!(erased["flow_session"]["journey"].as_array().map(Vec::len), Some(5));
    let left = server.at_rest(&["ada@example.org", "Ada has one"]).await;
    assert!(left.is_empty(), "{left:?}");
    let person = Person::nobody().with_header("x-flow-session", token);
    assert_eq!(server.get(&person, "/flow-builder/receipt").await.status, 401);
}

#[tokio::test]
async fn personal_answers_are_forgotten_after_their_days_and_the_others_stay() {
    let (server, _store, _flow, _begun) = pressed().await;
    server.only_job("flows.forget").await;
    server.clock.advance(364 * 86_400_000);
    server.work().await;
    let kept = server.number("select count(*) from flow_answer").await;

    server.clock.advance(2 * 86_400_000);
    server.work().await;

    assert_eq!(kept, 2);
    assert_eq!(server.number("select count(*) from flow_answer where pii = 'none'").await, 1);
    assert_eq!(server.number("select count(*) from flow_answer").await, 1);
    assert_eq!(server.number("select count(*) from flow_press where reason is not null").await, 0);
}
