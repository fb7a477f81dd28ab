//! Statements on unit costs.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::{self, ProductId, VariantId};
use crate::money::Currency;
use crate::pricing::cost::{CostView, UnitCost};

/// Returns the unit cost of each variant at a time, in minor units; variants without a cost are omitted.
pub(crate) fn valid_at(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
    currency: Currency,
    at: Timestamp,
) -> Result<Vec<(VariantId, i64)>, Error> {
    let ids = ids::list(variant_ids);
    tx.sql(
        "select variant_id, amount_minor, max(valid_from)
           from unit_cost
          where variant_id in (select value from json_each(:ids)) and currency = :currency and valid_from <= :at
          group by variant_id",
    )
    .all(named_params! { ":ids": ids, ":currency": currency, ":at": at }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Inserts a cost, or replaces the one with the same start.
pub(crate) fn put(tx: &Tx<'_>, cost: &UnitCost) -> Result<(), Error> {
    tx.sql(
        "insert into unit_cost (variant_id, currency, valid_from, amount_minor, created_by, created_at)
         values (:variant_id, :currency, :valid_from, :amount_minor, :created_by, :now)
             on conflict (variant_id, currency, valid_from)
             do update set amount_minor = excluded.amount_minor, created_by = excluded.created_by,
                           created_at = excluded.created_at",
    )
    .run(named_params! {
        ":variant_id": cost.variant_id, ":currency": cost.currency, ":valid_from": cost.valid_from,
        ":amount_minor": cost.amount_minor, ":created_by": cost.created_by, ":now": tx.now(),
    })
}

pub(crate) fn default_currency(tx: &Tx<'_>) -> Result<Option<Currency>, Error> {
    tx.sql("select default_currency from store limit 1").first([], |row| row.get(0))
}

/// Returns all costs of a variant, latest first.
pub(crate) fn history(tx: &Tx<'_>, variant_id: &VariantId) -> Result<Vec<CostView>, Error> {
    tx.sql(
        "select currency, amount_minor, valid_from, created_by, created_at
           from unit_cost
          where variant_id = :variant_id
          order by valid_from desc, currency",
    )
    .all(named_params! { ":variant_id": variant_id }, |row| {
        let currency_code: Currency = row.get(0)?;
        Ok(CostView {
            variant_id: variant_id.clone(),
            currency_code,
            amount: currency_code.amount(row.get(1)?),
            valid_from: row.get(2)?,
            created_by: row.get(3)?,
            created_at: row.get(4)?,
        })
    })
}

/// Returns whether the variant exists and belongs to the product.
pub(crate) fn variant_exists(
    tx: &Tx<'_>,
    product_id: &ProductId,
    variant_id: &VariantId,
) -> Result<bool, Error> {
    tx.sql(
        "select exists (select 1 from product_variant v join product p on p.id = v.product_id
                         where v.id = :variant_id and p.id = :product_id
                           and v.deleted_at is null and p.deleted_at is null)",
    )
    .one(named_params! { ":variant_id": variant_id, ":product_id": product_id }, |row| row.get(0))
}
