//! Default metrics: three optional ones for a new store.

use serde::{Deserialize, Serialize};

use super::edit::{self, Editor, NewMetric};
use super::metric::Metric;
use super::vocabulary::{Category, DataType};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::{MetricError, MetricRegistry};

/// The name of a default metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum DefaultMetric {
    /// The average sales of a day.
    #[serde(rename = "example_daily_gmv")]
    DailyGmv,
    /// The number of orders.
    #[serde(rename = "example_orders_count")]
    OrdersCount,
    /// The average value of an order.
    #[serde(rename = "example_average_order_value")]
    AverageOrderValue,
}

impl DefaultMetric {
    pub(crate) const ALL: [Self; 3] = [Self::DailyGmv, Self::OrdersCount, Self::AverageOrderValue];

    const fn name(self) -> &'static str {
        match self {
            Self::DailyGmv => "example_daily_gmv",
            Self::OrdersCount => "example_orders_count",
            Self::AverageOrderValue => "example_average_order_value",
        }
    }

    fn metric(self) -> NewMetric {
        let (category, data_type, description, formula) = match self {
            Self::DailyGmv => (
                Category::Sales,
                DataType::Currency,
                "What a day sells on average, quiet days too.",
                "avg(sum(orders.total where status != 'canceled') per day)",
            ),
            Self::OrdersCount => (
                Category::Orders,
                DataType::Integer,
                "Orders that were not cancelled.",
                "count(orders where status != 'canceled')",
            ),
            Self::AverageOrderValue => (
                Category::Sales,
                DataType::Currency,
                "What an order is worth on average.",
                "avg(orders.total where status != 'canceled')",
            ),
        };
        NewMetric {
            description: Some(description.to_owned()),
            tags: vec!["example".to_owned()],
            ..NewMetric::new(self.name(), category, formula, data_type)
        }
    }
}

/// Creates and returns the default metrics that do not exist. A removed one stays removed.
pub(crate) fn seed(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    default_metrics: &[DefaultMetric],
    editor: &Editor,
) -> Result<Vec<Metric>, MetricError> {
    let mut created = Vec::new();
    for default_metric in default_metrics {
        let snapshot = registry.snapshot(tx)?;
        let name = default_metric.name();
        let is_there =
            |metric: &Metric| metric.key == name || metric.name.eq_ignore_ascii_case(name);
        if !snapshot.metrics().values().any(is_there) {
            created.push(edit::create(tx, registry, default_metric.metric(), editor)?);
        }
    }
    Ok(created)
}
