//! Payouts, and what partners see of them.

use serde_json::json;

use super::DAY_MS;
use crate::harness::{PARTNER_ID, Person, TestServer};

#[tokio::test]
async fn approved_commissions_are_paid_once_and_refunds_are_deducted_from_the_next_payout() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "hold_days": 0 })).await;
    let admin = Person::admin();
    let body = json!({ "partner_id": PARTNER_ID, "currency_code": "gbp" });
    let earn = async |quantity: i64| {
        let click = server.click("MOUNTAIN").await;
        let order = server.buy(&store, quantity, json!({ "partner_click_id": click })).await;
        server.report(&order).await;
        order
    };
    let approve = async || {
        let other = server.other_process();
        other.write(quotient_partners::conversions::approve_due).await.expect("approvals")
    };
    let first = earn(1).await;
    server.post(&admin, "/admin/partner-payouts", body.clone()).await.refused(400);
    assert_eq!(approve().await, 1);

    let paid = server.post(&admin, "/admin/partner-payouts", body.clone()).await.ok();
    let paid = &paid["partner_payout"];
    assert_eq!((paid["amount"].to_string(), &paid["entry_count"]), ("0.97".into(), &json!(1)));
    assert_eq!(server.conversion(&first).await["status"], "paid");
    server.post(&admin, "/admin/partner-payouts", body.clone()).await.refused(400);

    server.refund(&first, None).await;
    server.report(&first).await;
    assert_eq!(server.conversion(&first).await["status"], "paid");
    let message = server.post(&admin, "/admin/partner-payouts", body.clone()).await.refused(400);
    assert!(message.contains("owes 0.97"), "{message}");
    server.clock.advance(DAY_MS);
    earn(3).await;
    approve().await;
    let next = server.post(&admin, "/admin/partner-payouts", body).await.ok();
    // 2.92 less 0.97.
    assert_eq!(next["partner_payout"]["amount"].to_string(), "1.95");
    assert_eq!(server.entries().await, [97, -97, -97, 292, -195]);

    let own = server.get(&Person::partner(), "/partners/me").await.ok();
    let balance = &own["partner"]["balances"][0];
    assert_eq!(
        (balance["balance"].to_string(), balance["paid"].to_string()),
        ("0".into(), "2.92".into())
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn payouts_and_their_entries_are_files_too() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({})).await;
    let admin = Person::admin();
    let name = json!({ "name": "=cmd, \"x\"" });
    server.post(&admin, &format!("/admin/partners/{PARTNER_ID}"), name).await.ok();
    let click = server.click("MOUNTAIN").await;
    let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&order).await;
    let id = server.conversion(&order).await["id"].as_str().expect("an id").to_owned();
    let path = format!("/admin/partner-conversions/{id}/approve");
    server.post(&admin, &path, json!({ "reason": "A good friend." })).await.ok();
    let body = json!({ "partner_id": PARTNER_ID, "currency_code": "gbp" });
    let paid = server.post(&admin, "/admin/partner-payouts", body).await.ok();
    let payout = paid["partner_payout"]["id"].as_str().expect("an id").to_owned();

    let csv = Person::admin().with_header("accept", "text/csv");
    let list = server.get(&csv, "/admin/partner-payouts").await;
    assert_eq!(list.headers["content-type"], "text/csv; charset=utf-8");
    let text = list.body.as_str().expect("a text").to_owned();
    let row = text.lines().nth(1).expect("a row");
    assert!(row.contains("\"'=cmd, \"\"x\"\"\"") && row.ends_with(",0.97,gbp"), "{row}");
    let entries = server.get(&csv, &format!("/admin/partner-payouts/{payout}")).await;
    let text = entries.body.as_str().expect("a text").to_owned();
    assert!(text.contains(&order) && text.contains(",MOUNTAIN,commission,"), "{text}");
}

#[tokio::test]
async fn a_partner_sees_earnings_but_no_buyers_orders_or_other_partners() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({})).await;
    let click = server.click("MOUNTAIN").await;
    let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&order).await;
    let admin = Person::admin();
    let other = json!({ "name": "Other", "email": "other@blog.example" });
    let other = server.post(&admin, "/admin/partners", other).await.ok();
    let other = Person::partner().with_bearer(other["partner"]["token"].as_str().expect("a token"));

    for (path, key) in [("conversions", "conversions"), ("clicks", "clicks")] {
        let own = server.get(&Person::partner(), &format!("/partners/me/{path}")).await.ok();
        assert_eq!((&own["count"], &own[key][0]["code"]), (&json!(1), &json!("MOUNTAIN")));
        let text = own.to_string();
        for secret in [order.as_str(), "ada@example.com", "12.99", "visitor"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        let foreign = server.get(&other, &format!("/partners/me/{path}")).await.ok();
        assert_eq!(foreign["count"], 0);
    }
    let own = server.get(&Person::partner(), "/partners/me/conversions").await.ok();
    assert_eq!(own["conversions"][0]["commission"].to_string(), "0.97");
    for path in ["conversions?fields=order_id", "conversions?fields=base", "clicks?fields=visitor"]
    {
        server.get(&Person::partner(), &format!("/partners/me/{path}")).await.refused(400);
    }
    let mine = server.get(&Person::partner(), "/partners/me").await.ok();
    assert_eq!(mine["partner"]["balances"][0]["pending"].to_string(), "0.97");
    assert_eq!(server.get(&other, "/partners/me").await.ok()["partner"]["balances"], json!([]));
}
