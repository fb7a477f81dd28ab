//! All sections at once, side by side.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use super::range::Board;
use super::{
    BoardQuery, RangeView, SalesChannelsBoard, SummaryBoard, UnfulfilledOrdersBoard,
    UnfulfilledProductsBoard,
};
use crate::database::Db;
use crate::http::HttpError;
use crate::metrics::{Library, MetricError};

/// Limit: how long a section may take.
const SECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a section is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({ "code": "TIMEOUT", "message": "The section took longer than 5 s" }))]
pub(crate) struct SectionError {
    /// A word for programs.
    pub(crate) code: &'static str,
    /// A sentence for people.
    pub(crate) message: String,
}

/// The whole dashboard; a section that failed is null, and says why in `section_errors`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CombinedBoard {
    /// What it is of.
    range: RangeView,
    /// The cards.
    summary: Option<SummaryBoard>,
    /// The channels.
    sales_channels: Option<SalesChannelsBoard>,
    /// The orders that wait.
    unfulfilled_orders: Option<UnfulfilledOrdersBoard>,
    /// What they wait for.
    unfulfilled_products: Option<UnfulfilledProductsBoard>,
    /// By section, why it is not there.
    section_errors: BTreeMap<&'static str, SectionError>,
}

/// All sections, read side by side, each with a time of its own. The card `unfulfilled_paid_orders` is the total of the
/// buckets beside it.
///
/// # Errors
/// [`MetricError::Range`] for a range that cannot be; when nothing can be read at all. A section that fails is no error.
pub(crate) async fn combined(
    db: &Db,
    library: &Library,
    query: BoardQuery,
) -> Result<CombinedBoard, MetricError> {
    let (shelves, asked) = (library.clone(), query.clone());
    let range = db.read::<_, MetricError>(move |tx| {
        Ok(RangeView::of(&Board::resolve(tx, &shelves, &asked)?))
    });
    let range = range.await?;
    let mut errors = BTreeMap::new();
    let (summary, channels, orders, products) = tokio::join!(
        bounded(super::summary(db, library, query.clone())),
        bounded(super::sales_channels(db, library, query.clone())),
        bounded(super::unfulfilled_orders(db, library, query.clone())),
        bounded(super::unfulfilled_products(db, library, query)),
    );
    let summary = kept("summary", summary, &mut errors);
    let sales_channels = kept("sales_channels", channels, &mut errors);
    let unfulfilled_orders = kept("unfulfilled_orders", orders, &mut errors);
    let unfulfilled_products = kept("unfulfilled_products", products, &mut errors);
    let summary = match (summary, &unfulfilled_orders) {
        (Some(summary), Some(orders)) => Some(summary.with_waiting(orders.total)),
        (summary, _) => summary,
    };
    Ok(CombinedBoard {
        range,
        summary,
        sales_channels,
        unfulfilled_orders,
        unfulfilled_products,
        section_errors: errors,
    })
}

/// A section within its time.
async fn bounded<T>(
    section: impl Future<Output = Result<T, MetricError>>,
) -> Result<T, SectionError> {
    match tokio::time::timeout(SECTION_TIMEOUT, section).await {
        Ok(Ok(section)) => Ok(section),
        Ok(Err(error)) => {
            let body = HttpError::from(error);
            Err(SectionError { code: "FAILED", message: body.message().to_owned() })
        }
        Err(_late) => {
            let seconds = SECTION_TIMEOUT.as_secs();
            let message = format!("The section took longer than {seconds} s");
            tracing::warn!(seconds, "a section of the dashboard took too long");
            Err(SectionError { code: "TIMEOUT", message })
        }
    }
}

fn kept<T>(
    name: &'static str,
    section: Result<T, SectionError>,
    errors: &mut BTreeMap<&'static str, SectionError>,
) -> Option<T> {
    section.map_err(|error| errors.insert(name, error)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_section_that_takes_too_long_or_fails_says_so_and_stops_nothing() {
        let late = bounded(std::future::pending::<Result<(), _>>()).await;
        assert_eq!(late.map_err(|error| error.code), Err("TIMEOUT"));
        let failed =
            bounded(async { Err::<(), _>(MetricError::Range("no such day".to_owned())) }).await;
        let mut errors = BTreeMap::new();
        assert_eq!(kept("summary", failed, &mut errors), None);
        assert_eq!(errors.get("summary").map(|error| error.message.as_str()), Some("no such day"));
    }
}
