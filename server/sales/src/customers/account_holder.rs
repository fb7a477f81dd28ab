//! Customers' records at payment providers.

use rusqlite::named_params;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Error, Record, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{self, AccountHolderId, CustomerId};

/// A customer's record at a payment provider.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "account_holder h", title = "Account holder")]
#[resource(name = "account holder", key = "account_holder")]
pub struct AccountHolder {
    pub id: AccountHolderId,
    #[column(once)]
    pub customer_id: CustomerId,
    #[column(once)]
    #[schema(example = "pp_stripe")]
    pub provider_id: String,
    /// The provider's id of the customer.
    #[column(once)]
    pub external_id: String,
    pub email: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

pub(super) fn of_customers(tx: &Tx<'_>, ids: &[CustomerId]) -> Result<Vec<AccountHolder>, Error> {
    let rest = "where h.customer_id in (select value from json_each(:ids)) order by h.id";
    let ids = ids::list(ids.iter().map(CustomerId::as_str));
    AccountHolder::select(tx, rest, named_params! { ":ids": ids })
}
