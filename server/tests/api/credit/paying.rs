//! Carts and orders that store credit pays.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{CUSTOMER_A, of};
use crate::harness::{Person, Store, TestServer};

/// Returns the path of a cart of customer A with mugs, ready to be paid, and its total.
async fn cart(server: &TestServer, store: &Store, quantity: i64) -> (String, f64) {
    let shopper = Person::customer_a();
    let cart = server.cart_with(&shopper, store, &store.mug, quantity).await;
    server.post(&shopper, &format!("/store/carts/{cart}/customer"), json!({})).await.ok();
    server.ship(&shopper, store, &cart).await;
    let shown = server.get(&shopper, &format!("/store/carts/{cart}")).await.ok();
    (cart, shown["cart"]["total"].as_f64().expect("a total"))
}

async fn apply(server: &TestServer, cart: &str, amount: Value) -> Value {
    let path = format!("/store/carts/{cart}/store-credits");
    server.post(&Person::customer_a(), &path, amount).await.ok()["cart"].clone()
}

#[tokio::test]
async fn credit_is_applied_changed_and_removed_and_spends_nothing_before_completion() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, total) = cart(&server, &store, 3).await;
    assert!(total > 20.0);
    let applied = apply(&server, &cart, json!({})).await;
    assert_eq!(applied["credit_line_total"], 10);
    assert_eq!(applied["credit_lines"][0]["reference_id"], account["id"]);
    let applied = apply(&server, &cart, json!({ "amount": 4.5 })).await;
    assert_eq!(
        (&applied["credit_line_total"], applied["total"].as_f64()),
        (&json!(4.5), Some(total - 4.5))
    );
    let path = format!("/store/carts/{cart}/store-credits");
    for (person, amount, status) in [
        (Person::customer_a(), json!(10.01), 400),
        (Person::customer_a(), json!(-1), 400),
        (Person::customer_a(), json!(0.001), 400),
        (Person::customer_b(), json!(1), 404),
        (Person::visitor(), json!(1), 404),
    ] {
        server.post(&person, &path, json!({ "amount": amount })).await.refused(status);
    }
    assert_eq!(apply(&server, &cart, json!({ "amount": 0 })).await["credit_line_total"], 0);
    apply(&server, &cart, json!({ "amount": 1 })).await;
    let removed = server.delete(&Person::customer_a(), &path).await.ok();
    assert_eq!(removed["cart"]["credit_lines"], json!([]));
    assert_eq!(server.number("select count(*) from credit_entry where kind = 'DEBIT'").await, 0);
}

#[tokio::test]
async fn the_credit_that_was_asked_for_pays_again_when_the_cart_has_grown_again() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 60).await;
    let (cart, _) = cart(&server, &store, 4).await;
    let (customer, lines) = (Person::customer_a(), format!("/store/carts/{cart}/line-items"));
    for (asked, paid) in [(json!({ "amount": 50 }), 50), (json!({}), 60)] {
        let applied = apply(&server, &cart, asked).await;
        let line = format!("{lines}/{}", applied["items"][0]["id"].as_str().expect("a line"));
        let fewer = server.post(&customer, &line, json!({ "quantity": 1 })).await.ok();
        assert_eq!(fewer["cart"]["total"], 0);
        let more = server.post(&customer, &line, json!({ "quantity": 4 })).await.ok();
        assert_eq!(more["cart"]["credit_line_total"], paid);
        let emptied = server.delete(&customer, &line).await.ok();
        assert_eq!(emptied["parent"]["credit_lines"], json!([]));
        let item = json!({ "variant_id": store.mug, "quantity": 4 });
        let again = server.post(&customer, &lines, item).await.ok();
        assert_eq!(again["cart"]["credit_lines"][0]["amount"], paid);
    }
    server.ship(&customer, &store, &cart).await;
    server.pay(&customer, &cart, "pm_card_visa").await;

    let order = server.complete(&customer, &cart).await.ok()["order"].take();

    assert_eq!(order["total"], 14.29);
    let spent = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(spent["store_credit_account"]["balance"], 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn credit_that_comes_in_after_the_card_has_paid_does_not_change_the_order() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, total) = cart(&server, &store, 3).await;
    apply(&server, &cart, json!({})).await;
    server.pay(&Person::customer_a(), &cart, "pm_card_visa").await;
    let more = json!({ "amount": 5 });
    server.post(&Person::admin(), &format!("{}/credit", of(&account)), more).await.ok();
    let path = format!("/store/carts/{cart}");
    server.post(&Person::customer_a(), &path, json!({ "metadata": { "note": "gift" } })).await.ok();

    let order = server.complete(&Person::customer_a(), &cart).await.ok()["order"].take();

    assert_eq!(order["total"].as_f64(), Some(total - 10.0));
    let spent = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(spent["store_credit_account"]["balance"], 5);
    server.assert_sound().await;
}

