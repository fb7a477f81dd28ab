//! Notes on customers.

use serde_json::json;

use crate::harness::{Person, TestServer};

const NOTES: &str = "/admin/customer-notes";
const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

#[tokio::test]
async fn a_note_is_written_found_changed_and_deleted() {
    let server = TestServer::empty().await;
    let body = json!({ "customer_id": CUSTOMER, "note": "Prefers parcels on Saturdays." });
    let note = server.post(&Person::admin(), NOTES, body).await.ok()["customer_note"].clone();
    assert!(note["created_by"].as_str().is_some_and(|by| by.starts_with("user_")), "{note}");

    let path = format!("{NOTES}/{}", note["id"].as_str().expect("an id"));
    server.post(&Person::admin(), &path, json!({ "note": "Moved to Leeds." })).await.ok();
    let list = format!("{NOTES}?customer_id={CUSTOMER}&q=leeds&fields=note");
    let list = server.get(&Person::viewer(), &list).await.ok();
    assert_eq!(list["customer_notes"], json!([{ "id": note["id"], "note": "Moved to Leeds." }]));

    let deleted = server.delete(&Person::admin(), &path).await.ok();
    assert_eq!(deleted["object"], "customer_note");
    assert_eq!(server.get(&Person::admin(), &path).await.status, 404);
}

#[tokio::test]
async fn a_note_on_nobody_and_an_empty_note_are_refused() {
    let server = TestServer::empty().await;
    let nobody = "cus_01JD2Q8Z5M6T3W9XKCV4B7N09Z";
    let body = json!({ "customer_id": nobody, "note": "Who?" });
    assert_eq!(server.post(&Person::admin(), NOTES, body).await.status, 404);
    for note in [json!(""), json!(null), json!("x".repeat(2001))] {
        let body = json!({ "customer_id": CUSTOMER, "note": note });
        server.post(&Person::admin(), NOTES, body).await.refused(400);
    }
    assert_eq!(server.get(&Person::admin(), NOTES).await.ok()["count"], 0);
}
