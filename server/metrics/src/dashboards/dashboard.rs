//! The whole dashboard: all sections, read concurrently.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::{
    Cards, SalesChannelsSection, SummarySection, UnfulfilledOrdersSection,
    UnfulfilledProductsSection,
};
use crate::MetricError;
use crate::compute::Evaluator;
use crate::compute::range::{RangeQuery, RangeView, ResolvedRange};
use crate::database::{self, Db, Tx};
use crate::http::{HttpError, ToSchema};

/// Limit: the time of one section.
const SECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a section is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({ "code": "TIMEOUT", "message": "The section took longer than 5 s" }))]
pub(crate) struct SectionError {
    /// The stable error code.
    pub code: &'static str,
    pub message: String,
}

/// The whole dashboard; a section that failed is null and has an entry in `section_errors`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DashboardView {
    range: RangeView,
    summary: Option<SummarySection>,
    sales_channels: Option<SalesChannelsSection>,
    unfulfilled_orders: Option<UnfulfilledOrdersSection>,
    unfulfilled_products: Option<UnfulfilledProductsSection>,
    /// The errors of failed sections, by section.
    section_errors: BTreeMap<&'static str, SectionError>,
}

/// Reads all sections concurrently, each with its own timeout. The card `unfulfilled_paid_orders` is the total of the
/// section with the orders.
///
/// # Errors
/// [`MetricError::Range`] for an invalid range; a database error if nothing can be read. A section that fails is no
/// error.
pub(crate) async fn dashboard(
    db: &Db,
    evaluator: &Evaluator,
    (query, cards): (RangeQuery, Cards),
) -> Result<DashboardView, MetricError> {
    let (own, range_query) = (evaluator.clone(), query.clone());
    let range = db.read::<_, MetricError>(move |tx| {
        Ok(RangeView::of(&ResolvedRange::of_dashboard(tx, &own, &range_query)?))
    });
    let range = range.await?;
    let mut errors = BTreeMap::new();
    let summary = move |tx: &Tx<'_>, range: &ResolvedRange| super::summary::read(tx, range, &cards);
    let (summary, channels, orders, products) = tokio::join!(
        bounded((db, evaluator), SECTION_TIMEOUT, &query, summary),
        bounded((db, evaluator), SECTION_TIMEOUT, &query, super::channels::read),
        bounded((db, evaluator), SECTION_TIMEOUT, &query, super::unfulfilled::orders),
        bounded((db, evaluator), SECTION_TIMEOUT, &query, super::unfulfilled::products),
    );
    let summary = or_error("summary", summary, &mut errors);
    let sales_channels = or_error("sales_channels", channels, &mut errors);
    let unfulfilled_orders = or_error("unfulfilled_orders", orders, &mut errors);
    let unfulfilled_products = or_error("unfulfilled_products", products, &mut errors);
    let summary = match (summary, &unfulfilled_orders) {
        (Some(summary), Some(orders)) => Some(summary.with_unfulfilled(orders.total)),
        (summary, _) => summary,
    };
    Ok(DashboardView {
        range,
        summary,
        sales_channels,
        unfulfilled_orders,
        unfulfilled_products,
        section_errors: errors,
    })
}

/// Reads a section in its own snapshot and task, with the timeout.
async fn bounded<T: Send + 'static>(
    (db, evaluator): (&Db, &Evaluator),
    timeout: Duration,
    query: &RangeQuery,
    section: impl FnOnce(&Tx<'_>, &ResolvedRange) -> Result<T, MetricError> + Send + 'static,
) -> Result<T, SectionError> {
    let (evaluator, query) = (evaluator.clone(), query.clone());
    let read = db.read_within(timeout, move |tx| {
        section(tx, &ResolvedRange::of_dashboard(tx, &evaluator, &query)?)
    });
    read.await.map_err(|error| {
        if matches!(error, MetricError::Db(database::Error::Late)) {
            let seconds = timeout.as_secs();
            let message = format!("The section took longer than {seconds} s");
            tracing::warn!(seconds, "a section of the dashboard took too long");
            return SectionError { code: "TIMEOUT", message };
        }
        let body = HttpError::from(error);
        SectionError { code: "FAILED", message: body.message().to_owned() }
    })
}

fn or_error<T>(
    name: &'static str,
    section: Result<T, SectionError>,
    errors: &mut BTreeMap<&'static str, SectionError>,
) -> Option<T> {
    section.map_err(|error| errors.insert(name, error)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::testing;

    /// A statement that never ends.
    fn endless(tx: &Tx<'_>, _range: &ResolvedRange) -> Result<i64, MetricError> {
        let sql = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
        let counted = tx.query_row(sql, [], |row| row.get(0));
        Ok(counted.map_err(database::Error::from)?)
    }

    fn failing(_tx: &Tx<'_>, _range: &ResolvedRange) -> Result<i64, MetricError> {
        Err(MetricError::Range("no such day".to_owned()))
    }

    fn sound(tx: &Tx<'_>, _range: &ResolvedRange) -> Result<i64, MetricError> {
        let seven = tx.query_row("select 7", [], |row| row.get(0));
        Ok(seven.map_err(database::Error::from)?)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_or_failing_section_says_so_and_delays_no_other() {
        let clock = Clock::fixed(testing::NOON);
        // One reader per section, so that no section waits for another.
        let options = database::Options { reader_count: 4, ..testing::options(&clock) };
        let db = Db::open(&options).unwrap();
        let (place, query) = ((&db, &Evaluator::default()), RangeQuery::default());
        let timeout = Duration::from_secs(1);

        let (late, failed, sound) = tokio::join!(
            bounded(place, timeout, &query, endless),
            bounded(place, timeout, &query, failing),
            bounded(place, timeout, &query, sound),
        );

        let mut errors = BTreeMap::new();
        assert_eq!(or_error("summary", late, &mut errors), None);
        assert_eq!(or_error("sales_channels", failed, &mut errors), None);
        assert_eq!(or_error("unfulfilled_orders", sound, &mut errors), Some(7));
        let codes: Vec<_> = errors.iter().map(|(name, error)| (*name, error.code)).collect();
        assert_eq!(codes, [("sales_channels", "FAILED"), ("summary", "TIMEOUT")]);
    }
}
