//! Options of products, prices of lists, and drafts of flows, by their forms.

use serde_json::{Value, json};

use super::running::led_to;
use super::{Browser, between, escaped};
use crate::harness::{Person, TestServer};

pub(super) async fn read(server: &TestServer, path: &str) -> Value {
    server.get(&Person::admin(), path).await.ok()
}

#[tokio::test]
async fn a_product_gets_an_option_and_its_variants_values_of_it() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let new = [("title", "Shirt"), ("status", "draft"), ("sku", "SHIRT-S")];
    let page = led_to(&admin.submit("/app/products/new", &new).await);
    let path = page.replace("/app/", "/admin/");
    assert!(!admin.page(&format!("{page}/add-variant")).await.contains("name=\"option-"));

    let option = [("title", "Size"), ("values", "S\r\n M \r\n\r\nL")];
    led_to(&admin.submit(&format!("{page}/add-option"), &option).await);

    let product = read(&server, &path).await["product"].clone();
    let values = product["options"][0]["values"].as_array().expect("values").iter();
    assert_eq!(values.map(|own| &own["value"]).collect::<Vec<_>>(), ["S", "M", "L"]);
    let html = admin.page(&page).await;
    let option = product["options"][0]["id"].as_str().expect("an id");
    assert!(html.contains(&format!("{page}/option?of={option}")) && html.contains("S, M, L"));
    let variant = product["variants"][0]["id"].as_str().expect("an id");
    let form = format!("{page}/variant?of={variant}");
    let html = admin.page(&form).await;
    assert!(html.contains("<select name=\"option-Size\" required>"), "{html}");
    let typed = [("title", "Small"), ("sku", "SHIRT-S"), ("option-Size", "S")];
    let shown = admin.submit(&form, &typed[..2]).await;
    assert!(shown.status == 422 && shown.html.contains("Size is missing."), "{}", shown.html);
    led_to(&admin.submit(&form, &typed).await);
    assert!(admin.page(&form).await.contains("<option value=\"S\" selected>"));

    let typed = [("title", "Large"), ("sku", "SHIRT-L"), ("option-Size", "L")];
    led_to(&admin.submit(&format!("{page}/add-variant"), &typed).await);
    let product = read(&server, &path).await["product"].clone();
    let of = |variant: &Value| variant["options"][0]["value"].clone();
    let variants = product["variants"].as_array().expect("variants");
    assert_eq!(variants.iter().map(of).collect::<Vec<_>>(), ["S", "L"]);
    // A variant's present value stays, and the input is not lost.
    let shown = admin
        .submit(&format!("{page}/option?of={option}"), &[("title", "Size"), ("values", "M\nL")])
        .await;
    assert!(shown.status == 422 && shown.html.contains(">M\nL</textarea>"), "{}", shown.html);
    let more = [("title", "Size"), ("values", "S\nM\nL\nXL")];
    led_to(&admin.submit(&format!("{page}/option?of={option}"), &more).await);
    assert!(admin.page(&page).await.contains("S, M, L, XL"));
}

#[tokio::test]
async fn prices_are_added_to_a_list_changed_and_removed() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let variants = read(&server, "/admin/product-variants?limit=1").await;
    let (sku, product) = (&variants["variants"][0]["sku"], &variants["variants"][0]["product_id"]);
    let (sku, product) = (sku.as_str().expect("a SKU"), product.as_str().expect("an id"));
    let new = [("title", "Winter"), ("type", "sale"), ("status", "draft")];
    let page = led_to(&admin.submit("/app/price-lists/new", &new).await);
    let path = page.replace("/app/", "/admin/");
    let prices = async || read(&server, &path).await["price_list"]["prices"].clone();
    let add = format!("{page}/add-price");

    let typed = [("sku", "NONESUCH"), ("amount", "7.50"), ("currency", "gbp"), ("from", "10")];
    let shown = admin.submit(&add, &typed).await;
    assert!(shown.status == 422 && shown.html.contains("no variant with the SKU NONESUCH"));
    assert!(shown.html.contains("value=\"7.50\""), "what was typed stays");
    led_to(&admin.submit(&add, &[&[("sku", sku)], &typed[1..]].concat()).await);

    let own = prices().await[0].clone();
    assert_eq!((&own["amount"], &own["min_quantity"]), (&json!(7.5), &json!(10)), "{own}");
    let html = admin.page(&page).await;
    let link = format!("<a href=\"/app/products/{product}\"><bdi>{}</bdi>", escaped(sku));
    assert!(html.contains(&link) && html.contains("£7.50"), "{html}");
    let id = own["id"].as_str().expect("an id");
    let form = format!("{page}/price?of={id}");
    assert!(admin.page(&form).await.contains("name=\"amount\" value=\"7.5\""));
    led_to(&admin.submit(&form, &[("amount", "6"), ("from", ""), ("to", "")]).await);
    let changed = prices().await[0].clone();
    assert_eq!((&changed["id"], &changed["amount"]), (&own["id"], &json!(6)), "{changed}");
    assert_eq!(changed["min_quantity"], Value::Null, "it was cleared");
    assert_eq!(changed["variant_id"], own["variant_id"]);

    led_to(&admin.submit(&format!("{page}/remove-price?of={id}"), &[]).await);
    assert_eq!(prices().await, json!([]));
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert_eq!(viewer.get(&add).await.status, 403);
}

