//! A client: a persistent connection, and the headers of a storefront or an administrator.

use serde_json::Value;
use ureq::Agent;

use super::Process;
use super::process::Keys;
use crate::Failure;

/// A client of the server; its clones have connections of their own.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    url: String,
    keys: Keys,
}

impl Clone for Client {
    fn clone(&self) -> Self {
        Self { agent: agent(), url: self.url.clone(), keys: self.keys.clone() }
    }
}

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).build().into()
}

impl Client {
    /// Creates a client of a running server.
    pub fn new(server: &Process, keys: &Keys) -> Self {
        Self { agent: agent(), url: server.url.clone(), keys: keys.clone() }
    }

    /// Returns the response body of a GET.
    ///
    /// # Errors
    /// If the status is not 200.
    pub fn get(&self, path: &str) -> Result<Value, Failure> {
        let request = self
            .agent
            .get(format!("{}{path}", self.url))
            .header("x-publishable-api-key", &self.keys.publishable)
            .header("authorization", format!("Bearer {}", self.keys.secret));
        answer(path, request.call()?)
    }

    /// Returns the response body of a POST by an administrator.
    ///
    /// # Errors
    /// If the status is not a success.
    pub fn post_as_admin(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.keys.secret))
            .header("content-type", "application/json");
        answer(path, request.send(body.to_string())?)
    }

    /// Returns the response body of a POST by a storefront.
    ///
    /// # Errors
    /// If the status is not 200.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("x-publishable-api-key", &self.keys.publishable)
            .header("content-type", "application/json");
        answer(path, request.send(body.to_string())?)
    }
}

fn answer(path: &str, response: ureq::http::Response<ureq::Body>) -> Result<Value, Failure> {
    let status = response.status();
    let body = response.into_body().read_to_vec()?;
    if !status.is_success() {
        return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    Ok(serde_json::from_slice(&body)?)
}