#[tokio::test]
async fn credit_does_not_pay_a_higher_price_that_was_not_shown() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 500).await;
    let (cart, total) = cart(&server, &store, 1).await;
    assert_eq!(apply(&server, &cart, json!({})).await["total"], 0);
    let dearer = json!({ "title": "Dearer", "status": "active", "type": "override",
        "prices": [{ "variant_id": store.mug, "currency_code": "gbp", "amount": 99 }] });
    server.post(&Person::admin(), "/admin/price-lists", dearer).await.ok();

    let refused = server.complete(&Person::customer_a(), &cart).await.ok();

    assert_eq!(refused["type"], "cart", "{refused}");
    let shown = server.get(&Person::customer_a(), &format!("/store/carts/{cart}")).await.ok();
    assert_eq!(shown["cart"]["credit_line_total"].as_f64(), Some(total));
    let kept = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(kept["store_credit_account"]["balance"], 500);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_guest_cannot_pay_with_the_credit_of_an_address() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}/store-credits");
    let reply = server.post(&Person::visitor(), &path, json!({})).await;
    assert_eq!((reply.status, &reply.body["code"]), (400, &json!("NOT_ALLOWED")));
}

#[tokio::test]
async fn an_order_is_paid_by_credit_and_card_and_canceling_it_gives_both_back() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, total) = cart(&server, &store, 3).await;
    apply(&server, &cart, json!({})).await;
    server.pay(&Person::customer_a(), &cart, "pm_card_visa").await;
    let order = server.complete(&Person::customer_a(), &cart).await.ok()["order"].clone();
    assert_eq!(order["total"].as_f64(), Some(total - 10.0));
    let id = order["id"].as_str().expect("an order");

    let ledger = format!("{}/transactions", of(&account));
    let newest = server.get(&Person::admin(), &ledger).await.ok()["transactions"][0].clone();
    assert_eq!((&newest["reference"], &newest["order_id"]), (&json!("cart"), &json!(id)));
    assert_eq!(newest["balance_after"], 0);
    server.post(&Person::admin(), &format!("/admin/orders/{id}/cancel"), json!({})).await.ok();
    let newest = server.get(&Person::admin(), &ledger).await.ok()["transactions"][0].clone();
    assert_eq!(
        (&newest["reference"], &newest["balance_after"]),
        (&json!("order_refund"), &json!(10))
    );

    // That credit is returned once, and the check would report it if it were not.
    let line =
        json!({ "amount": -0.01, "reference": "store-credit", "reference_id": account["id"] });
    let lines = format!("/admin/orders/{id}/credit-lines");
    let refused = server.post(&Person::admin(), &lines, line).await.refused(400);
    let canceled = format!("Order `{id}` is canceled: its payments are returned as they were made");
    assert_eq!(refused, canceled);
    server.assert_sound().await;
    let twice = "insert into credit_entry (id, account_id, kind, amount_minor, balance_after_minor, reference, reference_id, created_at)
                 select 'again', account_id, kind, 1, 1001, reference, reference_id, created_at
                   from credit_entry where reference = 'order_refund'";
    let write = server
        .beside()
        .write::<_, quotient_server::database::Error>(move |tx| Ok(tx.execute(twice, [])?));
    write.await.expect("an entry");
    let findings = server.findings().await;
    let rule = "no order is refunded above what was paid, in money and in store credit";
    assert!(findings.iter().any(|one| one.rule == rule && one.id == id), "{findings:#?}");
}

#[tokio::test]
async fn a_canceled_order_is_not_refunded_to_credit_before_its_card_is() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, _) = cart(&server, &store, 1).await;
    server.pay(&Person::customer_a(), &cart, "pm_card_visa").await;
    let order = server.complete(&Person::customer_a(), &cart).await.ok()["order"].clone();
    let canceled = "update orders set status = 'canceled', canceled_at = updated_at";
    let write = server
        .beside()
        .write::<_, quotient_server::database::Error>(move |tx| Ok(tx.execute(canceled, [])?));
    write.await.expect("an order");

    let line = json!({ "amount": -1, "reference": "store-credit", "reference_id": account["id"] });
    let lines = format!("/admin/orders/{}/credit-lines", order["id"].as_str().expect("an order"));
    server.post(&Person::admin(), &lines, line).await.refused(400);

    let account = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(account["store_credit_account"]["balance"], 10);
}

