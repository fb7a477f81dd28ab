//! Placed orders over HTTP: fulfillments, returns, refunds, cancellation and lists.

mod access;
mod drafts;
mod mail;
mod search;

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

/// Places an order of a number of mugs; returns its id.
async fn order(server: &TestServer, store: &Store, quantity: i64) -> String {
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, store, &store.mug, quantity).await;
    let done = server.complete(&visitor, &cart).await.ok();
    done["order"]["id"].as_str().expect("an order").to_owned()
}

async fn step(server: &TestServer, path: &str, body: Value) -> Value {
    server.post(&Person::admin(), path, body).await.ok()
}

async fn view(server: &TestServer, id: &str) -> Value {
    server.get(&Person::admin(), &format!("/admin/orders/{id}")).await.ok()["order"].take()
}

/// Checks the view of a return of one of two mugs at 12.99 before tax.
fn assert_announced(asked: &Value, back: &str, line: &str) {
    let preview = &asked["order_preview"];
    let change = &preview["order_change"];
    assert_eq!(
        (&change["change_type"], &change["return_id"]),
        (&json!("return_request"), &json!(back))
    );
    let item = &asked["return"]["items"][0];
    assert_eq!((&item["item"]["id"], &item["item"]["title"]), (&json!(line), &json!("Mug")));
    let detail = &item["detail"];
    assert_eq!((&detail["quantity"], &detail["return_requested_quantity"]), (&json!(2), &json!(1)));
    assert_eq!(detail["unit_price"], json!(12.99));
    assert_eq!(detail, &preview["items"][0]["detail"]);
    let captured = &preview["transactions"][0];
    assert_eq!(captured["reference"], "capture");
    assert_eq!(captured["amount"], preview["summary"]["paid_total"]);
    assert_eq!(
        (&preview["fulfilled_total"], &preview["return_requested_total"]),
        (&json!(31.18), &json!(15.59))
    );
    let (of_line, of_method) = (&preview["items"][0], &preview["shipping_methods"][0]);
    assert_eq!(of_line["tax_lines"][0]["item_id"], of_line["id"]);
    assert_eq!(of_line["tax_lines"][0]["created_at"], preview["created_at"]);
    assert_eq!(of_method["tax_lines"][0]["shipping_method_id"], of_method["id"]);
    assert_eq!(preview["items"][0]["refundable_total"], json!(15.59));
}

/// Checks an order of two mugs of which one was returned and refunded.
fn assert_half_is_left(after: &Value, owed: &Value) {
    assert_eq!(after["payment_status"], "partially_refunded");
    assert_eq!(after["summary"]["pending_difference"], 0);
    assert_eq!(&after["summary"]["refunded_total"], owed);
    assert_eq!(after["total"], after["summary"]["current_order_total"]);
    let kept = &after["items"][0];
    assert_eq!((&kept["quantity"], &kept["subtotal"]), (&json!(2), &json!(12.99)));
    assert_eq!((&kept["tax_total"], &kept["total"]), (&json!(2.6), &json!(15.59)));
    assert_eq!(kept["tax_lines"][0]["total"], json!(2.6));
    assert_eq!((&after["item_total"], &after["item_tax_total"]), (&json!(15.59), &json!(2.6)));
}

