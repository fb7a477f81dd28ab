//! Carts in storefronts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

async fn make(server: &TestServer, person: &Person, body: Value) -> String {
    let made = server.post(person, "/store/carts", body).await.ok();
    made["cart"]["id"].as_str().unwrap_or_default().to_owned()
}

fn in_america(store: &Store) -> Value {
    json!({"region_id": store.america})
}

#[tokio::test]
async fn an_item_is_added_changed_and_removed() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let path = format!("/store/carts/{}", make(&server, &visitor, in_america(&store)).await);
    let item = json!({"variant_id": store.mug, "quantity": 2});
    let items = format!("{path}/line-items");
    let cart = server.post(&visitor, &items, item).await.ok();
    assert_eq!(cart["cart"]["item_subtotal"], json!(25.98));
    let line = cart["cart"]["items"][0]["id"].as_str().unwrap_or_default().to_owned();

    let line_path = format!("{items}/{line}");
    let raised = server.post(&visitor, &line_path, json!({"quantity": 3})).await.ok();
    assert_eq!(raised["cart"]["items"][0]["quantity"], json!(3));
    let removed = server.delete(&visitor, &line_path).await.ok();

    assert_eq!(removed["id"], json!(line));
    assert_eq!((&removed["object"], &removed["deleted"]), (&json!("line-item"), &json!(true)));
    assert_eq!(removed["parent"]["items"], json!([]));
    assert_eq!(server.delete(&visitor, &line_path).await.status, 404);
    let too_many = json!({"variant_id": store.print, "quantity": 11});
    let refused = server.post(&visitor, &items, too_many).await;
    assert_eq!((refused.status, &refused.body["code"]), (400, &json!("insufficient_inventory")));
    server.assert_sound().await;
}

#[tokio::test]
async fn an_unknown_code_is_invalid_and_a_known_one_can_be_removed() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let path = format!("/store/carts/{}", make(&server, &visitor, in_america(&store)).await);
    let item = json!({"variant_id": store.mug, "quantity": 2});
    server.post(&visitor, &format!("{path}/line-items"), item).await.ok();
    let codes = format!("{path}/promotions");

    let unknown = server.post(&visitor, &codes, json!({"promo_codes": ["X"]})).await;
    assert_eq!(unknown.refused(400), "The promotion code X is invalid");
    let known = server.post(&visitor, &codes, json!({"promo_codes": ["TENOFF"]})).await.ok();
    assert_eq!(known["cart"]["discount_subtotal"], json!(2.6));
    assert_eq!(known["cart"]["promotions"][0]["code"], "TENOFF");
    let body = json!({"promo_codes": ["TENOFF"]}).to_string().into_bytes();
    let removed = server.call(&visitor, "DELETE", &codes, Some(body)).await.ok();
    assert_eq!(removed["cart"]["discount_subtotal"], json!(0));
}

#[tokio::test]
async fn a_customers_cart_is_not_found_by_others() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let id = make(&server, &visitor, in_america(&store)).await;
    let path = format!("/store/carts/{id}");
    let give = format!("{path}/customer");
    assert_eq!(server.post(&visitor, &give, json!({})).await.status, 401);

    server.post(&Person::customer_a(), &give, json!({})).await.ok();

    for person in [visitor, Person::customer_b()] {
        let read = server.get(&person, &path).await;
        let unknown = server.get(&person, "/store/carts/cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE").await;
        assert_eq!((read.status, unknown.status), (404, 404));
        assert_eq!(server.post(&person, &path, json!({"locale": "en"})).await.status, 404);
        let options = format!("/store/shipping-options?cart_id={id}");
        assert_eq!(server.get(&person, &options).await.status, 404);
    }
    assert_eq!(server.post(&Person::customer_b(), &give, json!({})).await.status, 404);
    assert_eq!(server.get(&Person::customer_a(), &path).await.status, 200);
}

