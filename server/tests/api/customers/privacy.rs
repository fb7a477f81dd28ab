//! A customer's data is exported in full, and erased from every table.

use quotient_server::database::{Error, text_index};
use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

const PASSWORD: &str = "correct horse battery";

/// The identifying data of the customer in these tests.
const TRACES: [&str; 8] = [
    "customer-a@example.com",
    "Zebulon",
    "Quagmire",
    "07 Elderberry",
    "XY99 9ZZ",
    "+44 5550 7788",
    "Zyxwvshire",
    "left the parcel",
];

/// The address of the customer of these tests.
fn address() -> Value {
    json!({
        "first_name": "Zebulon", "last_name": "Quagmire", "address_1": "07 Elderberry Row", "city": "London",
        "province": "Zyxwvshire", "postal_code": "XY99 9ZZ", "country_code": "gb", "phone": "+44 5550 7788",
    })
}

/// Fills an account with a customer's typical data; returns the order.
async fn live(server: &TestServer, store: &Store) -> String {
    let me = Person::customer_a();
    let profile =
        json!({ "first_name": "Zebulon", "last_name": "Quagmire", "phone": "+44 5550 7788" });
    server.post(&me, "/store/customers/me", profile).await.ok();
    server.post(&me, "/store/customers/me/addresses", address()).await.ok();
    let order = buy(server, store).await;
    write_about(server, &order).await;
    save_a_card(server, store).await;
    visit(server, store).await;
    let reset = json!({ "identifier": "customer-a@example.com" });
    server.post(&Person::nobody(), "/auth/customer/emailpass/reset-password", reset).await;
    order
}

/// Buys two mugs; returns the order.
async fn buy(server: &TestServer, store: &Store) -> String {
    let me = Person::customer_a();
    let made = json!({ "region_id": store.britain, "email": "customer-a@example.com" });
    let made = server.post(&me, "/store/carts", made).await.ok();
    let cart = made["cart"]["id"].as_str().expect("a cart").to_owned();
    let line =
        json!({ "variant_id": store.mug, "quantity": 2, "metadata": { "engraving": "Zebulon" } });
    server.post(&me, &format!("/store/carts/{cart}/line-items"), line).await.ok();
    let addresses = json!({ "shipping_address": address(), "billing_address": address(),
                            "metadata": { "utm_source": "newsletter", "gift_for": "Quagmire" } });
    server.post(&me, &format!("/store/carts/{cart}"), addresses).await.ok();
    let path = format!("/store/carts/{cart}/shipping-methods");
    server.post(&me, &path, json!({ "option_id": store.postage })).await.ok();
    server.pay(&me, &cart, "pm_card_visa").await;
    let placed = server.complete(&me, &cart).await.ok();
    placed["order"]["id"].as_str().expect("an order").to_owned()
}

/// Adds the data that administrators write: a note, other e-mail addresses of the order, store
/// credit.
async fn write_about(server: &TestServer, order: &str) {
    let admin = Person::admin();
    let note = json!({ "customer_id": CUSTOMER, "note": "left the parcel outside" });
    server.post(&admin, "/admin/customer-notes", note).await.ok();
    let path = format!("/admin/orders/{order}");
    server.post(&admin, &path, json!({ "email": "other@example.com" })).await.ok();
    server.post(&admin, &path, json!({ "email": "customer-a@example.com" })).await.ok();
    let account = json!({ "customer_id": CUSTOMER, "currency_code": "gbp" });
    let account = server.post(&admin, "/admin/store-credit-accounts", account).await.ok();
    let id = account["store_credit_account"]["id"].as_str().expect("an account");
    let credit = json!({ "amount": 5, "note": "We left the parcel outside" });
    server.post(&admin, &format!("/admin/store-credit-accounts/{id}/credit"), credit).await.ok();
}

