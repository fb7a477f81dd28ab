//! Every list of the API takes as many statements for fifty rows as for one, and no order or filter scans a growing
//! table, which the harness checks when a test ends.

use serde_json::{Value, json};

use crate::harness::{PARTNER_ID, Person, Store, TestServer, address, description};
use crate::sms::NUMBER_KEY;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Lists that cannot have two rows, or have no pages, and why.
const ALONE: &[(&str, &str)] = &[("/admin/stores", "there is one store")];

/// Lists without `limit`, which are compared only as a whole.
const UNPAGED: &[(&str, &str)] = &[
    ("/admin/fulfillment-providers", "the providers are those of the program"),
    ("/admin/metrics/boards", "a person has few boards"),
    ("/admin/payments/payment-providers", "the providers are those of the program"),
    ("/admin/tax-providers", "the providers are those of the program"),
    ("/store/payment-sessions", "the sessions are those of one payment collection"),
];

/// Exports without `limit`, which are compared over ranges of one day and of all days.
const WHOLE: &[(&str, &str)] = &[("/admin/reports/taxes/export", "a file for the tax office")];

/// The number of rows of resources that a loop creates quickly.
const MANY: usize = 50;

/// A list: its path, its parameters, and its relations.
#[derive(Debug)]
struct List {
    path: String,
    parameters: Vec<Value>,
    relations: Vec<String>,
}

impl List {
    fn person(&self) -> Person {
        match self.path.as_str() {
            path if path.starts_with("/admin/") => Person::admin(),
            path if path.starts_with("/partners/") => Person::partner(),
            _ => Person::customer_a(),
        }
    }

    fn is_whole(&self) -> bool {
        WHOLE.iter().any(|(path, _why)| *path == self.path)
    }

    /// Returns a query with one row and a query with many rows.
    fn few_and_many(&self, store: &Store) -> (String, String) {
        if self.is_whole() {
            let all = format!("{}?currency_code=gbp", self.path);
            return (format!("{all}&start_date=2026-11-21&end_date=2026-11-21"), all);
        }
        (self.page(store, 1), self.page(store, 50))
    }

    /// Returns the query for a page of `limit` rows with all their relations.
    fn page(&self, store: &Store, limit: u32) -> String {
        let relations: Vec<String> =
            self.relations.iter().map(|relation| format!("*{relation}")).collect();
        let fields = if relations.is_empty() {
            String::new()
        } else {
            format!("&fields={}", relations.join(","))
        };
        // Prices need a region.
        let region = match self.path.as_str() {
            "/store/products" | "/store/payment-providers" => {
                format!("&region_id={}", store.britain)
            }
            _ => String::new(),
        };
        format!("{}?limit={limit}{region}{}{fields}", self.path, self.currency())
    }

    /// Returns the currency: pounds for sales reports, the store's currency for stock.
    fn currency(&self) -> &'static str {
        let is_report = self.parameters.iter().any(|parameter| parameter["name"] == "timezone");
        let is_stock = self.path.ends_with("/snapshots") || self.path.ends_with("-turnover");
        if is_report && !is_stock { "&currency_code=gbp" } else { "" }
    }

    /// Returns a query for every order, and for every filter with a valid value.
    fn questions(&self) -> Vec<String> {
        let mut questions = Vec::new();
        for parameter in &self.parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            let values: Vec<&str> = match name {
                "limit" | "offset" | "fields" => Vec::new(),
                "order" => words(&parameter["schema"]),
                _ => vec![value(&parameter["schema"])],
            };
            let path = &self.path;
            questions.extend(values.iter().map(|value| format!("{path}?{name}={value}")));
            if name == "q" || parameter["schema"]["pattern"].is_string() {
                continue;
            }
            if values.len() == 1 && parameter["schema"]["enum"].is_null() {
                questions.push(format!("{path}?{name}[]=x&{name}[]=y"));
            }
        }
        questions
    }
}

