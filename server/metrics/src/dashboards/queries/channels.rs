//! Queries for the sales channels of dashboards.

use crate::database::{self, FromRow, Tx};

#[derive(Debug, Clone, FromRow)]
pub(crate) struct ChannelRow {
    pub id: String,
    pub name: String,
    pub(crate) is_deleted: bool,
}

/// Returns every sales channel by name, including deleted ones.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<ChannelRow>, database::Error> {
    tx.sql("select id, name, deleted_at is not null as is_deleted from sales_channel order by name, id")
        .all([], ChannelRow::from_row)
}
