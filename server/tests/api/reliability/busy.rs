//! Another process locks the database: writes are refused meanwhile, reads are not.

use quotient_server::database::Error;
use serde_json::json;

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn while_another_process_holds_the_database_writes_are_503_and_reads_are_answered() {
    let (server, store) = TestServer::with_store().await;
    let (holder, visitor) = (server.other_process(), Person::visitor());
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (begun, holding) = tokio::sync::oneshot::channel();
    let holding_on = tokio::spawn(async move {
        holder
            .write::<_, Error>(move |_tx| {
                let _heard = begun.send(());
                let _ended = held.recv();
                Ok(())
            })
            .await
    });
    holding.await.expect("the other process holds the database");

    let body = json!({"region_id": store.britain});
    let refused = server.post(&visitor, "/store/carts", body.clone()).await;
    assert_eq!((refused.status, &refused.body["code"]), (503, &json!("UNAVAILABLE")));
    assert_eq!(refused.headers["retry-after"], "1");
    server.get(&visitor, "/store/products").await.ok();
    server.get(&Person::admin(), "/admin/orders").await.ok();

    release.send(()).expect("the other process waits");
    holding_on.await.expect("it ends").expect("it commits");
    server.post(&visitor, "/store/carts", body).await.ok();
}
