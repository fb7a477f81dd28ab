//! Running the store by forms: products and stock, customers and their credit, keys, promotions, reviews, partners.

use serde_json::json;

use super::{Browser, Shown, between, escaped};
use crate::harness::{Person, TestServer};

/// The forms that create something new.
const NEW: &[&str] = &[
    "products",
    "customers",
    "store-credit",
    "tiers",
    "promotions",
    "price-lists",
    "flows",
    "partners",
    "endpoints",
    "invites",
    "keys",
    "regions",
    "tax-regions",
    "locations",
    "channels",
    "collections",
    "categories",
    "tags",
    "shipping-profiles",
    "shipping-options",
];

/// Returns the page that a change has led to.
#[track_caller]
pub(super) fn led_to(shown: &Shown) -> String {
    assert_eq!(shown.status, 303, "{}", shown.html);
    shown.location().split('?').next().expect("an address").to_owned()
}

/// Returns the page of the first record of a list.
#[track_caller]
pub(super) fn first(list: &str, kind: &str) -> String {
    let start = format!("<th scope=\"row\"><a href=\"/app/{kind}/");
    let id = between(list, &start, "\"").unwrap_or_else(|| panic!("no {kind}: {list}"));
    format!("/app/{kind}/{id}")
}

#[tokio::test]
async fn every_form_of_something_new_is_for_those_who_run_the_store() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;

    for kind in NEW {
        let path = format!("/app/{kind}/new");
        let page = admin.page(&path).await;
        assert!(
            page.contains("<form method=\"post\"") && page.contains("<label"),
            "{kind}: {page}"
        );
        assert!(admin.page(&format!("/app/{kind}")).await.contains(&format!("href=\"{path}\"")));
        for other in [&viewer, &analyst] {
            assert_eq!(other.get(&path).await.status, 403, "{kind}");
            let list = other.page(&format!("/app/{kind}")).await;
            assert!(!list.contains(&path), "{kind}: a button that may not be pressed");
            let shown = other.submit(&path, &[("title", "x"), ("name", "x"), ("code", "x")]).await;
            assert!(matches!(shown.status, 403 | 422), "{kind}: {}", shown.status);
        }
        // The missing input is reported, and nothing is created.
        let shown = admin.submit(&path, &[("is_on", "yes")]).await;
        assert!(
            shown.status == 422 && shown.html.contains("is missing."),
            "{kind}: {}",
            shown.html
        );
    }
    assert_eq!(admin.get("/app/people/new").await.status, 404, "people are invited");
}

