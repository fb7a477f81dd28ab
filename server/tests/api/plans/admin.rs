//! `/admin/subscription-plans`.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::{PLANS, id_of, monthly};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_plan_has_defaults_for_omitted_fields() {
    let (server, store) = TestServer::with_store().await;
    let mut plan = server.plan_with(&store, json!({})).await;
    let members = plan.as_object_mut().expect("an object");
    let [id, created, updated] =
        ["id", "created_at", "updated_at"].map(|key| members.remove(key).expect("a member"));
    assert!(id.as_str().is_some_and(|id| id.starts_with("subplan_")));
    assert_eq!(created, updated);
    assert_eq!(
        plan,
        json!({
            "name": "Monthly", "product_ids": [store.mug_product], "interval": "month", "interval_count": 1,
            "kind": "delivery", "discount": { "type": "percent", "value": 10, "currency_code": null },
            "trial_days": 0, "min_cycles": null, "max_cycles": null, "allowed_frequencies": [], "cutoff_hours": 0,
            "max_skips": null, "max_pause_days": 180, "out_of_stock": "delay", "on_exhausted": "cancel",
            "version": 1, "superseded_by": null, "metadata": null,
        })
    );

    let fields = json!({
        "interval": "week", "interval_count": 2, "kind": "access", "trial_days": 14, "min_cycles": 2, "max_cycles": 12,
        "allowed_frequencies": [{ "interval": "week", "interval_count": 4 }], "cutoff_hours": 24, "max_skips": 2,
        "max_pause_days": 30, "out_of_stock": "skip", "on_exhausted": "keep", "metadata": { "badge": "best" },
        "discount": { "type": "amount", "value": 2.5, "currency_code": "gbp" },
    });
    let plan = server.plan_with(&store, fields.clone()).await;
    for (key, value) in fields.as_object().expect("an object") {
        assert_eq!(&plan[key], value, "{key}");
    }
    let shown = server.get(&Person::viewer(), &format!("{PLANS}/{}", id_of(&plan))).await.ok();
    assert_eq!(shown["subscription_plan"], plan);
    server.assert_sound().await;
}

#[tokio::test]
async fn invalid_plans_are_refused_with_the_field_and_the_expected_form() {
    let (server, store) = TestServer::with_store().await;
    for (fields, expected) in [
        (json!({ "name": " " }), "name"),
        (json!({ "product_ids": [] }), "`product_ids` must name at least one product"),
        (
            json!({ "product_ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N09Z"] }),
            "`product_ids` names a product that does not exist: prod_01JD2Q8Z5M6T3W9XKCV4B7N09Z",
        ),
        (json!({ "interval": "quarter" }), "quarter"),
        (json!({ "interval_count": 0 }), "`interval_count` must be from 1 to 52, not 0"),
        (json!({ "interval_count": 53 }), "`interval_count` must be from 1 to 52, not 53"),
        (json!({ "trial_days": 366 }), "`trial_days` must be from 0 to 365, not 366"),
        (json!({ "min_cycles": 0 }), "`min_cycles` must be from 1 to 1000, not 0"),
        (json!({ "max_skips": -1 }), "`max_skips` must be from 0 to 1000, not -1"),
        (json!({ "max_pause_days": 0 }), "`max_pause_days` must be from 1 to 3650, not 0"),
        (json!({ "cutoff_hours": 721 }), "`cutoff_hours` must be from 0 to 720, not 721"),
        (
            json!({ "min_cycles": 3, "max_cycles": 2 }),
            "`max_cycles` must not be less than `min_cycles`",
        ),
        (
            json!({ "allowed_frequencies": [{ "interval": "day", "interval_count": 99 }] }),
            "`allowed_frequencies.interval_count` must be from 1 to 52, not 99",
        ),
        (
            json!({ "allowed_frequencies": [
                { "interval": "day", "interval_count": 9 }, { "interval": "day", "interval_count": 9 },
            ] }),
            "`allowed_frequencies` has the same entry twice",
        ),
        (json!({ "discount": { "type": "percent", "value": 101 } }), "from 0 to 100"),
        (
            json!({ "discount": { "type": "amount", "value": 0.001, "currency_code": "gbp" } }),
            "more digits after the point than gbp has",
        ),
        (json!({ "price": 5 }), "price"),
    ] {
        let body = monthly(&store, fields.clone());
        let refusal = server.post(&Person::admin(), PLANS, body).await.refused(400);
        assert!(refusal.contains(expected), "{fields}: {refusal}");
    }
    for missing in ["name", "product_ids", "interval"] {
        let mut body = monthly(&store, json!({}));
        body.as_object_mut().expect("an object").remove(missing);
        let refusal = server.post(&Person::admin(), PLANS, body).await.refused(400);
        assert!(refusal.contains(missing), "{missing}: {refusal}");
    }
    assert_eq!(server.get(&Person::admin(), PLANS).await.ok()["count"], 0);
    assert_eq!(server.events_named("subscription_plan.created").await, 0);
}