#[tokio::test]
async fn a_record_keeps_choices_that_no_list_offers_any_more() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let make = async |path: &str, body: Value| server.post(&Person::admin(), path, body).await.ok();
    let body = json!({ "name": "Oman", "currency_code": "omr", "countries": ["om"],
                       "payment_providers": ["pp_system_default", "pp_gone"] });
    let region = make("/admin/regions", body).await["region"]["id"].clone();
    let form = format!("/app/regions/{}/change", region.as_str().expect("an id"));

    let html = admin.page(&form).await;
    assert!(html.contains("<option value=\"omr\" selected>OMR</option>"), "{html}");
    assert!(html.contains("name=\"paid\" value=\"pp_gone\" checked"), "{html}");
    let typed = [("name", "Oman"), ("currency", "omr"), ("paid", "pp_gone")];
    led_to(&admin.submit(&form, &typed).await);
    let path = form.replace("/app/", "/admin/").replace("/change", "?fields=*payment_providers");
    let region = read(&server, &path).await["region"].clone();
    assert_eq!(region["currency_code"], "omr");
    assert_eq!(region["payment_providers"][0]["id"], "pp_gone");

    // The form reads the newest two hundred collections.
    let oldest = make("/admin/collections", json!({ "title": "Oldest" })).await;
    let oldest = oldest["collection"]["id"].clone();
    for number in 1..=200 {
        make("/admin/collections", json!({ "title": format!("Season {number}") })).await;
    }
    let body = json!({ "title": "Mug", "collection_id": oldest });
    let product = make("/admin/products", body).await["product"]["id"].clone();
    let form = format!("/app/products/{}/change", product.as_str().expect("an id"));
    let option = format!("<option value={oldest} selected>Oldest</option>");
    let html = admin.page(&form).await;
    assert!(html.contains(&option), "{html}");
}

#[tokio::test]
async fn a_promotion_shows_its_restrictions() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let method = json!({
        "type": "percentage", "value": 100, "target_type": "items", "allocation": "each",
        "buy_rules_min_quantity": 3, "apply_to_quantity": 2, "max_quantity": 4,
        "buy_rules": [{ "attribute": "items.sku", "operator": "in", "values": ["LAMP"] }],
        "target_rules": [{ "attribute": "items.sku", "operator": "eq", "values": ["MUG"] }],
    });
    let body = json!({
        "code": "GIFT", "type": "buyget", "status": "active", "application_method": method,
    });
    let made = server.post(&Person::admin(), "/admin/promotions", body).await.ok();
    let id = made["promotion"]["id"].as_str().expect("an id");

    let page = admin.page(&format!("/app/promotions/{id}")).await;

    for shown in ["is one of", "LAMP", "MUG", "pieces given for pieces bought"] {
        assert!(page.contains(&format!("<bdi>{shown}</bdi>")), "{shown}: {page}");
    }
    for label in ["Pieces to buy", "Pieces given", "Pieces at most", "What must be bought"] {
        assert!(page.contains(label), "{label}: {page}");
    }
    assert!(!page.contains("It is taken off everything"), "it is narrowed: {page}");
}

#[tokio::test]
async fn a_text_of_several_lines_is_stored_unchanged() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let new =
        [("title", "Mug"), ("status", "draft"), ("description", "It is blue.\r\n\r\nAnd warm.")];

    let page = led_to(&admin.submit("/app/products/new", &new).await);

    let product = read(&server, &page.replace("/app/", "/admin/")).await["product"].clone();
    assert_eq!(product["description"], "It is blue.\n\nAnd warm.");
    let form = admin.page(&format!("{page}/change")).await;
    assert!(form.contains(">It is blue.\n\nAnd warm.</textarea>"), "{form}");
}