#[tokio::test]
async fn a_product_is_made_changed_priced_and_stocked() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let typed = [
        ("title", "Cup <b>"),
        ("status", "draft"),
        ("description", "Holds tea & coffee."),
        ("sku", "CUP-1"),
        ("price-gbp", "7,50"),
        ("stock", "yes"),
        ("pictures", "https://pictures.example/a.png\r\nhttps://pictures.example/b.png"),
    ];

    let shown = admin.submit("/app/products/new", &typed).await;
    assert_eq!(shown.status, 422, "{}", shown.html);
    assert!(shown.html.contains("Price in GBP must be a number"), "{}", shown.html);
    for kept in ["Cup <b>", "Holds tea & coffee.", "CUP-1", "7,50", "a.png"] {
        assert!(shown.html.contains(&escaped(kept)), "{kept} is lost: {}", shown.html);
    }

    let mut right = typed;
    right[4].1 = "7.50";
    let page = led_to(&admin.submit("/app/products/new", &right).await);
    let id = page.rsplit('/').next().expect("an id").to_owned();
    let path = format!("/admin/products/{id}");
    let made = server.get(&Person::admin(), &path).await.ok();
    let product = &made["product"];
    assert_eq!((&product["title"], &product["handle"]), (&json!("Cup <b>"), &json!("cup-b")));
    assert_eq!(product["variants"][0]["prices"][0]["amount"], json!(7.5));
    let html = admin.page(&page).await;
    for text in ["Cup &#60;b&#62;", "CUP-1", "£7.50", "https://pictures.example/b.png"] {
        assert!(html.contains(text), "{text}: {html}");
    }

    let form = admin.page(&format!("{page}/change")).await;
    assert!(form.contains("value=\"cup-b\"") && form.contains("Holds tea &#38; coffee."), "{form}");
    let change = [("title", "Cup"), ("handle", "cup"), ("status", "published")];
    led_to(&admin.submit(&format!("{page}/change"), &change).await);
    let changed = server.get(&Person::admin(), &path).await.ok();
    assert_eq!(changed["product"]["status"], "published");
    assert_eq!(changed["product"]["description"], json!(null), "it was cleared");
    // A taken handle is rejected by the API, and the input is kept.
    let others =
        server.get(&Person::admin(), "/admin/products?limit=1&order=created_at").await.ok();
    let taken = others["products"][0]["handle"].as_str().expect("a handle");
    let change = [("title", "Typed"), ("handle", taken), ("status", "published")];
    let shown = admin.submit(&format!("{page}/change"), &change).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"Typed\""), "{}", shown.html);

    let variant = product["variants"][0]["id"].as_str().expect("an id");
    let form = format!("{page}/variant?of={variant}");
    let html = admin.page(&form).await;
    assert!(html.contains("name=\"price-gbp\" value=\"7.5\""), "{html}");
    let change = [("title", "Blue"), ("sku", "CUP-1"), ("price-gbp", "8"), ("stock", "yes")];
    led_to(&admin.submit(&form, &change).await);
    let changed = server.get(&Person::admin(), &path).await.ok();
    let own = &changed["product"]["variants"][0];
    assert_eq!((&own["title"], &own["prices"][0]["amount"]), (&json!("Blue"), &json!(8)));

    stock_nine(&server, &admin, variant).await;
    assert!(admin.page(&page).await.contains("<bdi>9</bdi>"), "what can be sold");

    let viewer = Browser::of(&server, &Person::viewer()).await;
    let html = viewer.page(&page).await;
    assert!(!html.contains("/change") && !html.contains("/variant?"), "{html}");
    assert_eq!(viewer.get(&format!("{page}/change")).await.status, 403);
    assert_eq!(viewer.submit(&format!("{page}/change"), &change).await.status, 422);
    let right = [("title", "x"), ("handle", "x"), ("status", "draft")];
    assert_eq!(viewer.submit(&format!("{page}/change"), &right).await.status, 403);
}

/// Stocks a variant at a location, first twelve and then nine of them.
async fn stock_nine(server: &TestServer, admin: &Browser<'_>, variant: &str) {
    let locations = server.get(&Person::admin(), "/admin/stock-locations").await.ok();
    let location = locations["stock_locations"][0]["id"].as_str().expect("a location");
    let list = admin.page(&format!("/app/inventory?variant_id={variant}")).await;
    let stock = first(&list, "inventory");
    let add = [("location", location), ("stocked", "12")];
    led_to(&admin.submit(&format!("{stock}/add-level"), &add).await);
    let level = format!("{stock}/level?of={location}");
    assert!(admin.page(&stock).await.contains(&level), "a link to the form");
    led_to(&admin.submit(&level, &[("stocked", "9")]).await);
    let levels = stock.replace("/app/inventory", "/admin/inventory-items");
    let levels = format!("{levels}/location-levels");
    let levels = server.get(&Person::admin(), &levels).await.ok();
    assert_eq!(levels["inventory_levels"][0]["stocked_quantity"], 9, "{levels}");
}

