//! Address books.

use serde_json::{Value, json};

use crate::auth::customer;
use crate::harness::{Person, TestServer};

const BOOK: &str = "/store/customers/me/addresses";

fn home() -> Value {
    json!({ "address_name": "Home", "first_name": "Ada", "address_1": "12 St James's Square", "address_2": "",
            "city": "London", "postal_code": "SW1Y 4JH", "country_code": "GB", "is_default_shipping": true })
}

#[tokio::test]
async fn an_address_is_added_shown_changed_and_deleted() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;

    let made = server.post(&ada, BOOK, home()).await.ok()["customer"].clone();
    let address = made["addresses"][0].clone();
    assert_eq!((&address["country_code"], &address["address_2"]), (&json!("gb"), &Value::Null));
    let path = format!("{BOOK}/{}", address["id"].as_str().expect("an id"));
    assert_eq!(server.get(&ada, &path).await.ok()["address"], address);
    let changed = server.post(&ada, &path, json!({ "city": "Bath" })).await.ok();
    assert_eq!(changed["customer"]["addresses"][0]["city"], "Bath");
    let list = server.get(&ada, BOOK).await.ok();
    assert_eq!(
        (&list["count"], &list["limit"], &list["offset"]),
        (&json!(1), &json!(50), &json!(0))
    );

    let deleted = server.delete(&ada, &path).await.ok();

    assert_eq!(deleted["id"], made["id"]);
    assert_eq!((&deleted["object"], &deleted["deleted"]), (&json!("address"), &json!(true)));
    assert_eq!(deleted["parent"]["addresses"], json!([]));
    assert_eq!(server.delete(&ada, &path).await.status, 404);
}

#[tokio::test]
async fn a_book_has_one_default_of_each_kind() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    server.post(&ada, BOOK, home()).await.ok();
    server.clock.advance(1);
    let both = json!({ "city": "Bath", "is_default_shipping": true, "is_default_billing": true });

    let book = server.post(&ada, BOOK, both).await.ok()["customer"]["addresses"].clone();

    let marks = |mark: &str| -> Vec<bool> {
        book.as_array().expect("a list").iter().map(|address| address[mark] == true).collect()
    };
    assert_eq!(marks("is_default_shipping"), [false, true]);
    assert_eq!(marks("is_default_billing"), [false, true]);
}

#[tokio::test]
async fn another_customers_address_is_answered_like_a_missing_one() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let (eve, _) = customer(&server, "eve@example.com").await;
    let made = server.post(&ada, BOOK, home()).await.ok();
    let id = made["customer"]["addresses"][0]["id"].as_str().expect("an id");
    let unknown = "cuaddr_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";

    for method in ["GET", "POST", "DELETE"] {
        let mut answers = Vec::new();
        for id in [id, unknown] {
            let body = (method != "GET").then(|| b"{}".to_vec());
            let reply = server.call(&eve, method, &format!("{BOOK}/{id}"), body).await;
            assert_eq!(reply.status, 404, "{method} {reply:?}");
            answers.push(reply.refused(404).replace(id, "ID"));
        }
        assert_eq!(answers[0], answers[1]);
    }
    assert_eq!(server.get(&eve, BOOK).await.ok()["count"], 0);
}

#[tokio::test]
async fn hostile_addresses_are_refused_with_a_message() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    for body in [
        json!({ "country_code": "gbr" }),
        json!({ "country_code": "1a" }),
        json!({ "country_code": "zz" }),
        json!({ "city": "a\u{0}b" }),
        json!({ "city": "x".repeat(256) }),
        json!({ "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
        json!({ "is_default_billing": "yes" }),
        json!({ "metadata": "x" }),
        json!({ "metadata": { "a": "x".repeat(17_000) } }),
    ] {
        let reply = server.post(&ada, BOOK, body).await;
        assert_eq!(reply.status, 400, "{reply:?}");
    }
    for body in ["", "{}"] {
        let reply = server.call(&ada, "POST", BOOK, Some(body.into())).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
}

#[tokio::test]
async fn an_address_book_has_a_limit() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    for _ in 0..100 {
        server.post(&ada, BOOK, json!({})).await.ok();
    }

    let message = server.post(&ada, BOOK, json!({})).await.refused(400);

    assert_eq!(message, "A customer has at most 100 addresses");
}

#[tokio::test]
async fn admins_keep_the_books_of_customers() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let body = json!({ "email": "ada@example.com" });
    let made = server.post(&admin, "/admin/customers", body).await.ok();
    let book =
        format!("/admin/customers/{}/addresses", made["customer"]["id"].as_str().expect("an id"));

    let made = server.post(&admin, &book, home()).await.ok();
    let id = made["customer"]["addresses"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("{book}/{id}");
    server.post(&admin, &path, json!({ "city": "Bath" })).await.ok();
    assert_eq!(server.get(&admin, &path).await.ok()["address"]["city"], "Bath");
    assert_eq!(server.get(&admin, &book).await.ok()["count"], 1);
    let deleted = server.delete(&admin, &path).await.ok();

    assert_eq!((&deleted["id"], &deleted["object"]), (&json!(id), &json!("customer_address")));
    let elsewhere = "/admin/customers/cus_01JD2Q8Z5M6T3W9XKCV4B7NZZZ/addresses";
    assert_eq!(server.get(&admin, elsewhere).await.status, 404);
    assert_eq!(server.post(&admin, elsewhere, home()).await.status, 404);
}