#[tokio::test]
async fn answers_do_not_reveal_whether_an_address_has_an_account() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    for email in ["nobody@example.com", "a@example.com"] {
        let id = make(&server, &visitor, in_america(&store)).await;
        let path = format!("/store/carts/{id}/subscription-customer");

        let reply = server.post(&visitor, &path, json!({"email": email})).await;

        assert_eq!(reply.status, 200);
        let keys: Vec<_> =
            reply.body.as_object().into_iter().flatten().map(|(key, _)| key).collect();
        assert_eq!(keys, ["customer_id"]);
        assert_eq!(server.get(&visitor, &format!("/store/carts/{id}")).await.status, 200);
    }
    let id = make(&server, &visitor, in_america(&store)).await;
    let path = format!("/store/carts/{id}/subscription-customer");
    assert_eq!(server.post(&visitor, &path, json!({})).await.status, 400);
}

#[tokio::test]
async fn an_unverified_address_reveals_nothing_about_its_guest() {
    let (server, store) = TestServer::with_store().await;
    let trade = json!({ "email": "trade@example.com", "first_name": "Grace", "last_name": "Hopper",
                        "company_name": "Wool", "phone": "+441632960961" });
    let trade = server.post(&Person::admin(), "/admin/customers", trade).await.ok();
    let account = json!({ "phone": "+441632960962" });
    server.post(&Person::customer_a(), "/store/customers/me", account).await.ok();
    let cart = make(&server, &Person::visitor(), in_america(&store)).await;
    let path = format!("/store/carts/{cart}");
    let shown = async |person: Person| {
        let path = format!("{path}?fields=id,*customer");
        server.get(&person, &path).await.ok()["cart"]["customer"].clone()
    };

    let email = json!({ "email": "trade@example.com" });
    server.post(&Person::visitor(), &path, email).await.ok();
    let guest = shown(Person::visitor()).await;

    assert_eq!(guest["id"], trade["customer"]["id"]);
    for field in ["first_name", "last_name", "company_name", "phone"] {
        assert_eq!(guest.get(field), Some(&Value::Null), "{field}");
    }
    server.post(&Person::customer_a(), &format!("{path}/customer"), json!({})).await.ok();
    assert_eq!(shown(Person::customer_a()).await["phone"], "+441632960962");
}

#[tokio::test]
async fn an_unverified_address_gets_no_prices_of_its_guests_groups() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let guest = json!({ "email": "trade@example.com" });
    let guest = server.post(&admin, "/admin/customers", guest).await.ok()["customer"].clone();
    let account = server.get(&Person::customer_a(), "/store/customers/me").await.ok();
    let group = json!({ "name": "Trade" });
    let group = server.post(&admin, "/admin/customer-groups", group).await.ok();
    let group = group["customer_group"]["id"].as_str().expect("an id");
    let members = json!({ "add": [guest["id"], account["customer"]["id"]] });
    let path = format!("/admin/customer-groups/{group}/customers");
    server.post(&admin, &path, members).await.ok();
    let list = json!({ "title": "Trade", "status": "active", "type": "override",
        "rules": { "customer.groups.id": [group] },
        "prices": [{ "variant_id": store.mug, "currency_code": "usd", "amount": 5 }] });
    server.post(&admin, "/admin/price-lists", list).await.ok();
    let half = json!({ "code": "TRADE", "type": "standard", "status": "active", "is_automatic": true,
        "rules": [{ "attribute": "customer.groups.id", "operator": "in", "values": [group] }],
        "application_method": { "type": "percentage", "target_type": "items", "allocation": "across", "value": 50 } });
    server.post(&admin, "/admin/promotions", half).await.ok();
    let begin = async |person: &Person| {
        let path = format!("/store/carts/{}", make(&server, person, in_america(&store)).await);
        let item = json!({ "variant_id": store.mug, "quantity": 1 });
        let cart = server.post(person, &format!("{path}/line-items"), item).await.ok();
        (path, cart["cart"].clone())
    };
    let price =
        |cart: &Value| [cart["items"][0]["unit_price"].clone(), cart["discount_subtotal"].clone()];

    let (path, _cart) = begin(&Person::visitor()).await;
    let typed = json!({ "email": "trade@example.com" });
    let typed = server.post(&Person::visitor(), &path, typed).await.ok();
    let shown = format!("{path}?fields=id,customer.id,customer.groups.id");
    let shown = server.get(&Person::visitor(), &shown).await.ok()["cart"]["customer"].clone();
    let (_path, own) = begin(&Person::customer_a()).await;

    assert_eq!((&shown["id"], &shown["groups"]), (&guest["id"], &json!([])));
    assert_eq!(price(&typed["cart"]), [json!(12.99), json!(0)]);
    assert_eq!(price(&own), [json!(5), json!(2.5)]);
}

