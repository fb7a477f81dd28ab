//! Content of storefronts: sites, settings, banners, pages and sections of product pages.

mod banners;
mod bundles;
mod membership;
mod oauth;
mod pages;
mod sections;
mod settings;
mod sites;

use serde_json::Value;

/// Returns a response header as text.
fn header<'r>(reply: &'r crate::harness::Reply, name: &str) -> &'r str {
    reply.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns the id of a resource in a body.
fn id_of(body: &Value, key: &str) -> String {
    body[key]["id"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
}
