//! Queries for offers.

use rusqlite::named_params;

use super::offer::Offer;
use crate::database::{self, Record as _, Tx};
use crate::ids::{self, PartnerOfferId};

/// Returns the offer of a code that works at present: its partner is active.
pub(crate) fn open(tx: &Tx<'_>, code_key: &str) -> Result<Option<Offer>, database::Error> {
    let rest = "where o.code_key = :code and o.deleted_at is null and exists
                 (select 1 from partner where id = o.partner_id and status = 'active' and deleted_at is null)";
    Offer::select_one(tx, rest, named_params! { ":code": code_key })
}

pub(crate) fn of_promo_code(tx: &Tx<'_>, code: &str) -> Result<Option<Offer>, database::Error> {
    let rest = "where o.deleted_at is null and o.id = (select offer_id from partner_offer_promo_code where code = :code)
                  and exists (select 1 from partner where id = o.partner_id and status = 'active' and deleted_at is null)";
    Offer::select_one(tx, rest, named_params! { ":code": code })
}

/// Replaces the promotion codes of an offer; returns the first that belongs to another offer whose partner is not
/// deleted.
pub(super) fn set_promo_codes(
    tx: &Tx<'_>,
    id: &PartnerOfferId,
    codes: &[String],
) -> Result<Option<String>, database::Error> {
    tx.sql("delete from partner_offer_promo_code where offer_id = :id")
        .run(named_params! { ":id": id })?;
    for code in codes {
        tx.sql(
            "delete from partner_offer_promo_code where code = :code and exists
               (select 1 from partner_offer o join partner p on p.id = o.partner_id
                 where o.id = offer_id and p.deleted_at is not null)",
        )
        .run(named_params! { ":code": code })?;
        let added = tx
            .sql("insert or ignore into partner_offer_promo_code (code, offer_id) values (:code, :id)")
            .execute(named_params! { ":code": code, ":id": id })?;
        if added == 0 {
            return Ok(Some(code.clone()));
        }
    }
    Ok(None)
}

/// Returns offers, including deleted ones, whose partners are not deleted: those earn nothing more.
pub(crate) fn all(tx: &Tx<'_>, ids: &[&PartnerOfferId]) -> Result<Vec<Offer>, database::Error> {
    let ids = ids::list(ids);
    let rest = "where o.id in (select value from json_each(:ids))
                  and exists (select 1 from partner where id = o.partner_id and deleted_at is null)";
    Offer::select(tx, rest, named_params! { ":ids": ids })
}