#[tokio::test]
async fn a_location_keeps_its_whole_address_when_its_name_changes() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let address = json!({ "address_1": "1 Dock Road", "address_2": "Gate 4", "company": "Keepers",
                          "city": "Reading", "province": "Berkshire", "postal_code": "RG1 1AA",
                          "country_code": "gb", "phone": "01632 960960" });
    let body = json!({ "name": "Dock", "address": address });
    let made = server.post(&Person::admin(), "/admin/stock-locations", body).await.ok();
    let id = made["stock_location"]["id"].as_str().expect("an id");
    let form = format!("/app/locations/{id}/change");
    let html = admin.page(&form).await;
    let names = ["company", "street", "street_2", "city", "province", "postal_code", "phone"];
    let shown = names.map(|name| {
        let value = between(&html, &format!("name=\"{name}\" value=\""), "\"");
        (name, value.unwrap_or_else(|| panic!("no {name}: {html}")))
    });

    // The form's values are sent again, as browsers do.
    let typed = [&shown[..], &[("name", "Harbour"), ("country", "gb")]].concat();
    led_to(&admin.submit(&form, &typed).await);

    let path = format!("/admin/stock-locations/{id}?fields=*address");
    let kept = read(&server, &path).await["stock_location"].clone();
    for (member, expected) in address.as_object().expect("an object") {
        assert_eq!(&kept["address"][member], expected, "{member}");
    }
}

/// A draft with two steps.
fn draft(title: &str, next: &str) -> String {
    let steps = json!({
        "hello": { "type": "notice", "title": title, "accept_next": [{ "to": next }] },
        "end": { "type": "end", "title": "See you soon" },
    });
    serde_json::to_string_pretty(&json!({ "entry": "hello", "buttons": steps })).expect("JSON")
}

#[tokio::test]
async fn a_draft_of_a_flow_is_checked_at_its_steps_and_saved() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let new = [("name", "Thanks"), ("kind", "post_purchase"), ("currency", "gbp")];
    let flow = led_to(&admin.submit("/app/flows/new", &new).await);
    let page = format!("{flow}/draft");
    assert!(admin.page(&flow).await.contains(&format!("href=\"{page}\"")));
    let html = admin.page(&page).await;
    assert!(html.contains("See you soon") && !html.contains("What is wrong"), "an example: {html}");
    let submit = async |action: &str, text: &str| {
        admin.submit(&page, &[("action", action), ("draft", text)]).await
    };
    let saved =
        async || read(&server, &flow.replace("/app/", "/admin/")).await["flow"]["draft"].clone();

    let shown = submit("check", "{\n  \"entry\": }").await;
    assert!(shown.status == 422 && shown.html.contains("Line 2, letter 12"), "{}", shown.html);
    assert!(shown.html.contains(&escaped("  \"entry\": }")), "{}", shown.html);
    let wrong = draft("<b>", "nowhere");
    let shown = submit("check", &wrong).await;
    assert!(shown.html.contains("What is wrong") && shown.html.contains("1 wrong"));
    let found = between(&shown.html, "<ul class=\"findings\">", "</ul>").expect("findings");
    let at = wrong.lines().position(|line| line.contains("\"hello\": {")).expect("a line") + 1;
    assert!(found.contains("<bdi>hello</bdi>") && found.contains(&format!("line {at}")), "{found}");
    assert!(found.contains("accept_next[0].to") && found.contains("nowhere"), "{found}");
    assert_eq!(saved().await["buttons"], json!({}), "a check saves nothing");

    let shown = submit("save", &draft("Thank you", "end").replace("notice", "poem")).await;
    assert!(shown.status == 422 && shown.html.contains("poem"), "{}", shown.html);
    let shown = submit("save", &draft("Thank you", "end")).await;
    assert_eq!(led_to(&shown), page);
    assert_eq!(saved().await["buttons"]["hello"]["title"], "Thank you");
    let html = admin.page(shown.location()).await;
    assert!(html.contains("Ready to be published") && html.contains("Saved."), "{html}");

    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert_eq!(viewer.get(&page).await.status, 403);
    assert!(!viewer.page(&flow).await.contains("/draft\""));
    let body = [("action", "save"), ("draft", "{}")];
    assert_eq!(viewer.submit(&page, &body).await.status, 403);
}