async fn save_a_card(server: &TestServer, store: &Store) {
    let me = Person::customer_a();
    let other = server.cart_with(&me, store, &store.mug, 1).await;
    server.post(&me, &format!("/store/carts/{other}/customer"), json!({})).await.ok();
    let path = format!("/store/carts/{other}/subscription-payment-session");
    server.post(&me, &path, json!({ "provider_id": "pp_sandbox" })).await.ok();
    let shown = server.get(&me, "/store/customers/me?fields=%2Baccount_holders").await.ok();
    let holder =
        shown["customer"]["account_holders"][0]["id"].as_str().expect("a holder").to_owned();
    let visa = json!({ "data": { "payment_method": "pm_card_visa" } });
    let saved = server.post(&me, &format!("/store/payment-methods/{holder}"), visa).await;
    assert_eq!(saved.status, 201, "{saved:#?}");
}

/// Looks at a product and reviews it.
async fn visit(server: &TestServer, store: &Store) {
    let me = Person::customer_a();
    let review = json!({
        "title": "From Zebulon", "content": "They left the parcel outside.", "rating": 4, "product_id": store.mug_product,
        "first_name": "Zebulon", "last_name": "Quagmire",
    });
    let review = server.post(&me, "/store/reviews", review).await;
    assert!(review.status < 300, "{review:#?}");
    let path = format!("/store/products/{}/track-view", store.mug_product);
    let viewed = server.post(&me, &path, json!({})).await;
    assert_eq!(viewed.status, 200, "{viewed:#?}");
}

/// Delivers an order, so that it is no longer open.
async fn deliver(server: &TestServer, store: &Store, order: &str) {
    let admin = Person::admin();
    let path = format!("/admin/orders/{order}");
    let shown = server.get(&admin, &path).await.ok();
    let items = json!([{ "id": shown["order"]["items"][0]["id"], "quantity": 2 }]);
    let body = json!({ "items": items, "location_id": store.location });
    let packed = server.post(&admin, &format!("{path}/fulfillments"), body).await.ok();
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel").to_owned();
    for step in ["shipments", "mark-as-delivered"] {
        let body = if step == "shipments" { json!({ "labels": [] }) } else { json!({}) };
        server.post(&admin, &format!("{path}/fulfillments/{parcel}/{step}"), body).await.ok();
    }
}

#[tokio::test]
async fn an_export_has_every_row_about_a_customer_and_no_secret() {
    let (server, store) = TestServer::with_store().await;
    let order = live(&server, &store).await;
    let own = server.get(&Person::customer_a(), "/store/customers/me/export").await.ok();
    let tables = own["tables"].as_object().expect("tables");
    for table in [
        "customer",
        "customer_address",
        "customer_note",
        "orders",
        "order_line",
        "order_change",
        "cart",
        "cart_line",
        "payment",
        "credit_account",
        "credit_entry",
        "identity",
        "review",
        "visit_event",
        "payment_method",
    ] {
        assert!(tables.contains_key(table), "{table}: {:?}", tables.keys());
    }
    assert_eq!(tables["orders"][0]["id"], order.as_str());
    assert_eq!(tables["orders"][0]["shipping_address"]["first_name"], "Zebulon");
    assert_eq!(tables["orders"][0]["placed_at"], "2026-11-21T12:00:00.000Z");
    for trace in TRACES {
        assert!(own.to_string().contains(trace), "{trace}");
    }
    for secret in ["password_hash", "token_digest", "client_secret"] {
        assert!(!own.to_string().contains(secret), "{secret}");
    }
    let path = format!("/admin/customers/{CUSTOMER}/export");
    let mut by_admin = server.get(&Person::admin(), &path).await.ok();
    for (table, column) in [("orders", "cost_minor"), ("order_line", "unit_cost_minor")] {
        for row in by_admin["tables"][table].as_array_mut().expect("rows") {
            assert!(row.as_object_mut().expect("a row").remove(column).is_some(), "{table}");
        }
    }
    assert_eq!(by_admin["tables"], own["tables"]);
    let other = server.get(&Person::customer_b(), "/store/customers/me/export").await.ok();
    for trace in TRACES {
        assert!(!other.to_string().contains(trace), "{trace}");
    }
}

