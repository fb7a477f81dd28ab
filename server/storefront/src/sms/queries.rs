//! The SQL of consents to text messages.

use rusqlite::named_params;

use super::consent::SmsConsent;
use super::phone::Phone;
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{CartId, CustomerId, RegionId};

/// Returns the consents of a cart or a customer that count, the latest first.
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

/// Returns the number of consents of a number since an instant.
pub(super) fn count_since(tx: &Tx<'_>, phone: &Phone, since: Timestamp) -> Result<i64, Error> {
    tx.sql("select count(*) from sms_consent where phone = :phone and created_at > :since")
        .one(named_params! { ":phone": phone, ":since": since }, |row| row.get(0))
}

/// Returns the consents of a number that wait for a code and are not older than an instant, the latest first.
pub(super) fn awaiting(
    tx: &Tx<'_>,
    phone: &Phone,
    since: Timestamp,
) -> Result<Vec<SmsConsent>, Error> {
    SmsConsent::select(
        tx,
        "where s.phone = :phone and s.created_at > :since and s.status = 'pending' and s.code_digest is not null
         order by s.created_at desc, s.id desc limit 5",
        named_params! { ":phone": phone, ":since": since },
    )
}

/// Returns the latest consent of a customer, if it is confirmed.
pub(super) fn confirmed_of(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
) -> Result<Option<SmsConsent>, Error> {
    let latest = SmsConsent::select_one(
        tx,
        "where s.customer_id = :customer_id order by s.created_at desc, s.id desc limit 1",
        named_params! { ":customer_id": customer_id },
    )?;
    Ok(latest.filter(|consent| consent.confirmed_at.is_some() && consent.withdrawn_at.is_none()))
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