#[tokio::test]
async fn an_address_that_anybody_types_meets_no_promotion_for_its_guest() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let typed = json!({ "email": "trade@example.com" });
    let guest = server.post(&admin, "/admin/customers", typed.clone()).await.ok();
    let account = server.get(&Person::customer_a(), "/store/customers/me").await.ok();
    for (code, attribute) in [("ONE", "customer.id"), ("TWO", "customer_id")] {
        let own = json!([guest["customer"]["id"], account["customer"]["id"]]);
        let less = json!({ "code": code, "type": "standard", "status": "active", "is_automatic": true,
            "rules": [{ "attribute": attribute, "operator": "in", "values": own }],
            "application_method": { "type": "fixed", "target_type": "items", "allocation": "across", "value": 1,
                "currency_code": "usd" } });
        server.post(&admin, "/admin/promotions", less).await.ok();
    }
    let discount = async |person: &Person, body: Value| {
        let path = format!("/store/carts/{}", make(&server, person, in_america(&store)).await);
        let item = json!({ "variant_id": store.mug, "quantity": 1 });
        server.post(person, &format!("{path}/line-items"), item).await.ok();
        server.post(person, &path, body).await.ok()["cart"]["discount_subtotal"].clone()
    };

    assert_eq!(discount(&Person::visitor(), typed).await, json!(0));
    assert_eq!(discount(&Person::customer_a(), json!({})).await, json!(2));
    let draft = json!({ "region_id": store.america, "customer_id": guest["customer"]["id"],
        "items": [{ "variant_id": store.mug, "quantity": 1 }] });
    let path = "/admin/draft-orders?fields=discount_subtotal";
    let draft = server.post(&admin, path, draft).await.ok();
    assert_eq!(draft["draft_order"]["discount_subtotal"], json!(2));
}

#[tokio::test]
async fn the_cart_of_a_guest_outlives_the_guest() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}");
    let guest = server.get(&visitor, &path).await.ok()["cart"]["customer_id"].clone();
    let guest = format!("/admin/customers/{}", guest.as_str().expect("a guest"));
    server.delete(&Person::admin(), &guest).await.ok();

    let shown = server.get(&visitor, &format!("{path}?fields=id,email,*customer")).await.ok();

    assert_eq!(
        (&shown["cart"]["customer"], &shown["cart"]["email"]),
        (&Value::Null, &json!("ada@example.com"))
    );
    server.post(&visitor, &path, json!({ "locale": "en" })).await.ok();
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    server.assert_sound().await;
}

#[tokio::test]
async fn an_abandoned_guest_cart_is_emptied_but_still_counted() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}");
    let carts = "select count(*) from metric_carts";
    let before = server.number(carts).await;
    server.work().await;
    // The audit scans everything on purpose.
    server.sql("update job set run_at = 4102444800000 where kind <> 'carts.empty_untouched'").await;

    server.clock.advance(91 * 24 * 60 * 60 * 1_000);
    server.work().await;

    let shown = server.get(&visitor, &path).await.ok();
    assert_eq!((&shown["cart"]["items"], &shown["cart"]["email"]), (&json!([]), &Value::Null));
    assert_eq!(server.number(carts).await, before);
    let item = json!({"variant_id": store.mug, "quantity": 1});
    server.post(&visitor, &format!("{path}/line-items"), item).await.ok();
    server.assert_sound().await;
}

