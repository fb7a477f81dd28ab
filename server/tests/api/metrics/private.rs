//! Private metrics: for everybody except their owner, they do not exist.

use serde_json::{Value, json};

use super::registry::{definition, make, send};
use crate::harness::{Person, Reply, TestServer, description};

const DEFINITIONS: &str = "/admin/metrics-registry/definitions";

/// A word in the name of each private metric, and nowhere else.
const CANARY: &str = "zebra";

fn strangers() -> [Person; 3] {
    [Person::admin(), Person::viewer(), Person::program()]
}

/// Creates and activates a private metric of the analyst; returns its id.
async fn hide(server: &TestServer, name: &str, formula: &str) -> String {
    let mut body = definition(name, formula, "number");
    body["visibility"] = json!("private");
    let made = server.post(&Person::analyst(), DEFINITIONS, body).await;
    assert_eq!(made.status, 201, "{made:#?}");
    activate(server, &made.body["metric"]).await
}

async fn activate(server: &TestServer, metric: &Value) -> String {
    let id = metric["id"].as_str().expect("an id").to_owned();
    let path = format!("{DEFINITIONS}/{id}/lifecycle");
    server.post(&Person::analyst(), &path, json!({"state": "active"})).await.ok();
    id
}

/// Creates a server with the public metric `placed`, and three private ones around it that their owner uses.
async fn server() -> (TestServer, String) {
    let server = TestServer::empty().await;
    let owner = Person::analyst();
    let placed = activate(&server, &make(&server, "Placed", "count(orders)").await).await;
    let secret = hide(&server, "Hushed zebra", "count(orders) + 41").await;
    hide(&server, "Zebra child", "hushed_zebra * 2").await;
    hide(&server, "Zebra on placed", "placed + 1").await;
    // Identical formulas would be duplicates.
    hide(&server, "Zebra twin", "count(orders)").await;
    for (path, body) in [
        ("/admin/metrics/alerts", json!({"metric_id": secret, "condition": "hushed_zebra > 1"})),
        ("/admin/metrics/report", json!({"metrics": ["hushed_zebra", "placed"]})),
        (
            "/admin/metrics/compute",
            json!({"metrics": ["zebra_child"], "formula": "zebra_child + 1"}),
        ),
        ("/admin/metrics", json!({"metrics": ["hushed_zebra"]})),
        ("/admin/metrics/cache", json!({"ranges": ["today"], "metrics": ["hushed_zebra"]})),
        (
            "/admin/metrics/batch",
            json!({"requests": [{"id": "a", "type": "metric", "metric": "hushed_zebra"},
                {"id": "b", "type": "report", "report": {"metrics": ["hushed_zebra"]}}]}),
        ),
    ] {
        let done = server.post(&owner, path, body).await;
        assert!(matches!(done.status, 200 | 201), "{path}: {done:#?}");
    }
    (server, placed)
}

fn names_it(reply: &Reply) -> bool {
    reply.body.to_string().to_lowercase().contains(CANARY)
}

/// Returns every GET request about metrics, with the metric `placed` where an id is needed.
fn questions(placed: &str) -> Vec<String> {
    let api = description();
    let mut questions = Vec::new();
    for (path, operations) in api["paths"].as_object().expect("paths") {
        let is_metrics = path.starts_with("/admin/metrics") || path.starts_with("/admin/reports");
        // The audit log is for administrators with full access, and shows everything.
        let is_audit_log = path.starts_with("/admin/metrics/audit");
        if !is_metrics || is_audit_log || operations["get"].is_null() {
            continue;
        }
        let has_page = operations["get"]["parameters"]
            .as_array()
            .is_some_and(|list| list.iter().any(|parameter| parameter["name"] == "limit"));
        let path = path.replace("{id}", placed);
        questions.push(format!("{path}{}", if has_page { "?limit=200" } else { "" }));
    }
    questions
}