#[tokio::test]
async fn a_change_makes_a_new_version_and_the_version_before_stays_as_it_was() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({ "max_cycles": 12 })).await;
    let path = format!("{PLANS}/{}", id_of(&plan));
    let change = json!({ "discount": { "type": "percent", "value": 20 }, "max_cycles": null });
    let changed = server.post(&Person::admin(), &path, change.clone()).await.ok();
    let changed = &changed["subscription_plan"];
    let facts = ["id", "version", "max_cycles", "superseded_by", "name"];
    let [id, version, max_cycles, superseded_by, name] = facts.map(|fact| changed[fact].clone());
    assert_eq!((&id, &version, &name), (&plan["id"], &json!(2), &json!("Monthly")));
    assert_eq!((max_cycles, superseded_by), (Value::Null, Value::Null));
    assert_eq!(changed["discount"]["value"], 20);

    let again = server.post(&Person::admin(), &path, change).await.ok();
    assert_eq!(again["subscription_plan"]["version"], 2, "nothing has changed");
    let list = server.get(&Person::admin(), PLANS).await.ok();
    assert_eq!(list["count"], 1, "older versions are not listed");

    let older = server
        .db
        .read::<_, Error>(|tx| {
            let sql = "select id from subscription_plan where superseded_by is not null";
            Ok(tx.query_row(sql, [], |row| row.get::<_, String>(0))?)
        })
        .await
        .expect("an older version");
    let older = format!("{PLANS}/{older}");
    let shown = server.get(&Person::viewer(), &older).await.ok();
    let shown = &shown["subscription_plan"];
    assert_eq!((&shown["version"], &shown["superseded_by"]), (&json!(1), &plan["id"]));
    assert_eq!((&shown["max_cycles"], &shown["discount"]), (&json!(12), &plan["discount"]));
    assert_eq!(shown["product_ids"], plan["product_ids"]);
    for refusal in [
        server.post(&Person::admin(), &older, json!({ "name": "Old" })).await.refused(400),
        server.delete(&Person::admin(), &older).await.refused(400),
    ] {
        assert!(refusal.contains("is an older version of"), "{refusal}");
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn a_product_of_a_plan_may_be_deleted_before_the_plan_is_changed() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let (admin, path) = (Person::admin(), format!("{PLANS}/{}", id_of(&plan)));
    server.delete(&admin, &format!("/admin/products/{}", store.mug_product)).await.ok();

    let changed = server.post(&admin, &path, json!({ "name": "Every month" })).await.ok();
    assert_eq!(changed["subscription_plan"]["name"], "Every month");
    let lamps = server.get(&admin, "/admin/products?title=Lamp").await.ok();
    let others = json!({ "product_ids": [lamps["products"][0]["id"]] });
    server.post(&admin, &path, others).await.ok();
    let back = json!({ "product_ids": [store.mug_product] });
    server.post(&admin, &path, back).await.refused(400);
}

