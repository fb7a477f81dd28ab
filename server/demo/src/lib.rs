//! The demo store: thirteen months of a real shop's invoices, converted to a store that sells today.
//!
//! The data is exact to the penny; what it lacks (names, costs, stock, parcels) is generated from fixed seeds, so that
//! the same day results in the same store. All dates are shifted so that the last one is yesterday. Loading is one
//! transaction: an interrupted start leaves an empty database. Start at [`load`]; [`Accounts`] shows how each line of
//! the data is used.

mod build;
mod calendar;
mod error;
mod goods;
mod people;
mod plan;
mod progress;
mod queries;
mod seed;
mod source;
mod summary;

#[cfg(test)]
mod tests;

pub use error::DemoError;
pub use plan::{Account, Accounts};
pub use summary::Summary;

use crate::database::Db;
pub(crate) use quotient_foundation::{
    auth, clock, database, http, ids, metadata, money, proportion,
};
pub(crate) use quotient_merchandising::{catalog, inventory, pricing, regions, shipping, taxes};
pub(crate) use quotient_sales::{
    cart, customers, fulfillment, orders, payments, promotions, returns, statuses,
};

use build::Work;
use calendar::Calendar;
use goods::Goods;
use plan::Plan;
use progress::Progress;
use seed::Seed;

/// The part of the data to load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The first invoices and their products.
    Invoices(usize),
    /// The best-selling products of the first invoices, without orders.
    Products(usize),
}

/// The number of invoices to read for products when no orders are loaded.
const SAMPLE_INVOICES: usize = 200;

/// The options of the demo store.
#[derive(Debug, Clone)]
pub struct DemoOptions {
    /// The part of the data to load.
    pub extent: Extent,
    /// Whether to keep the dates of the data.
    pub keep_dates: bool,
    /// The store's time zone, an IANA name.
    pub time_zone: String,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self { extent: Extent::Whole, keep_dates: false, time_zone: "UTC".to_owned() }
    }
}

/// Returns whether a database has no store yet, so that the demo store may be loaded.
pub async fn is_empty(db: &Db) -> Result<bool, database::Error> {
    db.read(queries::is_empty).await
}

/// Loads the demo store into an empty database, all or nothing.
///
/// # Errors
/// [`DemoError::NotEmpty`] if the database already has a store; errors of the database and the domains.
pub async fn load(db: &Db, options: &DemoOptions) -> Result<Summary, DemoError> {
    if !is_empty(db).await? {
        return Err(DemoError::NotEmpty);
    }
    let DemoOptions { extent, keep_dates, time_zone } = options.clone();
    db.write(move |tx| {
        let (invoices, products) = match extent {
            Extent::Whole => (None, usize::MAX),
            Extent::Invoices(count) => (Some(count), usize::MAX),
            Extent::Products(count) => (Some(SAMPLE_INVOICES), count),
        };
        let source = source::read(invoices)?;
        let goods = Goods::read(&source, products)?;
        let calendar = Calendar::new(&time_zone, tx.now(), keep_dates)?;
        let plan = match extent {
            Extent::Whole | Extent::Invoices(_) => plan::plan(&source, &goods, &calendar)?,
            Extent::Products(_) => Plan::default(),
        };
        let steps = u64::try_from(plan.orders.len()).unwrap_or(0).saturating_mul(2);
        let progress = Progress::of(steps);
        let work = Work { source, goods, plan, calendar, zone: time_zone, progress };
        // Midnight, so that the same day gives the same ids.
        let ids_at_ms = work.calendar.ends().as_millis();
        let bits = Seed::of("ids", 1).ids();
        let summary = ids::within(ids_at_ms, bits, || build::write(tx, &work));
        work.progress.finish();
        summary
    })
    .await
}