#[tokio::test]
async fn an_order_is_packed_sent_delivered_returned_and_refunded() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, 2).await;
    let line = view(&server, &id).await["items"][0]["id"].as_str().expect("a line").to_owned();
    let path = format!("/admin/orders/{id}/fulfillments");
    let items = json!([{"id": line, "quantity": 2}]);

    let packed = step(&server, &path, json!({"items": items, "location_id": store.location})).await;
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel").to_owned();
    assert_eq!(packed["order"]["fulfillment_status"], "fulfilled");
    let labels = json!([{"tracking_number": "TRK1", "tracking_url": "#", "label_url": "#"}]);
    let sent =
        step(&server, &format!("{path}/{parcel}/shipments"), json!({"labels": labels})).await;
    assert_eq!(sent["order"]["fulfillments"][0]["labels"][0]["tracking_number"], "TRK1");
    assert_eq!(sent["order"]["fulfillments"][0]["items"][0]["quantity"], 2);
    let shown = &sent["order"]["fulfillments"][0];
    assert_eq!(shown["shipping_option"], json!({"id": shown["shipping_option_id"]}));
    assert_eq!(shown["provider"], json!({"id": shown["provider_id"]}));
    let there = step(&server, &format!("{path}/{parcel}/mark-as-delivered"), json!({})).await;
    assert_eq!(there["order"]["fulfillment_status"], "delivered");

    let begun = step(&server, "/admin/returns", json!({"order_id": id})).await;
    let back = begun["return"]["id"].as_str().expect("a return").to_owned();
    let path = format!("/admin/returns/{back}");
    let one = json!({"items": [{"id": line, "quantity": 1}]});
    step(&server, &format!("{path}/request-items"), one.clone()).await;
    assert_eq!(begun["order"]["order_change"], Value::Null);
    let asked = step(&server, &format!("{path}/request"), json!({})).await;
    assert_announced(&asked, &back, &line);
    step(&server, &format!("{path}/receive"), json!({})).await;
    step(&server, &format!("{path}/receive-items"), one).await;
    let received = step(&server, &format!("{path}/receive/confirm"), json!({})).await;

    assert_eq!(received["return"]["status"], "received");
    let owed = &received["return"]["refund_amount"];
    let payment = &received["order_preview"]["payment_collections"][0]["payments"][0]["id"];
    let reason = step(&server, "/admin/refund-reasons", json!({"label": "Too small"})).await;
    let reason = reason["refund_reason"]["id"].as_str().expect("a reason");
    let path = format!("/admin/payments/{}/refund", payment.as_str().expect("a payment"));
    let body = json!({"amount": owed, "note": "came back", "refund_reason_id": reason});
    let refunded = step(&server, &path, body).await;
    assert_eq!(&refunded["payment"]["refunds"][0]["amount"], owed);
    server.delete(&Person::admin(), &format!("/admin/refund-reasons/{reason}")).await.ok();
    let path =
        format!("/admin/orders/{id}?fields=*payment_collections.payment_sessions,*transactions");
    let shown = server.get(&Person::admin(), &path).await.ok();
    let session = &shown["order"]["payment_collections"][0]["payment_sessions"][0];
    assert_eq!(&session["payment"]["id"], payment);
    assert_eq!(refunded["payment"]["payment_session"]["id"], session["id"]);
    let moved = &shown["order"]["transactions"];
    assert_eq!((&moved[1]["reference"], &moved[1]["amount"]), (&json!("refund"), &json!(-15.59)));
    let after = view(&server, &id).await;
    let refund = &after["payment_collections"][0]["payments"][0]["refunds"][0];
    assert_eq!(refund["refund_reason"]["code"], "too_small");
    assert_half_is_left(&after, owed);
    let changes = server.get(&Person::admin(), &format!("/admin/orders/{id}/changes")).await.ok();
    assert_eq!(changes["order_changes"][1]["change_type"], "return_receive");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_return_after_a_goodwill_refund_is_owed_in_full() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, 2).await;
    let before = view(&server, &id).await;
    let line = before["items"][0]["id"].clone();
    let payment = before["payment_collections"][0]["payments"][0]["id"].as_str().expect("an id");
    let path = format!("/admin/orders/{id}/fulfillments");
    let items = json!([{"id": line, "quantity": 2}]);
    let packed = step(&server, &path, json!({"items": items})).await;
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel").to_owned();
    step(&server, &format!("{path}/{parcel}/mark-as-delivered"), json!({})).await;
    let refund = format!("/admin/payments/{payment}/refund");
    step(&server, &refund, json!({"amount": 5, "note": "sorry"})).await;
    let pending = async || view(&server, &id).await["summary"]["pending_difference"].clone();
    assert_eq!(pending().await, 0);

    let begun = step(&server, "/admin/returns", json!({"order_id": id})).await;
    let path = format!("/admin/returns/{}", begun["return"]["id"].as_str().expect("a return"));
    let one = json!({"items": [{"id": line, "quantity": 1}]});
    step(&server, &format!("{path}/request-items"), one.clone()).await;
    step(&server, &format!("{path}/request"), json!({})).await;
    // The item is on its way back, so this is a part of what will be owed for it.
    step(&server, &refund, json!({"amount": 10})).await;
    assert_eq!(pending().await, 0);
    step(&server, &format!("{path}/receive"), json!({})).await;
    step(&server, &format!("{path}/receive-items"), one).await;
    step(&server, &format!("{path}/receive/confirm"), json!({})).await;

    assert_eq!(pending().await, json!(-5.59));
    step(&server, &refund, json!({"amount": 8})).await;
    let after = view(&server, &id).await;
    assert_eq!(after["summary"]["pending_difference"], 0);
    assert_eq!(after["summary"]["current_order_total"], after["summary"]["transaction_total"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_order_that_is_called_off_is_refunded_and_never_deleted() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, 1).await;

    let message =
        server.delete(&Person::admin(), &format!("/admin/orders/{id}")).await.refused(400);
    assert!(message.ends_with("cancel it, or complete and archive it, instead"), "{message}");
    let canceled = step(&server, &format!("/admin/orders/{id}/cancel"), json!({})).await;

    assert_eq!(canceled["order"]["status"], "canceled");
    assert_eq!(canceled["order"]["payment_status"], "refunded");
    server.assert_sound().await;
}