#[tokio::test]
async fn a_secret_is_shown_once() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;

    let typed = [("title", "Warehouse"), ("type", "secret")];
    let form = admin.page("/app/keys/new").await;
    let unseen = admin.submit_from(&form, "/app/keys/new", &typed).await;
    let shown = admin.submit_from(&form, "/app/keys/new", &typed).await;

    assert_eq!((unseen.status, shown.status), (200, 200), "{}", shown.html);
    assert_eq!(shown.headers["cache-control"], "no-store");
    let secret = between(&shown.html, "<pre id=\"secret\">", "<").expect("a secret").to_owned();
    let program = Person::nobody().with_bearer(&secret);
    server.get(&program, "/admin/orders").await.ok();
    let list = admin.page("/app/keys").await;
    assert!(list.contains("Warehouse") && !list.contains(&secret), "{list}");
    let (before, _) = list.split_once("<bdi>Warehouse").expect("the key");
    let (_, page) = before.rsplit_once("href=\"").expect("a link");
    let page = page.trim_end_matches("\">").to_owned();
    assert!(!admin.page(&page).await.contains(&secret));
    let revoked = led_to(&admin.submit(&page, &[("action", "revoke")]).await);
    assert_eq!(revoked, page);
    server.get(&program, "/admin/orders").await.refused(401);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_changes_something_once() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let account = led_to(&admin.submit("/app/store-credit/new", &[("currency", "gbp")]).await);
    let form = format!("{account}/credit");
    let balance = async || {
        let path = account.replace("/app/store-credit/", "/admin/store-credit-accounts/");
        let shown = server.get(&Person::admin(), &path).await.ok();
        shown["store_credit_account"]["balance"].clone()
    };
    let page = admin.page(&form).await;

    let first = admin.submit_from(&page, &form, &[("amount", "5.25")]).await;
    let again = admin.submit_from(&page, &form, &[("amount", "5.25")]).await;
    assert_eq!((led_to(&first), first.location()), (account.clone(), again.location()));
    assert_eq!(balance().await, 5.25, "sent again by the browser");

    let (one, other) = tokio::join!(
        admin.submit_from(&page, &form, &[("amount", "1")]),
        admin.submit_from(&page, &form, &[("amount", "1")]),
    );
    assert_eq!(led_to(&one), led_to(&other));
    assert_eq!(balance().await, 6.25, "a double click on the form with another amount");

    led_to(&admin.submit(&form, &[("amount", "1")]).await);
    assert_eq!(balance().await, 7.25, "the form opened again");
}

#[tokio::test]
async fn a_customer_has_notes_credit_an_export_and_an_end() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let shown = admin.submit("/app/customers/new", &[("email", "no address")]).await;
    assert!(
        shown.status == 422 && shown.html.contains("E-mail: must be an e-mail"),
        "{}",
        shown.html
    );
    let typed = [("email", "ada@example.com"), ("first_name", "Ada")];
    let page = led_to(&admin.submit("/app/customers/new", &typed).await);

    led_to(&admin.submit(&format!("{page}/note"), &[("note", "Prefers <blue>.")]).await);
    led_to(&admin.submit(&format!("{page}/credit"), &[("currency", "gbp")]).await);
    let html = admin.page(&page).await;
    assert!(html.contains("Prefers &#60;blue&#62;."), "{html}");
    let account = between(&html, "href=\"/app/store-credit/", "\"").expect("an account");
    let account = format!("/app/store-credit/{account}");
    led_to(&admin.submit(&format!("{account}/credit"), &[("amount", "5.25")]).await);
    let debit = [("amount", "100"), ("note", "too much")];
    let shown = admin.submit(&format!("{account}/debit"), &debit).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"too much\""), "{}", shown.html);
    led_to(&admin.submit(&format!("{account}/debit"), &[("amount", "1.25")]).await);
    let html = admin.page(&page).await;
    for text in ["Credit ledger", "5.25", "4.00"] {
        assert!(html.contains(text), "{text}: {html}");
    }

    let file = admin.get(&format!("{page}/export")).await;
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"customer.json\"");
    assert!(
        file.html.contains("ada@example.com") && file.html.contains("Prefers"),
        "{}",
        file.html
    );
    let seen = viewer.page(&page).await;
    assert!(!seen.contains("/export") && !seen.contains("/erase"), "{seen}");
    assert_eq!(viewer.get(&format!("{page}/export")).await.status, 403);
    assert_eq!(viewer.get(&format!("{page}/erase")).await.status, 403);

    let form = admin.page(&format!("{page}/erase")).await;
    assert!(form.contains("It cannot be undone."), "{form}");
    let erase = format!("{page}/erase");
    let shown = admin.submit(&erase, &[("reason", "asked for it")]).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"asked for it\""), "{}", shown.html);
    let erased = [("reason", "asked for it"), ("forfeit", "yes")];
    assert_eq!(led_to(&admin.submit(&erase, &erased).await), "/app/customers");
    assert_eq!(admin.get(&page).await.status, 404);
}

