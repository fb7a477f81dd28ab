//! Records are shown by their names, not by their ids, and can be deleted where the API deletes them.

use serde_json::json;

use super::running::{first, led_to};
use super::{Browser, between};
use crate::harness::{Person, TestServer};

/// Returns the ids that a page shows as texts: a prefix, an underscore and 26 letters of a ULID.
fn ids_shown(html: &str) -> Vec<&str> {
    let texts = html.split("<bdi>").skip(1).filter_map(|rest| rest.split("</bdi>").next());
    let is_ulid = |rest: &str| {
        rest.len() == 26 && rest.bytes().all(|own| own.is_ascii_uppercase() || own.is_ascii_digit())
    };
    texts.filter(|text| text.rsplit_once('_').is_some_and(|(_, rest)| is_ulid(rest))).collect()
}

#[tokio::test]
async fn no_list_and_no_record_shows_the_id_of_another_record() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let customer = first(&admin.page("/app/customers").await, "customers");
    led_to(&admin.submit(&format!("{customer}/note"), &[("note", "Likes blue.")]).await);
    led_to(&admin.submit(&format!("{customer}/credit"), &[("currency", "gbp")]).await);

    for kind in [
        "orders",
        "returns",
        "products",
        "inventory",
        "customers",
        "store-credit",
        "promotions",
        "people",
        "keys",
        "regions",
        "tax-regions",
        "shipping-options",
        "locations",
        "channels",
        "stores",
    ] {
        let list = admin.page(&format!("/app/{kind}")).await;
        assert_eq!(ids_shown(&list), Vec::<&str>::new(), "{kind}");
        if kind != "returns" {
            let page = admin.page(&first(&list, kind)).await;
            assert_eq!(ids_shown(&page), Vec::<&str>::new(), "{kind}");
        }
    }
    let page = admin.page(&customer).await;
    let note = between(&page, "Likes blue.", "</tr>").expect("a note");
    assert!(note.contains("href=\"/app/people/user_"), "who wrote it: {note}");
    let list = admin.page("/app/store-credit").await;
    assert!(list.contains(&format!("href=\"{customer}\"")), "whose it is: {list}");
    let stock = admin.page(&first(&admin.page("/app/inventory").await, "inventory")).await;
    assert!(stock.contains("<bdi>Warehouse</bdi>"), "{stock}");
}

#[tokio::test]
async fn a_record_without_a_name_is_called_by_its_kind() {
    let (server, store) = TestServer::with_store().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let plain = json!({ "title": "Plain", "options": [{ "title": "Kind", "values": ["One"] }],
                        "variants": [{ "title": "One", "options": { "Kind": "One" } }] });
    server.post(&Person::admin(), "/admin/products", plain).await.ok();
    let review = json!({ "product_id": store.mug_product, "content": "It keeps warm.", "rating": 5,
                         "first_name": "Ada", "last_name": "Shopper" });
    server.post(&Person::visitor(), "/store/reviews", review).await.ok();

    let reviews = admin.page("/app/reviews").await;
    assert_eq!(ids_shown(&reviews), Vec::<&str>::new());
    let mug = format!("<a href=\"/app/products/{}\"><bdi>Mug</bdi></a>", store.mug_product);
    assert!(reviews.contains("<bdi>Review</bdi>") && reviews.contains(&mug), "{reviews}");
    let stock = admin.page("/app/inventory").await;
    assert_eq!(ids_shown(&stock), Vec::<&str>::new());
    assert!(stock.contains("<bdi>Stock</bdi>"), "{stock}");
}

#[tokio::test]
async fn codes_are_shown_by_their_names() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;

    let regions = admin.page("/app/regions").await;
    for text in [
        "<bdi>GBP</bdi>",
        "<bdi>United Kingdom, Guernsey, Isle of Man, Jersey</bdi>",
        " more</bdi>",
    ] {
        assert!(regions.contains(text), "{text}: {regions}");
    }
    assert!(admin.page(&first(&regions, "regions")).await.contains("<bdi>test cards, hand</bdi>"));
    assert!(admin.page("/app/tax-regions").await.contains("<bdi>United Kingdom</bdi></a>"));
    let location = admin.page("/app/locations").await;
    let location = admin.page(&first(&location, "locations")).await;
    assert!(
        location.contains("<bdi>United Kingdom, Guernsey, Isle of Man, Jersey</bdi>"),
        "{location}"
    );
    let promotions = admin.page("/app/promotions").await;
    assert!(promotions.contains("<bdi>10%</bdi>"), "{promotions}");
    let promotion = admin.page(&first(&promotions, "promotions")).await;
    assert!(promotion.contains("<bdi>a discount</bdi>"), "it takes percent off: {promotion}");
    let shipping = admin.page("/app/shipping-options").await;
    let shipping = admin.page(&first(&shipping, "shipping-options")).await;
    assert!(shipping.contains("<bdi>hand</bdi>"), "{shipping}");
    // A free delivery states the total from which it is free.
    assert!(shipping.contains("the items cost £"), "{shipping}");
}

