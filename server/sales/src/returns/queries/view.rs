//! The SQL of what is shown of returned lines.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::database::{Error, FromRow as _, Tx};
use crate::ids::{self, OrderId, OrderLineId};
use crate::orders::view::{DetailRow, DetailView};
use crate::returns::view::ReturnedLineView;

/// Returns lines of orders with their progress.
pub(crate) fn lines(
    tx: &Tx<'_>,
    orders: &[&OrderId],
    lines: &[&OrderLineId],
) -> Result<BTreeMap<OrderLineId, (ReturnedLineView, DetailView)>, Error> {
    tx.sql(
        "select l.id, l.order_id, o.version, o.currency, o.placed_at, o.updated_at, l.title, l.subtitle, l.thumbnail,
                l.variant_sku, l.unit_price_minor, l.compare_at_unit_price_minor, l.metadata, l.quantity,
                l.fulfilled_quantity, l.delivered_quantity, l.shipped_quantity,
                l.return_requested_quantity, l.return_received_quantity, l.return_dismissed_quantity,
                l.written_off_quantity
           from order_line l join orders o on o.id = l.order_id
          where l.order_id in (select value from json_each(:orders))
            and l.id in (select value from json_each(:lines))",
    )
    .all(named_params! { ":orders": ids::list(orders), ":lines": ids::list(lines) }, |row| {
        Ok((row.get(0)?, (ReturnedLineView::from_row(row)?, DetailRow::from_row(row)?.into())))
    })
}
