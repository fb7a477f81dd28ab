//! What changes while customers are erased.

use serde_json::json;

use crate::harness::{PARTNER_ID, Person, TestServer};

const A: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";
const B: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00B";

/// Asks for the erasure of both customers, due long ago, that of A first.
async fn ask(server: &TestServer) {
    for (customer, due_at) in [(A, 1), (B, 2)] {
        server
            .sql(format!(
                "insert into customer_erasure (customer_id, confirm_forfeit, requested_at, due_at)
                 values ('{customer}', 0, 0, {due_at})"
            ))
            .await;
    }
}

/// Runs the job that erases.
async fn erase_due(server: &TestServer) {
    server.work().await;
    server.sql("update job set run_at = 4102444800000 where kind <> 'privacy.erase_due'").await;
    server.clock.advance(2 * 60 * 60 * 1_000);
    server.work().await;
}

#[tokio::test]
async fn an_erasure_revoked_while_another_runs_is_not_carried_out() {
    let server = TestServer::empty().await;
    server.sql("update token set expires_at = 4102444800000").await;
    server.work().await;
    ask(&server).await;
    // B revokes while A is erased.
    server
        .sql(format!(
            "create trigger revoke after delete on customer_erasure when old.customer_id = '{A}'
             begin delete from customer_erasure where customer_id = '{B}'; end"
        ))
        .await;

    erase_due(&server).await;

    let path = |customer: &str| format!("/admin/customers/{customer}");
    server.get(&Person::admin(), &path(A)).await.refused(404);
    server.get(&Person::admin(), &path(B)).await.ok();
    assert_eq!(server.number("select count(*) from customer_erasure").await, 0);
}

#[tokio::test]
async fn consent_withdrawn_while_another_erasure_runs_counts() {
    let server = TestServer::empty().await;
    server.sql("update token set expires_at = 4102444800000").await;
    server.write_store("gbp").await;
    server.work().await;
    let account = json!({ "customer_id": B, "currency_code": "gbp" });
    let admin = Person::admin();
    let account = server.post(&admin, "/admin/store-credit-accounts", account).await.ok();
    let id = account["store_credit_account"]["id"].as_str().expect("an account");
    let path = format!("/admin/store-credit-accounts/{id}/credit");
    server.post(&admin, &path, json!({ "amount": 5 })).await.ok();
    ask(&server).await;
    server.sql("update customer_erasure set confirm_forfeit = 1").await;
    server
        .sql(format!(
            "create trigger withdraw after delete on customer_erasure when old.customer_id = '{A}'
             begin update customer_erasure set confirm_forfeit = 0 where customer_id = '{B}'; end"
        ))
        .await;

    erase_due(&server).await;

    server.get(&admin, &format!("/admin/customers/{B}")).await.ok();
    assert_eq!(server.number("select sum(balance_minor) from credit_account").await, 500);
    let put_off = "select count(*) from customer_erasure where confirm_forfeit = 0 and due_at > 2";
    assert_eq!(server.number(put_off).await, 1);
}

/// Writes a card of customer A at each of two providers.
async fn save_cards(server: &TestServer, providers: [&str; 2]) {
    for (provider, number) in providers.into_iter().zip(1..) {
        let (holder, method) = (
            format!("acchld_01JD2Q8Z5M6T3W9XKCV4B7N0R{number}"),
            format!("paymeth_01JD2Q8Z5M6T3W9XKCV4B7N0R{number}"),
        );
        for statement in [
            format!(
                "insert into account_holder (id, customer_id, provider_id, external_id, created_at, updated_at)
                 values ('{holder}', '{A}', '{provider}', 'ext', 0, 0)"
            ),
            format!(
                "insert into payment_method (id, account_holder_id, provider_id, reference, created_at, updated_at)
                 values ('{method}', '{holder}', '{provider}', 'ref_{number}', 0, 0)"
            ),
        ] {
            server.sql(statement).await;
        }
    }
}