#[tokio::test]
async fn a_price_that_is_changed_stays_the_same_price() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let new = [("title", "Shirt"), ("status", "draft"), ("sku", "SHIRT-S"), ("price-gbp", "7")];
    let page = led_to(&admin.submit("/app/products/new", &new).await);
    let path = page.replace("/app/", "/admin/");
    let variant = read(&server, &path).await["product"]["variants"][0].clone();
    let id = variant["id"].as_str().expect("an id");
    let path = format!("{path}/variants/{id}");
    let titled = json!({ "prices": [{ "title": "Usual", "currency_code": "gbp", "amount": 7 }] });
    server.post(&Person::admin(), &path, titled).await.ok();
    let price = async || {
        let path = format!("{path}?fields=%2Bprices.title");
        read(&server, &path).await["variant"]["prices"][0].clone()
    };
    let before = price().await;

    let change = [("title", "Small"), ("sku", "SHIRT-S"), ("price-gbp", "8")];
    led_to(&admin.submit(&format!("{page}/variant?of={id}"), &change).await);

    let after = price().await;
    assert_eq!((&after["amount"], &after["title"]), (&json!(8), &json!("Usual")));
    assert_eq!(after["id"], before["id"]);
}

#[tokio::test]
async fn a_price_list_keeps_its_times_until_others_are_typed() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let stores = read(&server, "/admin/stores").await;
    let store = format!("/admin/stores/{}", stores["stores"][0]["id"].as_str().expect("an id"));
    server.post(&Person::admin(), &store, json!({ "time_zone": "Europe/Berlin" })).await.ok();
    let (start, end) = ("2026-11-27T09:30:00.000Z", "2026-12-24T22:59:59.250Z");
    let list = json!({ "title": "Advent", "type": "sale", "status": "draft",
                       "starts_at": start, "ends_at": end });
    let made = server.post(&Person::admin(), "/admin/price-lists", list).await.ok();
    let id = made["price_list"]["id"].as_str().expect("an id").to_owned();
    let form = format!("/app/price-lists/{id}/change");
    let times = async || {
        let list = read(&server, &format!("/admin/price-lists/{id}")).await["price_list"].clone();
        (list["starts_at"].clone(), list["ends_at"].clone())
    };

    let html = admin.page(&form).await;
    let shown = |name: &str| {
        let start = format!("type=\"datetime-local\" name=\"{name}\" value=\"");
        between(&html, &start, "\"").expect("a time").to_owned()
    };
    let (starts, ends) = (shown("starts"), shown("ends"));
    assert_eq!(starts, "2026-11-27T10:30:00");
    // Browsers leave out seconds that are zero.
    let typed = [("title", "Winter"), ("type", "sale"), ("status", "draft")];
    let same = [("starts", starts.trim_end_matches(":00")), ("ends", &ends)];
    led_to(&admin.submit(&form, &[&typed[..], &same].concat()).await);

    assert_eq!(times().await, (json!(start), json!(end)));
    let other = [("starts", "2026-11-28T08:15"), ("ends", "")];
    led_to(&admin.submit(&form, &[&typed[..], &other].concat()).await);
    assert_eq!(times().await, (json!("2026-11-28T07:15:00.000Z"), Value::Null));
    let shown = admin.submit(&form, &[&typed[..], &[("starts", "soon")]].concat()).await;
    assert!(shown.status == 422 && shown.html.contains("From is no day and time."));
    let turned = [("starts", "2027-02-03T00:00"), ("ends", "2027-01-01T00:00")];
    let shown = admin.submit(&form, &[&typed[..], &turned].concat()).await;
    assert!(shown.html.contains("“Until” must be after “From”"), "{}", shown.html);
}

#[tokio::test]
async fn refusals_use_the_labels_of_the_form() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let typed = [
        ("code", "NEW"),
        ("status", "draft"),
        ("value", "10"),
        ("target", "order"),
        ("allocation", "across"),
    ];
    for (wrong, said) in [
        ([("type", "percentage"), ("limit", "0")], "“At most” must be at least 1"),
        ([("type", "fixed"), ("currency", "")], "An amount needs “Currency”"),
    ] {
        let shown = admin.submit("/app/promotions/new", &[&typed[..], &wrong].concat()).await;
        assert!(shown.status == 422 && shown.html.contains(said), "{said}: {}", shown.html);
    }
}
