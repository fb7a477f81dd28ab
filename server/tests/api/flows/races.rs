//! Exactly once: many simultaneous presses, lost responses, and a provider that does not answer.

use std::path::Path;

use serde_json::{Value, json};

use super::charges::change_card;
use super::{SECOND_MS, draft};
use crate::harness::{Person, Reply, TestServer};

/// Returns the captures in the sandbox's ledger.
fn captures(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| line.contains("capture")).count()
}

/// Presses from many pages at the same time.
async fn at_once(server: &TestServer, bodies: Vec<(&'static str, Value)>) -> Vec<Reply> {
    let on_pages = |(verb, body)| (format!("/flow-builder/{verb}"), body);
    all_at_once(server, bodies.into_iter().map(on_pages).collect()).await
}

/// Sends many requests at the same time.
async fn all_at_once(server: &TestServer, requests: Vec<(String, Value)>) -> Vec<Reply> {
    let presses = requests
        .into_iter()
        .map(|(path, body)| async move { server.post(&Person::visitor(), &path, body).await });
    let mut running: Vec<_> = presses.map(Box::pin).collect();
    let mut replies = Vec::new();
    // All are polled in turn, so that each has begun before any ends.
    std::future::poll_fn(|context| {
        running.retain_mut(|press| match Future::poll(press.as_mut(), context) {
            std::task::Poll::Ready(reply) => {
                replies.push(reply);
                false
            }
            std::task::Poll::Pending => true,
        });
        if running.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    replies
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_accepts_at_once_are_one_press_one_charge_and_one_line() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let body = json!({ "session_token": begun["session"]["token"], "button_id": begun["entry_button"]["id"] });

    let replies = at_once(&server, vec![("accept", body); 64]).await;

    let first = &replies[0];
    assert_eq!((first.status, &first.body["success"]), (200, &json!(true)));
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == first.body));
    assert_eq!(captures(&ledger), 2, "the order and the offer");
    assert_eq!(server.number("select count(*) from payment").await, 2);
    assert_eq!(server.number("select count(*) from flow_press where action = 'accepted'").await, 1);
    let shown = server.order_of(&order).await;
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(2));
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_and_the_storefront_press_a_button_of_one_session_once() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let body = json!({ "session_token": begun["session"]["token"], "button_id": begun["entry_button"]["id"] });
    let surfaces = ["/flow-builder", "/store/flow-builder"].into_iter().cycle().take(32);
    let pressed = |verb: &str| {
        let (verb, body) = (verb.to_owned(), body.clone());
        surfaces.clone().map(move |surface| (format!("{surface}/{verb}"), body.clone())).collect()
    };

    let replies = all_at_once(&server, pressed("accept")).await;
    let declined = all_at_once(&server, pressed("decline")).await;

    let of_pages = |reply: &&Reply| reply.body["success"] == true;
    let (pages, storefront): (Vec<_>, Vec<_>) = replies.iter().partition(of_pages);
    assert_eq!((pages.len(), storefront.len()), (16, 16));
    let next = &pages[0].body["nextButton"];
    assert!(pages.iter().all(|reply| reply.status == 200 && reply.body == pages[0].body));
    for reply in storefront {
        assert_eq!(
            (reply.status, &reply.body["next_button"]["id"]),
            (200, &next["id"]),
            "{reply:?}"
        );
    }
    assert_eq!(captures(&ledger), 2, "the order and the offer");
    assert_eq!(server.number("select count(*) from flow_press where action = 'accepted'").await, 1);
    assert_eq!(server.order_of(&order).await["items"].as_array().map(Vec::len), Some(2));
    let refused = |status| declined.iter().filter(|reply| reply.status == status).count();
    assert_eq!((refused(409), refused(400)), (16, 16), "{declined:#?}");
    assert_eq!(server.number("select count(*) from flow_press where action = 'declined'").await, 0);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_an_accept_and_a_decline_at_once_one_wins() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let body = json!({ "session_token": begun["session"]["token"], "button_id": begun["entry_button"]["id"] });
    let verbs = ["accept", "decline"].into_iter().cycle().take(32);

    let replies = at_once(&server, verbs.map(|verb| (verb, body.clone())).collect()).await;

    let won = replies.iter().filter(|reply| reply.status == 200).count();
    let lost = replies.iter().filter(|reply| reply.status == 409).count();
    assert_eq!((won, lost), (16, 16));
    let accepted = server.number("select count(*) from flow_press where action = 'accepted'").await;
    assert_eq!(i64::try_from(captures(&ledger)).expect("a number"), 1 + accepted);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_beginnings_at_once_are_one_session_that_all_their_tokens_open() {
    let (server, store, _ledger) = TestServer::with_ledger(&[]).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let body = json!({ "flow_id": flow["public_token"], "cart_id": cart, "order_id": order["id"] });

    let replies = at_once(&server, vec![("init", body); 20]).await;

    assert!(replies.iter().all(|reply| reply.status == 200), "{replies:#?}");
    assert_eq!(server.number("select count(*) from flow_session").await, 1);
    for reply in replies {
        let token = reply.body["session"]["token"].as_str().expect("a token").to_owned();
        let person = Person::nobody().with_header("x-flow-session", &token);
        assert_eq!(server.get(&person, "/flow-builder/upsell").await.status, 200);
        server.assert_not_at_rest(&token).await;
    }
}

#[tokio::test]
async fn a_call_without_an_answer_is_repeated_under_the_same_key() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    server.only_job("flows.recover").await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let mut begun = Vec::new();
    for _ in 0..2 {
        let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
        begun.push((server.begin_after(&flow, &cart, &order).await, order));
    }
    assert_eq!(captures(&ledger), 2);
    let kept = ledger.with_extension("kept");
    std::fs::rename(&ledger, &kept).expect("the ledger");
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");

    for (one, _) in &begun {
        let silent =
            server.press("accept", &one["session"]["token"], &one["entry_button"], json!({})).await;
        assert_eq!(silent.status, 500);
        assert_eq!(
            silent.body,
            json!({ "error": "The payment is not confirmed yet; press again" })
        );
        let declined = server
            .press("decline", &one["session"]["token"], &one["entry_button"], json!({}))
            .await;
        assert_eq!(declined.status, 409);
    }
    assert_eq!(server.number("select count(*) from flow_press where state = 'claimed'").await, 2);
    std::fs::remove_dir(&ledger).expect("the folder");
    std::fs::rename(&kept, &ledger).expect("the ledger");

    // One shopper presses again; the job finds the other's press.
    let (first, _) = &begun[0];
    let pressed = server
        .press("accept", &first["session"]["token"], &first["entry_button"], json!({}))
        .await
        .ok();
    server.clock.advance(61 * SECOND_MS);
    server.work().await;
    assert_eq!(server.number("select count(*) from flow_press where state = 'claimed'").await, 0);
    let (second, _) = &begun[1];
    let again = server
        .press("accept", &second["session"]["token"], &second["entry_button"], json!({}))
        .await
        .ok();

    assert_eq!((&pressed["success"], &again["success"]), (&json!(true), &json!(true)));
    assert_eq!(captures(&ledger), 4);
    for (_, order) in &begun {
        assert_eq!(server.order_of(order).await["items"].as_array().map(Vec::len), Some(2));
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn a_call_without_an_answer_is_settled_though_its_order_was_canceled_meanwhile() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_authorize_only").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    change_card(&server, "pm_card_visa").await;
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");
    let (token, button) = (&begun["session"]["token"], &begun["entry_button"]);
    let silent = server.press("accept", token, button, json!({})).await;
    assert_eq!(silent.status, 500, "{silent:#?}");
    std::fs::remove_dir(&ledger).expect("the folder");

    let path = format!("/admin/orders/{}/cancel", order["id"].as_str().expect("an order"));
    server.post(&Person::program(), &path, json!({})).await.ok();
    server.only_job("flows.recover").await;
    server.clock.advance(61 * SECOND_MS);
    server.work().await;

    assert_eq!(server.number("select count(*) from flow_press where state = 'claimed'").await, 0);
    server.work().await;
    assert_eq!((captures(&ledger), server.number("select count(*) from payment").await), (1, 2));
    let left =
        "select (select sum(amount_minor) from capture) - (select sum(amount_minor) from refund)";
    assert_eq!(server.number(left).await, 0);
    let kept = "select count(*) from flow_press where charge <> 'null'";
    assert_eq!(server.number(kept).await, 0);
    server.assert_sound().await;
}
