//! Wishes, which events add and remove in any order.

use serde_json::{Value, json};

use super::{VISIT, reason};
use crate::harness::{Person, TestServer};

impl TestServer {
    pub(super) async fn wishes(&self, query: &str) -> Vec<Value> {
        let list = self.get(&Person::viewer(), &format!("/admin/wishlist-items{query}")).await.ok();
        list["wishlist_items"].as_array().expect("items").clone()
    }
}

#[tokio::test]
async fn the_later_event_wins_in_any_order() {
    let (server, store) = TestServer::with_store().await;
    let at = |minute: u32| format!("2026-11-21T11:{minute:02}:00.000Z");
    // Added at 1, removed at 2, added at 3, removed at 4: in two orders, by two visitors.
    let orders = [[1, 2, 3, 4], [4, 1, 3, 2]];
    for (person, minutes) in [Person::customer_a(), Person::visitor()].into_iter().zip(orders) {
        for minute in minutes {
            let name = if minute % 2 == 1 { "wishlist_added" } else { "wishlist_removed" };
            let body =
                json!({ "name": name, "product_id": store.mug_product, "occurred_at": at(minute) });
            assert_eq!(server.track(&person, body).await.status, 202);
        }
    }
    let wishes = server.wishes("").await;
    assert_eq!(wishes.len(), 2);
    for wish in &wishes {
        assert_eq!((&wish["added_at"], &wish["removed_at"]), (&json!(at(3)), &json!(at(4))));
    }
    let own = server.wishes("?customer_id=cus_01JD2Q8Z5M6T3W9XKCV4B7N00A").await;
    assert_eq!(own.len(), 1);
    assert_eq!(server.wishes(&format!("?product_id={}", store.mug_product)).await.len(), 2);
}

#[tokio::test]
async fn a_wish_without_a_holder_or_a_product_is_not_stored() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let wish = |product: &str| json!({ "name": "wishlist_added", "product_id": product });
    server.track_with(&visitor, &[], &wish(&store.mug_product)).await;
    server.track(&visitor, wish("prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ")).await;
    let as_customer = [("x-session-id", "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A")];
    let reply = server.track_with(&visitor, &as_customer, &wish(&store.mug_product)).await;
    assert_eq!(reason(&reply), "invalid_field", "the wishes of a customer are no visit's");
    let gpc = [("x-session-id", VISIT), ("sec-gpc", "1")];
    server.track_with(&visitor, &gpc, &wish(&store.mug_product)).await;

    assert_eq!(server.wishes("").await, Vec::<Value>::new());
    assert_eq!(server.number("select count(*) from visit_event").await, 3, "they are counted");
}