#[tokio::test]
async fn a_guests_cart_is_shown_for_a_day_after_it_became_an_order() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    let path = format!("/store/carts/{cart}");
    server.clock.advance(23 * 60 * 60 * 1_000);
    server.get(&visitor, &path).await.ok();
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");

    server.clock.advance(60 * 60 * 1_000);

    server.get(&visitor, &path).await.refused(404);
    server.complete(&visitor, &cart).await.refused(404);
}

#[tokio::test]
async fn a_cart_outlives_its_region_and_is_paid_for_in_another_one() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 2).await;
    let path = format!("/store/carts/{cart}");
    server.delete(&Person::admin(), &format!("/admin/regions/{}", store.britain)).await.ok();

    let shown = server.get(&visitor, &path).await.ok()["cart"].clone();
    assert_eq!((&shown["region"], &shown["item_subtotal"]), (&Value::Null, &json!(25.98)));
    let refused = server.complete(&visitor, &cart).await;
    assert_eq!(
        refused.refused(400),
        "Payment provider pp_sandbox is not enabled in the cart's region"
    );
    let item = json!({"variant_id": store.lamp, "quantity": 1});
    let more = server.post(&visitor, &format!("{path}/line-items"), item).await.ok();
    assert_eq!(more["cart"]["item_subtotal"], json!(40.97));

    let moved = server.post(&visitor, &path, in_america(&store)).await.ok();
    assert_eq!(moved["cart"]["region"]["name"], "America");
    let mut to = crate::harness::address();
    to["country_code"] = json!("us");
    server.ship_to(&visitor, &store, &cart, to).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_batch_update_answers_and_fails_in_its_own_shape() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let id = make(&server, &visitor, in_america(&store)).await;
    let path = format!("/store/carts/{id}/batch-update");

    let updated = server.post(&visitor, &path, json!({"city": "Reno"})).await.ok();
    assert_eq!(updated["success"], json!(true));
    assert_eq!(updated["cart"]["shipping_address"]["city"], "Reno");
    assert_eq!(updated["cart"]["shipping_address"]["country_code"], "us");
    for body in [json!({"country_code": "gb"}), json!({"foo": 1}), json!({"city": 1})] {
        let refused = server.post(&visitor, &path, body.clone()).await;
        let keys: BTreeSet<_> =
            refused.body.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        assert_eq!(refused.status, 400, "{body}");
        assert_eq!(keys, BTreeSet::from(["details", "error"]), "{body}");
    }
}

#[tokio::test]
async fn a_batch_update_clears_empty_fields_and_names_the_refused_one() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}/batch-update");
    let update = async |body: Value| {
        let reply = server.post(&visitor, &path, body).await;
        (reply.status, reply.body["details"][0]["path"].clone(), reply.body["cart"].clone())
    };

    let (_, _, cleared) = update(json!({"city": "", "phone": " ", "country_code": ""})).await;
    let address = &cleared["shipping_address"];
    assert_eq!((&address["city"], &address["phone"]), (&Value::Null, &Value::Null));
    assert_eq!((&address["first_name"], &address["country_code"]), (&json!("Ada"), &json!("gb")));
    for (body, field) in [
        (json!({"country_code": "us"}), "country_code"),
        (json!({"country_code": "xx"}), "country_code"),
        (json!({"city": "x".repeat(201)}), "city"),
        (json!({"city": 1}), "city"),
    ] {
        let (status, named, _) = update(body.clone()).await;
        assert_eq!((status, &named), (400, &json!(field)), "{body}");
    }
    server.pay(&visitor, &cart, "pm_card_visa").await;
    server.complete(&visitor, &cart).await.ok();
    let (status, named, _) = update(json!({"city": "York"})).await;
    assert_eq!((status, named), (400, json!("id")));
}

