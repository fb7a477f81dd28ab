//! An empty store that is made ready to sell using only forms.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::running::{first, led_to};
use super::{Browser, between};
use crate::harness::{PUBLISHABLE_ID, Person, Store, TestServer};

/// Returns the id at the end of a page's address.
pub(super) fn id_of(page: &str) -> &str {
    page.rsplit('/').next().expect("a segment")
}

#[tokio::test]
async fn a_store_set_up_only_with_forms_sells() {
    let server = TestServer::empty().await;
    server.write_store("usd").await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let new = async |kind: &str, typed: &[(&str, &str)]| {
        led_to(&admin.submit(&format!("/app/{kind}/new"), typed).await)
    };
    let stores = admin.page("/app/stores").await;
    let form = format!("{}/currencies", first(&stores, "stores"));
    led_to(&admin.submit(&form, &[("currencies", "GBP, eur")]).await);
    assert!(admin.page(&form).await.contains("name=\"currencies\" value=\"gbp, eur\""));
    let shown = admin.submit(&form, &[("currencies", "gold")]).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"gold\""), "{}", shown.html);
    let region =
        new("regions", &[("name", "Britain"), ("currency", "gbp"), ("paid", "pp_sandbox")]).await;
    led_to(&admin.submit(&format!("{region}/countries"), &[("countries", "gb")]).await);
    let channel = new("channels", &[("name", "Market")]).await;
    let profile = new("shipping-profiles", &[("name", "Parcels"), ("type", "default")]).await;
    let location = new("locations", &[("name", "Cellar"), ("country", "gb")]).await;
    let channels = [("channel", id_of(&channel))];
    let key = format!("/app/keys/{PUBLISHABLE_ID}");
    for page in [&location, &key] {
        let form = format!("{page}/channels");
        assert!(admin.page(&form).await.contains("Sells through Market"));
        led_to(&admin.submit(&form, &channels).await);
        assert!(admin.page(page).await.contains("<bdi>Market</bdi>"));
    }
    assert!(admin.page(&format!("{location}/providers")).await.contains("Sent by hand"));
    let sent_by = [("provider", "manual_manual")];
    led_to(&admin.submit(&format!("{location}/providers"), &sent_by).await);
    let way = [("name", "Delivery"), ("kind", "shipping")];
    led_to(&admin.submit(&format!("{location}/add-way"), &way).await);
    let page = admin.page(&location).await;
    let way = between(&page, "/add-zone?of=", "\"").expect("a link").to_owned();
    let zone = [("name", "Islands"), ("countries", "gb, ie")];
    led_to(&admin.submit(&format!("{location}/add-zone?of={way}"), &zone).await);
    let page = admin.page(&location).await;
    assert!(page.contains("Islands") && page.contains("United Kingdom, Ireland"), "{page}");
    let zone = between(&page, "/zone?of=", "\"").expect("a link").to_owned();
    let typed =
        [("name", "Letter"), ("zone", &*zone), ("profile", id_of(&profile)), ("price-gbp", "2.5")];
    let option = new("shipping-options", &typed).await;
    let collection = new("collections", &[("title", "Summer")]).await;
    let typed = [("title", "Mug"), ("status", "published"), ("sku", "MUG"), ("price-gbp", "9.95")];
    let product = new("products", &typed).await;
    let typed = [
        ("title", "Mug"),
        ("handle", "mug"),
        ("status", "published"),
        ("collection", id_of(&collection)),
    ];
    led_to(&admin.submit(&format!("{product}/change"), &typed).await);
    led_to(&admin.submit(&format!("{product}/channels"), &channels).await);
    assert!(admin.page(&collection).await.contains("<bdi>Mug</bdi>"));
    assert!(admin.page(&product).await.contains("<bdi>Market</bdi>"));

    let visitor = Person::visitor();
    let products = server.get(&visitor, "/store/products").await.ok();
    let variant = products["products"][0]["variants"][0]["id"].as_str().expect("a variant");
    let store = Store {
        britain: id_of(&region).to_owned(),
        postage: id_of(&option).to_owned(),
        ..Store::default()
    };
    let cart = server.cart_with(&visitor, &store, variant, 2).await;
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "4242424242424242").await;
    let path = format!("/store/carts/{cart}/complete");
    let bought = server.post(&visitor, &path, json!({})).await.ok();
    assert_eq!((&bought["type"], &bought["order"]["total"]), (&json!("order"), &json!(22.4)));
    assert!(admin.page("/app/orders").await.contains("£22.40"));
}

#[tokio::test]
async fn a_zone_changes_its_countries_keeps_other_places_and_is_deleted() {
    let (server, store) = TestServer::with_store().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let location = format!("/app/locations/{}", store.location);
    let path = format!(
        "/admin/stock-locations/{}?fields=*fulfillment_sets,*fulfillment_sets.service_zones,*fulfillment_sets.service_zones.geo_zones",
        store.location
    );
    let sets = async || {
        server.get(&Person::admin(), &path).await.ok()["stock_location"]["fulfillment_sets"].clone()
    };
    let of_way = sets().await[0].clone();
    let zones =
        format!("/admin/fulfillment-sets/{}/service-zones", of_way["id"].as_str().expect("an id"));
    let zone = of_way["service_zones"][0]["id"].as_str().expect("an id").to_owned();
    let part = json!({ "type": "zip", "country_code": "fr",
                       "postal_expression": { "type": "prefix", "values": ["75"] } });
    let places = json!({ "geo_zones": [{ "type": "country", "country_code": "gb" }, part] });
    server.post(&Person::admin(), &format!("{zones}/{zone}"), places).await.ok();
    let form = format!("{location}/zone?of={zone}");
    assert!(admin.page(&form).await.contains("name=\"countries\" value=\"gb\""));

    let shown = admin.submit(&form, &[("name", "North"), ("countries", "gb, nowhere")]).await;
    assert!(shown.status == 422 && shown.html.contains("value=\"gb, nowhere\""), "{}", shown.html);
    led_to(&admin.submit(&form, &[("name", "North"), ("countries", "gb, ie")]).await);

    let own = sets().await[0]["service_zones"][0].clone();
    let places = own["geo_zones"].as_array().expect("places").iter();
    let codes: BTreeSet<&str> =
        places.clone().filter_map(|place| place["country_code"].as_str()).collect();
    assert_eq!((own["name"].as_str(), codes), (Some("North"), BTreeSet::from(["fr", "gb", "ie"])));
    let parts: Vec<&Value> = places.filter(|place| place["type"] == "zip").collect();
    assert_eq!(parts[0]["postal_expression"], part["postal_expression"]);

    led_to(&admin.submit(&format!("{location}/remove-zone?of={zone}"), &[]).await);
    assert_eq!(sets().await[0]["service_zones"], json!([]));
}
