//! The rows from which a value was computed: in the API, and below the tree of a page.

use serde_json::Value;

use super::{Browser, escaped};
use crate::harness::{Person, TestServer};

const DAYS: &str = "start_date=2025-11-12&end_date=2025-11-20";
const RANGE: &str = "range=custom&start=2025-11-12&end=2025-11-20";

/// Returns the number of the part with a label.
fn number(part: &Value, label: &str) -> Option<u64> {
    if part["label"] == label {
        return part["aggregate"].as_u64();
    }
    part["children"].as_array()?.iter().find_map(|child| number(child, label))
}

async fn explained(server: &TestServer, key: &str) -> Value {
    let path = format!("/admin/metrics/definitions/{key}/explain?{DAYS}");
    server.get(&Person::viewer(), &path).await.ok()["explanation"].clone()
}

#[tokio::test]
async fn the_rows_of_a_part_add_up_to_its_value() {
    let server = TestServer::with_demo(200).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    for key in ["gross_sales", "order_count", "aov"] {
        analyst.submit(&format!("/app/metrics/templates/{key}"), &[]).await;
    }
    let tree = explained(&server, "order_count").await;
    let part = number(&tree, "order_count").unwrap_or_else(|| panic!("no rows: {tree}"));
    let path = format!("/admin/metrics/definitions/order_count/rows?{DAYS}&aggregate={part}");
    let ask = async |page: &str| server.get(&Person::viewer(), &format!("{path}{page}")).await.ok();

    let all = ask("&limit=200").await;
    let (first, second) = (ask("&limit=5").await, ask("&limit=5&offset=5").await);

    assert_eq!((&all["source"], &all["unlisted"]), (&"orders".into(), &Value::Null), "{all}");
    assert_eq!(all["count"].to_string(), tree["value"].to_string(), "{all}");
    let rows = all["rows"].as_array().expect("rows");
    let pages = [&first, &second].map(|page| page["rows"].as_array().expect("rows").clone());
    assert_eq!(pages.concat(), rows[..10], "pages follow one another");
    let times: Vec<&str> = rows.iter().map(|row| row["at"].as_str().expect("an instant")).collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
    for row in rows {
        let id = row["key"].as_str().expect("an id");
        let order = server.get(&Person::viewer(), &format!("/admin/orders/{id}")).await.ok();
        assert_eq!(order["order"]["id"], id);
    }

    let path = "/admin/metrics/definitions/order_count/rows";
    let missing = server.get(&Person::viewer(), &format!("{path}?{DAYS}&aggregate=99")).await;
    assert_eq!(missing.status, 404);
    for wrong in ["", "?aggregate=-1", "?aggregate=0&limit=201", "?aggregate=0&nothing=1"] {
        let refused = server.get(&Person::viewer(), &format!("{path}{wrong}")).await;
        assert_eq!(refused.status, 400, "{wrong}: {}", refused.body);
    }
}

#[tokio::test]
async fn an_explanation_expands_to_the_rows_with_links_to_the_records() {
    let server = TestServer::with_demo(200).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    analyst.submit("/app/metrics/templates/units_sold", &[]).await;
    let tree = explained(&server, "units_sold").await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let why = format!("/app/metrics/units_sold?view=why&{RANGE}");
    let page = viewer.page(&why).await;
    assert!(page.contains("&#38;rows=0#rows\"") && !page.contains("id=\"rows\""), "{page}");

    let page = viewer.page(&format!("{why}&rows=0")).await;

    let path = format!("/admin/metrics/definitions/units_sold/rows?{DAYS}&aggregate=0");
    let rows = server.get(&Person::viewer(), &path).await.ok();
    assert!(rows["count"].as_u64().is_some_and(|count| count > 20), "{tree} {rows}");
    assert!(page.replace(',', "").contains(&format!("1–20 of {}", rows["count"])), "{page}");
    for row in rows["rows"].as_array().expect("rows") {
        let links = row["links"].as_array().expect("links");
        let key = |source: &str| {
            let own = links.iter().find(|link| link["source"] == source).expect("a link");
            own["key"].as_str().expect("a key").to_owned()
        };
        let order = format!("/admin/orders/{}", key("orders"));
        let order = server.get(&Person::viewer(), &order).await.ok();
        let name = format!("Order {}", order["order"]["display_id"]);
        let link = format!("<a href=\"/app/orders/{}\"><bdi>{name}</bdi>", key("orders"));
        assert!(page.contains(&link), "{link}: {page}");
        let shown = escaped(row["formatted"].as_str().expect("text"));
        assert!(page.contains(&format!("<bdi>{shown}</bdi>")), "{shown}");
        assert!(page.contains(&format!("/app/products/{}", key("products"))), "a product");
    }
    let next = viewer.page(&format!("{why}&rows=0&offset=20")).await;
    assert!(next.contains("21–40 of"), "{next}");
    let failed = viewer.page(&format!("{why}&rows=77")).await;
    assert!(failed.contains("There is no part 77") && failed.contains("class=\"tree\""));
}
