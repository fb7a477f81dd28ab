//! Admins and invitations.

use quotient_server::users;
use serde_json::{Value, json};

use crate::auth::{PASSWORD, register, token};
use crate::harness::{Person, TestServer};

const ADMIN: &str = "/admin/users/user_01JD2Q8Z5M6T3W9XKCV4B7N001";
const VIEWER: &str = "/admin/users/user_01JD2Q8Z5M6T3W9XKCV4B7N003";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

async fn invite(server: &TestServer, email: &str, role: &str) -> Value {
    let body = json!({ "email": email, "role": role });
    server.post(&Person::admin(), "/admin/invites", body).await.ok()["invite"].clone()
}

fn accept(invite: &Value) -> String {
    format!("/admin/invites/accept?token={}", invite["token"].as_str().expect("a token"))
}

#[tokio::test]
async fn an_admin_sees_their_own_account_and_a_key_has_none() {
    let server = TestServer::empty().await;

    let me = server.get(&Person::analyst(), "/admin/users/me").await.ok();

    assert_eq!(me["user"]["role"], "analyst");
    assert_eq!(server.get(&Person::program(), "/admin/users/me").await.status, 404);
    assert_eq!(server.get(&Person::viewer(), "/admin/users?role=viewer").await.ok()["count"], 1);
}

