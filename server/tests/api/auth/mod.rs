//! Registration, login, logout, sessions and password resets.

mod login;
mod passwords;
mod registration;
mod repetitions;
mod sessions;

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// Registers an e-mail address and returns the token.
pub(crate) async fn register(server: &TestServer, actor: &str, email: &str) -> String {
    let path = format!("/auth/{actor}/emailpass/register");
    let body = json!({ "email": email, "password": PASSWORD });
    token(&server.post(&Person::nobody(), &path, body).await.ok())
}

/// Registers a customer and returns the person and the token.
pub(crate) async fn customer(server: &TestServer, email: &str) -> (Person, String) {
    let secret = register(server, "customer", email).await;
    let person = Person::visitor().with_bearer(&secret);
    server.post(&person, "/store/customers", json!({ "email": email })).await.ok();
    (person, secret)
}

pub(crate) fn token(body: &Value) -> String {
    body["token"].as_str().expect("a token").to_owned()
}
