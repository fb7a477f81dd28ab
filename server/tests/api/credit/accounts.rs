//! Accounts and their ledgers, by admins and by their customers.

use serde_json::{Value, json};

use super::{ACCOUNTS, CUSTOMER_A, of};
use crate::harness::{Person, TestServer};

const MINE: &str = "/store/store-credit-accounts";

#[tokio::test]
async fn an_account_starts_empty_and_its_ledger_explains_its_balance() {
    let (server, _store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 0).await;
    let empty = json!([0, 0, 0, "gbp", CUSTOMER_A]);
    let facts = ["balance", "credits", "debits", "currency_code", "customer_id"];
    assert_eq!(facts.map(|fact| account[fact].clone()).to_vec(), *empty.as_array().unwrap());
    assert_eq!(account["customer"]["email"], "customer-A@example.com");

    let path = of(&account);
    let credit = json!({ "amount": 12.5, "note": "Sorry for the delay" });
    server.post(&Person::admin(), &format!("{path}/credit"), credit).await.ok();
    let debited =
        server.post(&Person::program(), &format!("{path}/debit"), json!({ "amount": 2.25 })).await;
    assert_eq!(debited.ok()["store_credit_account"]["balance"], json!(10.25));

    let ledger = server.get(&Person::viewer(), &format!("{path}/transactions")).await.ok();
    assert_eq!((&ledger["count"], &ledger["limit"]), (&json!(2), &json!(15)));
    let entry = |at: usize, fact: &str| ledger["transactions"][at][fact].clone();
    let newest = ["kind", "type", "amount", "balance_after", "reference", "note"];
    assert_eq!(
        newest.map(|fact| entry(0, fact)),
        [json!("DEBIT"), json!("debit"), json!(2.25), json!(10.25), json!("api_key"), Value::Null]
    );
    assert_eq!(
        newest.map(|fact| entry(1, fact)),
        [
            json!("CREDIT"),
            json!("credit"),
            json!(12.5),
            json!(12.5),
            json!("user"),
            json!("Sorry for the delay"),
        ]
    );
    let debits = format!("{path}/transactions?kind=DEBIT&fields=amount");
    assert_eq!(server.get(&Person::admin(), &debits).await.ok()["count"], 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn invalid_requests_are_refused_and_change_nothing() {
    let (server, _store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 5).await;
    let path = of(&account);
    let nobody = "cus_01JD2Q8Z5M6T3W9XKCV4B7N09Z";
    for (body, status) in [
        (json!({}), 400),
        (json!({ "currency_code": "xyz" }), 400),
        (json!({ "currency_code": "jpy" }), 400),
        (json!({ "currency_code": "GBP", "customer_id": CUSTOMER_A }), 400),
        (json!({ "currency_code": "gbp", "customer_id": nobody }), 404),
        (json!({ "currency_code": "gbp", "balance": 5 }), 400),
    ] {
        let reply = server.post(&Person::admin(), ACCOUNTS, body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {reply:#?}");
    }
    for (verb, amount) in [
        ("credit", json!(0)),
        ("credit", json!(-1)),
        ("credit", json!(0.001)),
        ("credit", json!("5")),
        ("credit", json!(10_000.01)),
        ("debit", json!(5.01)),
        ("debit", json!(null)),
    ] {
        let body = json!({ "amount": amount });
        server.post(&Person::admin(), &format!("{path}/{verb}"), body).await.refused(400);
    }
    let unknown = format!("{ACCOUNTS}/sc_acc_01JD2Q8Z5M6T3W9XKCV4B7N09Z");
    for path in [unknown.clone(), format!("{unknown}/transactions")] {
        server.get(&Person::admin(), &path).await.refused(404);
    }
    server
        .post(&Person::admin(), &format!("{unknown}/credit"), json!({ "amount": 1 }))
        .await
        .refused(404);

    assert_eq!(server.get(&Person::admin(), ACCOUNTS).await.ok()["count"], 1);
    let account = server.get(&Person::admin(), &path).await.ok();
    assert_eq!(account["store_credit_account"]["balance"], 5);
    server.assert_sound().await;
}

#[tokio::test]
async fn accounts_are_found_by_their_details_but_not_by_part_of_their_code() {
    let (server, _store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 30).await;
    server.credit_account(None, 7).await;
    let code = account["code"].as_str().expect("a code");
    let (start, _) = code.split_at(12);
    let (_, last) = code.split_at(18);
    let id = account["id"].as_str().expect("an id");
    for (query, count) in [
        ("q=customer-a".to_owned(), 1),
        (format!("q={id}"), 1),
        (format!("q={last}"), 1),
        (format!("q={start}"), 0),
        (format!("q={code}"), 1),
        (format!("q={}", code.to_lowercase()), 1),
        (format!("q={}", code.replace(last, "0000")), 0),
        (format!("code={code}"), 1),
        ("q=gbp".to_owned(), 2),
        ("balance[$gt]=7".to_owned(), 1),
        ("customer_id=null".to_owned(), 1),
        ("currency_code=eur".to_owned(), 0),
    ] {
        let found = server.get(&Person::admin(), &format!("{ACCOUNTS}?{query}")).await.ok();
        assert_eq!(found["count"], count, "{query}");
    }
    for sign in ["$gt", "$gte", "$lt", "$lte", "$like", "$ilike"] {
        server.get(&Person::viewer(), &format!("{ACCOUNTS}?code[{sign}]=SC-5")).await.refused(400);
    }
    let seen =
        server.get(&Person::viewer(), &format!("{}?fields=%2Bcustomer", of(&account))).await.ok();
    let seen = &seen["store_credit_account"];
    assert_eq!(seen["code"], format!("SC-****-****-****-{last}"));
    assert_eq!(seen["customer"]["email"], "customer-A@example.com");
    let own = server.get(&Person::customer_a(), MINE).await.ok();
    assert_eq!(own["store_credit_accounts"][0].get("customer"), None);
}

#[tokio::test]
async fn a_customer_sees_own_accounts_and_claims_a_code_once() {
    let (server, _store) = TestServer::with_store().await;
    let gift = server.credit_account(None, 25).await;
    let code = json!({ "code": gift["code"] });
    let claim = format!("{MINE}/claim");
    let claimed = server.post(&Person::customer_a(), &claim, code.clone()).await.ok();
    let own = &claimed["store_credit_account"];
    assert_eq!((&own["balance"], &own["customer_id"]), (&json!(25), &json!(CUSTOMER_A)));

    let again = server.post(&Person::customer_b(), &claim, code).await.refused(404);
    let unknown = json!({ "code": "SC-AAAA-AAAA-AAAA-AAAA" });
    let never = server.post(&Person::customer_b(), &claim, unknown.clone()).await.refused(404);
    assert_eq!(again, never);
    for _ in 0..3 {
        server.post(&Person::customer_b(), &claim, unknown.clone()).await.refused(404);
    }
    server.post(&Person::customer_b(), &claim, unknown).await.refused(429);

    let path = format!("{MINE}/{}", own["id"].as_str().expect("an id"));
    assert_eq!(server.get(&Person::customer_a(), MINE).await.ok()["count"], 1);
    server.get(&Person::customer_a(), &path).await.ok();
    assert_eq!(server.get(&Person::customer_b(), MINE).await.ok()["count"], 0);
    server.get(&Person::customer_b(), &path).await.refused(404);
    server.assert_sound().await;
}
