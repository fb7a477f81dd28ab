//! The entries of the ledger. Amounts are minor units of the account's currency.

use crate::clock::Timestamp;
use crate::database::Record;
use crate::database::listing::{Column, Kind as Filter};
use crate::ids::{CreditAccountId, CreditEntryId, OrderId};
use crate::metadata::Metadata;
use crate::money::Currency;

/// The direction of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Money in.
    Credit,
    /// Money out.
    Debit,
}

crate::stored_as_word!(Kind: Credit = "CREDIT", Debit = "DEBIT");

impl Kind {
    /// Returns the word in lower case, as Medusa writes it.
    pub const fn lower(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Debit => "debit",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// The amount, greater than zero.
    pub amount_minor: i64,
    /// The kind of the cause: `user`, `api_key`, `cart`, `order_refund`, `claim`, `subscription` or `erasure`.
    pub reference: &'a str,
    pub reference_id: &'a str,
    pub note: Option<&'a str>,
    /// The user, API key or customer who causes it; empty for the server itself.
    pub actor_id: &'a str,
}

#[derive(Debug, Clone, Record)]
#[record(table = "credit_entry e", title = "Store credit transaction")]
#[record(list(
    plural = "transactions",
    usual,
    search = ["e.id", "e.reference_id"],
    order = "-created_at",
    limit = 15,
    columns = [
        Column::filter("kind", "e.kind", Filter::Word(&["CREDIT", "DEBIT"])),
        Column::filter("updated_at", "e.created_at", Filter::Time),
    ],
))]
pub struct Entry {
    pub(crate) id: CreditEntryId,
    pub(crate) account_id: CreditAccountId,
    #[column(sql = "(select currency from credit_account where id = e.account_id)")]
    pub(crate) currency: Currency,
    pub(crate) kind: Kind,
    pub(crate) amount_minor: i64,
    pub(crate) balance_after_minor: i64,
    #[column(filter)]
    pub(crate) reference: String,
    #[column(filter, kind = Filter::Id)]
    pub(crate) reference_id: String,
    pub(crate) note: Option<String>,
    pub(crate) actor_id: Option<String>,
    /// The order that was paid or refunded.
    #[column(sql = "case e.reference
                    when 'order_refund' then e.reference_id
                    when 'cart' then (select id from orders where cart_id = e.reference_id and status <> 'draft') end")]
    pub(crate) order_id: Option<OrderId>,
    pub(crate) metadata: Metadata,
    pub(crate) created_at: Timestamp,
}
