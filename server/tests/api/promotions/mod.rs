//! Promotions and campaigns for admins.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

fn ten_off(code: &str) -> Value {
    json!({
        "code": code, "type": "standard", "status": "active",
        "application_method": {"type": "percentage", "target_type": "items", "allocation": "across", "value": 10},
    })
}

async fn make(server: &TestServer, body: Value) -> Value {
    server.post(&Person::admin(), "/admin/promotions", body).await.ok()["promotion"].clone()
}

fn path(promotion: &Value) -> String {
    format!("/admin/promotions/{}", promotion["id"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_promotion_is_made_changed_listed_and_deleted() {
    let server = TestServer::empty().await;
    let promotion = make(&server, ten_off("TENOFF")).await;
    assert_eq!(promotion["application_method"]["value"], json!(10));
    assert_eq!(promotion["used"], json!(0));

    let change = json!({"status": "inactive", "limit": 5, "application_method": {"value": 12.5}});
    let changed = server.post(&Person::admin(), &path(&promotion), change).await.ok();
    assert_eq!(changed["promotion"]["status"], "inactive");
    assert_eq!(changed["promotion"]["application_method"]["value"], json!(12.5));

    let list = "/admin/promotions?status=inactive&q=ten&fields=code,application_method.value";
    let listed = server.get(&Person::viewer(), list).await.ok();
    assert_eq!(listed["count"], json!(1));
    assert_eq!(listed["promotions"][0]["application_method"]["value"], json!(12.5));

    let deleted = server.delete(&Person::admin(), &path(&promotion)).await.ok();
    assert_eq!(deleted, json!({"id": promotion["id"], "object": "promotion", "deleted": true}));
    assert_eq!(server.get(&Person::admin(), &path(&promotion)).await.status, 404);
    assert_eq!(server.delete(&Person::admin(), &path(&promotion)).await.status, 404);
    make(&server, ten_off("TENOFF")).await;
    server.assert_sound().await;
}

#[tokio::test]
async fn an_invalid_promotion_is_refused() {
    let server = TestServer::empty().await;
    make(&server, ten_off("TENOFF")).await;
    let method = |change: Value| {
        let mut body = ten_off("OTHER");
        for (key, value) in change.as_object().into_iter().flatten() {
            body["application_method"][key] = value.clone();
        }
        body
    };
    let buyget = json!({"code": "X", "type": "buyget",
        "application_method": {"type": "percentage", "target_type": "items", "value": 100}});
    for (body, status) in [
        (ten_off("TENOFF"), 422),
        (ten_off(" "), 400),
        (method(json!({"value": 101})), 400),
        (method(json!({"value": -1})), 400),
        (method(json!({"value": "10"})), 400),
        (method(json!({"type": "fixed"})), 400),
        (method(json!({"type": "fixed", "currency_code": "usd", "value": 1.001})), 400),
        (method(json!({"max_quantity": 0})), 400),
        (
            method(
                json!({"target_rules": [{"attribute": "items.sku", "operator": "eq", "values": []}]}),
            ),
            400,
        ),
        (
            method(
                json!({"target_rules": [{"attribute": "items.sku", "operator": "gt", "values": "x"}]}),
            ),
            400,
        ),
        (method(json!({"foo": 1})), 400),
        (buyget, 400),
        (json!({}), 400),
    ] {
        let reply = server.post(&Person::admin(), "/admin/promotions", body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {reply:?}");
    }
}

#[tokio::test]
async fn rules_of_a_kind_are_changed_together_or_not_at_all() {
    let server = TestServer::empty().await;
    let promotion = make(&server, ten_off("TENOFF")).await;
    let batch = format!("{}/rules/batch", path(&promotion));
    let rule = json!({"attribute": "region_id", "operator": "in", "values": ["a", "b"]});
    let made = server.post(&Person::admin(), &batch, json!({"create": [rule]})).await.ok();
    let id = made["created"][0]["id"].clone();

    let other_kind = format!("{}/target-rules/batch", path(&promotion));
    let line = json!({"attribute": "items.product.id", "operator": "in", "values": ["a", "b"]});
    let refused =
        server.post(&Person::admin(), &other_kind, json!({"create": [line], "delete": [id]})).await;
    assert_eq!(refused.status, 404);
    let change = json!({"update": [{"id": id, "values": "c"}]});
    server.post(&Person::admin(), &batch, change).await.ok();

    let rules = server.get(&Person::admin(), &format!("{}/rules", path(&promotion))).await.ok();
    assert_eq!(rules["rules"][0]["values"], json!([{"value": "c"}]));
    let targets = format!("{}/target-rules", path(&promotion));
    assert_eq!(server.get(&Person::admin(), &targets).await.ok(), json!({"rules": []}));
    server.post(&Person::admin(), &batch, json!({"delete": [id]})).await.ok();
    assert_eq!(
        server.get(&Person::admin(), &path(&promotion)).await.ok()["promotion"]["rules"],
        json!([])
    );
}

#[tokio::test]
async fn rules_name_attributes_that_are_known() {
    let server = TestServer::empty().await;
    let promotion = make(&server, ten_off("TENOFF")).await;
    for (kind, attribute, status) in [
        ("rules", "subtotal", 200),
        ("rules", "customer.groups.id", 200),
        ("rules", "items.product.id", 200),
        ("rules", "customer.group.id", 400),
        ("rules", "shipping_methods.name", 400),
        ("target-rules", "items.product.categories.id", 200),
        ("target-rules", "shipping_methods.shipping_option_id", 200),
        ("target-rules", "subtotal", 400),
        ("buy-rules", "items.sku", 200),
        ("buy-rules", "items.colour", 400),
    ] {
        let batch = format!("{}/{kind}/batch", path(&promotion));
        let rule = json!({"attribute": attribute, "operator": "ne", "values": "1"});
        let made = server.post(&Person::admin(), &batch, json!({"create": [rule]})).await;
        assert_eq!(made.status, status, "{kind} on {attribute}: {made:?}");
    }
    let mut other = ten_off("OTHER");
    other["rules"] = json!([{"attribute": "country", "operator": "ne", "values": "us"}]);
    server.post(&Person::admin(), "/admin/promotions", other).await.refused(400);
}

#[tokio::test]
async fn a_campaign_frames_promotions_and_takes_them_with_it() {
    let server = TestServer::empty().await;
    let promotion = make(&server, ten_off("TENOFF")).await;
    let campaign = json!({
        "name": "Summer", "campaign_identifier": "summer", "starts_at": "2026-06-01T00:00:00Z",
        "budget": {"type": "spend", "currency_code": "usd", "limit": 99.5},
    });
    let made = server.post(&Person::admin(), "/admin/campaigns", campaign.clone()).await.ok();
    let id = made["campaign"]["id"].as_str().unwrap_or_default().to_owned();
    assert_eq!(made["campaign"]["budget"]["limit"], json!(99.5));
    assert_eq!(server.post(&Person::admin(), "/admin/campaigns", campaign).await.status, 422);

    let members = format!("/admin/campaigns/{id}/promotions");
    server.post(&Person::admin(), &members, json!({"add": [promotion["id"]]})).await.ok();
    let view = server.get(&Person::admin(), &path(&promotion)).await.ok();
    assert_eq!(view["promotion"]["campaign"]["campaign_identifier"], "summer");
    let wrong = json!({"ends_at": "2026-05-01T00:00:00Z"});
    assert_eq!(
        server.post(&Person::admin(), &format!("/admin/campaigns/{id}"), wrong).await.status,
        400
    );

    server.delete(&Person::admin(), &format!("/admin/campaigns/{id}")).await.ok();
    let left = server.get(&Person::admin(), &path(&promotion)).await.ok();
    assert_eq!(left["promotion"]["campaign_id"], Value::Null);
    assert_eq!(left["promotion"]["status"], "inactive");
}

#[tokio::test]
async fn promotions_that_share_a_used_up_campaign_let_shoppers_buy() {
    let (server, store) = TestServer::with_store().await;
    let campaign = json!({
        "name": "Once", "campaign_identifier": "once", "budget": { "type": "usage", "limit": 1 },
    });
    let campaign = server.post(&Person::admin(), "/admin/campaigns", campaign).await.ok();
    for code in ["AUTOA", "AUTOB"] {
        let mut body = ten_off(code);
        body["is_automatic"] = json!(true);
        body["campaign_id"] = campaign["campaign"]["id"].clone();
        make(&server, body).await;
    }

    let mut discounts = Vec::new();
    for _ in 0..2 {
        let cart = server.ready_cart(&Person::visitor(), &store, &store.mug, 1).await;
        let placed = server.complete(&Person::visitor(), &cart).await.ok();
        assert_eq!(placed["type"], "order");
        discounts.push(placed["order"]["discount_subtotal"].clone());
    }

    assert_eq!(discounts, [json!(1.3), json!(0)]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_budget_of_money_does_not_become_one_of_uses_with_its_cents_as_the_limit() {
    let server = TestServer::empty().await;
    let campaign = json!({
        "name": "Summer", "campaign_identifier": "summer",
        "budget": { "type": "spend", "currency_code": "usd", "limit": 99.5 },
    });
    let made = server.post(&Person::admin(), "/admin/campaigns", campaign).await.ok();
    let path = format!("/admin/campaigns/{}", made["campaign"]["id"].as_str().unwrap_or_default());
    let change = async |budget: Value| {
        server.post(&Person::admin(), &path, json!({ "budget": budget })).await
    };

    for budget in [json!({ "type": "usage" }), json!({ "currency_code": "jpy" })] {
        assert_eq!(
            change(budget).await.refused(400),
            "`budget.limit` is required with another type or currency"
        );
    }
    let yen = change(json!({ "currency_code": "jpy", "limit": 9000 })).await.ok();
    assert_eq!(yen["campaign"]["budget"]["limit"], json!(9000));
    let uses = change(json!({ "type": "usage", "limit": null })).await.ok();
    assert_eq!(uses["campaign"]["budget"]["limit"], Value::Null);
    let money = change(json!({ "type": "spend", "currency_code": "usd" })).await.ok();
    assert_eq!(money["campaign"]["budget"]["limit"], Value::Null);
}

#[tokio::test]
async fn another_budget_after_a_removed_one_counts_from_zero() {
    let server = TestServer::empty().await;
    let budget = json!({ "type": "spend", "currency_code": "usd", "limit": 99.5 });
    let campaign =
        json!({ "name": "Summer", "campaign_identifier": "summer", "budget": budget.clone() });
    let made = server.post(&Person::admin(), "/admin/campaigns", campaign).await.ok();
    let path = format!("/admin/campaigns/{}", made["campaign"]["id"].as_str().unwrap_or_default());
    let change = async |budget: Value| {
        let changed = server.post(&Person::admin(), &path, json!({ "budget": budget })).await.ok();
        changed["campaign"]["budget"].clone()
    };
    server.sql("update campaign set budget_used = 500").await;
    assert_eq!(change(json!({ "limit": 80 })).await["used"], json!(5), "it is the same budget");

    for other in [json!({ "type": "usage", "limit": 3 }), budget] {
        assert_eq!(change(Value::Null).await, Value::Null);
        assert_eq!(change(other.clone()).await["used"], json!(0), "{other}");
    }
}