#[tokio::test]
async fn a_tier_is_made_and_deleted_by_those_who_run_the_store() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let condition = "count(orders) >= 3";
    let typed = [("name", "Gold"), ("rank", "20"), ("condition", condition), ("currency", "gbp")];
    let page = led_to(&admin.submit("/app/tiers/new", &typed).await);

    let delete = format!("{page}/delete");
    assert!(!viewer.page(&page).await.contains(&delete), "a button that may not be pressed");
    assert_eq!(viewer.submit(&delete, &[]).await.status, 403);
    assert!(admin.page(&page).await.contains(&delete));
    assert!(admin.page(&delete).await.contains("It cannot be undone."));
    let shown = admin.submit(&delete, &[]).await;
    assert_eq!(shown.location(), "/app/tiers?done=deleted");
    assert!(admin.page(shown.location()).await.contains("Deleted."));
    assert_eq!(admin.get(&page).await.status, 404);
}

#[tokio::test]
async fn a_promotion_and_a_price_list_are_made_and_changed() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let typed = [
        ("code", "SPRING"),
        ("status", "active"),
        ("type", "percentage"),
        ("value", "10"),
        ("target", "items"),
        ("allocation", "across"),
        ("limit", "5"),
    ];

    let page = led_to(&admin.submit("/app/promotions/new", &typed).await);

    let id = page.rsplit('/').next().expect("an id");
    let path = format!("/admin/promotions/{id}");
    let made = server.get(&Person::admin(), &path).await.ok();
    assert_eq!(made["promotion"]["application_method"]["value"], 10, "{made}");
    assert_eq!(made["promotion"]["limit"], 5);
    let again = admin.submit("/app/promotions/new", &typed).await;
    assert!(again.status == 422 && again.html.contains("value=\"SPRING\""), "{}", again.html);
    let change = [("code", "SPRING"), ("status", "inactive"), ("value", "15")];
    led_to(&admin.submit(&format!("{page}/change"), &change).await);
    let changed = server.get(&Person::admin(), &path).await.ok();
    assert_eq!(changed["promotion"]["status"], "inactive");
    assert_eq!(changed["promotion"]["limit"], json!(null), "it was cleared");

    let typed =
        [("title", "Sale"), ("description", "Winter"), ("type", "sale"), ("status", "draft")];
    let typed = [&typed[..], &[("starts", "2027-01-02")]].concat();
    let page = led_to(&admin.submit("/app/price-lists/new", &typed).await);
    assert!(admin.page(&page).await.contains("2 Jan 2027, 00:00"));
    assert!(admin.page(&format!("{page}/change")).await.contains("value=\"2027-01-02T00:00:00\""));
}