#[tokio::test]
async fn an_open_order_is_not_archived_so_that_its_payment_can_still_be_released() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_authorize_only").await;
    let placed = server.complete(&visitor, &cart).await.ok()["order"].take();
    assert_eq!(placed["payment_status"], "authorized");
    let path = format!("/admin/orders/{}", placed["id"].as_str().expect("an order"));

    server.post(&Person::admin(), &format!("{path}/archive"), json!({})).await.refused(400);

    let canceled = step(&server, &format!("{path}/cancel"), json!({})).await;
    assert_eq!(canceled["order"]["payment_status"], "canceled");
    let archived = step(&server, &format!("{path}/archive"), json!({})).await;
    assert_eq!(archived["order"]["status"], "archived");
    server.assert_sound().await;
}

#[tokio::test]
async fn orders_are_found_by_their_states_and_their_details() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, 1).await;
    let admin = Person::admin();
    for (query, expected) in [
        ("payment_status=captured", 1),
        ("payment_status[]=refunded&payment_status[]=captured", 1),
        ("payment_status=refunded", 0),
        ("fulfillment_status=not_fulfilled&status=pending", 1),
        ("q=1", 1),
        ("q=ada%40example", 1),
        ("q=nobody", 0),
        ("total[$gt]=1", 1),
        ("total[$lt]=1", 0),
        ("created_at[$gte]=2020-01-01", 1),
        ("display_id=1", 1),
    ] {
        let path = format!("/admin/orders?fields=id&{query}");
        let found = server.get(&admin, &path).await.ok();
        assert_eq!(found["count"], expected, "{query}");
    }
    for query in ["payment_status=lost", "created_at[$foo]=1", "foo=1", "limit=-1"] {
        server.get(&admin, &format!("/admin/orders?{query}")).await.refused(400);
    }
    let missing = id.replace("order_", "order_0").chars().take(id.len()).collect::<String>();
    server.get(&admin, &format!("/admin/orders/{missing}")).await.refused(404);
}

#[tokio::test]
async fn a_page_of_orders_takes_as_many_statements_as_one_order() {
    let (server, store) = TestServer::with_store().await;
    let (admin, path) = (
        Person::admin(),
        "/admin/orders?fields=+items,*shipping_methods,*fulfillments,*payment_collections",
    );
    order(&server, &store, 1).await;
    server.get(&admin, path).await.ok();
    let of_one = server.statements(server.get(&admin, path)).await;
    for _ in 0..4 {
        order(&server, &store, 1).await;
    }

    let of_five = server.statements(server.get(&admin, path)).await;

    assert_eq!(of_one, of_five);
    assert!(of_one < 25, "{of_one}");
}

#[tokio::test]
async fn reasons_of_returns_and_refunds_are_created_changed_and_removed() {
    let server = TestServer::empty().await;
    for (path, name, made) in [
        (
            "/admin/return-reasons",
            "return_reason",
            json!({"value": "too_small", "label": "Too small"}),
        ),
        ("/admin/refund-reasons", "refund_reason", json!({"label": "Arrived late"})),
    ] {
        let admin = Person::admin();
        let id =
            step(&server, path, made.clone()).await[name]["id"].as_str().expect("an id").to_owned();
        let again = server.post(&admin, path, made).await;
        assert_eq!(again.body["type"], "duplicate_error");
        assert!(again.refused(422).ends_with(", already exists."));
        let body = json!({"label": "Other", "metadata": {"a": 1}});
        let changed = step(&server, &format!("{path}/{id}"), body).await;
        assert_eq!(changed[name]["label"], "Other");
        let gone = server.delete(&admin, &format!("{path}/{id}")).await.ok();
        assert_eq!(gone, json!({"id": id, "object": name, "deleted": true}));
        server.delete(&admin, &format!("{path}/{id}")).await.refused(404);
    }
}

/// Creates a location of the store's channel with ten mugs.
async fn shop_in_town(server: &TestServer, store: &Store) -> String {
    let body =
        json!({"name": "Town", "address": {"address_1": "2 Dock Road", "country_code": "gb"}});
    let made = step(server, "/admin/stock-locations", body).await;
    let id = made["stock_location"]["id"].as_str().expect("a location").to_owned();
    let path = format!("/admin/stock-locations/{id}/sales-channels");
    step(server, &path, json!({"add": [store.channel]})).await;
    let items = server.get(&Person::admin(), "/admin/inventory-items?sku=MUG").await.ok();
    let item = items["inventory_items"][0]["id"].as_str().expect("an item");
    let level = json!({"location_id": id, "stocked_quantity": 10});
    step(server, &format!("/admin/inventory-items/{item}/location-levels"), level).await;
    id
}

