//! Queries for the rows to fold: of touched orders, or of a range of time.

use std::collections::{BTreeMap, BTreeSet};

use quotient::sql::{BoundValue, Query, SqlValue, Store as _, StoreError};

use crate::database::Tx;
use crate::rollups::StoreRows;

#[derive(Debug, Clone)]
pub(crate) enum Extent {
    /// Some orders and some customers, both as JSON lists.
    Of {
        orders: String,
        customers: String,
    },
    /// Orders placed between two instants, in milliseconds, with everything that belongs to them.
    Ordered(i64, i64),
    /// Refunds between two instants, with their orders.
    Refunded(i64, i64),
    /// Customers whose first order was placed between two instants.
    FirstOrdered(i64, i64),
    Customers,
}

const ORDERS: &str = "(select value from json_each(?2))";
const ORDERED: &str = "(select id from orders where placed_at >= ?2 and placed_at < ?3)";
const REFUNDED: &str = "(select order_id from order_transaction where amount_minor < 0 and created_at >= ?2 and created_at < ?3)";

impl Extent {
    /// Returns the condition that restricts the view of a source to these rows; none if the source has none of them.
    fn condition(&self, source: &str) -> Option<String> {
        let ids = match self {
            Self::Of { .. } => ORDERS,
            Self::Ordered(..) => ORDERED,
            Self::Refunded(..) => REFUNDED,
            Self::Customers if source == "customers" => return Some("true".to_owned()),
            // The orders are found by an index; whether they were first orders is checked after that.
            Self::FirstOrdered(..) if source == "customers" => {
                return Some(format!(
                    "id in (select customer_id from orders where id in {ORDERED})
                       and first_order_at >= ?2 and first_order_at < ?3"
                ));
            }
            Self::Customers | Self::FirstOrdered(..) => return None,
        };
        let is_dated = matches!(
            (source, self),
            ("orders", Self::Ordered(..)) | ("refunds", Self::Refunded(..))
        );
        match (source, self) {
            _ if is_dated => Some("created_at >= ?2 and created_at < ?3".to_owned()),
            ("orders", _) | ("customers", Self::Of { .. }) => Some(format!("id in {ids}")),
            ("items" | "refunds", _) => Some(format!("order_id in {ids}")),
            ("customers", _) => {
                Some(format!("id in (select customer_id from orders where id in {ids})"))
            }
            _ => None,
        }
    }

    /// Returns the listed customers, as JSON.
    pub(crate) fn customers(&self) -> &str {
        if let Self::Of { customers, .. } = self { customers } else { "[]" }
    }

    fn values(&self, source: &str) -> Vec<BoundValue> {
        match self {
            Self::Of { customers, .. } if source == "customers" => {
                vec![BoundValue::Text(customers.clone())]
            }
            Self::Of { orders, .. } => vec![BoundValue::Text(orders.clone())],
            Self::Ordered(from, to) | Self::Refunded(from, to) | Self::FirstOrdered(from, to) => {
                vec![BoundValue::Integer(*from), BoundValue::Integer(*to)]
            }
            Self::Customers => Vec::new(),
        }
    }
}

/// The rows of one source: its name, the fields, the rows.
pub(crate) type SourceRows<'r> = (&'r str, Vec<&'r str>, Vec<Vec<SqlValue>>);

/// Returns the rows of each source with the given fields, in one currency.
pub(crate) fn rows<'r>(
    tx: &Tx<'_>,
    reads: &BTreeMap<&'r str, BTreeSet<&'r str>>,
    (extent, currency): (&Extent, &str),
) -> Result<Vec<SourceRows<'r>>, StoreError> {
    let store = StoreRows(tx);
    let mut source_rows = Vec::with_capacity(reads.len());
    for (source, fields) in reads {
        let fields: Vec<&str> = fields.iter().copied().collect();
        let Some(condition) = extent.condition(source) else {
            source_rows.push((*source, fields, Vec::new()));
            continue;
        };
        let of_currency =
            if *source == "customers" { "?1 is not null" } else { "currency_code = ?1" };
        let text = format!(
            "select {} from metric_{source} where {of_currency} and {condition}",
            fields.join(", ")
        );
        let mut values = vec![BoundValue::Text(currency.to_owned())];
        values.extend(extent.values(source));
        let mut rows = Vec::new();
        store.query(&Query { text, values }, &mut |row| {
            rows.push(row.to_vec());
            Ok(())
        })?;
        source_rows.push((*source, fields, rows));
    }
    Ok(source_rows)
}
