//! Schema migrations: files that are only ever added, run once each, in order, in one transaction.

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

/// All migrations in order; the number of the last one is the schema version.
pub const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_store.sql"),
    include_str!("../../migrations/0002_metrics.sql"),
    include_str!("../../migrations/0003_subscriptions.sql"),
    include_str!("../../migrations/0004_subscription_metrics.sql"),
    include_str!("../../migrations/0005_content.sql"),
    include_str!("../../migrations/0006_visitors.sql"),
    include_str!("../../migrations/0007_flows.sql"),
    include_str!("../../migrations/0008_partners.sql"),
    include_str!("../../migrations/0009_pages.sql"),
    include_str!("../../migrations/0010_payments.sql"),
    include_str!("../../migrations/0011_alerts.sql"),
    include_str!("../../migrations/0012_reports.sql"),
    include_str!("../../migrations/0013_customers.sql"),
    include_str!("../../migrations/0014_search.sql"),
    include_str!("../../migrations/0015_locale.sql"),
    include_str!("../../migrations/0016_event_keys.sql"),
    include_str!("../../migrations/0017_audit_order.sql"),
    include_str!("../../migrations/0018_checkout_settings.sql"),
    include_str!("../../migrations/0019_levels_of_deleted_locations.sql"),
    include_str!("../../migrations/0020_stock_of_archived_orders.sql"),
    include_str!("../../migrations/0021_short_searches.sql"),
    include_str!("../../migrations/0022_goodwill.sql"),
    include_str!("../../migrations/0023_untouched_carts.sql"),
    include_str!("../../migrations/0024_taxes_of_regions.sql"),
    include_str!("../../migrations/0025_bodies_and_charges.sql"),
    include_str!("../../migrations/0026_replayed_headers.sql"),
    include_str!("../../migrations/0027_requested_credit.sql"),
    include_str!("../../migrations/0028_shown_categories.sql"),
    include_str!("../../migrations/0029_unfulfilled_orders.sql"),
];

/// Migrates the file to this program's schema, or leaves it unchanged.
pub(super) fn run(connection: &mut Connection) -> Result<(), Error> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let found = version(&tx)?;
    for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        tx.execute_batch(migration)?;
    }
    tx.pragma_update(None, "user_version", latest())?;
    tx.commit()?;
    Ok(())
}

/// Checks that the file has this program's schema. Writes nothing.
///
/// # Errors
/// Those of [`version`]; [`Error::Older`] if an older program wrote the file.
pub(super) fn check(connection: &Connection) -> Result<(), Error> {
    let (found, known) = (version(connection)?, latest());
    if found < known { Err(Error::Older { found, known }) } else { Ok(()) }
}

fn latest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Returns the schema version of the file; 0 for an empty one.
///
/// # Errors
/// [`Error::Newer`] if a newer program wrote the file; [`Error::Foreign`] if another program did.
fn version(connection: &Connection) -> Result<i64, Error> {
    let found: i64 = connection.query_row("pragma user_version", [], |row| row.get(0))?;
    if found > latest() {
        return Err(Error::Newer { found, known: latest() });
    }
    let has_tables = "select exists (select 1 from sqlite_schema)";
    if found == 0 && connection.query_row(has_tables, [], |row| row.get(0))? {
        return Err(Error::Foreign);
    }
    Ok(found)
}
