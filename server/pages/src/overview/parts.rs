//! The parts below the tiles: best products, orders to be shipped, firing alerts.

use serde::Deserialize;
use serde_json::Value;

use crate::client::target;
use crate::decimal;
use crate::figures;
use crate::page::Part;
use crate::range::Range;
use crate::visit::Visit;

/// The number of products listed.
const PRODUCTS: &str = "8";

#[derive(Debug, Deserialize)]
pub(super) struct TopProducts {
    pub(super) range: RangeAnswer,
    pub(super) products: Vec<TopProduct>,
    pub(super) count: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct RangeAnswer {
    pub(super) currency_code: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct TopProduct {
    pub(super) product: ProductName,
    pub(super) units: Value,
    pub(super) net_sales: Value,
    pub(super) share: Value,
    /// The length of the bar, out of 100.
    #[serde(skip)]
    pub(super) bar: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct ProductName {
    pub(super) id: Option<String>,
    pub(super) title: String,
}

pub(super) async fn products(visit: &Visit, range: &Range) -> Part<TopProducts> {
    let mut query = range.report().to_vec();
    query.push(("limit", PRODUCTS.to_owned()));
    let path = target("/admin/metrics/reports/top-products", &query);
    let mut answer: TopProducts = visit.api.get(&path).await?;
    let sales = answer.products.iter().map(|product| decimal::read(&product.net_sales));
    let bars = figures::bars(&sales.collect::<Vec<_>>());
    for (product, bar) in answer.products.iter_mut().zip(bars) {
        product.bar = bar;
    }
    Ok(answer)
}

/// Paid orders to be shipped, by age.
#[derive(Debug, Deserialize)]
pub(super) struct Unsent {
    pub(super) range: RangeAnswer,
    pub(super) buckets: Vec<UnsentBucket>,
    pub(super) total: Value,
    pub(super) total_value: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct UnsentBucket {
    key: String,
    pub(super) label: String,
    pub(super) count: u64,
    pub(super) value: Value,
    #[serde(skip)]
    pub(super) bar: i64,
}

impl UnsentBucket {
    /// Returns whether these have waited for more than five days.
    pub(super) fn is_late(&self) -> bool {
        self.count > 0 && matches!(&*self.key, "6_10_days" | "over_10_days")
    }
}

pub(super) async fn unsent(visit: &Visit) -> Part<Unsent> {
    let path = "/admin/metrics/dashboard/unfulfilled-orders?limit=1";
    let mut answer: Unsent = visit.api.get(path).await?;
    let counts = answer.buckets.iter().map(|bucket| Some(bucket.count.into()));
    let bars = figures::bars(&counts.collect::<Vec<_>>());
    for (bucket, bar) in answer.buckets.iter_mut().zip(bars) {
        bucket.bar = bar;
    }
    Ok(answer)
}

#[derive(Debug, Deserialize)]
pub(super) struct Firing {
    pub(super) alerts: Vec<FiringAlert>,
    /// The number of alerts, firing or not.
    #[serde(rename = "count")]
    pub(super) watched: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct FiringAlert {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) severity: String,
    pub(super) condition: String,
    pub(super) last_fired_at: Option<String>,
}

pub(super) async fn firing(visit: &Visit) -> Part<Firing> {
    let (firing, watched) = tokio::join!(
        visit.api.get::<Firing>("/admin/metrics/alerts?state=firing&limit=10"),
        visit.api.get_at("/admin/metrics/alerts?limit=1", "/count"),
    );
    let firing = firing?;
    Ok(Firing { watched: watched?, ..firing })
}
