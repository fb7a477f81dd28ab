//! Templates and suggestions.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

const TEMPLATES: &str = "/admin/metrics/templates";

fn keys(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|metric| metric["key"].as_str()).collect()
}

#[tokio::test]
async fn every_template_becomes_a_metric_of_an_empty_store() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let list = server.get(&admin, &format!("{TEMPLATES}?limit=200")).await.ok();
    assert_eq!((&list["count"], &list["limit"]), (&json!(133), &json!(200)));
    for template in list["templates"].as_array().expect("templates") {
        let (id, name) = (template["id"].as_str().expect("an id"), &template["name"]);
        let name = format!("My {}", name.as_str().expect("a name"));
        let path = format!("{TEMPLATES}/{id}/instantiate");
        let made = server.post(&admin, &path, json!({"name": name})).await;
        assert_eq!(made.status, 201, "{id}: {made:#?}");
        assert_eq!(made.body["metric"]["name"], name);
        assert_eq!(made.body["metric"]["data_type"], template["data_type"]);
    }
}

#[tokio::test]
async fn templates_come_in_pages_that_make_up_the_whole_list() {
    let server = TestServer::empty().await;
    let viewer = Person::viewer();
    let whole = server.get(&viewer, &format!("{TEMPLATES}?limit=200")).await.ok();
    let whole = keys(&whole["templates"]);
    let mut seen = Vec::new();
    for offset in (0..140).step_by(20) {
        let page = server.get(&viewer, &format!("{TEMPLATES}?offset={offset}")).await.ok();
        assert_eq!((&page["count"], &page["offset"]), (&json!(133), &json!(offset)));
        seen.extend(keys(&page["templates"]).into_iter().map(str::to_owned));
    }
    assert_eq!(seen, whole);
    let sales = server.get(&viewer, &format!("{TEMPLATES}?category=sales&limit=1")).await.ok();
    assert!(sales["count"].as_u64().is_some_and(|count| (2..133).contains(&count)), "{sales}");
    assert_eq!(keys(&sales["templates"]).len(), 1);
    for query in ["limit=201", "limit=-1", "offset=10000001", "limit=x"] {
        server.get(&viewer, &format!("{TEMPLATES}?{query}")).await.refused(400);
    }
}

#[tokio::test]
async fn metrics_that_a_template_names_are_made_with_it_once() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let path = format!("{TEMPLATES}/tmpl_aov/instantiate");
    let made = server.post(&admin, &path, json!({"name": "Average order value"})).await.ok();
    assert_eq!(made["metric"]["key"], "aov");
    assert_eq!(made["metric"]["dependencies"], json!(["net_sales", "order_count"]));
    let created = ["gross_sales", "discounts", "returns_value", "net_sales", "order_count"];
    assert_eq!(keys(&made["created"]), created);
    assert!(
        made["created"].as_array().into_iter().flatten().all(|metric| metric["state"] == "draft")
    );
    let again = server.post(&admin, &path, json!({"name": "Basket value"})).await.ok();
    assert_eq!((&again["metric"]["key"], &again["created"]), (&json!("basket_value"), &json!([])));
    server.post(&admin, &path, json!({"name": "basket VALUE"})).await.refused(409);
}

#[tokio::test]
async fn a_name_that_only_a_template_has_is_refused_with_that_template() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let body = json!({"formula": "net_sales / order_cuont"});
    let refused = server.post(&admin, "/admin/metrics/compute", body).await;
    assert_eq!(refused.status, 422);
    let refused = refused.body;
    let help = "create the metric first, from the template `tmpl_net_sales`";
    assert_eq!(refused["details"][0]["help"], help);
    let other = refused["details"][1]["help"].as_str().expect("a help line");
    assert!(!other.contains("template"), "{other}");
    let path = format!("{TEMPLATES}/tmpl_aov/instantiate");
    server.post(&admin, &path, json!({"name": "Average order value"})).await.ok();
    let body = json!({"formula": "net_sales / order_count"});
    server.post(&admin, "/admin/metrics/compute", body).await.ok();
}

#[tokio::test]
async fn parameters_and_overrides_change_the_created_metrics() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let path = format!("{TEMPLATES}/high_value_share/instantiate");
    let body = json!({"name": "Large orders", "parameters": {"threshold": 500}, "tags": ["board"],
        "category": "orders", "visibility": "private"});
    let made = server.post(&admin, &path, body).await.ok();
    let formula = made["metric"]["formula"].as_str().expect("a formula");
    assert!(formula.contains("total > 500 "), "{formula}");
    assert_eq!(made["metric"]["category"], "orders");
    assert_eq!(made["metric"]["visibility"], "private");
    for parameters in [json!({"threshold": "lots"}), json!({"limit": 1}), json!({"threshold": -1})]
    {
        let body = json!({"name": "Larger orders", "parameters": parameters});
        server.post(&admin, &path, body).await.refused(400);
    }
    server.post(&admin, &path, json!({"name": "x", "formula": "1"})).await.refused(400);
    server
        .post(&admin, &format!("{TEMPLATES}/none/instantiate"), json!({"name": "x"}))
        .await
        .refused(404);
    let view = server.get(&admin, &format!("{TEMPLATES}/high_value_share")).await.ok();
    assert_eq!(view["template"]["id"], "tmpl_high_value_share");
    assert_eq!(view["template"]["parameters"][0]["type"], "amount");
    let list = server.get(&admin, &format!("{TEMPLATES}?category=fulfillment")).await.ok();
    assert_eq!(list["count"], 4);
}

