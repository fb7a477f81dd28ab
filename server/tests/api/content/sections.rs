//! Sections of product pages.

use serde_json::json;

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn visible_sections_are_listed_in_their_order() {
    let (server, store) = TestServer::with_store().await;
    let path = format!("/store/products/{}/pdp-sections", store.mug_product);
    assert_eq!(server.get(&Person::visitor(), &path).await.ok(), json!({ "sections": [] }));

    let sections = json!([
        { "type": "care", "title": "Care", "position": 2 },
        { "type": "video", "url": "javascript:alert(1)", "position": 1, "sales_channel_ids": [store.channel] },
        { "type": "hidden", "visible": false },
        { "title": "no type" },
        7,
    ]);
    let metadata = json!({ "metadata": { "pdp_sections": sections } });
    let product = format!("/admin/products/{}", store.mug_product);
    server.post(&Person::admin(), &product, metadata).await.ok();
    let expected = json!([{ "type": "video", "url": null }, { "type": "care", "title": "Care" }]);
    assert_eq!(server.get(&Person::visitor(), &path).await.ok()["sections"], expected);

    let unknown = "/store/products/prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ/pdp-sections";
    server.get(&Person::visitor(), unknown).await.refused(404);
    server.post(&Person::admin(), &product, json!({ "status": "draft" })).await.ok();
    server.get(&Person::visitor(), &path).await.refused(404);
    server.get(&Person::nobody(), &path).await.refused(401);
}