fn words(schema: &Value) -> Vec<&str> {
    schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns a value that a filter accepts.
fn value(schema: &Value) -> &str {
    if let Some(word) = words(schema).first() {
        return word;
    }
    match (schema["type"].as_str(), schema["pattern"].as_str()) {
        (Some("boolean"), _) => "true",
        (Some("integer"), _) => "1",
        (_, Some(pattern)) if pattern.starts_with("^(null") => "2026-01-01",
        (_, Some(pattern)) if pattern.starts_with("^-?[0-9]") => "1",
        _ => "x",
    }
}

/// Returns every list of the description without an id in its path.
fn lists() -> Vec<List> {
    let api = description();
    let mut lists = Vec::new();
    for (path, operations) in api["paths"].as_object().expect("paths") {
        let operation = &operations["get"];
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let name = schema["$ref"].as_str().unwrap_or_default().trim_start_matches('#');
        let is_list =
            api.pointer(name).is_some_and(|schema| schema["properties"]["count"].is_object());
        if path.contains('{') || !is_list {
            continue;
        }
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let fields = parameters.iter().find(|parameter| parameter["name"] == "fields");
        let description =
            fields.and_then(|fields| fields["description"].as_str()).unwrap_or_default();
        let relations =
            description.split("Relations: `").nth(1).and_then(|rest| rest.split('`').next());
        let relations = relations.into_iter().flat_map(|names| names.split(','));
        let relations = relations.map(str::to_owned).collect();
        lists.push(List { path: path.clone(), parameters, relations });
    }
    lists
}

/// Creates a store where every list has at least two rows.
async fn filled() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store_and(&["--sms-provider=sandbox", NUMBER_KEY]).await;
    for currency in ["gbp", "usd", "eur"] {
        set_up(&server, &store, currency).await;
    }
    for currency in ["gbp", "usd"] {
        let account = json!({"customer_id": CUSTOMER, "currency_code": currency});
        server.post(&Person::admin(), "/admin/store-credit-accounts", account).await.ok();
    }
    offer(&server).await;
    for code in ["made-gbp", "made-usd", "made-eur"] {
        sell(&server, &store, code).await;
        earn(&server).await;
        // Figures are by day, so the orders are not all on one day.
        server.clock.advance(DAY_MS / 4);
    }
    for name in ["Coffee", "Tea"] {
        server.subscribed(&store, json!({"name": name})).await;
    }
    visit(&server, &store).await;
    publish(&server, &store).await;
    measure(&server).await;
    (server, store)
}

/// Creates the offer of the partner.
async fn offer(server: &TestServer) {
    let offer = json!({
        "code": "MADE", "landing_url": "/", "promo_codes": ["TENOFF"], "currency_code": "gbp", "hold_days": 0,
        "commission": {"type": "percent", "value": 10},
    });
    let path = format!("/admin/partners/{PARTNER_ID}/offers");
    server.post(&Person::admin(), &path, offer).await.ok();
}

/// Does what visitors do, twice.
async fn visit(server: &TestServer, store: &Store) {
    for person in [Person::customer_a(), Person::customer_b()] {
        server.review(&person, store, json!({})).await;
        let wish = json!({"name": "wishlist_added", "product_id": store.mug_product});
        assert_eq!(server.track(&person, wish).await.status, 202);
        let own = json!({"name": person.name.replace(' ', "_").to_lowercase()});
        assert_eq!(server.track(&person, own).await.status, 202);
        let consent = json!({"phone": "+4915112345678", "consent": true});
        server.post(&person, "/store/sms-marketing/opt-in", consent).await.ok();
    }
}

/// Creates content of three storefronts.
async fn publish(server: &TestServer, store: &Store) {
    for number in 0..3 {
        publish_one(server, store, number).await;
    }
}

async fn publish_one(server: &TestServer, store: &Store, number: usize) {
    let channel = json!({"name": format!("Channel {number}")});
    let channel = server.post(&Person::admin(), "/admin/sales-channels", channel).await.ok();
    let channel = channel["sales_channel"]["id"].clone();
    let other = json!({
        "title": format!("Part {number}"), "options": [{"title": "Kind", "values": ["One"]}],
    });
    let other = server.post(&Person::admin(), "/admin/products", other).await.ok();
    let items = json!([
        {"title": "Mug", "product_id": store.mug_product},
        {"title": "Part", "product_id": other["product"]["id"]},
    ]);
    let handle = format!("handle-{number}");
    let domain = format!("{handle}.example");
    for (path, body) in [
        (
            "sites",
            json!({"handle": handle, "domain": domain, "name": "S", "sales_channel_id": channel}),
        ),
        ("storefront-settings", json!({"sales_channel_id": channel})),
        ("banners", json!({"title": "B"})),
        (
            "membership-tiers",
            json!({"name": handle, "rank": number, "condition": "count(orders) >= 1", "currency_code": "gbp"}),
        ),
        ("content-pages", json!({"slug": handle, "title": "P"})),
        ("oauth-clients", json!({"name": "O", "scopes": ["storefront"]})),
        (
            "bundle-products",
            json!({"title": "B", "handle": handle, "pricing": {"type": "sum"}, "items": items}),
        ),
    ] {
        server.post(&Person::admin(), &format!("/admin/{path}"), body).await.ok();
    }
}

