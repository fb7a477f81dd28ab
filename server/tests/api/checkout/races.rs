//! Concurrent requests for the same cart, the same stock, the same promotion or the same key.

use std::sync::Arc;

use serde_json::json;

use crate::harness::{Person, TestServer};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_completions_of_one_cart_make_one_order_and_one_capture() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.ready_cart(&Person::visitor(), &store, &store.mug, 2).await;
    let server = Arc::new(server);

    let calls: Vec<_> = (0..64)
        .map(|_| {
            let (server, cart) = (Arc::clone(&server), cart.clone());
            tokio::spawn(async move { server.complete(&Person::visitor(), &cart).await })
        })
        .collect();
    let mut orders = Vec::new();
    for call in calls {
        let reply = call.await.expect("an answer").ok();
        assert_eq!(reply["type"], "order");
        orders.push(reply["order"]["id"].as_str().expect("an order").to_owned());
    }

    orders.dedup();
    assert_eq!(orders.len(), 1);
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.number("select count(*) from capture").await, 1);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn new_amounts_new_sessions_and_completions_at_once_make_one_payment_of_the_total() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}");
    // The session is of the total before.
    let line = json!({ "variant_id": store.mug, "quantity": 1 });
    let shown = server.post(&visitor, &format!("{path}/line-items"), line).await.ok();
    let collection = shown["cart"]["payment_collection"]["id"].as_str().expect("a collection");
    let new = format!("/store/payment-collections/{collection}/payment-sessions");
    let server = Arc::new(server);

    let calls: Vec<_> = (0..192)
        .map(|number| {
            let forged = (number % 2 == 0).then_some(0.01);
            let (path, body) = match number % 3 {
                0 => ("/store/payment-intent/update-amount".to_owned(), json!({ "cart_id": cart, "amount": forged })),
                1 => (new.clone(), json!({ "provider_id": "pp_sandbox", "data": { "payment_method": "pm_card_visa" } })),
                _ => (format!("{path}/complete"), json!({})),
            };
            let server = Arc::clone(&server);
            tokio::spawn(async move { server.post(&Person::visitor(), &path, body).await.status })
        })
        .collect();
    for call in calls {
        let status = call.await.expect("an answer");
        // Some find the server full.
        assert!([200, 400, 404, 409, 503].contains(&status), "{status}");
    }

    let order = server.complete(&visitor, &cart).await.ok();
    assert_eq!(order["type"], "order", "{order:#}");
    for table in [
        "select count(*) from orders",
        "select count(*) from payment",
        "select count(*) from capture",
    ] {
        assert_eq!(server.number(table).await, 1, "{table}");
    }
    let total = server.number("select total_minor from orders").await;
    let text = std::fs::read_to_string(&ledger).expect("the ledger");
    let taken: Vec<&str> = text.lines().filter(|line| !line.starts_with("cancel")).collect();
    let [one] = taken[..] else { panic!("{taken:#?}") };
    assert_eq!(one.split('\t').nth(2), Some(total.to_string().as_str()), "{one}");
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_carts_racing_for_ten_pieces_make_ten_orders() {
    let (server, store) = TestServer::with_store().await;
    let mut carts = Vec::new();
    for _ in 0..32 {
        carts.push(server.ready_cart(&Person::visitor(), &store, &store.print, 1).await);
    }
    let server = Arc::new(server);

    let calls: Vec<_> = carts
        .into_iter()
        .map(|cart| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { server.complete(&Person::visitor(), &cart).await })
        })
        .collect();
    let (mut placed, mut refused) = (0, 0);
    for call in calls {
        let reply = call.await.expect("an answer");
        match reply.status {
            200 if reply.body["type"] == "order" => placed += 1,
            400 => refused += 1,
            _ => panic!("{reply:#?}"),
        }
    }

    assert_eq!((placed, refused), (10, 22));
    assert_eq!(server.number("select count(*) from orders").await, 10);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_promotion_is_used_no_more_often_than_its_limit_allows() {
    let (server, store) = TestServer::with_store().await;
    let promotion = json!({
        "code": "FIVE", "type": "standard", "status": "active", "limit": 5,
        "application_method": {"type": "percentage", "target_type": "items", "allocation": "across", "value": 50},
    });
    server.post(&Person::admin(), "/admin/promotions", promotion).await.ok();
    let mut carts = Vec::new();
    for _ in 0..12 {
        let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
        let path = format!("/store/carts/{cart}/promotions");
        server.post(&Person::visitor(), &path, json!({"promo_codes": ["FIVE"]})).await.ok();
        server.ship(&Person::visitor(), &store, &cart).await;
        server.pay(&Person::visitor(), &cart, "pm_card_visa").await;
        carts.push(cart);
    }
    let server = Arc::new(server);

    let calls: Vec<_> = carts
        .into_iter()
        .map(|cart| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { server.complete(&Person::visitor(), &cart).await })
        })
        .collect();
    for call in calls {
        let reply = call.await.expect("an answer");
        assert!(reply.status < 500, "{reply:#?}");
    }

    let used = "select used_count from promotion where code = 'FIVE'";
    assert!(server.number(used).await <= 5);
    assert_eq!(
        server.number("select count(*) from order_promotion").await,
        server.number(used).await
    );
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_idempotency_key_has_one_effect_and_one_answer() {
    let (server, _store) = TestServer::with_store().await;
    let server = Arc::new(server);

    let calls: Vec<_> = (0..32)
        .map(|_| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let person = Person::admin();
                let mut request = axum::http::Request::builder()
                    .method("POST")
                    .uri("/admin/customers")
                    .header("content-type", "application/json")
                    .header("idempotency-key", "once");
                for (name, value) in person.headers() {
                    request = request.header(name, value);
                }
                let body = json!({"email": "new@example.com"}).to_string();
                server.send(request.body(body.into()).expect("a request")).await
            })
        })
        .collect();
    let mut made = Vec::new();
    for call in calls {
        let reply = call.await.expect("an answer");
        match reply.status {
            200 | 201 => made.push(reply.body["customer"]["id"].to_string()),
            409 => assert!(reply.headers.contains_key("retry-after")),
            _ => panic!("{reply:#?}"),
        }
    }

    made.dedup();
    assert_eq!(made.len(), 1);
    assert_eq!(
        server.number("select count(*) from customer where email = 'new@example.com'").await,
        1
    );
}
