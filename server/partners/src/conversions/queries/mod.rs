//! Queries for conversions.

pub(crate) mod entries;
pub(super) mod facts;
pub(super) mod orders;

use rusqlite::named_params;
use rusqlite::types::Value;

use super::conversion::Conversion;
use crate::clock::Timestamp;
use crate::database::listing::ListQuery;
use crate::database::{self, Record as _, Tx};
use crate::ids::{OrderId, PartnerId};

/// Limit: conversions that one run of the job approves.
const MAX_DUE: u32 = 200;

pub(super) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Option<Conversion>, database::Error> {
    Conversion::select_one(tx, "where v.order_id = :order", named_params! { ":order": id })
}

/// Returns conversions that may be approved: paid, held long enough, and without findings.
pub(super) fn due(tx: &Tx<'_>, at: Timestamp) -> Result<Vec<Conversion>, database::Error> {
    let rest = "where v.status = 'pending' and v.paid_at is not null and v.flags = '[]' and v.due_at <= :at
                order by v.due_at limit :limit";
    Conversion::select(tx, rest, named_params! { ":at": at, ":limit": MAX_DUE })
}

/// Narrows a list to the conversions of a partner.
pub(crate) fn of_partner(query: ListQuery, id: &PartnerId) -> ListQuery {
    query.narrow("v.partner_id = ?", [Value::Text(id.to_string())])
}