/// Creates an order with a promotion, a return of a part of it, a draft, and a stock snapshot.
async fn sell(server: &TestServer, store: &Store, code: &str) {
    let customer = Person::customer_a();
    let cart = server.ready_cart(&customer, store, &store.mug, 2).await;
    let codes = json!({"promo_codes": ["TENOFF", code]});
    server.post(&customer, &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    let line = json!({"variant_id": store.lamp, "quantity": 1});
    server.post(&customer, &format!("/store/carts/{cart}/line-items"), line).await.ok();
    server.ship(&customer, store, &cart).await;
    server.pay(&customer, &cart, "pm_card_visa").await;
    let placed = server.complete(&customer, &cart).await.ok();
    server.post(&customer, "/store/customers/me/addresses", address()).await.ok();
    let order = json!({"order_id": placed["order"]["id"]});
    server.post(&Person::admin(), "/admin/returns", order).await.ok();
    let draft = json!({
        "region_id": store.britain, "email": "a@example.com",
        "items": [{"variant_id": store.mug, "quantity": 1}],
    });
    server.post(&Person::admin(), "/admin/draft-orders", draft).await.ok();
    server.post(&Person::admin(), "/admin/reports/cogs/snapshots", json!({})).await.ok();
}

/// Has the partner earn a commission on the last order, and pays it.
async fn earn(server: &TestServer) {
    let admin = Person::admin();
    let orders = server.get(&admin, "/admin/orders?limit=1").await.ok();
    let report = json!({"order_id": orders["orders"][0]["id"]});
    let taken = server.post(&Person::nobody(), "/track/partners/conversion", report).await;
    assert_eq!(taken.status, 202);
    server.drain().await;
    let browser = Person::nobody().with_header("user-agent", "Mozilla/5.0 Firefox/140.0");
    assert_eq!(server.get(&browser, "/track/partners/click/MADE").await.status, 302);
    let path = "/admin/partner-conversions";
    let made = server.get(&admin, &format!("{path}?status=pending")).await.ok();
    let id = made["partner_conversions"][0]["id"].as_str().expect("a conversion");
    server.post(&admin, &format!("{path}/{id}/approve"), json!({})).await.ok();
    let payout = json!({"partner_id": PARTNER_ID, "currency_code": "gbp"});
    server.post(&admin, "/admin/partner-payouts", payout).await.ok();
}

/// Creates many metrics and their resources, and alerts that fire.
async fn measure(server: &TestServer) {
    let admin = Person::admin();
    for number in 0..MANY {
        let placeholder = json!({
            "key": format!("held_{number}"), "display_name": format!("Held {number}"), "data_type": "currency",
            "data_source": "orders", "source_field": "total", "default_aggregation": "sum",
        });
        server.post(&admin, "/admin/metrics/placeholders", placeholder).await.ok();
        // Each is built on the previous one, so that a list that expands them expands many.
        let before = number.checked_sub(1).map(|before| format!(" + made_{before}"));
        let formula = format!("count(orders) * {number}{}", before.unwrap_or_default());
        let metric = json!({
            "name": format!("Made {number}"), "category": "sales", "scope": "store", "formula": formula,
            "data_type": "number",
        });
        let metric = server.post(&admin, "/admin/metrics/definitions", metric).await.ok();
        let id = metric["metric"]["id"].as_str().expect("an id");
        let lifecycle = format!("/admin/metrics-registry/definitions/{id}/lifecycle");
        server.post(&admin, &lifecycle, json!({"state": "active"})).await.ok();
        let alert = json!({
            "metric_id": metric["metric"]["id"], "condition": {"operator": "gt", "threshold": number},
        });
        server.post(&admin, "/admin/metrics/alerts", alert).await.ok();
        server.post(&admin, "/admin/metrics/report", json!({})).await.ok();
        let question = json!({"formula": format!("count(orders) + {number}")});
        server.post(&admin, "/admin/metrics/compute", question).await.ok();
    }
    alarm(server).await;
}

/// Makes two alerts with notifications fire.
async fn alarm(server: &TestServer) {
    let webhook = json!({"type": "webhook", "url": "https://hooks.shop.example/",
        "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"});
    for name in ["One", "Other"] {
        let alert = json!({
            "name": name, "metric_id": "made_1", "condition": "made_1 >= 0", "window": "current", "channels": [webhook],
        });
        server.post(&Person::admin(), "/admin/metrics/alerts", alert).await.ok();
    }
    server.work().await;
    server.clock.advance(60_000);
    server.work().await;
}

/// The customer in every test store.
const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

/// Creates the configuration that an owner sets up by hand.
async fn set_up(server: &TestServer, store: &Store, currency: &str) {
    let (made, code) = (format!("Made for {currency}"), format!("made-{currency}"));
    for (path, body) in [
        ("/admin/campaigns", json!({"name": made, "campaign_identifier": code})),
        ("/admin/collections", json!({"title": made})),
        ("/admin/customer-groups", json!({"name": made})),
        ("/admin/customer-notes", json!({"customer_id": CUSTOMER, "note": made})),
        ("/admin/flows", json!({"name": made, "kind": "pre_purchase", "currency_code": "gbp"})),
        ("/admin/invites", json!({"email": format!("{code}@example.com")})),
        ("/admin/price-lists", json!({"title": made, "description": made})),
        ("/admin/price-preferences", json!({"attribute": "currency_code", "value": currency})),
        ("/admin/product-categories", json!({"name": made, "is_active": true})),
        ("/admin/product-tags", json!({"value": made})),
        ("/admin/product-types", json!({"value": made})),
        (
            "/admin/promotions",
            json!({"code": code, "type": "standard", "status": "active", "application_method":
                   {"type": "fixed", "target_type": "order", "value": 1, "currency_code": "gbp"}}),
        ),
        ("/admin/refund-reasons", json!({"label": made})),
        ("/admin/return-reasons", json!({"label": made, "value": code})),
        ("/admin/sales-channels", json!({"name": made})),
        ("/admin/shipping-option-types", json!({"label": made, "code": code})),
        ("/admin/shipping-profiles", json!({"name": made, "type": code})),
        ("/admin/stock-locations", json!({"name": made})),
        (
            "/admin/subscription-plans",
            json!({"name": made, "product_ids": [store.mug_product], "interval": "month"}),
        ),
        ("/admin/partners", json!({"name": made, "email": format!("{code}@example.com")})),
        (
            "/admin/webhook-endpoints",
            json!({"url": "https://hooks.shop.example/", "events": ["order.*"], "description": made}),
        ),
        ("/webhooks/warehouse-integration", json!({"cust_ref": made})),
    ] {
        let reply = server.post(&Person::admin(), path, body).await;
        assert!(matches!(reply.status, 200 | 201), "{path}: {reply:#?}");
    }
    let option = format!("/admin/shipping-options/{}", store.postage);
    let option = server.get(&Person::admin(), &option).await.ok()["shipping_option"].take();
    let again = json!({
        "name": made, "service_zone_id": option["service_zone_id"],
        "shipping_profile_id": option["shipping_profile_id"], "provider_id": "manual_manual",
        "price_type": "flat", "type": {"label": made, "description": made, "code": format!("{code}-option")},
        "prices": [{"currency_code": "gbp", "amount": 5}],
    });
    server.post(&Person::admin(), "/admin/shipping-options", again).await.ok();
}

#[tokio::test]
async fn every_list_takes_as_many_statements_for_fifty_rows_as_for_one() {
    let (server, store) = filled().await;
    let mut wrong = Vec::new();
    let lists = lists();
    assert!(lists.len() > 40, "only {} lists were found", lists.len());
    for list in lists {
        let (person, (one, fifty)) = (list.person(), list.few_and_many(&store));
        if UNPAGED.iter().any(|(path, _why)| *path == list.path) {
            continue;
        }
        // The first request of each kind warms the caches.
        let first = server.get(&person, &one).await;
        let view = server.get(&person, &fifty).await;
        if view.status != 200 {
            wrong.push(format!("{fifty}: {}", view.body));
            continue;
        }
        let row_count = view.body["count"].as_u64().unwrap_or_default();
        let is_alone = ALONE.iter().any(|(path, _why)| *path == list.path);
        let is_same = list.is_whole() && first.body["count"].as_u64() == Some(row_count);
        if (row_count < 2 && !is_alone) || is_same {
            wrong.push(format!("{}: {row_count} rows to compare", list.path));
        }
        let (mut of_one, mut of_fifty) = (0, 0);
        // Occasionally a cache entry expires in between.
        for _ in 0..3 {
            of_one = server.statements(server.get(&person, &one)).await;
            of_fifty = server.statements(server.get(&person, &fifty)).await;
            if of_one == of_fifty {
                break;
            }
        }
        if of_one != of_fifty {
            wrong.push(format!("{}: {of_one} for one, {of_fifty} for {row_count}", list.path));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let sorted = server.sorted_pages().await;
    assert!(sorted.is_empty(), "no index has the usual order of {sorted:#?}");
}

#[tokio::test]
async fn every_order_and_every_filter_of_every_list_is_answered() {
    let (server, _store) = filled().await;
    for list in lists() {
        for question in list.questions() {
            let reply = server.get(&list.person(), &question).await;
            assert!(matches!(reply.status, 200 | 400 | 404), "{question}: {reply:#?}");
            let is_order = question.contains("?order=");
            assert!(!is_order || reply.status == 200, "{question}: {reply:#?}");
        }
    }
}

#[tokio::test]
async fn a_metric_takes_the_same_number_of_statements_however_long_its_history() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    measure(&server).await;
    let path = |key: &str, part: &str| format!("/admin/metrics-registry/definitions/{key}{part}");
    for number in 0..MANY {
        // Different formulas with the same value, so that every example holds for all of them.
        let formula = json!({"formula": format!("made_48 + {number} - {number}")});
        let body = formula.to_string().into_bytes();
        server.call(&admin, "PATCH", &path("made_49", ""), Some(body)).await.ok();
        let context = json!({"context": {"made_48": number}, "expected": number.to_string()});
        server.post(&admin, &path("made_49", "/examples"), context).await.ok();
    }
    // The first depends on nothing and has no history; the last depends on all, and has one.
    for part in ["", "/versions", "/dependencies", "/dependents", "/examples"] {
        let (little, much) = (path("made_0", part), path("made_49", part));
        server.get(&admin, &little).await.ok();
        let of_little = server.statements(server.get(&admin, &little)).await;
        let of_much = server.statements(server.get(&admin, &much)).await;
        assert_eq!(of_little, of_much, "{part}");
    }
    let versions = server.get(&admin, &path("made_49", "/versions")).await.ok();
    assert_eq!(versions["count"], MANY + 1);
}

#[tokio::test]
async fn a_record_takes_the_same_number_of_statements_however_much_it_contains() {
    let (server, store) = TestServer::with_store().await;
    let (visitor, admin) = (Person::visitor(), Person::admin());
    let small = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let large = server.cart_with(&visitor, &store, &store.mug, 1).await;
    for variant in [&store.lamp, &store.print] {
        let line = json!({"variant_id": variant, "quantity": 1});
        server.post(&visitor, &format!("/store/carts/{large}/line-items"), line).await.ok();
    }
    let mut orders = Vec::new();
    for cart in [&small, &large] {
        let path = format!("/store/carts/{cart}");
        server.ship(&visitor, &store, cart).await;
        server.pay(&visitor, cart, "pm_card_visa").await;
        server.get(&visitor, &path).await.ok();
        let cart_statements = server.statements(server.get(&visitor, &path)).await;
        let order = server.complete(&visitor, cart).await.ok()["order"]["id"].take();
        let path = format!("/{}/orders/{}", "admin", order.as_str().expect("an order"));
        server.get(&admin, &path).await.ok();
        orders.push((cart_statements, server.statements(server.get(&admin, &path)).await));
    }
    assert_eq!(orders[0], orders[1], "a cart, and its order, of one line and of three");
}
