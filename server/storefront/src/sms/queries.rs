//! The SQL of consents to text messages.

use rusqlite::named_params;

use super::consent::SmsConsent;
use super::phone::Phone;
use crate::auth::Pseudonym;
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{CartId, CustomerId, RegionId};

/// Returns the valid consents of a cart or a customer, latest first.
pub(super) fn of_holder(
    tx: &Tx<'_>,
    cart_id: Option<&CartId>,
    customer_id: Option<&CustomerId>,
) -> Result<Vec<SmsConsent>, Error> {
    SmsConsent::select(
        tx,
        "where (s.cart_id = :cart_id or s.customer_id = :customer_id) and s.status in ('pending', 'confirmed')
         order by s.created_at desc, s.id desc limit 20",
        named_params! { ":cart_id": cart_id, ":customer_id": customer_id },
    )
}

pub(super) fn count_since(tx: &Tx<'_>, phone: &Phone, since: Timestamp) -> Result<i64, Error> {
    tx.sql("select count(*) from sms_consent where phone = :phone and created_at > :since")
        .one(named_params! { ":phone": phone, ":since": since }, |row| row.get(0))
}

pub(super) fn is_blocked(tx: &Tx<'_>, digest: Pseudonym) -> Result<bool, Error> {
    tx.sql("select 1 from sms_consent where phone_digest = :digest and is_blocking = 1")
        .exists(named_params! { ":digest": digest })
}

pub(super) fn unblock(tx: &Tx<'_>, digest: Pseudonym) -> Result<(), Error> {
    tx.sql(
        "update sms_consent set is_blocking = 0, updated_at = :now
          where phone_digest = :digest and is_blocking = 1",
    )
    .run(named_params! { ":digest": digest, ":now": tx.now() })
}

/// Returns the consents of a number, the latest first.
pub(super) fn of_number(tx: &Tx<'_>, phone: &Phone) -> Result<Vec<SmsConsent>, Error> {
    SmsConsent::select(
        tx,
        "where s.phone = :phone order by s.created_at desc, s.id desc limit 1000",
        named_params! { ":phone": phone },
    )
}

/// Returns when a number last opted out.
pub(super) fn blocked_at(tx: &Tx<'_>, digest: Pseudonym) -> Result<Option<Timestamp>, Error> {
    tx.sql("select max(withdrawn_at) from sms_consent where phone_digest = :digest and is_blocking = 1")
        .one(named_params! { ":digest": digest }, |row| row.get(0))
}

pub(super) fn store_name(tx: &Tx<'_>) -> Result<String, Error> {
    let name = tx.sql("select name from store limit 1").first([], |row| row.get(0))?;
    Ok(name.unwrap_or_default())
}

/// Returns the consents of a number that wait for a code and are not older than an instant, latest first.
pub(super) fn awaiting(
    tx: &Tx<'_>,
    phone: &Phone,
    since: Timestamp,
) -> Result<Vec<SmsConsent>, Error> {
    SmsConsent::select(
        tx,
        "where s.phone = :phone and s.created_at > :since and s.status = 'pending' and s.code_digest is not null
           and not exists (select 1 from sms_consent b where b.phone_digest = s.phone_digest and b.is_blocking = 1)
         order by s.created_at desc, s.id desc limit 5",
        named_params! { ":phone": phone, ":since": since },
    )
}

/// Returns a customer's latest consent, if it is confirmed and its number is not blocked.
pub(super) fn confirmed_of(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
) -> Result<Option<SmsConsent>, Error> {
    let latest = SmsConsent::select_one(
        tx,
        "where s.customer_id = :customer_id order by s.created_at desc, s.id desc limit 1",
        named_params! { ":customer_id": customer_id },
    )?;
    let confirmed =
        latest.filter(|consent| consent.confirmed_at.is_some() && consent.withdrawn_at.is_none());
    match confirmed {
        Some(consent) if is_blocked(tx, consent.phone_digest)? => Ok(None),
        confirmed => Ok(confirmed),
    }
}

/// Returns the country of a region that has only one.
pub(super) fn only_country(tx: &Tx<'_>, region_id: &RegionId) -> Result<Option<String>, Error> {
    let countries: Vec<String> = tx
        .sql("select country from region_country where region_id = :region_id limit 2")
        .all(named_params! { ":region_id": region_id }, |row| row.get(0))?;
    match countries.as_slice() {
        [only] => Ok(Some(only.clone())),
        _several => Ok(None),
    }
}