#[tokio::test]
async fn a_running_subscription_keeps_the_version_that_it_began_with() {
    let (server, store) = TestServer::with_store().await;
    server.subscribed(&store, json!({})).await;
    let list = server.get(&Person::viewer(), PLANS).await.ok();
    let plan = &list["subscription_plans"][0];
    let path = format!("{PLANS}/{}", id_of(plan));
    for value in [20, 30] {
        let dearer = json!({ "discount": { "type": "percent", "value": value } });
        server.post(&Person::admin(), &path, dearer).await.ok();
    }
    let kept = server.db.read::<_, Error>(|tx| {
        let sql = "select plan_id from subscription_item";
        Ok(tx.query_row(sql, [], |row| row.get::<_, String>(0))?)
    });
    let kept = format!("{PLANS}/{}", kept.await.expect("an item"));
    let kept = server.get(&Person::viewer(), &kept).await.ok();
    let kept = &kept["subscription_plan"];
    assert_eq!((&kept["version"], &kept["superseded_by"]), (&json!(1), &plan["id"]));
    assert_eq!(kept["discount"], plan["discount"]);
    let current = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(current["subscription_plan"]["version"], 3);
    server.delete(&Person::admin(), &path).await.ok();
    let kept = format!("{PLANS}/{}", id_of(kept));
    server.get(&Person::viewer(), &kept).await.ok();
    server.assert_sound().await;
}

#[tokio::test]
async fn plans_are_listed_by_their_fields() {
    let (server, store) = TestServer::with_store().await;
    server.plan_with(&store, json!({})).await;
    let weekly = json!({ "name": "Weekly", "interval": "week", "kind": "access", "trial_days": 7 });
    server.plan_with(&store, weekly).await;
    let mug = &store.mug_product;
    for (query, count) in [
        (String::new(), 2),
        ("q=week".to_owned(), 1),
        ("q=nothing".to_owned(), 0),
        ("interval=week".to_owned(), 1),
        ("kind=delivery".to_owned(), 1),
        ("trial_days[$gt]=0".to_owned(), 1),
        (format!("product_id={mug}"), 2),
        ("product_id=prod_01JD2Q8Z5M6T3W9XKCV4B7N09Z".to_owned(), 0),
        ("created_at[$gt]=2030-01-01".to_owned(), 0),
    ] {
        let list = server.get(&Person::viewer(), &format!("{PLANS}?{query}")).await.ok();
        assert_eq!(list["count"], count, "{query}");
    }
    let page = server.get(&Person::viewer(), &format!("{PLANS}?limit=1&offset=1&order=name")).await;
    let page = page.ok();
    assert_eq!(page["subscription_plans"].as_array().map(Vec::len), Some(1));
    assert_eq!(page["subscription_plans"][0]["name"], "Weekly");
    let names = format!("{PLANS}?fields=name&order=-name");
    let names = server.get(&Person::viewer(), &names).await.ok();
    assert_eq!(names["subscription_plans"][0]["name"], "Weekly");
    assert_eq!(names["subscription_plans"][0]["version"], Value::Null);
}

#[tokio::test]
async fn each_change_has_an_event_and_an_entry_of_the_audit_log() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let path = format!("{PLANS}/{}", id_of(&plan));
    server.post(&Person::program(), &path, json!({ "trial_days": 7 })).await.ok();
    let deleted = server.delete(&Person::admin(), &path).await.ok();
    let expected = json!({ "id": plan["id"], "object": "subscription_plan", "deleted": true });
    assert_eq!(deleted, expected);
    server.get(&Person::admin(), &path).await.refused(404);
    server.delete(&Person::admin(), &path).await.refused(404);

    let log = "/admin/metrics/audit?entity_type=subscription_plan&order=at";
    let log = server.get(&Person::admin(), log).await.ok();
    let entries = log["changes"].as_array().expect("entries");
    let facts: Vec<_> = entries
        .iter()
        .map(|entry| {
            let before = entry["before"]["trial_days"].clone();
            let after = entry["after"]["trial_days"].clone();
            json!([entry["action"], entry["actor_type"], before, after])
        })
        .collect();
    let expected = json!([
        ["create", "user", null, 0],
        ["update", "api-key", 0, 7],
        ["delete", "user", 7, null],
    ]);
    assert_eq!(Value::from(facts), expected, "{log:#}");
    for name in
        ["subscription_plan.created", "subscription_plan.updated", "subscription_plan.deleted"]
    {
        assert_eq!(server.events_named(name).await, 1, "{name}");
    }
    server.assert_sound().await;
}
