//! The SQL of plans.

use rusqlite::named_params;

use super::discount::{Discount, DiscountKind};
use super::plan::Plan;
use crate::database::{Error, Link, Record as _, Tx};
use crate::ids::{self, ProductId, SubscriptionPlanId};

const PRODUCTS: Link = Link::new("subscription_plan_product", "plan_id", "product_id");

/// Sets the discount and the products of a plan.
pub(super) fn set_parts(tx: &Tx<'_>, plan: &Plan) -> Result<(), Error> {
    let (kind, value, currency) = match plan.discount {
        Some(Discount::Percent(share)) => (Some(DiscountKind::Percent), Some(share), None),
        Some(Discount::Amount { minor, currency }) => {
            (Some(DiscountKind::Amount), Some(minor), Some(currency))
        }
        None => (None, None, None),
    };
    tx.sql(
        "update subscription_plan set discount_type = :type, discount_value = :value, discount_currency = :currency
          where id = :id",
    )
    .run(named_params! {
        ":id": plan.id, ":type": kind, ":value": value, ":currency": currency,
    })?;
    PRODUCTS.replace(tx, &plan.id, &plan.product_ids)
}

/// Copies a plan to a new row, and has the subscriptions that run with the plan, or will after a planned swap, refer to the
/// copy.
pub(super) fn archive(
    tx: &Tx<'_>,
    copy: &SubscriptionPlanId,
    id: &SubscriptionPlanId,
) -> Result<(), Error> {
    for statement in [
        "insert into subscription_plan
           (id, name, interval, interval_count, kind, discount_type, discount_value, discount_currency, trial_days,
            min_cycles, max_cycles, allowed_frequencies, cutoff_hours, max_skips, max_pause_days, out_of_stock, on_exhausted, version,
            superseded_by, metadata, created_at, updated_at)
         select :copy, name, interval, interval_count, kind, discount_type, discount_value, discount_currency, trial_days,
                min_cycles, max_cycles, allowed_frequencies, cutoff_hours, max_skips, max_pause_days, out_of_stock, on_exhausted,
                version, id, metadata, created_at, updated_at
           from subscription_plan
          where id = :id",
        "insert into subscription_plan_product (product_id, plan_id)
         select product_id, :copy from subscription_plan_product where plan_id = :id",
        "update subscription_item set plan_id = :copy where plan_id = :id",
        "update subscription_item set next = replace(next, :id, :copy) where instr(next, :id) > 0",
    ] {
        tx.sql(statement).run(named_params! { ":copy": copy, ":id": id })?;
    }
    Ok(())
}

/// Returns the plans with these ids that are current, by one statement.
pub fn with_ids(
    tx: &Tx<'_>,
    plan_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<Plan>, Error> {
    Plan::select(
        tx,
        "where p.id in (select value from json_each(:ids)) and p.superseded_by is null and p.deleted_at is null",
        named_params! { ":ids": ids::list(plan_ids) },
    )
}

/// Returns the current plans of a product, oldest first.
pub fn of_product(tx: &Tx<'_>, product_id: &ProductId) -> Result<Vec<Plan>, Error> {
    Plan::select(
        tx,
        "where p.id in (select plan_id from subscription_plan_product where product_id = :product_id)
           and p.superseded_by is null and p.deleted_at is null
         order by p.created_at, p.id",
        named_params! { ":product_id": product_id },
    )
}
