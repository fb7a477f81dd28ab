//! Questions about the store: what is computed for them, and what is kept.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

async fn compute(server: &TestServer, body: Value) -> Value {
    server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok()
}

#[tokio::test]
async fn an_answer_about_days_that_have_ended_still_follows_the_present() {
    let (server, store) = TestServer::with_store().await;
    super::order_of_yesterday(&server, &store, &store.mug, 1).await;
    super::active(&server, "Hours since", "(now() - period_start) / 1 hour").await;
    let late = "created_at > now() - 25 hours";
    let questions = [
        json!({ "formula": "now()" }),
        json!({ "metrics": ["hours_since"] }),
        json!({ "formula": "hours_since + 1" }),
        json!({ "formula": format!("count(orders where {late})") }),
        json!({ "formula": "count(orders)", "where": late }),
    ];
    let value = async |question: &Value| {
        let mut body = question.clone();
        for (field, own) in
            [("start_date", "2026-11-20"), ("end_date", "2026-11-20"), ("currency_code", "gbp")]
        {
            body[field] = json!(own);
        }
        let answer = compute(&server, body).await;
        let mut records = answer["metrics"].as_object().expect("records").values();
        records.next().expect("a record")["value"].clone()
    };
    let mut before = Vec::new();
    for question in &questions {
        before.push(value(question).await);
    }

    server.clock.advance(7_200_000);

    for (question, before) in questions.iter().zip(before) {
        assert_ne!(value(question).await, before, "{question}");
    }
}