#[tokio::test]
async fn an_invited_user_registers_accepts_and_logs_in() {
    let server = TestServer::empty().await;
    let invited = invite(&server, "Grace@example.com", "analyst").await;
    let secret = register(&server, "user", "grace@example.com").await;
    let grace = Person::nobody().with_bearer(&secret);
    assert_eq!(server.get(&grace, "/admin/users/me").await.status, 401);

    let body = json!({ "first_name": "Grace" });
    let made = server.post(&grace, &accept(&invited), body).await.ok();

    assert_eq!(
        (&made["user"]["role"], &made["user"]["first_name"]),
        (&json!("analyst"), &json!("Grace"))
    );
    let body = json!({ "email": "grace@example.com", "password": PASSWORD });
    let secret = token(&server.post(&Person::nobody(), "/auth/user/emailpass", body).await.ok());
    let grace = Person::nobody().with_bearer(&secret);
    assert_eq!(server.get(&grace, "/admin/users/me").await.ok()["user"]["id"], made["user"]["id"]);
    let write = json!({ "email": "x@example.com" });
    assert_eq!(server.post(&grace, "/admin/customers", write).await.status, 403);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_invitation_is_for_one_address_one_use_and_seven_days() {
    let server = TestServer::empty().await;
    let invited = invite(&server, "grace@example.com", "viewer").await;
    let eve = Person::nobody().with_bearer(&register(&server, "user", "eve@example.com").await);
    let grace = register(&server, "user", "grace@example.com").await;
    let grace = Person::nobody().with_bearer(&grace);

    let message = server.post(&eve, &accept(&invited), json!({})).await.refused(400);
    assert_eq!(message, "The invite is for another e-mail address");
    let again = format!("/admin/invites/{}/resend", invited["id"].as_str().expect("an id"));
    let resent = server.post(&Person::admin(), &again, json!({})).await.ok()["invite"].clone();
    server.post(&grace, &accept(&invited), json!({})).await.refused(400);
    server.post(&grace, &accept(&resent), json!({})).await.ok();
    server.post(&grace, &accept(&resent), json!({})).await.refused(400);

    let late = invite(&server, "late@example.com", "viewer").await;
    server.clock.advance(7 * DAY_MS);
    let person = Person::nobody().with_bearer(&register(&server, "user", "late@example.com").await);
    let message = server.post(&person, &accept(&late), json!({})).await.refused(400);
    assert_eq!(message, "The invite token is invalid or expired");
}

#[tokio::test]
async fn an_invitations_token_is_shown_when_it_is_made_and_never_again() {
    let server = TestServer::empty().await;
    let invited = invite(&server, "grace@example.com", "viewer").await;
    let path = format!("/admin/invites/{}", invited["id"].as_str().expect("an id"));

    let view = server.get(&Person::admin(), &path).await.ok();
    let listed = server.get(&Person::admin(), "/admin/invites").await.ok();

    assert_eq!(view["invite"].get("token"), None);
    assert_eq!(listed["invites"][0].get("token"), None);
    let twice = json!({ "email": "grace@example.com" });
    let message = server.post(&Person::admin(), "/admin/invites", twice).await.refused(422);
    assert_eq!(message, "Invite with email: grace@example.com, already exists.");
    server.delete(&Person::admin(), &path).await.ok();
    assert_eq!(server.delete(&Person::admin(), &path).await.status, 404);
}

#[tokio::test]
async fn registering_the_address_of_a_future_admin_does_not_take_it_over() {
    let server = TestServer::empty().await;
    let first = Person::nobody().with_bearer(&register(&server, "user", "grace@example.com").await);

    let address = "grace@example.com";
    let created = server.db.write(|tx| users::create_admin(tx, address, "her own words".into()));
    created.await.expect("an admin");

    let login = json!({ "email": "grace@example.com", "password": "her own words" });
    let reply = server.post(&Person::nobody(), "/auth/user/emailpass", login).await.ok();
    let grace = Person::nobody().with_bearer(&token(&reply));
    assert_eq!(server.get(&grace, "/admin/users/me").await.ok()["user"]["role"], "admin");
    assert_eq!(server.get(&first, "/admin/users/me").await.status, 401);
    let again = server.db.write(|tx| users::create_admin(tx, address, "other words".into()));
    let refused = again.await.expect_err("she is an admin already");
    assert_eq!(refused.to_string(), "User with email: grace@example.com, already exists.");
}

#[tokio::test]
async fn an_invitation_mail_has_its_own_token_and_is_sent_until_it_is_accepted() {
    let (server, mut office) = TestServer::with_post_office(1).await;
    let invited = invite(&server, "grace@example.com", "viewer").await;
    let shown = invited["token"].as_str().expect("a token");
    let mut mailed = Vec::new();
    for _ in 0..2 {
        server.work().await;
        server.clock.advance(60 * 1000);
        let message = office.next().await;
        assert_eq!(message.to, ["TO:<grace@example.com>"]);
        let (_, rest) = message.text.split_once("inv_").expect("a token");
        let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        mailed.push(format!("inv_{digits}"));
    }
    for token in [shown, &mailed[0], &mailed[1]] {
        server.assert_not_at_rest(token).await;
    }

    let grace = register(&server, "user", "grace@example.com").await;
    let grace = Person::nobody().with_bearer(&grace);
    let accept = |token: &str| format!("/admin/invites/accept?token={token}");
    server.post(&grace, &accept(&mailed[0]), json!({})).await.refused(400);
    server.post(&grace, &accept(&mailed[1]), json!({})).await.ok();
    server.post(&grace, &accept(shown), json!({})).await.refused(400);

    server.work().await;
    assert!(office.is_quiet(), "an accepted invitation is not sent again");
}

#[tokio::test]
async fn a_changed_role_and_a_deletion_count_at_once() {
    let server = TestServer::empty().await;
    let write = json!({ "name": "Trade" });
    assert_eq!(
        server.post(&Person::viewer(), "/admin/customer-groups", write.clone()).await.status,
        403
    );

    server.post(&Person::admin(), VIEWER, json!({ "role": "admin" })).await.ok();
    server.post(&Person::viewer(), "/admin/customer-groups", write).await.ok();
    server.delete(&Person::admin(), VIEWER).await.ok();

    assert_eq!(server.get(&Person::viewer(), "/admin/users/me").await.status, 401);
}

#[tokio::test]
async fn the_last_admin_keeps_the_role() {
    let server = TestServer::empty().await;
    let message = "The last admin cannot be deleted or be given another role";

    let demoted = server.post(&Person::admin(), ADMIN, json!({ "role": "viewer" })).await;
    assert_eq!(demoted.refused(400), message);
    assert_eq!(server.delete(&Person::program(), ADMIN).await.refused(400), message);

    server.post(&Person::admin(), VIEWER, json!({ "role": "admin" })).await.ok();
    server.delete(&Person::admin(), ADMIN).await.ok();
    assert_eq!(server.get(&Person::admin(), "/admin/users/me").await.status, 401);
}
