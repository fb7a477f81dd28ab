//! The admin pages, as a browser requests them.

mod alerts_and_reports;
mod bulk;
mod counted;
mod ground;
mod groupings;
mod health;
mod locale;
mod metrics;
mod names;
mod opening;
mod overview;
mod partners;
mod records;
mod running;
mod selling;
mod sorting;
mod steps;
mod subscriptions;
mod used;
mod weight;
mod workbench;

use axum::body::Body;
use axum::http::{HeaderMap, Request};

use crate::harness::{Person, TestServer};

/// A browser with a session.
struct Browser<'a> {
    server: &'a TestServer,
    cookie: String,
}

/// What a browser gets.
#[derive(Debug)]
struct Shown {
    status: u16,
    headers: HeaderMap,
    html: String,
}

impl<'a> Browser<'a> {
    /// Opens a session for a person.
    async fn of(server: &'a TestServer, person: &Person) -> Self {
        let opened = server.post(person, "/auth/session", serde_json::json!({})).await;
        let header = opened.headers["set-cookie"].to_str().expect("text");
        let cookie = header.split(';').next().expect("a cookie").to_owned();
        Self { server, cookie }
    }

    /// Returns a browser without a session.
    fn stranger(server: &'a TestServer) -> Self {
        Self { server, cookie: String::new() }
    }

    async fn get(&self, path: &str) -> Shown {
        self.send("GET", path, &[], "").await
    }

    /// Returns a page that must be there.
    async fn page(&self, path: &str) -> String {
        let shown = self.get(path).await;
        assert_eq!(shown.status, 200, "{path}: {}", shown.html);
        shown.html
    }

    /// Sends a form with the token of a page, as a page of this server does.
    async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Shown {
        let page = self.page("/app").await;
        self.submit_from(&page, path, fields).await
    }

    /// Sends a form with the token of this page.
    async fn submit_from(&self, page: &str, path: &str, fields: &[(&str, &str)]) -> Shown {
        let token = between(page, "name=\"token\" value=\"", "\"").expect("a token");
        let with_token = [&[("token", token)], fields].concat();
        self.send("POST", path, &[("sec-fetch-site", "same-origin")], &encoded(&with_token)).await
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Shown {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("accept", "text/html").header("host", "shop.example");
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        if !body.is_empty() {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let reply = self.server.send(request).await;
        let html = reply.body.as_str().map_or_else(|| reply.body.to_string(), str::to_owned);
        Shown { status: reply.status, headers: reply.headers, html }
    }
}

impl Shown {
    fn location(&self) -> &str {
        self.headers.get("location").map_or("", |value| value.to_str().expect("text"))
    }
}

/// Returns fields as a form sends them.
fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once(end).map(|(own, _)| own)
}

/// Returns a text as pages write it.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
    text.replace('"', "&#34;").replace('\'', "&#39;")
}