#[tokio::test]
async fn created_records_can_be_deleted_by_admins() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;

    for (kind, typed) in [
        ("products", &[("title", "Shirt"), ("status", "draft")][..]),
        ("price-lists", &[("title", "Sale"), ("type", "sale"), ("status", "draft")]),
        ("regions", &[("name", "Moon"), ("currency", "gbp")]),
        ("locations", &[("name", "Cellar"), ("country", "gb")]),
        ("channels", &[("name", "Market")]),
        ("collections", &[("title", "Summer")]),
        ("categories", &[("name", "Kitchen")]),
        ("tags", &[("value", "organic")]),
        ("shipping-profiles", &[("name", "Parcels"), ("type", "default")]),
        ("tax-regions", &[("country", "fr"), ("name", "VAT"), ("code", "V"), ("rate", "20")]),
        (
            "promotions",
            &[
                ("code", "SPRING"),
                ("status", "draft"),
                ("type", "percentage"),
                ("value", "10"),
                ("target", "items"),
                ("allocation", "across"),
            ],
        ),
    ] {
        let page = led_to(&admin.submit(&format!("/app/{kind}/new"), typed).await);
        let delete = format!("{page}/delete");

        assert!(!viewer.page(&page).await.contains(&delete), "{kind}: a button of others");
        assert_eq!(viewer.submit(&delete, &[]).await.status, 403, "{kind}");
        let html = admin.page(&page).await;
        let name = between(&html, "<h1><bdi>", "</bdi>").expect("a title");
        let form = admin.page(&delete).await;
        assert!(form.contains("It cannot be undone."), "{kind}");
        assert!(form.contains(&format!("<a href=\"{page}\"><bdi>{name}</bdi></a>")), "{form}");
        assert!(form.contains(&format!("<title>Delete · {name} · ")), "{form}");
        let shown = admin.submit(&delete, &[]).await;
        assert_eq!(shown.location(), format!("/app/{kind}?done=deleted"), "{}", shown.html);
        for gone in [&page, &delete] {
            assert_eq!(admin.get(gone).await.status, 404, "{kind}");
        }
    }
}

#[tokio::test]
async fn a_variant_a_note_and_the_stock_at_a_location_are_removed_from_their_rows() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let product = first(&admin.page("/app/products").await, "products");
    let add = format!("{product}/add-variant");
    led_to(&admin.submit(&add, &[("title", "Second"), ("sku", "SECOND"), ("stock", "yes")]).await);

    let html = admin.page(&product).await;
    let row = html.split("SECOND").nth(1).expect("the variant");
    let remove = between(row, &format!("href=\"{product}/remove-variant?of="), "\"");
    let remove = format!("{product}/remove-variant?of={}", remove.expect("a link"));
    assert_eq!(led_to(&admin.submit(&remove, &[]).await), product);
    assert!(!admin.page(&product).await.contains("SECOND"));

    let customer = first(&admin.page("/app/customers").await, "customers");
    led_to(&admin.submit(&format!("{customer}/note"), &[("note", "Likes blue.")]).await);
    let html = admin.page(&customer).await;
    let remove = format!("{customer}/remove-note?of=");
    let note = between(&html, &format!("href=\"{remove}"), "\"").expect("a link");
    led_to(&admin.submit(&format!("{remove}{note}"), &[]).await);
    assert!(!admin.page(&customer).await.contains("Likes blue."));
}

#[tokio::test]
async fn a_product_shows_its_stock_at_each_location() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let product = first(&admin.page("/app/products").await, "products");

    let html = admin.page(&product).await;

    let stock = between(&html, "Stock at each location</h2>", "</section>").expect("the stock");
    let level = between(stock, "href=\"/app/inventory/iitem_", "/level").is_some();
    assert!(stock.contains("Warehouse") && level, "{stock}");
}

#[tokio::test]
async fn the_prices_of_shipping_are_changed_and_those_with_conditions_stay() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let option = first(&admin.page("/app/shipping-options").await, "shipping-options");
    let path = option.replace("/app/", "/admin/");
    let prices = async || {
        let answer = server.get(&Person::admin(), &path).await.ok();
        answer["shipping_option"]["prices"].as_array().expect("prices").clone()
    };
    let with_conditions = |all: &[serde_json::Value]| {
        let own = all.iter().filter(|own| own["price_rules"] != json!([]));
        own.map(|own| (own["amount"].clone(), own["price_rules"][0]["value"].clone()))
            .collect::<Vec<_>>()
    };
    let before = with_conditions(&prices().await);
    assert!(!before.is_empty(), "a price with a condition");

    let typed = [("name", "Standard"), ("price-gbp", "4.75"), ("price-eur", "")];
    led_to(&admin.submit(&format!("{option}/change"), &typed).await);

    let after = prices().await;
    assert_eq!(with_conditions(&after), before);
    let plain = after.iter().filter(|own| own["price_rules"] == json!([]));
    let plain: Vec<_> = plain.map(|own| (&own["currency_code"], &own["amount"])).collect();
    assert_eq!(plain, [(&json!("gbp"), &json!(4.75))]);
}
