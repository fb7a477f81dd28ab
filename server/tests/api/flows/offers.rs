//! Flows before the purchase: an accepted offer becomes a line of the cart at its price.

use serde_json::{Value, json};

use super::{SECOND_MS, draft};
use crate::harness::{Person, Reply, Store, TestServer};

impl TestServer {
    async fn store_press(&self, verb: &str, begun: &Value, body: Value) -> Reply {
        let token = begun["session"]["token"].as_str().expect("a token");
        let person = Person::visitor().with_header("x-flow-session", token);
        let reply = self.post(&person, &format!("/store/flow-builder/{verb}"), body).await;
        self.clock.advance(SECOND_MS);
        reply
    }

    pub(super) async fn begin_store(&self, flow: &Value, cart: Option<&str>) -> Reply {
        let body = json!({ "flow_id": flow["id"], "cart_id": cart });
        let reply = self.post(&Person::visitor(), "/store/flow-builder/init", body).await;
        self.clock.advance(SECOND_MS);
        reply
    }
}

async fn cart_of(server: &TestServer, cart: &str) -> Value {
    let path = format!("/store/carts/{cart}?fields=*items,*items.adjustments");
    server.get(&Person::visitor(), &path).await.ok()["cart"].clone()
}

async fn with_cart() -> (TestServer, Store, Value, String) {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("pre_purchase", draft(&store)).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    server.ship(&Person::visitor(), &store, &cart).await;
    (server, store, flow, cart)
}