#[tokio::test]
async fn only_fitting_values_are_accepted() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let path = format!("/store/carts/{}", make(&server, &visitor, json!({})).await);
    let address = |key: &str, value: Value| json!({"shipping_address": {key: value}});
    for body in [
        json!({"foo": 1}),
        json!({"email": "not an address"}),
        json!({"region_id": "reg_x"}),
        json!({"customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}),
        json!({"total": 0}),
        address("country_code", json!("usa")),
        address("country_code", json!("xx")),
        address("city", json!({})),
        address("foo", json!("x")),
        json!({"shipping_address": 7}),
        json!({"sales_channel_id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}),
        json!({"promo_codes": ["NOPE"]}),
    ] {
        let reply = server.post(&visitor, &path, body.clone()).await;
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
    }
    let unknown_region = json!({"region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE"});
    assert_eq!(server.post(&visitor, &path, unknown_region).await.status, 404);
    for quantity in [json!(0), json!(-1), json!(1.5), json!("1"), json!(1e12), json!(null)] {
        let item = json!({"variant_id": store.mug, "quantity": quantity});
        let reply = server.post(&visitor, &format!("{path}/line-items"), item).await;
        assert_eq!(reply.status, 400, "{quantity}: {reply:?}");
    }
    let big = json!({"metadata": {"a": "x".repeat(17_000)}});
    assert_eq!(server.post(&visitor, &path, big).await.status, 400);
    server.assert_sound().await;
}

#[tokio::test]
async fn fields_select_the_parts_of_a_cart() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let body =
        json!({"region_id": store.america, "items": [{"variant_id": store.mug, "quantity": 1}]});
    let id = make(&server, &visitor, body).await;
    // The fields that the most used storefront requests.
    let fields = "*items, *region, *items.product, *items.variant, *items.thumbnail, *items.metadata, +items.total, \
                  *promotions, +shipping_methods.name";
    let fields = fields.replace('+', "%2B").replace(' ', "%20");

    let cart = server.get(&visitor, &format!("/store/carts/{id}?fields={fields}")).await.ok();

    let item = &cart["cart"]["items"][0];
    assert_eq!(item["total"], json!(13.93));
    assert_eq!(item["variant"]["id"], json!(store.mug));
    assert_eq!(item["product"]["title"], "Mug");
    assert!(item["product"].get("thumbnail").is_some());
    let few = server.get(&visitor, &format!("/store/carts/{id}?fields=total")).await.ok();
    assert_eq!(few, json!({"cart": {"id": id, "total": 13.93}}));
}

#[tokio::test]
async fn shipping_options_are_offered_calculated_and_chosen() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let body =
        json!({"region_id": store.america, "items": [{"variant_id": store.mug, "quantity": 1}]});
    let id = make(&server, &visitor, body).await;
    let offered = server.get(&visitor, &format!("/store/shipping-options?cart_id={id}")).await.ok();
    assert_eq!(offered["shipping_options"][0]["id"], json!(store.postage));
    assert_eq!(offered["shipping_options"][0]["amount"], json!(9.95));
    let prices = &offered["shipping_options"][0]["prices"];
    let codes: Vec<&str> = prices
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|price| price["currency_code"].as_str())
        .collect();
    assert_eq!(codes.len(), 2, "{prices}");
    assert!(codes.contains(&"gbp") && codes.contains(&"usd"), "{prices}");
    assert_eq!((&prices[0]["amount"], &prices[0]["price_rules"]), (&json!(9.95), &json!([])));
    let calculate = format!("/store/shipping-options/{}/calculate", store.postage);
    let calculated = server.post(&visitor, &calculate, json!({"cart_id": id})).await.ok();
    assert_eq!(calculated["shipping_option"]["amount"], json!(9.95));
    assert_eq!(&calculated["shipping_option"]["prices"], prices);

    // The storefront starter also requests the set by a misspelled name.
    let set = "%2Bservice_zone.fulfllment_set.type,*service_zone.fulfillment_set.location.address";
    let path = format!("/store/shipping-options?cart_id={id}&fields=");
    let asked = server.get(&visitor, &format!("{path}{set}")).await.ok();
    let zone = &asked["shipping_options"][0]["service_zone"];
    assert_eq!(zone["fulfillment_set"]["type"], "shipping");
    assert!(zone["fulfillment_set"]["location"].get("address").is_some(), "{zone}");
    assert_eq!(zone.get("fulfllment_set"), None);
    let other = format!("{path}%2Bservice_zone.fulfilment_set.type");
    server.get(&visitor, &other).await.refused(400);

    let choose = format!("/store/carts/{id}/shipping-methods");
    let cart = server.post(&visitor, &choose, json!({"option_id": store.postage})).await.ok();
    assert_eq!(cart["cart"]["shipping_total"], json!(10.67));
    let foreign = json!({"option_id": "so_01JD2Q8Z5M6T3W9XKCV4B7N0RE"});
    let refused = server.post(&visitor, &choose, foreign).await;
    assert_eq!(refused.refused(400), "Shipping Options are invalid for cart.");
    for query in ["", "?cart_id=", "?cart_id=nope"] {
        let status = server.get(&visitor, &format!("/store/shipping-options{query}")).await.status;
        assert!(matches!(status, 400 | 404), "{query}: {status}");
    }
}