#[tokio::test]
async fn an_order_that_credit_pays_alone_needs_no_payment_session() {
    let (server, store) = TestServer::with_store().await;
    server.credit_account(Some(CUSTOMER_A), 500).await;
    let (cart, total) = cart(&server, &store, 1).await;
    let applied = apply(&server, &cart, json!({})).await;
    assert_eq!(
        (applied["credit_line_total"].as_f64(), &applied["total"]),
        (Some(total), &json!(0))
    );
    let order = server.complete(&Person::customer_a(), &cart).await.ok();
    assert_eq!(order["type"], "order");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_refused_card_leaves_the_credit_unspent() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, _) = cart(&server, &store, 3).await;
    apply(&server, &cart, json!({})).await;
    server.pay(&Person::customer_a(), &cart, "pm_card_declined").await;
    let refused = server.complete(&Person::customer_a(), &cart).await.ok();
    assert_eq!(refused["type"], "cart");
    let account = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(account["store_credit_account"]["balance"], 10);
    assert_eq!(server.number("select count(*) from credit_entry").await, 3);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_order_is_refunded_to_credit_no_further_than_it_was_paid() {
    let (server, store) = TestServer::with_store().await;
    let account = server.credit_account(Some(CUSTOMER_A), 10).await;
    let (cart, total) = cart(&server, &store, 3).await;
    apply(&server, &cart, json!({})).await;
    server.pay(&Person::customer_a(), &cart, "pm_card_visa").await;
    let order = server.complete(&Person::customer_a(), &cart).await.ok()["order"].clone();
    let id = order["id"].as_str().expect("an order");

    let lines = format!("/admin/orders/{id}/credit-lines");
    let refund = |amount: f64, account: &Value| json!({ "amount": -amount, "reference": "store-credit", "reference_id": account });
    let other = server.credit_account(None, 0).await;
    for (amount, account, status) in [
        (total + 0.01, &account["id"], 400),
        (5.0, &other["id"], 404),
        (5.0, &json!("nonsense"), 404),
    ] {
        server.post(&Person::admin(), &lines, refund(amount, account)).await.refused(status);
    }
    let refunded = server.post(&Person::admin(), &lines, refund(15.0, &account["id"])).await.ok();
    assert_eq!(refunded["order"]["summary"]["refunded_total"], 15);
    assert_eq!(refunded["order"]["payment_status"], "partially_refunded");
    let now = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(now["store_credit_account"]["balance"], 15);

    let cancel = format!("/admin/orders/{id}/cancel");
    server.post(&Person::admin(), &cancel, json!({})).await.refused(400);
    // The card is refunded with the remainder.
    let payments =
        server.get(&Person::admin(), &format!("/admin/payments?order_id={id}")).await.ok();
    let payment = payments["payments"][0]["id"].as_str().expect("a payment");
    let path = format!("/admin/payments/{payment}/refund");
    server.post(&Person::admin(), &path, json!({ "amount": total - 14.99 })).await.refused(400);
    server.post(&Person::admin(), &path, json!({ "amount": total - 15.0 })).await.ok();
    let refunded = server.get(&Person::admin(), &format!("/admin/orders/{id}")).await.ok();
    assert_eq!(refunded["order"]["payment_status"], "refunded");
    let reserved = "select count(*) from reservation where deleted_at is null";
    assert_eq!(server.number(reserved).await, 1);

    // Canceling it releases the stock and refunds nothing more.
    server.post(&Person::admin(), &cancel, json!({})).await.ok();
    assert_eq!(server.number(reserved).await, 0);
    let canceled = server.get(&Person::admin(), &format!("/admin/orders/{id}")).await.ok();
    assert_eq!(canceled["order"]["status"], "canceled");
    assert_eq!(canceled["order"]["summary"]["refunded_total"].as_f64(), Some(total));
    let now = server.get(&Person::admin(), &of(&account)).await.ok();
    assert_eq!(now["store_credit_account"]["balance"], 15);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_carts_spend_one_balance_exactly_once() {
    let (server, store) = TestServer::with_store().await;
    server.credit_account(Some(CUSTOMER_A), 100).await;
    let mut carts = Vec::new();
    let mut total = 0.0;
    for _ in 0..64 {
        let (cart, price) = cart(&server, &store, 1).await;
        apply(&server, &cart, json!({})).await;
        total = price;
        carts.push(cart);
    }
    let server = Arc::new(server);
    let calls: Vec<_> = carts
        .into_iter()
        .map(|cart| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { server.complete(&Person::customer_a(), &cart).await })
        })
        .collect();
    let (mut placed, mut refused) = (0, 0);
    for call in calls {
        let reply = call.await.expect("an answer");
        match reply.status {
            200 if reply.body["type"] == "order" => placed += 1,
            400 => {
                assert_eq!(reply.body["code"], "INSUFFICIENT_CREDIT", "{reply:#?}");
                refused += 1;
            }
            _ => panic!("{reply:#?}"),
        }
    }
    let affordable = (1..=64).filter(|count| f64::from(*count) * total <= 100.0).count();
    assert_eq!((placed, refused), (affordable, 64 - affordable));
    server.assert_sound().await;
}
