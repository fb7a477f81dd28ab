//! The configuration of a storefront's checkout.

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