#[tokio::test]
async fn options_for_sending_back_are_offered_on_request() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let path = format!("/admin/shipping-options/{}", store.postage);
    let postage = server.get(&admin, &path).await.ok()["shipping_option"].take();
    let back = json!({
        "name": "Return", "service_zone_id": postage["service_zone_id"],
        "shipping_profile_id": postage["shipping_profile_id"], "provider_id": "manual_manual", "price_type": "flat",
        "type": {"label": "Return", "description": "By post", "code": "return"},
        "prices": [{"currency_code": "gbp", "amount": 3}],
        "rules": [{"attribute": "is_return", "operator": "eq", "value": "true"}],
    });
    server.post(&admin, "/admin/shipping-options", back).await.ok();
    let path = format!("/store/shipping-options?cart_id={cart}");
    for (query, name) in
        [("", "Postage"), ("&is_return=false", "Postage"), ("&is_return=true", "Return")]
    {
        let offered = server.get(&visitor, &format!("{path}{query}&fields=name")).await.ok();
        let offered = offered["shipping_options"].as_array().cloned().unwrap_or_default();
        assert_eq!(offered.len(), 1, "{query}");
        assert_eq!(offered[0]["name"], name, "{query}");
    }
    server.get(&visitor, &format!("{path}&foo=1")).await.refused(400);
}

#[tokio::test]
async fn taxes_and_adjustments_have_the_ids_of_their_subjects() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cheaper = json!({
        "code": "POST", "type": "standard", "status": "active",
        "application_method": {
            "type": "percentage", "target_type": "shipping_methods", "allocation": "across", "value": 10,
        },
    });
    server.post(&Person::admin(), "/admin/promotions", cheaper).await.ok();
    let body = json!({
        "region_id": store.america, "items": [{"variant_id": store.mug, "quantity": 1}],
        "promo_codes": ["TENOFF", "POST"],
    });
    let id = make(&server, &visitor, body).await;
    let choose = format!("/store/carts/{id}/shipping-methods");
    let cart = server.post(&visitor, &choose, json!({"option_id": store.postage})).await.ok();

    for (owners, part, prefix) in [
        ("items", "tax_lines", "calitxl_"),
        ("items", "adjustments", "caliadj_"),
        ("shipping_methods", "tax_lines", "casmtxl_"),
        ("shipping_methods", "adjustments", "casmadj_"),
    ] {
        let part = &cart["cart"][owners][0][part][0]["id"];
        assert!(part.as_str().is_some_and(|id| id.starts_with(prefix)), "{prefix}: {cart}");
    }
}
