//! Another process locks the database: writes are rejected in the meantime, reads are not.

use serde_json::json;

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn while_another_process_holds_the_database_writes_are_503_and_reads_are_answered() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let holder = server.locked().await;

    let body = json!({"region_id": store.britain});
    let refused = server.post(&visitor, "/store/carts", body.clone()).await;
    assert_eq!((refused.status, &refused.body["code"]), (503, &json!("UNAVAILABLE")));
    assert_eq!(refused.headers["retry-after"], "1");
    server.get(&visitor, "/store/products").await.ok();
    server.get(&Person::admin(), "/admin/orders").await.ok();

    holder.release().await;
    server.post(&visitor, "/store/carts", body).await.ok();
}
