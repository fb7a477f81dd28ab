//! The content of a storefront, as its pages ask for it: banners, a page, a site, settings and the sections of a product.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::routes::text;
use super::{Client, in_order, median, shown};
use crate::Failure;

/// The goal for the median.
const GOAL: Duration = Duration::from_millis(5);

/// Banners, and sections of a product.
const COUNT: usize = 20;

/// Letters of a page.
const LETTERS: usize = 10_000;

/// Writes content into a store, asks for it in many rounds, and prints the times.
///
/// # Errors
/// If something is refused.
#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn measure(client: &Client, rounds: usize) -> Result<(), Failure> {
    let paths = write(client)?;
    println!("\n| content | median | slowest | goal | met |\n|---|--:|--:|--:|---|");
    for path in paths {
        client.get(&path)?;
        let times = in_order(rounds, || {
            let start = Instant::now();
            client.get(&path)?;
            Ok(start.elapsed())
        })?;
        let median = median(&times);
        let slowest = times.last().copied().unwrap_or_default();
        let met = if median <= GOAL { "yes" } else { "no" };
        println!("| {path} | {} | {} | {} | {met} |", shown(median), shown(slowest), shown(GOAL));
    }
    Ok(())
}

/// Writes content; returns the paths that show it.
fn write(client: &Client) -> Result<[String; 6], Failure> {
    for number in 0..COUNT {
        let title = format!("Banner {number}");
        client.post_as_admin(
            "/admin/banners",
            &json!({ "title": title, "starts_at": "2020-01-01T00:00:00Z" }),
        )?;
    }
    let body = "x".repeat(LETTERS);
    let page = json!({ "slug": "about", "title": "About", "status": "published", "body": body });
    client.post_as_admin("/admin/content-pages", &page)?;
    let channels = client.get("/admin/sales-channels?limit=1")?;
    let channel = text(&channels, "/sales_channels/0/id")?;
    let site = json!({ "handle": "main", "domain": "shop.example", "name": "Main", "locale": "en",
        "sales_channel_id": channel });
    client.post_as_admin("/admin/sites", &site)?;
    let settings = json!({ "sales_channel_id": channel, "analytics": { "provider": "quotient" },
        "custom": { "notice": "Closed on Monday." } });
    client.post_as_admin("/admin/storefront-settings", &settings)?;
    let product = text(&client.get("/store/products?limit=1&fields=id")?, "/products/0/id")?;
    let section = |number| json!({ "type": "text", "title": "Care", "content": "x".repeat(500), "position": number });
    let sections: Vec<Value> = (0..COUNT).map(section).collect();
    let metadata = json!({ "metadata": { "pdp_sections": sections } });
    client.post_as_admin(&format!("/admin/products/{product}"), &metadata)?;
    Ok([
        "/store/banners".to_owned(),
        "/store/content-pages?slug=about".to_owned(),
        "/store/sites/by-domain?domain=shop.example".to_owned(),
        "/store/custom".to_owned(),
        "/store/analytics/config".to_owned(),
        format!("/store/products/{product}/pdp-sections"),
    ])
}
