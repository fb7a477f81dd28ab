//! The SQL of sales channels.

use crate::database::{Error, Link, Tx};
use crate::ids::SalesChannelId;

/// The products of channels.
pub(crate) const PRODUCTS: Link =
    Link::new("product_sales_channel", "sales_channel_id", "product_id");

/// Returns the oldest enabled channel.
pub(crate) fn oldest(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    tx.sql(
        "select id from sales_channel
          where deleted_at is null and is_disabled = 0
          order by created_at, id
          limit 1",
    )
    .first([], |row| row.get(0))
}