#[tokio::test]
async fn suggestions_list_possible_missing_and_duplicate_metrics() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let make = async |name: &str, formula: &str, data_type: &str| {
        let body = super::registry::definition(name, formula, data_type);
        server.post(&admin, "/admin/metrics/definitions", body).await.ok();
    };
    make("revenue", "sum(orders.total)", "currency").await;
    make("placed", "count(orders)", "integer").await;
    make("placed again", "COUNT(orders)", "integer").await;
    let found = server.get(&admin, "/admin/metrics/suggestions").await.ok();
    let found = &found["suggestions"];
    let formulas: Vec<&str> = found["proposals"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|proposal| proposal["formula"].as_str())
        .collect();
    assert!(formulas.contains(&"revenue / placed"), "{formulas:?}");
    assert!(!formulas.contains(&"revenue"), "a metric is there already: {formulas:?}");
    assert_eq!(keys(&found["duplicates"][0]["metrics"]), ["placed", "placed_again"]);
    assert_eq!(keys(&found["unused"]), ["revenue", "placed", "placed_again"]);
    let templates = found["templates"].as_array().expect("templates");
    assert_eq!(templates.len(), 133);
    let blocked = |key: &str| {
        let found = templates.iter().find(|template| template["key"] == key);
        found.map(|template| (template["blocked"].clone(), template["missing_data"].clone()))
    };
    assert_eq!(blocked("gmv"), Some((json!(true), json!(["orders"]))));
    assert_eq!(blocked("new_customers"), Some((json!(true), json!(["orders"]))));
    assert_eq!(blocked("lapsed_rate"), Some((json!(true), json!(["orders"]))));
    assert_eq!(blocked("churned_mrr"), Some((json!(true), json!(["subscriptions"]))));
}

#[tokio::test]
async fn a_template_is_blocked_until_there_are_rows_for_it() {
    let (server, store) = TestServer::with_store().await;
    super::order(&server, &store, &store.mug, 1).await;
    let found = server.get(&Person::admin(), "/admin/metrics/suggestions").await.ok();
    let templates = found["suggestions"]["templates"].as_array().expect("templates");
    for (key, missing) in
        [("gmv", json!([])), ("lapsed_rate", json!([])), ("churned_mrr", json!(["subscriptions"]))]
    {
        let own = templates.iter().find(|template| template["key"] == key).expect("a template");
        assert_eq!(own["missing_data"], missing, "{key}");
        assert_eq!(own["blocked"], missing != json!([]), "{key}");
    }
}

#[tokio::test]
async fn amounts_in_templates_are_in_the_currency_of_the_store() {
    let server = TestServer::with_demo(1).await;
    let path = format!("{TEMPLATES}/tmpl_high_value_share");
    let shown = server.get(&Person::viewer(), &path).await.ok();
    let formula = shown["template"]["formula"].as_str().expect("a formula");
    assert!(formula.contains("200 GBP") && !formula.contains("USD"), "{formula}");
    let list = server.get(&Person::viewer(), &format!("{TEMPLATES}?limit=200")).await.ok();
    assert!(!list["templates"].to_string().contains(" USD"));
}

#[tokio::test]
async fn a_placeholder_without_a_value_of_its_own_is_warned_of_and_not_suggested() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for (key, aggregation) in [("given_back", "none"), ("given_back_in_all", "sum")] {
        let body = json!({"key": key, "display_name": key, "data_source": "refunds",
            "source_field": "amount", "data_type": "currency", "default_aggregation": aggregation});
        server.post(&admin, "/admin/metrics-registry/placeholders", body).await.ok();
    }

    for (formula, codes) in [
        ("given_back * 2", vec!["W902"]),
        ("sum(given_back)", vec![]),
        ("given_back_in_all * 2", vec![]),
    ] {
        let body = json!({"formula": formula});
        let told = server.post(&admin, "/admin/metrics/validate", body).await.ok();
        let warnings = told["validation"]["warnings"].as_array().expect("warnings").iter();
        assert_eq!(warnings.map(|own| &own["code"]).collect::<Vec<_>>(), codes, "{told:#}");
        assert_eq!(told["validation"]["valid"], true, "{told:#}");
    }
    let found = server.get(&admin, "/admin/metrics/suggestions").await.ok();
    let proposals = found["suggestions"]["proposals"].as_array().expect("proposals").iter();
    let formulas: Vec<&str> = proposals.filter_map(|own| own["formula"].as_str()).collect();
    assert!(formulas.iter().any(|own| own.contains("given_back_in_all")), "{formulas:?}");
    let words = |own: &&str| own.split(' ').any(|word| word == "given_back");
    assert!(!formulas.iter().any(words), "{formulas:?}");
}