#[tokio::test]
async fn no_get_names_a_private_metric_to_anybody_but_its_owner() {
    let (server, placed) = server().await;
    let mut questions = questions(&placed);
    assert!(questions.len() > 40, "{questions:#?}");
    questions.push("/admin/metrics/reports?fields=%2Bresult".to_owned());
    questions.push("/admin/metrics/catalog?search=zebra".to_owned());
    questions.push(format!("{DEFINITIONS}?q=zebra&visibility=private"));
    let (mut leaks, mut told) = (Vec::new(), 0);
    for question in &questions {
        for person in strangers() {
            let reply = server.get(&person, question).await;
            if names_it(&reply) || reply.status >= 500 {
                leaks.push(format!("{question} as {}: {}", person.name, reply.body));
            }
        }
        told += usize::from(names_it(&server.get(&Person::analyst(), question).await));
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
    assert!(told > 10, "only {told} answers told their owner");
}

#[tokio::test]
async fn reports_and_alerts_of_private_metrics_are_counted_for_their_owner_only() {
    let (server, _placed) = server().await;
    for (path, own) in [("/admin/metrics/reports", 2), ("/admin/metrics/alerts", 1)] {
        assert_eq!(server.get(&Person::analyst(), path).await.ok()["count"], own, "{path}");
        for person in strangers() {
            assert_eq!(server.get(&person, path).await.ok()["count"], 0, "{path}");
        }
    }
}

/// Returns a reply without the parts that always differ.
fn essence(mut reply: Reply) -> (u16, String) {
    for part in ["request_id", "computeTime", "summary"] {
        if reply.body[part].is_string()
            || reply.body[part].is_number()
            || reply.body[part].is_object()
        {
            reply.body[part] = Value::Null;
        }
    }
    (reply.status, reply.body.to_string())
}

#[tokio::test]
async fn a_private_metric_is_answered_as_one_that_was_never_made() {
    let (server, placed) = server().await;
    let definition = |formula: &str| definition("New", formula, "number");
    let requests = |name: &str| {
        let sum = format!("{name} + placed");
        [
            ("POST", "/admin/metrics/validate".to_owned(), json!({"formula": sum})),
            (
                "POST",
                "/admin/metrics-registry/validate".to_owned(),
                json!({"formula": sum, "metric_id": placed}),
            ),
            ("POST", "/admin/metrics/catalog/validate".to_owned(), json!({"formula": sum})),
            (
                "POST",
                "/admin/metrics/validate".to_owned(),
                json!({"formula": "1", "metric_id": name}),
            ),
            ("POST", DEFINITIONS.to_owned(), definition(&sum)),
            ("PATCH", format!("{DEFINITIONS}/{placed}"), json!({"formula": format!("{name} + 1")})),
            ("POST", "/admin/metrics/compute".to_owned(), json!({"formula": sum})),
            ("POST", "/admin/metrics/compute".to_owned(), json!({"metrics": [name]})),
            ("POST", "/admin/metrics".to_owned(), json!({"metrics": [name]})),
            ("POST", "/admin/metrics/report".to_owned(), json!({"metrics": [name]})),
            ("POST", "/admin/metrics-registry/execute".to_owned(), json!({"metric_id": name})),
            (
                "POST",
                "/admin/metrics/alerts".to_owned(),
                json!({"metric_id": name, "condition": "placed > 1"}),
            ),
            (
                "POST",
                "/admin/metrics/alerts".to_owned(),
                json!({"metric_id": placed, "condition": format!("{name} > 1")}),
            ),
            ("GET", format!("/admin/metrics?metrics={name}"), Value::Null),
            ("GET", format!("/admin/metrics/definitions/{name}/explain"), Value::Null),
            ("GET", format!("/admin/metrics/catalog/{name}/dependencies"), Value::Null),
            (
                "POST",
                format!("/admin/metrics/catalog/{name}/lifecycle"),
                json!({"state": "archived"}),
            ),
            ("DELETE", format!("/admin/metrics/definitions/{name}"), json!({})),
        ]
    };
    // Names without similar ones: a similar name would be suggested to its owner.
    for ((method, path, body), (_, other_path, other_body)) in
        requests("hushed_zebra").into_iter().zip(requests("hushed_zebrq"))
    {
        let call = async |path: &str, body: &Value| {
            let body = (!body.is_null()).then(|| body.to_string().into_bytes());
            server.call(&Person::admin(), method, path, body).await
        };
        let (status, private) = essence(call(&path, &body).await);
        let absent = essence(call(&other_path, &other_body).await);
        let named = private.replace("hushed_zebra", "hushed_zebrq");
        assert_eq!((status, named), absent, "{method} {path} {body}");
    }
}

#[tokio::test]
async fn refusals_do_not_name_private_metrics_of_others() {
    let (server, placed) = server().await;
    let admin = Person::admin();
    let path = format!("{DEFINITIONS}/{placed}");
    let archive = json!({"state": "archived"});
    let breaking = json!({"formula": "sum(orders.total)", "data_type": "currency"});
    for (reply, status) in [
        (server.delete(&admin, &path).await, 409),
        (server.post(&admin, &format!("{path}/lifecycle"), archive).await, 409),
        (send(&server, &admin, ("PATCH", &path), breaking).await, 422),
    ] {
        assert_eq!(reply.status, status, "{reply:#?}");
        assert!(!names_it(&reply), "{reply:#?}");
        assert!(reply.body.to_string().contains("private metrics of others"), "{reply:#?}");
    }
    let own = server.delete(&Person::analyst(), &path).await;
    assert!(own.status == 409 && names_it(&own), "{own:#?}");
    let after = server.get(&admin, &path).await.ok();
    assert_eq!(after["metric"]["formula"], "count(orders)");
}

#[tokio::test]
async fn nothing_that_others_see_is_built_on_a_private_metric() {
    let (server, _placed) = server().await;
    let owner = Person::analyst();
    let view = server.post(&owner, DEFINITIONS, definition("Shown", "hushed_zebra + 1", "number"));
    assert!(view.await.refused(422).contains("is private"));
    let child = format!("{DEFINITIONS}/zebra_child");
    let public = json!({"visibility": "public"});
    send(&server, &owner, ("PATCH", &child), public.clone()).await.refused(422);
    send(&server, &owner, ("PATCH", &format!("{DEFINITIONS}/hushed_zebra")), public.clone())
        .await
        .ok();
    send(&server, &owner, ("PATCH", &child), public).await.ok();
    let again = json!({"visibility": "private"});
    let refused =
        send(&server, &owner, ("PATCH", &format!("{DEFINITIONS}/hushed_zebra")), again).await;
    assert!(refused.refused(409).contains("zebra_child"));
}

#[tokio::test]
async fn a_metric_with_alerts_to_others_does_not_become_private() {
    let server = TestServer::empty().await;
    let (owner, other) = (Person::analyst(), Person::admin());
    activate(&server, &make(&server, "Placed", "count(orders)").await).await;
    activate(&server, &make(&server, "Baskets", "count(carts)").await).await;
    let private = json!({"visibility": "private"});
    let hide = async |key: &str| {
        send(&server, &owner, ("PATCH", &format!("{DEFINITIONS}/{key}")), private.clone()).await
    };
    let alert = json!({"metric_id": "placed", "condition": "placed > baskets"});
    let made = server.post(&other, "/admin/metrics/alerts", alert).await;
    assert_eq!(made.status, 201, "{made:#?}");
    hide("placed").await.refused(409);
    hide("baskets").await.refused(409);
    let path =
        format!("/admin/metrics/alerts/{}", made.body["alert"]["id"].as_str().expect("an id"));
    server.delete(&other, &path).await.ok();
    hide("baskets").await.ok();
    let alert = json!({"metric_id": "placed", "condition": "placed > baskets"});
    server.post(&owner, "/admin/metrics/alerts", alert).await.refused(422);
    let own = json!({"metric_id": "baskets", "condition": "baskets > placed"});
    let made = server.post(&owner, "/admin/metrics/alerts", own).await;
    assert_eq!(made.status, 201, "{made:#?}");
    assert_eq!(server.get(&other, "/admin/metrics/alerts").await.ok()["count"], 0);
}

#[tokio::test]
async fn a_stored_value_of_a_day_is_shown_to_those_who_see_its_metric() {
    let (server, _placed) = server().await;
    let body = json!({ "date": "2026-11-20", "metrics": ["hushed_zebra", "placed"] });
    let own = server.post(&Person::analyst(), "/admin/metrics", body.clone()).await.ok();
    assert_eq!(own["metrics"]["hushed_zebra"]["value"], 41, "{own:#}");

    let other = server.post(&Person::program(), "/admin/metrics", body).await;

    assert_eq!(other.body["metrics"]["placed"], own["metrics"]["placed"], "{other:#?}");
    assert!(other.body["metrics"]["hushed_zebra"]["error"].is_object(), "{other:#?}");
}

#[tokio::test]
async fn the_private_metrics_of_a_deleted_user_pass_to_an_admin_and_their_alerts_are_paused() {
    let (server, _placed) = server().await;
    let (admin, alerts) = (Person::admin(), "/admin/metrics/alerts");
    let own = format!("{DEFINITIONS}/hushed_zebra");
    assert_eq!(server.get(&admin, &own).await.status, 404);

    server.delete(&admin, "/admin/users/user_01JD2Q8Z5M6T3W9XKCV4B7N002").await.ok();

    let metric = server.get(&admin, &own).await.ok()["metric"].clone();
    assert_eq!(metric["owner_id"], "user_01JD2Q8Z5M6T3W9XKCV4B7N001");
    server.clock.advance(60_000);
    server.work().await;
    let alert = server.get(&admin, alerts).await.ok()["alerts"][0].clone();
    assert_eq!(
        (&alert["is_active"], &alert["last_evaluated_at"]),
        (&json!(false), &Value::Null),
        "{alert:#}"
    );
    assert_eq!(server.get(&Person::viewer(), &own).await.status, 404);
    let changes = server.get(&admin, "/admin/metrics/audit?limit=200").await.ok().to_string();
    for field in ["is_active", "owner_id"] {
        assert!(changes.contains(&format!("\"changed\":[\"{field}\"]")), "{field}: {changes}");
    }
    server.delete(&admin, &format!("{alerts}/{}", alert["id"].as_str().expect("an id"))).await.ok();
    server.delete(&admin, &format!("{DEFINITIONS}/zebra_child")).await.ok();
    server.delete(&admin, &own).await.ok();
}

#[tokio::test]
async fn only_the_owner_of_a_private_metric_unlocks_it() {
    let (server, _placed) = server().await;
    let owner = Person::analyst();
    let own = format!("{DEFINITIONS}/hushed_zebra");
    send(&server, &owner, ("PATCH", &own), json!({"is_locked": true})).await.ok();
    send(&server, &owner, ("PATCH", &own), json!({"description": "Hush"})).await.refused(423);
    let unlock = json!({"is_locked": false});
    send(&server, &Person::admin(), ("PATCH", &own), unlock.clone()).await.refused(404);
    let more = json!({"is_locked": false, "description": "Hush"});
    send(&server, &owner, ("PATCH", &own), more).await.refused(423);

    send(&server, &owner, ("PATCH", &own), unlock.clone()).await.ok();

    send(&server, &owner, ("PATCH", &own), json!({"description": "Hush"})).await.ok();
    let placed = format!("{DEFINITIONS}/placed");
    send(&server, &owner, ("PATCH", &placed), json!({"is_locked": true})).await.ok();
    send(&server, &owner, ("PATCH", &placed), unlock).await.refused(423);
}

#[tokio::test]
async fn only_admins_make_metrics_of_other_users_and_only_of_users_that_exist() {
    let server = TestServer::empty().await;
    let id = |number: u8| format!("user_01JD2Q8Z5M6T3W9XKCV4B7N00{number}");
    let (analyst, viewer, nobody) = (id(2), id(3), id(9));
    let catalog = "/admin/metrics/catalog";
    let template = "/admin/metrics/templates/gmv/instantiate";
    let make = async |person: &Person, path: &str, owner: &str| {
        let name = format!("{} {owner} {path}", person.name);
        let (field, mut body) = match path {
            DEFINITIONS => ("owner_id", definition(&name, "1", "number")),
            _ if path == template => ("owner_id", json!({"name": name})),
            _ => (
                "ownerId",
                json!({"name": name, "category": "sales", "scope": "store", "formula": "1",
                    "dataType": "number"}),
            ),
        };
        body[field] = json!(owner);
        server.post(person, path, body).await.status
    };
    for path in [DEFINITIONS, catalog, template] {
        assert_eq!(make(&Person::analyst(), path, &viewer).await, 403, "{path}");
        assert_eq!(make(&Person::analyst(), path, &analyst).await, 201, "{path}");
        assert_eq!(make(&Person::admin(), path, &nobody).await, 400, "{path}");
        assert_eq!(make(&Person::admin(), path, &viewer).await, 201, "{path}");
    }
}