#[tokio::test]
async fn a_review_is_approved_rejected_and_answered() {
    let (server, store) = TestServer::with_store().await;
    let review =
        server.review(&Person::customer_a(), &store, json!({ "title": "So <warm>" })).await;
    let id = review["id"].as_str().expect("an id");
    let page = format!("/app/reviews/{id}");
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert!(admin.page("/app/reviews?status=pending").await.contains("So &#60;warm&#62;"));
    let seen = viewer.page(&page).await;
    assert!(seen.contains("So &#60;warm&#62;") && !seen.contains("approve"), "{seen}");
    assert_eq!(viewer.submit(&page, &[("action", "approve")]).await.status, 403);

    led_to(&admin.submit(&page, &[("action", "approve")]).await);
    let state = async || {
        let own = server.get(&Person::admin(), &format!("/admin/reviews/{id}")).await.ok();
        own["review"].clone()
    };
    assert_eq!(state().await["status"], "approved");
    assert!(!admin.page(&page).await.contains("value=\"approve\""), "it is approved");
    led_to(&admin.submit(&format!("{page}/answer"), &[("answer", "Thank you.")]).await);
    assert_eq!(state().await["response"], "Thank you.");
    assert!(admin.page(&format!("{page}/answer")).await.contains("Thank you.</textarea>"));
    led_to(&admin.submit(&format!("{page}/reject"), &[("reason", "off_topic")]).await);
    assert_eq!(state().await["reject_reason"], "off_topic");
}

#[tokio::test]
async fn a_partner_has_offers_and_a_flow_has_versions() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let typed = [("name", "Mountain"), ("email", "hi@mountain.example"), ("status", "active")];
    let shown = admin.submit("/app/partners/new", &typed).await;
    assert!(shown.status == 200 && shown.html.contains("ptok_"), "{}", shown.html);
    let list = admin.page("/app/partners?q=Mountain").await;
    let page = first(&list, "partners");
    let offer = [
        ("code", "MOUNTAIN"),
        ("to", "/spring"),
        ("value", "7.5"),
        ("type", "percent"),
        ("currency", "gbp"),
    ];
    led_to(&admin.submit(&format!("{page}/add-offer"), &offer).await);
    let html = admin.page(&page).await;
    assert!(html.contains("MOUNTAIN") && !html.contains("ptok_"), "{html}");
    let change = between(&html, &format!("href=\"{page}/offer?of="), "\"").expect("a form");
    let change = format!("{page}/offer?of={change}");
    assert!(admin.page(&change).await.contains("name=\"value\" value=\"7.5\""));
    let shown = admin.submit(&format!("{page}/pay"), &[("currency", "gbp")]).await;
    assert!(shown.status == 422 && shown.html.contains("Nothing of"), "{}", shown.html);

    let typed = [("name", "Upsell"), ("kind", "post_purchase"), ("currency", "gbp")];
    let page = led_to(&admin.submit("/app/flows/new", &typed).await);
    let html = admin.page(&page).await;
    for text in ["Upsell", "Versions", "Latest results", "/publish"] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let shown = admin.submit(&format!("{page}/publish"), &[("note", "the first")]).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"the first\""), "{}", shown.html);
}

#[tokio::test]
async fn the_settings_are_changed_by_forms() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let stores = admin.page("/app/stores").await;
    let change = format!("{}/change", first(&stores, "stores"));
    let wrong = [("name", "My shop"), ("zone", "Nowhere/At-all"), ("locale", "en-GB")];
    let shown = admin.submit(&change, &wrong).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"My shop\""), "{}", shown.html);
    let right = [("name", "My shop"), ("zone", "Europe/London"), ("locale", "en-US")];
    led_to(&admin.submit(&change, &right).await);
    assert!(admin.page("/app").await.contains("My shop"));

    let invited = [("email", "eve@example.com"), ("role", "viewer")];
    let shown = admin.submit("/app/invites/new", &invited).await;
    assert!(shown.html.contains("<pre id=\"secret\">inv_"), "{}", shown.html);
    let channel = led_to(&admin.submit("/app/channels/new", &[("name", "Market")]).await);
    let change = [("name", "Market hall"), ("off", "yes")];
    led_to(&admin.submit(&format!("{channel}/change"), &change).await);
    let html = admin.page(&channel).await;
    assert!(html.contains("Market hall") && html.contains("<bdi>yes</bdi>"), "{html}");
    for kind in ["regions", "tax-regions", "shipping-options", "locations", "people"] {
        let list = admin.page(&format!("/app/{kind}")).await;
        let html = admin.page(&first(&list, kind)).await;
        assert!(!html.contains("class=\"failed\""), "{kind}: {html}");
    }
}
