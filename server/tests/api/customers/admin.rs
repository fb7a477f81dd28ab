//! Customers for admins.

use quotient_server::database::{Error, text_index};
use serde_json::{Value, json};

use crate::auth::customer;
use crate::harness::{Person, TestServer};

async fn make(server: &TestServer, email: &str) -> Value {
    let body = json!({ "email": email, "first_name": "Grace", "company_name": "100% Wool" });
    server.post(&Person::admin(), "/admin/customers", body).await.ok()["customer"].clone()
}

#[tokio::test]
async fn an_admin_makes_guests_and_knows_who_made_them() {
    let server = TestServer::empty().await;

    let made = make(&server, "Grace@Example.com").await;

    assert_eq!(made["email"], "grace@example.com");
    assert_eq!((&made["has_account"], &made["deleted_at"]), (&json!(false), &Value::Null));
    assert_eq!(made["created_by"], "user_01JD2Q8Z5M6T3W9XKCV4B7N001");
    let again = json!({ "email": "grace@example.com" });
    let again = server.post(&Person::admin(), "/admin/customers", again).await;
    assert_eq!(again.refused(422), "Customer with email: grace@example.com, already exists.");
    // A registered customer is not the guest: the guest's orders are not visible to them.
    let (grace, _) = customer(&server, "grace@example.com").await;
    let account = server.get(&grace, "/store/customers/me").await.ok();
    assert_ne!(account["customer"]["id"], made["id"]);
}

#[tokio::test]
async fn the_address_of_an_account_stays_and_that_of_a_guest_may_change() {
    let server = TestServer::empty().await;
    let guest = make(&server, "grace@example.com").await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let account = server.get(&ada, "/store/customers/me").await.ok()["customer"].clone();
    let path =
        |customer: &Value| format!("/admin/customers/{}", customer["id"].as_str().expect("an id"));
    let body = json!({ "email": "new@example.com" });

    let changed = server.post(&Person::admin(), &path(&guest), body.clone()).await.ok();
    assert_eq!(changed["customer"]["email"], "new@example.com");
    let message = server.post(&Person::admin(), &path(&account), body).await.refused(400);
    assert_eq!(message, "The e-mail address of a customer with an account cannot be changed");
}

#[tokio::test]
async fn customers_are_searched_filtered_ordered_and_paged() {
    let server = TestServer::empty().await;
    for number in 0..3 {
        make(&server, &format!("c{number}@example.com")).await;
        server.clock.advance(1000);
    }
    let list = async |query: &str| {
        let body = server.get(&Person::viewer(), &format!("/admin/customers?{query}")).await.ok();
        let rows = body["customers"].as_array().expect("a list").clone();
        let emails: Vec<String> =
            rows.iter().map(|row| row["email"].as_str().expect("text").to_owned()).collect();
        (emails.join(" "), body["count"].as_u64().expect("a count"))
    };

    let page = list("has_account=false&order=-created_at&limit=2").await;
    assert_eq!(page, ("c2@example.com c1@example.com".to_owned(), 3));
    let page = list("has_account=false&order=-created_at&limit=2&offset=2").await;
    assert_eq!(page, ("c0@example.com".to_owned(), 3));
    assert_eq!(list("q=100%25%20w&order=email&limit=1").await, ("c0@example.com".to_owned(), 3));
    assert_eq!(list("q=c1").await, ("c1@example.com".to_owned(), 1));
    assert_eq!(list("email[]=c1@example.com&email[]=x").await.1, 1);
    for query in ["email=C1@Example.COM", "email[$in][]=C1@example.com&email[$in][]=x"] {
        assert_eq!(list(query).await, ("c1@example.com".to_owned(), 1), "{query}");
    }
    assert_eq!(list("email[$ilike]=C1%25&$or[0][email]=C1@example.COM").await.1, 1);
    assert_eq!(list("created_at[$gt]=2100-01-01").await.1, 0);
    for query in
        ["limit=201", "order=password_hash", "created_at[$gt]=banana", "q[a]=1", "password=1"]
    {
        let reply = server.get(&Person::viewer(), &format!("/admin/customers?{query}")).await;
        assert_eq!(reply.status, 400, "{query}");
    }
}

#[tokio::test]
async fn a_name_is_found_in_either_case_whenever_it_was_indexed() {
    let server = TestServer::empty().await;
    for (email, name) in [("mesut@example.com", "Özil"), ("ada@example.com", "Lovelace")] {
        let body = json!({ "email": email, "last_name": name });
        server.post(&Person::admin(), "/admin/customers", body).await.ok();
    }
    for _ in 0..2 {
        for text in ["özil", "ÖZIL", "Öz"] {
            let path = format!("/admin/customers?q={text}&fields=email");
            let found = server.get(&Person::viewer(), &path).await.ok();
            assert_eq!(found["count"], 1, "{text}");
            assert_eq!(found["customers"][0]["email"], "mesut@example.com", "{text}");
        }
        let added = server.beside().write::<_, Error>(text_index::add_all);
        added.await.expect("indexes");
    }
}

#[tokio::test]
async fn the_statements_of_a_list_do_not_depend_on_its_length() {
    let server = TestServer::empty().await;
    let path = "/admin/customers?has_account=false&fields=*addresses,*groups";
    let mut counts = Vec::new();
    for number in 0..12 {
        let made = make(&server, &format!("c{number}@example.com")).await;
        let book = format!("/admin/customers/{}/addresses", made["id"].as_str().expect("an id"));
        server.post(&Person::admin(), &book, json!({ "city": "Bath" })).await.ok();
        if number == 0 || number == 11 {
            counts.push(server.statements(server.get(&Person::admin(), path)).await);
        }
    }

    assert_eq!(counts[0], counts[1]);
    let list = server.get(&Person::admin(), path).await.ok();
    for row in list["customers"].as_array().expect("a list") {
        assert_eq!(row["addresses"].as_array().map(Vec::len), Some(1), "{row}");
    }
}