#[tokio::test]
async fn cards_that_the_provider_has_removed_are_gone_though_a_later_one_fails() {
    let settings = [
        "--sandbox-payments=true",
        "--stripe-secret-key=sk_test_1",
        // Nobody answers there.
        "--stripe-api=http://127.0.0.1:1/",
    ];
    let server = TestServer::with_settings(&settings).await;
    save_cards(&server, ["pp_sandbox", "pp_stripe"]).await;

    let path = format!("/admin/customers/{A}/erase");
    let refused = server.post(&Person::admin(), &path, json!({ "reason": "By letter." })).await;

    assert!(refused.status >= 400, "{refused:#?}");
    server.get(&Person::admin(), &format!("/admin/customers/{A}")).await.ok();
    let left = "select group_concat(provider_id) from payment_method where deleted_at is null";
    assert_eq!(server.word(left).await, "pp_stripe");
}

#[tokio::test]
async fn a_customer_with_a_card_at_a_provider_that_the_store_has_left_is_erased() {
    let server = TestServer::empty().await;
    save_cards(&server, ["pp_sandbox", "pp_ended"]).await;

    let path = format!("/admin/customers/{A}/erase");
    server.post(&Person::admin(), &path, json!({ "reason": "By letter." })).await.ok();

    let left = "select count(*) from payment_method where deleted_at is null";
    assert_eq!(server.number(left).await, 0);
}

/// Other writes wait for each transaction.
#[tokio::test]
async fn events_are_erased_in_parts_which_another_call_continues() {
    let server = TestServer::empty().await;
    server
        .sql(format!(
            "insert into visit_event (name, customer_id, created_at, received_at)
             with recursive place (n) as (select 1 union all select n + 1 from place where n < 2001)
             select 'e', '{A}', 0, 0 from place"
        ))
        .await;
    let fail_at = |left: u32| {
        format!(
            "create trigger fail before update on visit_event
               when (select count(*) from visit_event where customer_id is not null) = {left}
             begin select raise(abort, 'failed'); end"
        )
    };
    let path = format!("/admin/customers/{A}/erase");
    let left = "select count(customer_id) from visit_event";

    server.sql(fail_at(1)).await;
    let admin = Person::admin().with_header("idempotency-key", "letter");
    let failed = server.post(&admin, &path, json!({ "reason": "By letter." })).await;
    assert_eq!((failed.status, server.number(left).await), (500, 1));
    server.sql("drop trigger fail").await;
    server.post(&admin, &path, json!({ "reason": "By letter." })).await.ok();
    assert_eq!(server.number(left).await, 0);
}

#[tokio::test]
async fn costs_and_commissions_are_exported_only_to_staff() {
    let (server, store) = TestServer::with_store().await;
    let me = Person::customer_a();
    let cart = server.ready_cart(&me, &store, &store.mug, 1).await;
    server.complete(&me, &cart).await.ok();
    for statement in [
        format!(
            "insert into partner_offer (id, partner_id, code, code_key, landing_url, commission_type, commission_value,
                                        currency, created_at, updated_at)
             values ('poff_1', '{PARTNER_ID}', 'A', 'a', '/', 'percent', 0, 'gbp', 0, 0)"
        ),
        format!(
            "insert into partner_conversion (id, order_id, partner_id, offer_id, click_id, via, status, currency,
                 base_minor, commission_minor, terms, placed_at, due_at, decided_at, created_at, updated_at)
             select 'pconv_1', id, '{PARTNER_ID}', 'poff_1', 'pclk_1', 'click', 'pending', 'gbp', 0, 0, '{{}}', 0, 0, 0, 0, 0
               from orders"
        ),
    ] {
        server.sql(statement).await;
    }
    let path = format!("/admin/customers/{A}/export");
    let by_admin = server.get(&Person::admin(), &path).await.ok();
    let own = server.get(&me, "/store/customers/me/export").await.ok();

    for (table, column) in [
        ("orders", "cost_minor"),
        ("order_line", "unit_cost_minor"),
        ("partner_conversion", "commission_minor"),
    ] {
        assert!(by_admin["tables"][table][0].get(column).is_some(), "{table}");
        assert!(own["tables"][table][0].get(column).is_none(), "{table}");
    }
    let conversion = own["tables"]["partner_conversion"][0].as_object().expect("a conversion");
    let mut names: Vec<&str> = conversion.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["click_id", "created_at", "id", "order_id"]);
}