/// 10 MiB are more than a response that is written in memory may have.
#[tokio::test]
async fn an_export_of_any_size_has_every_row_once() {
    let server = TestServer::empty().await;
    server
        .sql(format!(
            "insert into visit_event (name, customer_id, properties, created_at, received_at)
             with recursive place (n) as (select 1 union all select n + 1 from place where n < 1000)
             select 'e' || n, '{CUSTOMER}', json_object('text', hex(zeroblob(5 * 1024))), 0, 0 from place"
        ))
        .await;

    let own = server.get(&Person::customer_a(), "/store/customers/me/export").await.ok();

    let events = own["tables"]["visit_event"].as_array().expect("events");
    let names: Vec<&str> = events.iter().filter_map(|event| event["name"].as_str()).collect();
    assert_eq!(names, (1..=1000).map(|n| format!("e{n}")).collect::<Vec<_>>());
    assert_eq!(own["customer_id"], CUSTOMER);
}

#[tokio::test]
async fn an_erased_customer_leaves_no_trace_but_the_books() {
    let (server, store) = TestServer::with_store().await;
    let order = live(&server, &store).await;
    let (admin, path) = (Person::admin(), format!("/admin/customers/{CUSTOMER}/erase"));
    let body = |confirm: bool| json!({ "reason": "By letter.", "confirm_forfeit": confirm });
    assert!(server.post(&admin, &path, body(true)).await.refused(400).ends_with("is open"));
    deliver(&server, &store, &order).await;
    assert!(server.post(&admin, &path, body(false)).await.refused(400).contains("of store credit"));
    let figures = "select count(*) * 1000000 + sum(total_minor) + sum(paid_minor) from orders";
    let books = server.number(figures).await;
    assert_eq!(server.at_rest(&TRACES).await, TRACES);
    let indexed = server.beside().write::<_, Error>(text_index::add_all);
    indexed.await.expect("indexes");
    let held = r#"select (select count(*) from customer_text where customer_text match '"ebu" "uag"')
                       + (select count(*) from order_text where order_text match '"r-a" "-a@"')"#;
    assert_eq!(server.number(held).await, 2);

    server.post(&admin, &path, body(true)).await.ok();

    assert_eq!(server.number(held).await, 0);

    assert_eq!(server.at_rest(&TRACES).await, Vec::<&str>::new());
    assert_eq!(server.number(figures).await, books);
    let balance = "select sum(balance_minor) from credit_account";
    assert_eq!(server.number(balance).await, 0);
    let cards = "select count(*) from payment_method where card is not null or fingerprint is not null or deleted_at is null";
    assert_eq!(server.number(cards).await, 0);
    let reviews = "select count(*) from review where status = 'rejected' and content = '' and customer_id is null";
    assert_eq!(server.number(reviews).await, 1);
    let events = "select count(*) * 10 + count(customer_id) from visit_event";
    assert_eq!(server.number(events).await, 10);
    server.get(&Person::customer_a(), "/store/customers/me").await.refused(401);
    server.get(&admin, &format!("/admin/customers/{CUSTOMER}")).await.refused(404);
    server.post(&admin, &path, body(true)).await.refused(404);
    let shown = server.get(&admin, &format!("/admin/orders/{order}")).await.ok();
    assert_eq!(
        (&shown["order"]["email"], &shown["order"]["shipping_address"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(shown["order"]["metadata"], json!({ "utm_source": "newsletter" }));
    let trail = server.get(&admin, "/admin/metrics/audit?entity_type=customer").await.ok();
    assert_eq!(trail["changes"][0]["after"]["reason"], "By letter.");
    server.assert_sound().await;
}

#[tokio::test]
async fn webhooks_about_an_erased_customer_are_erased_and_others_stay() {
    let (server, store) = TestServer::with_store().await;
    let order = live(&server, &store).await;
    deliver(&server, &store, &order).await;
    let account = server.word("select external_id from account_holder").await;
    let card = server.word("select reference from payment_method").await;
    let number = server.word("select cast(display_id as text) from orders").await;
    let name = "Zebulon Quagmire";
    let (about, others) = (
        [
            ("email-provider", json!({ "to": ["Customer-A@Example.com"] }).to_string()),
            ("email-provider", r#"{"text":"Zebulon wrote:\nCustomer-A@example.com."}"#.to_owned()),
            ("sms-provider", "to=customer-a%40example.com&name=Zebulon".to_owned()),
            ("sms-provider", "to=Zebulon+%3Ccustomer-a%40example.com%3E".to_owned()),
            ("card-processor-tolerant", json!({ "customer": account, "name": name }).to_string()),
            ("card-processor-tolerant", json!({ "id": card, "name": name }).to_string()),
            ("fulfillment-partner", json!({ "order_id": order, "name": name }).to_string()),
            ("warehouse-integration", json!({ "cust_ref": number, "name": name }).to_string()),
            ("warehouse-integration", format!("name=Zebulon&cust_ref=%23{number}&city=London")),
        ],
        [
            ("email-provider", json!({ "to": ["other@example.com"] }).to_string()),
            ("card-processor-tolerant", json!({ "customer": format!("{account}x") }).to_string()),
            ("warehouse-integration", json!({ "cust_ref": "7", "quantity": number }).to_string()),
            ("warehouse-integration", format!("quantity={number}&cust_ref=7")),
            ("warehouse-integration", number.clone()),
        ],
    );
    for (place, (receiver, body)) in about.iter().chain(&others).enumerate() {
        server
            .sql(format!(
                "insert into webhook_delivery (id, direction, receiver, external_id, body, status, received_at)
                 values ('wh_{place}', 'inbound', '{receiver}', '{place}', cast('{body}' as blob), 'received', 1)"
            ))
            .await;
    }

    let path = format!("/admin/customers/{CUSTOMER}/erase");
    let body = json!({ "reason": "By letter.", "confirm_forfeit": true });
    server.post(&Person::admin(), &path, body).await.ok();

    let left = "select group_concat(cast(body as text), '|' order by rowid) from webhook_delivery where body is not null";
    assert_eq!(server.word(left).await, others.map(|(_, body)| body).join("|"));
    assert_eq!(server.at_rest(&TRACES).await, Vec::<&str>::new());
}

#[tokio::test]
async fn an_export_omits_people_with_a_longer_address_and_orders_of_others() {
    let server = TestServer::empty().await;
    let register = json!({ "email": "na@shop.example", "password": PASSWORD });
    let path = "/auth/customer/emailpass/register";
    let token = server.post(&Person::nobody(), path, register).await.ok()["token"].take();
    let na = Person::visitor().with_bearer(token.as_str().expect("a token"));
    server.post(&na, "/store/customers", json!({ "email": "na@shop.example" })).await.ok();
    for (id, to, order) in [
        ("wh_longer", "anna@shop.example", "null"),
        ("wh_elsewhere", "na@shop.example.com", "null"),
        ("wh_of_a_guest", "na@shop.example", "'order_of_a_guest'"),
        ("wh_own", "Na <na@shop.example>", "null"),
    ] {
        server
            .sql(format!(
                r#"insert into webhook_delivery (id, direction, receiver, external_id, body, status, order_id, received_at)
                   values ('{id}', 'inbound', 'email-provider', '{id}', cast('{{"to":"{to}"}}' as blob), 'received', {order}, 1)"#
            ))
            .await;
    }
    server
        .sql(
            r#"insert into idempotency_key (principal, key, method, path, body_sha256, state, status, body, created_at)
               values ('guest', 'one', 'POST', '/store/carts/cart_of_a_guest', x'00', 'done', 200,
                       cast('{"email":"na@shop.example"}' as blob), 1)"#,
        )
        .await;

    let export = server.get(&na, "/store/customers/me/export").await.ok();

    let deliveries = export["tables"]["webhook_delivery"].as_array().expect("deliveries");
    let ids: Vec<&Value> = deliveries.iter().map(|delivery| &delivery["id"]).collect();
    assert_eq!(ids, ["wh_own"]);
    assert!(!export.to_string().contains("of_a_guest"), "{export:#?}");
    for _ in 0..4 {
        server.get(&na, "/store/customers/me/export").await.ok();
    }
    server.get(&na, "/store/customers/me/export").await.refused(429);
}

#[tokio::test]
async fn a_customer_who_asks_is_erased_after_thirty_days_unless_it_is_taken_back() {
    let server = TestServer::empty().await;
    server.sql("update token set expires_at = 4102444800000").await;
    let me = "/store/customers/me/erasure";
    let register = json!({ "email": "eve@example.com", "password": PASSWORD });
    let path = "/auth/customer/emailpass/register";
    let token = server.post(&Person::nobody(), path, register).await.ok()["token"].take();
    let eve = Person::visitor().with_bearer(token.as_str().expect("a token"));
    let made = json!({ "email": "eve@example.com", "first_name": "Eve" });
    let id = server.post(&eve, "/store/customers", made).await.ok()["customer"]["id"].take();
    server.post(&eve, me, json!({ "password": "wrong horse battery" })).await.refused(401);
    let asked = server.post(&eve, me, json!({ "password": PASSWORD })).await.ok();
    assert_eq!(asked["erasure"]["due_at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(asked["erasure"]["customer_id"], id);
    server.delete(&eve, me).await.ok();
    server.delete(&eve, me).await.refused(404);

    server.post(&eve, me, json!({ "password": PASSWORD })).await.ok();
    server.work().await;
    // The audit scans everything on purpose.
    server.sql("update job set run_at = 4102444800000 where kind <> 'privacy.erase_due'").await;
    let path = format!("/admin/customers/{}", id.as_str().expect("an id"));
    for (days, status) in [(29, 200), (2, 404)] {
        server.clock.advance(days * 24 * 60 * 60 * 1_000);
        server.work().await;
        assert_eq!(server.get(&Person::admin(), &path).await.status, status, "{days}");
    }
    let count = "select count(*) from customer_erasure";
    assert_eq!(server.number(count).await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_deleted_customer_can_be_exported_and_is_erased_when_it_is_due() {
    let (server, store) = TestServer::with_store().await;
    let order = live(&server, &store).await;
    deliver(&server, &store, &order).await;
    server.work().await;
    let (admin, path) = (Person::admin(), format!("/admin/customers/{CUSTOMER}"));
    server
        .sql(
            "insert into customer_erasure (customer_id, confirm_forfeit, requested_at, due_at)
              values ('cus_01JD2Q8Z5M6T3W9XKCV4B7N00A', 1, 0, 0)",
        )
        .await;
    server.delete(&admin, &path).await.ok();
    let export = server.get(&admin, &format!("{path}/export")).await.ok();
    assert_eq!(export["tables"]["orders"][0]["id"], order.as_str());

    server.sql("update job set run_at = 4102444800000 where kind <> 'privacy.erase_due'").await;
    server.clock.advance(2 * 60 * 60 * 1_000);
    server.work().await;

    let named = "select (select count(*) from customer where first_name = 'Zebulon')
                      + (select count(*) from orders where shipping_address is not null or province is not null)
                      + (select count(*) from customer_erasure)";
    assert_eq!(server.number(named).await, 0);
    server.get(&admin, &format!("{path}/export")).await.refused(404);
    server.post(&admin, &format!("{path}/erase"), json!({ "reason": "Again." })).await.refused(404);
    server.assert_sound().await;
}
