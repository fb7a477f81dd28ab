//! The parts below the tiles: best products, orders to be shipped, firing alerts.

use serde::Deserialize;
use serde_json::Value;

use crate::Pages;
use crate::client::target;
use crate::decimal;
use crate::figures;
use crate::page::Part;
use crate::range::Range;
use crate::visit::Visit;

/// The number of products listed.
const PRODUCTS: &str = "8";

/// The best products.
#[derive(Debug, Clone)]
pub(super) struct Products {
    pub(super) rows: Vec<ProductRow>,
    pub(super) count: String,
}

#[derive(Debug, Clone)]
pub(super) struct ProductRow {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) units: String,
    pub(super) net_sales: String,
    pub(super) share: String,
    /// The length of the bar, out of 100.
    pub(super) bar: i64,
}

#[derive(Debug, Deserialize)]
struct TopProducts {
    range: RangeAnswer,
    products: Vec<TopProduct>,
    count: u64,
}

#[derive(Debug, Deserialize)]
struct RangeAnswer {
    currency_code: String,
}

#[derive(Debug, Deserialize)]
struct TopProduct {
    product: ProductName,
    units: Value,
    net_sales: Value,
    share: Value,
}

#[derive(Debug, Deserialize)]
struct ProductName {
    id: Option<String>,
    title: String,
}

pub(super) async fn products(pages: &Pages, visit: &Visit, range: &Range) -> Part<Products> {
    let mut query = range.report().to_vec();
    query.push(("limit", PRODUCTS.to_owned()));
    let query: Vec<(&str, &str)> = query.iter().map(|(name, text)| (*name, &**text)).collect();
    let path = target("/admin/metrics/reports/top-products", &query);
    let answer: TopProducts = pages.client.get(&visit.origin, &path).await?;
    let sales = answer.products.iter().map(|product| decimal::read(&product.net_sales));
    let bars = figures::bars(&sales.collect::<Vec<_>>());
    let row = |(product, bar): (&TopProduct, i64)| ProductRow {
        id: product.product.id.clone().unwrap_or_default(),
        title: product.product.title.clone(),
        units: visit.store.locale.count(&product.units),
        net_sales: visit.store.money(&answer.range.currency_code, &product.net_sales),
        share: visit.store.locale.share(&product.share),
        bar,
    };
    let count = visit.store.locale.number(&answer.count.to_string());
    Ok(Products { rows: answer.products.iter().zip(bars).map(row).collect(), count })
}

/// Paid orders to be shipped, by age.
#[derive(Debug, Clone)]
pub(super) struct Unsent {
    pub(super) total: String,
    pub(super) value: String,
    pub(super) buckets: Vec<UnsentBucket>,
}

#[derive(Debug, Clone)]
pub(super) struct UnsentBucket {
    pub(super) label: String,
    pub(super) count: String,
    pub(super) value: String,
    pub(super) bar: i64,
    /// Whether these have waited for more than five days.
    pub(super) is_late: bool,
}

#[derive(Debug, Deserialize)]
struct UnfulfilledOrders {
    range: RangeAnswer,
    buckets: Vec<AgeBucket>,
    total: u64,
    total_value: Value,
}

#[derive(Debug, Deserialize)]
struct AgeBucket {
    key: String,
    label: String,
    count: u64,
    value: Value,
}

pub(super) async fn unsent(pages: &Pages, visit: &Visit) -> Part<Unsent> {
    let path = "/admin/metrics/dashboard/unfulfilled-orders?limit=1";
    let answer: UnfulfilledOrders = pages.client.get(&visit.origin, path).await?;
    let counts = answer.buckets.iter().map(|bucket| Some(bucket.count.into()));
    let bars = figures::bars(&counts.collect::<Vec<_>>());
    let code = &answer.range.currency_code;
    let bucket = |(bucket, bar): (&AgeBucket, i64)| UnsentBucket {
        label: bucket.label.clone(),
        count: visit.store.locale.number(&bucket.count.to_string()),
        value: visit.store.money(code, &bucket.value),
        bar,
        is_late: bucket.count > 0 && matches!(&*bucket.key, "6_10_days" | "over_10_days"),
    };
    Ok(Unsent {
        total: visit.store.locale.number(&answer.total.to_string()),
        value: visit.store.money(code, &answer.total_value),
        buckets: answer.buckets.iter().zip(bars).map(bucket).collect(),
    })
}

/// The firing alerts.
#[derive(Debug, Clone)]
pub(super) struct Firing {
    pub(super) alerts: Vec<FiringAlert>,
    /// The number of alerts.
    pub(super) watched: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct FiringAlert {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) severity: String,
    pub(super) condition: String,
    pub(super) last_fired_at: Option<String>,
}

#[derive(Debug, Deserialize)]
struct AlertsAnswer {
    alerts: Vec<FiringAlert>,
    count: u64,
}

pub(super) async fn firing(pages: &Pages, visit: &Visit) -> Part<Firing> {
    let (firing, all) = tokio::join!(
        pages
            .client
            .get::<AlertsAnswer>(&visit.origin, "/admin/metrics/alerts?state=firing&limit=10"),
        pages.client.get::<AlertsAnswer>(&visit.origin, "/admin/metrics/alerts?limit=1"),
    );
    let mut alerts = firing?.alerts;
    for alert in &mut alerts {
        alert.last_fired_at = alert.last_fired_at.as_deref().map(|at| visit.store.moment(at));
    }
    Ok(Firing { alerts, watched: all?.count })
}
