//! Membership tiers, and which of them a customer has.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;

use super::condition::Conditions;
use super::queries;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::error::{ContentError, check_room};
use crate::http::{AssignTo as _, Resource, Text, ToSchema, request};
use crate::ids::{CustomerId, MembershipTierId};
use crate::money::Currency;
use crate::regions;

/// Limit: tiers of a store, because a customer is checked against all of them.
const MAX_TIERS: u32 = 100;

/// A tier: customers have the highest tier whose condition holds for their orders.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "membership_tier t")]
#[record(list(plural = "membership_tiers", usual, search = ["t.name"], order = "-rank"))]
#[resource(name = "membership tier", error = ContentError)]
pub(super) struct MembershipTier {
    pub(super) id: MembershipTierId,
    #[schema(example = "Gold")]
    #[column(filter, order)]
    name: String,
    /// Higher tiers are tried first.
    #[column(filter, order)]
    rank: i64,
    /// A formula over the customer's `orders`, in canonical form. Canceled orders, and those in other
    /// currencies, are excluded.
    #[schema(example = "trailing(sum(orders.total - orders.refunded), 12 months) >= 500 EUR")]
    condition: String,
    /// The currency of the orders that count.
    #[serde(rename = "currency_code")]
    #[column(name = "currency")]
    currency: Currency,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// The tier of a customer.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct CustomerTier {
    id: MembershipTierId,
    #[schema(example = "Gold")]
    name: String,
    rank: i64,
}

/// A new tier.
#[request]
#[schema(example = json!({
    "name": "Gold", "rank": 20, "currency_code": "eur",
    "condition": "trailing(sum(orders.total), 12 months) >= 500 EUR",
}))]
pub(super) struct CreateTierRequest {
    /// A unique name.
    name: Text,
    /// Unique; higher tiers are tried first.
    rank: i32,
    condition: Text<1_000>,
    /// Defaults to the store's.
    currency_code: Option<Currency>,
}

/// The fields of a tier to change.
#[request]
#[schema(example = json!({ "condition": "count(orders) >= 10" }))]
pub(super) struct UpdateTierRequest {
    name: Option<Text>,
    rank: Option<i32>,
    condition: Option<Text<1_000>>,
    currency_code: Option<Currency>,
}

impl CreateTierRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _by: &str) -> Result<MembershipTierId, ContentError> {
        check_room::<MembershipTier>(tx, "membership tiers", MAX_TIERS)?;
        let currency = regions::currency_or_default(tx, self.currency_code)?;
        let mut tier = MembershipTier {
            id: MembershipTierId::new(),
            name: self.name.into(),
            rank: self.rank.into(),
            condition: self.condition.into(),
            currency,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        tier.check(tx)?;
        tier.insert(tx).map_err(|error| tier.taken(error))?;
        Ok(tier.id)
    }
}

impl UpdateTierRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &MembershipTierId) -> Result<(), ContentError> {
        let mut tier = MembershipTier::require::<ContentError>(tx, id)?;
        crate::assign!(self => tier: name, rank, condition);
        self.currency_code.assign_to(&mut tier.currency);
        tier.check(tx)?;
        tier.update(tx).map_err(|error| tier.taken(error))
    }
}

impl MembershipTier {
    /// Checks the condition and replaces it by its canonical form.
    fn check(&mut self, tx: &Tx<'_>) -> Result<(), ContentError> {
        let conditions = Conditions::new(self.currency, &regions::time_zone(tx)?);
        self.condition = conditions.check(&self.condition)?;
        Ok(())
    }

    fn taken(&self, error: crate::database::Error) -> ContentError {
        error.or_taken(|| ContentError::Taken {
            what: "The name or the rank of the tier",
            value: format!("{}, {}", self.name, self.rank),
        })
    }
}

pub(super) fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
) -> Result<Option<CustomerTier>, ContentError> {
    let tiers = MembershipTier::select(tx, "order by t.rank desc", [])?;
    let time_zone = regions::time_zone(tx)?;
    let mut by_currency = BTreeMap::new();
    for tier in tiers {
        let (conditions, orders) = match by_currency.entry(tier.currency) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(new) => new.insert((
                Conditions::new(tier.currency, &time_zone),
                queries::orders(tx, customer, tier.currency)?,
            )),
        };
        if conditions.holds(&tier.condition, orders, tx.now()) {
            return Ok(Some(CustomerTier { id: tier.id, name: tier.name, rank: tier.rank }));
        }
    }
    Ok(None)
}