#[tokio::test]
async fn pieces_are_packed_where_they_are_reserved() {
    let (server, store) = TestServer::with_store().await;
    let (town, visitor) = (shop_in_town(&server, &store).await, Person::visitor());
    let items = server.get(&Person::admin(), "/admin/inventory-items?sku=LAMP").await.ok();
    let item = items["inventory_items"][0]["id"].as_str().expect("an item").to_owned();
    let levels = format!("/admin/inventory-items/{item}/location-levels");
    step(&server, &levels, json!({"location_id": town, "stocked_quantity": 5})).await;
    step(&server, &format!("{levels}/{}", store.location), json!({"stocked_quantity": 0})).await;
    let cart = server.cart_with(&visitor, &store, &store.print, 1).await;
    let lamp = json!({"variant_id": store.lamp, "quantity": 1});
    server.post(&visitor, &format!("/store/carts/{cart}/line-items"), lamp).await.ok();
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let placed = server.complete(&visitor, &cart).await.ok()["order"].take();
    let path = format!("/admin/orders/{}/fulfillments", placed["id"].as_str().expect("an order"));

    let lines = placed["items"].as_array().cloned().unwrap_or_default();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let items = json!({"items": [{"id": line["id"], "quantity": 1}]});
        let packed = step(&server, &path, items).await["order"].take();
        let parcels = packed["fulfillments"].as_array().cloned().unwrap_or_default();
        let own = parcels.iter().find(|parcel| parcel["items"][0]["line_item_id"] == line["id"]);
        let is_lamp = line["variant_id"] == store.lamp.as_str();
        let expected = if is_lamp { &town } else { &store.location };
        assert_eq!(own.expect("a parcel")["location_id"], expected.as_str());
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn a_location_is_not_deleted_while_parcels_are_packed_there_and_returns_go_elsewhere_afterwards()
 {
    let (server, store) = TestServer::with_store().await;
    let (town, admin) = (shop_in_town(&server, &store).await, Person::admin());
    server.write_store("gbp").await;
    let path = "/admin/stores";
    let own = server.get(&admin, path).await.ok()["stores"][0]["id"].take();
    let path = format!("{path}/{}", own.as_str().expect("a store"));
    step(&server, &path, json!({"default_location_id": store.location})).await;
    let id = order(&server, &store, 2).await;
    let line = view(&server, &id).await["items"][0]["id"].clone();
    let path = format!("/admin/orders/{id}/fulfillments");
    let items = json!([{"id": line, "quantity": 2}]);
    let packed = step(&server, &path, json!({"items": items, "location_id": town})).await;
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel");
    let location = format!("/admin/stock-locations/{town}");
    let message = server.delete(&admin, &location).await.refused(400);
    assert!(message.ends_with("send or cancel them first"), "{message}");
    step(&server, &format!("{path}/{parcel}/shipments"), json!({"labels": []})).await;

    let asked = [json!({"order_id": id}), json!({"order_id": id, "location_id": town})];
    let mut begun = Vec::new();
    for body in asked {
        let made = step(&server, "/admin/returns", body).await;
        let path = format!("/admin/returns/{}", made["return"]["id"].as_str().expect("a return"));
        let one = json!({"items": [{"id": line, "quantity": 1}]});
        step(&server, &format!("{path}/request-items"), one.clone()).await;
        step(&server, &format!("{path}/request"), json!({})).await;
        step(&server, &format!("{path}/receive"), json!({})).await;
        step(&server, &format!("{path}/receive-items"), one).await;
        begun.push(path);
    }
    server.delete(&admin, &location).await.ok();
    for path in begun {
        step(&server, &format!("{path}/receive/confirm"), json!({})).await;
    }

    let back = "select sum(change_quantity) from inventory_movement m
                  join stock_location l on l.id = m.location_id and l.deleted_at is null
                 where m.reason = 'return'";
    assert_eq!(server.number(back).await, 2);
    let items = server.get(&admin, "/admin/inventory-items?sku=MUG").await.ok();
    let levels = &items["inventory_items"][0]["location_levels"];
    assert_eq!(levels.as_array().map(Vec::len), Some(1), "{levels}");
    assert_eq!(levels[0]["location_id"], store.location.as_str());
    let gone = "select sum(change_quantity) from inventory_movement where reason = 'removal'";
    assert_eq!(server.number(gone).await, -8);
    server.assert_sound().await;
}
