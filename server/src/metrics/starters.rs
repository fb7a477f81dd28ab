//! Three metrics to begin with.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::edit::{self, Editor, NewMetric};
use super::metric::{FormattingRules, Metric};
use super::words::{Category, DataType, Scope, Visibility};
use super::{Library, MetricError};
use crate::database::Tx;

/// The name of a metric to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Starter {
    /// What a day sells, on average.
    ExampleDailyGmv,
    /// How many orders there are.
    ExampleOrdersCount,
    /// What an order is worth.
    ExampleAverageOrderValue,
}

impl Starter {
    /// All of them.
    pub(crate) const ALL: [Self; 3] =
        [Self::ExampleDailyGmv, Self::ExampleOrdersCount, Self::ExampleAverageOrderValue];

    const fn name(self) -> &'static str {
        match self {
            Self::ExampleDailyGmv => "example_daily_gmv",
            Self::ExampleOrdersCount => "example_orders_count",
            Self::ExampleAverageOrderValue => "example_average_order_value",
        }
    }

    fn metric(self) -> NewMetric {
        let (category, data_type, description, formula) = match self {
            Self::ExampleDailyGmv => (
                Category::Sales,
                DataType::Currency,
                "What a day sells on average, quiet days too.",
                "avg(sum(orders.total where status != 'canceled') per day)",
            ),
            Self::ExampleOrdersCount => (
                Category::Orders,
                DataType::Integer,
                "Orders that were not cancelled.",
                "count(orders where status != 'canceled')",
            ),
            Self::ExampleAverageOrderValue => (
                Category::Sales,
                DataType::Currency,
                "What an order is worth on average.",
                "avg(orders.total where status != 'canceled')",
            ),
        };
        NewMetric {
            name: self.name().to_owned(),
            description: Some(description.to_owned()),
            category,
            scope: Scope::Store,
            formula: formula.to_owned(),
            data_type,
            formatting_rules: FormattingRules::default(),
            dependencies: None,
            tags: vec!["example".to_owned()],
            org_id: None,
            owner_id: None,
            visibility: Visibility::Public,
            is_system: false,
        }
    }
}

/// Makes those of the metrics that are not there, and gives them. One that was removed stays removed.
///
/// # Errors
/// What speaks against a metric, as a placeholder of its key.
pub(crate) fn seed(
    tx: &Tx<'_>,
    library: &Library,
    starters: &[Starter],
    editor: &Editor,
) -> Result<Vec<Metric>, MetricError> {
    let mut made = Vec::new();
    for starter in starters {
        let shelf = library.shelf(tx)?;
        let name = starter.name();
        let is_there =
            |metric: &Metric| metric.key == name || metric.name.eq_ignore_ascii_case(name);
        if !shelf.metrics().values().any(is_there) {
            made.push(edit::create(tx, library, starter.metric(), editor)?);
        }
    }
    Ok(made)
}