#[tokio::test]
async fn an_accepted_offer_is_a_line_of_the_cart_at_the_price_that_was_shown() {
    let (server, _store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await;
    assert_eq!(begun.status, 201);
    let begun = begun.body;
    let offer = &begun["entry_button"]["offer"];
    // 14.99 at 20 % off is 11.99, and 20 % tax on top of that.
    assert_eq!(offer["subtotal"], json!(11.99));
    assert_eq!(offer["total"], json!(14.39));
    assert_eq!(offer["compare_at_total"], json!(17.99));

    let body = json!({ "button_id": begun["entry_button"]["id"], "cart_id": cart });
    let accepted = server.store_press("accept", &begun, body.clone()).await.ok();
    let again = server.store_press("accept", &begun, body).await.ok();

    assert_eq!(accepted, again);
    assert_eq!(accepted["next_button"]["key"], "why");
    assert_eq!(
        (&accepted["is_terminal"], &accepted["redirect_url"]),
        (&json!(false), &Value::Null)
    );
    let shown = cart_of(&server, &cart).await;
    let lines = shown["items"].as_array().expect("lines");
    assert_eq!(lines.len(), 2);
    let line = lines.iter().find(|line| line["variant_sku"] == "LAMP").expect("a lamp");
    assert_eq!((&line["total"], &line["unit_price"]), (&json!(14.39), &json!(14.99)));
    assert_eq!(line["adjustments"][0]["code"], "FLOW");
    assert_eq!(line["adjustments"][0]["promotion_id"], Value::Null);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_address_that_anybody_types_is_offered_nothing_for_what_its_guest_bought() {
    let (server, store) = TestServer::with_store().await;
    let mut draft = draft(&store);
    draft["buttons"]["lamp"]["show_when"] = json!("orders_before > 0 or not is_first_order");
    let flow = server.flow("pre_purchase", draft).await;
    for person in [Person::visitor(), Person::customer_a()] {
        let cart = server.ready_cart(&person, &store, &store.mug, 1).await;
        server.complete(&person, &cart).await.ok();
    }
    let entry = async |person: Person| {
        let cart = server.cart_with(&person, &store, &store.mug, 1).await;
        let body = json!({ "flow_id": flow["id"], "cart_id": cart });
        let begun = server.post(&person, "/store/flow-builder/init", body).await.ok();
        begun["entry_button"]["key"].clone()
    };

    assert_eq!(entry(Person::visitor()).await, "why");
    assert_eq!(entry(Person::customer_a()).await, "lamp");
}

#[tokio::test]
async fn the_price_is_for_the_accepted_pieces_and_promotions_do_not_lower_it() {
    let (server, _store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let body = json!({ "button_id": begun["entry_button"]["id"], "quantity": 2 });
    server.store_press("accept", &begun, body).await.ok();
    let lamp = async || {
        let shown = cart_of(&server, &cart).await;
        let lines = shown["items"].as_array().expect("lines").clone();
        lines.into_iter().find(|line| line["variant_sku"] == "LAMP").expect("a lamp")
    };
    let line = lamp().await;
    assert_eq!(line["subtotal"], json!(29.98));
    assert_eq!(line["discount_subtotal"], json!(6));

    for (quantity, discount) in [(5, json!(6)), (1, json!(3))] {
        let path =
            format!("/store/carts/{cart}/line-items/{}", line["id"].as_str().expect("an id"));
        let body = json!({ "quantity": quantity });
        server.post(&Person::visitor(), &path, body).await.ok();
        assert_eq!(lamp().await["discount_subtotal"], discount, "{quantity}");
    }
    let codes = json!({ "promo_codes": ["TENOFF"] });
    server.post(&Person::visitor(), &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    assert_eq!(lamp().await["discount_subtotal"], json!(3));
    let more = json!({ "variant_id": line["variant_id"], "quantity": 1 });
    let path = format!("/store/carts/{cart}/line-items");
    let added = server.post(&Person::visitor(), &path, more).await.ok();
    assert_eq!(added["cart"]["items"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn an_order_keeps_the_offer_of_its_cart() {
    let (server, _store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let body = json!({ "button_id": begun["entry_button"]["id"] });
    server.store_press("accept", &begun, body).await.ok();
    server.pay(&Person::visitor(), &cart, "pm_card_visa").await;

    let placed = server.complete(&Person::visitor(), &cart).await.ok();

    let order = server.order_of(&placed["order"]).await;
    let lines = order["items"].as_array().expect("lines");
    assert!(lines.iter().any(|line| line["total"] == json!(14.39)), "{lines:#?}");
    server.assert_sound().await;
}

#[tokio::test]
async fn answers_are_checked_and_decide_the_way() {
    let (server, store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let decline = json!({ "button_id": begun["entry_button"]["id"], "reason": "too dear" });
    let question = server.store_press("decline", &begun, decline).await.ok()["next_button"].clone();
    let answer = |answers: Value| json!({ "button_id": question["id"], "answers": answers });
    for answers in [
        json!({}),
        json!({ "size": "XL" }),
        json!({ "size": "L", "mail": "nobody" }),
        json!({ "size": "L", "x": 1 }),
    ] {
        let refused = server.store_press("accept", &begun, answer(answers)).await;
        assert_eq!(refused.status, 400, "{refused:?}");
        assert_eq!(refused.body, json!({ "error": "Some answers are missing or not valid" }));
    }

    let answers = json!({ "size": "L", "mail": "ada@example.com" });
    let next = server.store_press("accept", &begun, answer(answers)).await.ok();

    assert_eq!(next["next_button"]["key"], "print");
    let accept = json!({ "button_id": next["next_button"]["id"] });
    let end = server.store_press("accept", &begun, accept).await.ok();
    assert_eq!(end["next_button"]["key"], "thanks");
    assert_eq!(
        (&end["is_terminal"], &end["redirect_url"]),
        (&json!(true), &json!("/order/confirmed"))
    );
    let token = begun["session"]["token"].as_str().expect("a token");
    let person = Person::visitor().with_header("x-flow-session", token);
    let receipt = server.get(&person, "/store/flow-builder/receipt").await.ok()["receipt"].clone();
    let journey: Vec<String> = receipt["journey"]
        .as_array()
        .expect("a journey")
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one["key"].as_str().unwrap_or(""),
                one["action"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        journey,
        [
            "lamp shown",
            "lamp declined",
            "why shown",
            "why answered",
            "print shown",
            "print accepted",
            "thanks shown",
        ]
    );
    assert_eq!(receipt["session"]["status"], "completed");
    // Ten pounds with 20 % tax.
    assert_eq!(receipt["session"]["upsell_total"], json!(12));
    // The mug with postage and tax, and the print.
    assert_eq!(receipt["total_revenue"], json!(39.53));
    let other = server.other_process();
    let file = other.read::<_, quotient_server::database::Error>(|tx| {
        let sql = "select group_concat(payload) from event where name like 'flow.%'";
        Ok(tx.query_row(sql, [], |row| row.get::<_, String>(0))?)
    });
    let events = file.await.expect("events");
    assert!(!events.contains("ada@example.com") && events.contains("mail"), "{events}");
    drop(store);
}

#[tokio::test]
async fn a_button_whose_condition_is_false_is_skipped() {
    let (server, store, _flow, _cart) = with_cart().await;
    let mut changed = draft(&store);
    changed["buttons"]["lamp"]["show_when"] = json!("item_count > 100");
    let flow = server.flow("pre_purchase", changed).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.print, 1).await;

    let begun = server.begin_store(&flow, Some(&cart)).await.ok();

    assert_eq!(begun["entry_button"]["key"], "why");
    let body = json!({ "button_id": begun["entry_button"]["id"], "answers": { "size": "L" } });
    // The print is already in the cart, so it is not offered.
    let next = server.store_press("accept", &begun, body).await.ok();
    assert_eq!(next["next_button"]["key"], "thanks");
    let skipped = server.number("select count(*) from flow_press where action = 'skipped'").await;
    assert_eq!(skipped, 2);
}

#[tokio::test]
async fn a_session_without_a_cart_is_bound_once() {
    let (server, store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, None).await.ok();
    let button = begun["entry_button"]["id"].clone();
    let unbound = server.store_press("accept", &begun, json!({ "button_id": button })).await;
    assert_eq!(unbound.status, 400);
    assert_eq!(unbound.body, json!({ "error": "The session has no cart yet" }));

    let body = json!({ "button_id": button, "cart_id": cart });
    server.store_press("accept", &begun, body.clone()).await.ok();

    let other = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let question =
        server.number("select count(*) from flow_session where cart_id is not null").await;
    assert_eq!(question, 1);
    let token = begun["session"]["token"].as_str().expect("a token");
    let person = Person::visitor().with_header("x-flow-session", token);
    let path = format!("/store/flow-builder/button/{}", button.as_str().expect("an id"));
    let shown = server.get(&person, &path).await.ok();
    let current = shown["session"]["current_button_id"].clone();
    let foreign = json!({ "button_id": current, "cart_id": other, "answers": { "size": "S" } });
    let refused = server.store_press("accept", &begun, foreign).await;
    assert_eq!(refused.status, 404, "{refused:?}");

    let declined = json!({ "button_id": button, "cart_id": other });
    let free = server.begin_store(&flow, None).await.ok();
    server.store_press("decline", &free, declined).await.ok();
    let bound = server.number("select count(*) from flow_session where cart_id is not null").await;
    assert_eq!(bound, 1, "only an acceptance binds");
}

#[tokio::test]
async fn a_sold_out_offer_is_closed_and_the_shopper_continues() {
    let (server, store, _flow, cart) = with_cart().await;
    let mut changed = draft(&store);
    changed["entry"] = json!("print");
    changed["buttons"]
        .as_object_mut()
        .expect("buttons")
        .retain(|key, _| key == "print" || key == "thanks");
    changed["buttons"]["print"]["offer"]["max_quantity"] = json!(20);
    let flow = server.flow("pre_purchase", changed).await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    assert_eq!(begun["entry_button"]["offer"]["available"], true);

    let body = json!({ "button_id": begun["entry_button"]["id"], "quantity": 11 });
    let closed = server.store_press("accept", &begun, body.clone()).await.ok();

    assert_eq!(closed["next_button"]["key"], "thanks");
    assert_eq!(closed["next_button"]["notice"], "offer_closed");
    assert_eq!(server.store_press("accept", &begun, body).await.ok(), closed);
    assert_eq!(cart_of(&server, &cart).await["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_amount_in_one_currency_is_not_a_price_in_another() {
    let (server, store, _flow, cart) = with_cart().await;
    let mut changed = draft(&store);
    changed["entry"] = json!("print");
    changed["buttons"].as_object_mut().expect("buttons").remove("why");
    changed["buttons"]["print"]["accept_next"] = json!([{ "to": "lamp" }]);
    for way in ["accept_next", "decline_next"] {
        changed["buttons"]["lamp"][way] = json!([{ "to": "thanks" }]);
    }
    let flow = server.flow("pre_purchase", changed).await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let print = json!({ "button_id": begun["entry_button"]["id"] });
    let lamp = server.store_press("accept", &begun, print).await.ok()["next_button"].clone();
    assert_eq!(lamp["offer"]["currency_code"], "gbp");

    let region = json!({ "region_id": store.america });
    let path = format!("/store/carts/{cart}");
    let moved = server.post(&Person::visitor(), &path, region).await.ok();
    assert_eq!(moved["cart"]["currency_code"], "usd");

    let shown = cart_of(&server, &cart).await;
    let lines = shown["items"].as_array().expect("lines");
    let print = lines.iter().find(|line| line["variant_sku"] == "PRINT").expect("a print");
    assert_eq!((&print["discount_subtotal"], &print["adjustments"]), (&json!(0), &json!([])));
    // Nothing is offered in pounds any more either.
    let token = begun["session"]["token"].as_str().expect("a token");
    let path = format!("/store/flow-builder/button/{}", lamp["id"].as_str().expect("an id"));
    let shown = server.get(&Person::visitor().with_header("x-flow-session", token), &path).await;
    assert_eq!(shown.ok()["button"]["offer"], Value::Null);
    let closed =
        server.store_press("accept", &begun, json!({ "button_id": lamp["id"] })).await.ok();
    assert_eq!(closed["next_button"]["notice"], "offer_closed");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_storefront_shows_the_buttons_of_a_session_and_its_receipt() {
    let (server, _store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let token = begun["session"]["token"].as_str().expect("a token").to_owned();
    let shopper = Person::visitor().with_header("x-flow-session", &token);
    let id = begun["entry_button"]["id"].as_str().expect("an id");
    let path = format!("/store/flow-builder/button/{id}");
    let shown = server.get(&shopper, &path).await.ok();
    assert_eq!(shown["button"], begun["entry_button"]);
    assert_eq!(shown["session"]["id"], begun["session"]["id"]);
    assert_eq!(server.get(&Person::visitor(), &path).await.ok()["session"], Value::Null);

    let body = json!({ "button_id": id });
    let next = server.store_press("decline", &begun, body.clone()).await.ok();
    assert_eq!((&next["next_button"]["key"], &next["is_terminal"]), (&json!("why"), &json!(false)));
    let why = json!({ "button_id": next["next_button"]["id"] });
    let end = server.store_press("decline", &begun, why).await.ok();
    assert_eq!(
        (&end["is_terminal"], &end["redirect_url"]),
        (&json!(true), &json!("/order/confirmed"))
    );
    let receipt = server.get(&shopper, "/store/flow-builder/receipt").await.ok();
    let receipt = &receipt["receipt"];
    assert_eq!(receipt["session"]["status"], "completed");
    let journey = receipt["journey"].as_array().expect("a journey");
    let actions = journey.iter().map(|step| step["action"].as_str().unwrap_or_default());
    assert_eq!(actions.filter(|action| *action == "declined").count(), 2);
    assert!(receipt["total_revenue"].is_number(), "{receipt}");

    for (body, status) in [
        (json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "session_token": token }), 404),
        (json!({ "button_id": id, "session_token": "fst_no" }), 404),
        (json!({ "button_id": end["next_button"]["id"], "session_token": token }), 400),
    ] {
        let path = "/store/flow-builder/decline";
        let reply = server.post(&Person::visitor(), path, body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {reply:?}");
        assert!(reply.body["error"].is_string(), "{body}: {reply:?}");
    }
    let path = "/store/flow-builder/init-with-order";
    server.post(&Person::visitor(), path, json!({ "flow_id": flow["id"] })).await.refused(400);
}

#[tokio::test]
async fn the_errors_of_the_storefront_have_their_own_shape() {
    let (server, store, flow, cart) = with_cart().await;
    let begun = server.begin_store(&flow, Some(&cart)).await.ok();
    let id = begun["entry_button"]["id"].as_str().expect("an id").to_owned();
    let token = begun["session"]["token"].as_str().expect("a token");
    let visitor = Person::visitor();
    let other = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let unknown = "fbtn_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    for (path, body, status) in [
        ("accept", json!({ "button_id": id }), 400),
        ("decline", json!({ "button_id": id }), 400),
        ("accept", json!({ "button_id": id, "session_token": "fst_no" }), 404),
        ("decline", json!({ "button_id": id, "session_token": token, "cart_id": other }), 404),
        ("init", json!({ "flow_id": "flow_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }), 400),
        (
            "init",
            json!({ "flow_id": flow["id"], "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
            400,
        ),
    ] {
        let reply = server.post(&visitor, &format!("/store/flow-builder/{path}"), body).await;
        assert_eq!(reply.status, status, "{path}: {reply:?}");
        assert_eq!(reply.body.as_object().map(serde_json::Map::len), Some(1), "{reply:?}");
        assert!(reply.body["error"].is_string(), "{reply:?}");
    }
    let body = json!({ "button_id": unknown });
    assert_eq!(server.store_press("accept", &begun, body).await.status, 404);
    let path = format!("/store/flow-builder/button/{unknown}");
    assert_eq!(server.get(&visitor, &path).await.status, 404);
    assert_eq!(server.get(&visitor, "/store/flow-builder/receipt").await.status, 400);
    let person = Person::visitor().with_header("x-flow-session", token);
    assert_eq!(server.get(&person, "/store/flow-builder/receipt").await.status, 400);
    let stranger = Person::visitor().with_header("x-flow-session", "fst_no");
    assert_eq!(server.get(&stranger, "/store/flow-builder/receipt").await.status, 404);
    let second = server.begin_store(&flow, Some(&cart)).await;
    assert_eq!((second.status, &second.body["session"]["id"]), (200, &begun["session"]["id"]));
    let own = json!({ "button_id": id, "cart_id": cart });
    server.store_press("decline", &begun, own).await.ok();
}
