//! Groups of customers.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

const GROUPS: &str = "/admin/customer-groups";
const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

async fn make(server: &TestServer, name: &str) -> String {
    let made = server.post(&Person::admin(), GROUPS, json!({ "name": name })).await.ok();
    made["customer_group"]["id"].as_str().expect("an id").to_owned()
}

async fn groups_of(server: &TestServer) -> Value {
    let path = format!("/admin/customers/{CUSTOMER}?fields=groups.name");
    server.get(&Person::admin(), &path).await.ok()["customer"]["groups"].clone()
}

#[tokio::test]
async fn a_group_is_made_renamed_listed_and_deleted() {
    let server = TestServer::empty().await;
    let id = make(&server, "Wholesale").await;
    let path = format!("{GROUPS}/{id}");

    let twice = server.post(&Person::admin(), GROUPS, json!({ "name": "Wholesale" })).await;
    assert_eq!(twice.refused(422), "Customer group with name: Wholesale, already exists.");
    let body = json!({ "name": "Trade", "metadata": { "a": 1 } });
    server.post(&Person::admin(), &path, body).await.ok();
    let list = server.get(&Person::viewer(), &format!("{GROUPS}?q=trad")).await.ok();
    assert_eq!(list["customer_groups"][0]["name"], "Trade");
    let deleted = server.delete(&Person::admin(), &path).await.ok();

    assert_eq!(deleted, json!({ "id": id, "object": "customer_group", "deleted": true }));
    assert_eq!(server.get(&Person::admin(), &path).await.status, 404);
    make(&server, "Trade").await;
}

#[tokio::test]
async fn group_members_change_through_either_resource() {
    let server = TestServer::empty().await;
    let (trade, staff) = (make(&server, "Trade").await, make(&server, "Staff").await);
    let members = format!("{GROUPS}/{trade}/customers");
    let groups = format!("/admin/customers/{CUSTOMER}/customer-groups");

    let add = json!({ "add": [CUSTOMER] });
    for _ in 0..2 {
        server.post(&Person::admin(), &members, add.clone()).await.ok();
    }
    assert_eq!(groups_of(&server).await.as_array().map(Vec::len), Some(1));
    for fields in ["*customers", "name,customers.email,customers.addresses.city"] {
        let list = server.get(&Person::viewer(), &format!("{GROUPS}?fields={fields}")).await.ok();
        let found = list["customer_groups"].as_array().expect("groups");
        let named = |name: &str| found.iter().find(|group| group["name"] == name).expect("a group");
        assert_eq!(named("Trade")["customers"][0]["email"], "customer-A@example.com", "{fields}");
        assert_eq!(named("Staff")["customers"], json!([]), "{fields}");
    }
    let body = json!({ "add": [staff], "remove": [trade] });
    server.post(&Person::admin(), &groups, body).await.ok();
    assert_eq!(groups_of(&server).await[0]["name"], "Staff");

    let path = format!("/admin/customers?groups={staff}");
    assert_eq!(server.get(&Person::admin(), &path).await.ok()["count"], 1);
    server.delete(&Person::admin(), &format!("{GROUPS}/{staff}")).await.ok();
    assert_eq!(groups_of(&server).await, json!([]));
}

#[tokio::test]
async fn unknown_customers_join_no_group() {
    let server = TestServer::empty().await;
    let trade = make(&server, "Trade").await;
    let unknown = "cus_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";

    let members = format!("{GROUPS}/{trade}/customers");
    let body = json!({ "add": [CUSTOMER, unknown] });
    let message = server.post(&Person::admin(), &members, body).await.refused(404);

    assert_eq!(message, format!("Customer with id: {unknown} was not found"));
    assert_eq!(groups_of(&server).await, json!([]));
}
