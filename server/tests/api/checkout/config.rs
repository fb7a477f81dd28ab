//! The configuration of a storefront's checkout.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_key_with_several_channels_names_the_one_it_asks_for() {
    let (server, store) = TestServer::with_store().await;
    let (visitor, path) = (Person::visitor(), "/store/checkout-config");
    let of = |channel: &str| format!("{path}?sales_channel_id={channel}");
    let only = server.get(&visitor, path).await.ok();
    assert_eq!(only["payment_provider_id"], "pp_sandbox");

    let second = server.second_channel().await;

    let message = server.get(&visitor, path).await.refused(400);
    assert!(message.contains("several sales channels"), "{message}");
    for channel in [&store.channel, &second] {
        assert_eq!(server.get(&visitor, &of(channel)).await.ok(), only);
    }
    server.get(&visitor, &of("sc_01JD2Q8Z5M6T3W9XKCV4B7NZZZ")).await.refused(404);
}

#[tokio::test]
async fn a_channel_has_a_provider_and_a_key_of_its_own() {
    let (server, store) = TestServer::with_store().await;
    let (visitor, admin) = (Person::visitor(), Person::admin());
    let second = server.second_channel().await;
    let config = async |channel: &str| {
        let path = format!("/store/checkout-config?sales_channel_id={channel}");
        server.get(&visitor, &path).await.ok()
    };
    let expected = |id: &str, key: Value| {
        json!({ "payment_provider_id": id, "sandbox": !key.is_null(),
                "card_processor_publishable_key": key })
    };
    let (path, own) = ("/admin/storefront-settings", expected("pp_sandbox", json!("pk_sandbox")));
    for checkout in [
        json!({ "payment_provider_id": "manual" }),
        json!({ "card_processor_publishable_key": "sk_test_1" }),
        json!({ "card_processor_publishable_key": "rk_test_1" }),
        json!({ "card_processor_publishable_key": "whsec_1" }),
        json!({ "card_processor_publishable_key": "pk_live_1" }),
        json!({ "card_processor_publishable_key": "pk_".repeat(70) }),
        json!({ "publishable_key": "pk_test_1" }),
    ] {
        let body = json!({ "sales_channel_id": second, "checkout": checkout });
        server.post(&admin, path, body).await.refused(400);
    }

    let body = json!({ "sales_channel_id": second, "checkout": { "payment_provider_id": "pp_system_default" } });
    server.post(&admin, path, body).await.ok();
    assert_eq!(config(&second).await, expected("pp_system_default", Value::Null));
    assert_eq!(config(&store.channel).await, own);
    let path = format!("{path}/{second}");
    for (checkout, answer) in [
        (
            json!({ "payment_provider_id": "pp_system_default", "card_processor_publishable_key": "pk_test_1" }),
            expected("pp_system_default", json!("pk_test_1")),
        ),
        (
            json!({ "payment_provider_id": "pp_gone", "card_processor_publishable_key": "pk_test_1" }),
            own.clone(),
        ),
        (json!({}), own),
    ] {
        server.post(&admin, &path, json!({ "checkout": checkout })).await.ok();
        assert_eq!(config(&second).await, answer, "{checkout}");
    }
}
