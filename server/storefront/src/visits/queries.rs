//! The SQL of visits and events: a batch of events takes as many statements as one event.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rusqlite::named_params;
use serde_json::{Value, json};

use super::event::{MAX_NAMES, NewEvent, PRODUCT_VIEWED, Reason, USUAL};
use super::event_keys::{EventKey, REPEAT_MS};
use super::queue::Outcome;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::events;
use crate::ids::{self, CustomerId, SalesChannelId, WishlistItemId};

/// Writes a batch of events, some of which may have been counted before; returns the outcome of each.
pub(super) fn write(
    tx: &Tx<'_>,
    group: &[NewEvent],
    mut counted: BTreeSet<EventKey>,
) -> Result<Vec<Outcome>, Error> {
    let (mut names, asking) = (names(tx)?, asking_channels(tx)?);
    let (mut new, mut new_names) = (Vec::new(), Vec::new());
    let outcomes = group
        .iter()
        .map(|event| {
            if event.key.is_some_and(|key| counted.contains(&key)) {
                return Outcome::Written;
            }
            let name = event.name.as_str();
            if name != PRODUCT_VIEWED && !USUAL.contains(&name) && !names.contains(name) {
                if names.len() >= MAX_NAMES {
                    return Outcome::Refused(Reason::TooManyNames);
                }
                names.insert(name.to_owned());
                new_names.push(name);
            }
            counted.extend(event.key);
            let is_asked = event.silent_in.iter().any(|channel| asking.contains(channel));
            new.push(if is_asked {
                Cow::Owned(event.clone().of_nobody())
            } else {
                Cow::Borrowed(event)
            });
            Outcome::Written
        })
        .collect();
    insert_names(tx, &new_names)?;
    insert(tx, &new)?;
    Ok(outcomes)
}

pub(super) fn keys_after(
    tx: &Tx<'_>,
    last: i64,
) -> Result<Vec<(i64, Timestamp, Vec<EventKey>)>, Error> {
    tx.sql("select seq, received_at, keys from visit_event_keys where seq > :last order by seq")
        .all(named_params! { ":last": last }, |row| {
            let keys: Vec<u8> = row.get(2)?;
            let keys = keys.as_chunks().0.iter().copied().map(EventKey).collect();
            Ok((row.get(0)?, row.get(1)?, keys))
        })
}

pub(super) fn insert_keys(tx: &Tx<'_>, keys: impl Iterator<Item = EventKey>) -> Result<(), Error> {
    let keys: Vec<u8> = keys.flat_map(|key| key.0).collect();
    if keys.is_empty() {
        return Ok(());
    }
    tx.sql("insert into visit_event_keys (received_at, keys) values (:now, :keys)")
        .run(named_params! { ":now": tx.now(), ":keys": keys })
}

fn names(tx: &Tx<'_>) -> Result<BTreeSet<String>, Error> {
    tx.sql("select name from visit_event_name").all([], |row| row.get(0))
}

fn insert_names(tx: &Tx<'_>, names: &[&str]) -> Result<(), Error> {
    if names.is_empty() {
        return Ok(());
    }
    tx.sql(
        "insert into visit_event_name (name, created_at) select value, :now from json_each(:names)",
    )
    .run(named_params! { ":names": ids::list(names), ":now": tx.now() })
}

fn insert(tx: &Tx<'_>, new: &[Cow<'_, NewEvent>]) -> Result<(), Error> {
    if new.is_empty() {
        return Ok(());
    }
    let rows = serde_json::to_string(new)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    insert_keys(tx, new.iter().filter_map(|event| event.key))?;
    if new.iter().any(|event| event.visit.is_some()) {
        tx.sql(VISITS).run(named_params! { ":rows": rows })?;
    }
    tx.sql(EVENTS).run(named_params! { ":rows": rows, ":now": tx.now() })?;
    insert_wishes(tx, new)?;
    let views = new.iter().filter(|event| event.name == PRODUCT_VIEWED);
    let views: Vec<Value> = views.map(|event| viewed(event)).collect();
    if views.is_empty() { Ok(()) } else { events::record_all(tx, "product.viewed", views) }
}

/// The first event of a visit creates its row, whatever order events arrive in; a later one may identify the
/// visitor.
const VISITS: &str = "insert into visit (id, sales_channel_id, customer_id, device, country, locale, referrer_host,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content, started_at)
    select value ->> '$.visit.id', value ->> 'sales_channel_id', value ->> 'customer_id',
           value ->> '$.visit.device', value ->> '$.visit.country', value ->> '$.visit.locale',
           value ->> '$.visit.referrer_host', value ->> '$.visit.utm_source', value ->> '$.visit.utm_medium',
           value ->> '$.visit.utm_campaign', value ->> '$.visit.utm_term', value ->> '$.visit.utm_content',
           value ->> 'at'
      from json_each(:rows) where value ->> '$.visit.id' is not null
    on conflict (id) do update
      set started_at = min(started_at, excluded.started_at), customer_id = coalesce(customer_id, excluded.customer_id)
      where excluded.started_at < started_at or (customer_id is null and excluded.customer_id is not null)";

const EVENTS: &str = "insert into visit_event (name, visit_id, customer_id, sales_channel_id, product_id, variant_id,
      cart_id, order_id, banner_id, properties, created_at, received_at)
    select value ->> 'name', value ->> '$.visit.id', value ->> 'customer_id', value ->> 'sales_channel_id',
           value ->> 'product_id', value ->> 'variant_id', value ->> 'cart_id', value ->> 'order_id',
           value ->> 'banner_id', coalesce(value ->> 'properties', '{}'), value ->> 'at', :now
      from json_each(:rows)";

/// Both instants are the latest of their kind, so that the order of events does not matter.
const WISHES: &str = "insert into wishlist_item (id, holder, customer_id, visit_id, product_id, variant_id, added_at,
      removed_at, created_at, updated_at)
    select value ->> 'id', value ->> 'holder', value ->> 'customer_id', value ->> 'visit_id', value ->> 'product_id',
           value ->> 'variant_id', value ->> 'added_at', value ->> 'removed_at', :now, :now
      from json_each(:rows)
     where exists (select 1 from product where id = value ->> 'product_id' and deleted_at is null)
    on conflict (holder, product_id) do update
      set added_at = max(coalesce(added_at, excluded.added_at), coalesce(excluded.added_at, added_at)),
          removed_at = max(coalesce(removed_at, excluded.removed_at), coalesce(excluded.removed_at, removed_at)),
          variant_id = coalesce(excluded.variant_id, variant_id), updated_at = excluded.updated_at";

fn insert_wishes(tx: &Tx<'_>, new: &[Cow<'_, NewEvent>]) -> Result<(), Error> {
    let wishes: Vec<Value> = new.iter().filter_map(|event| wish(event)).collect();
    if wishes.is_empty() {
        return Ok(());
    }
    let rows = Value::from(wishes).to_string();
    tx.sql(WISHES).run(named_params! { ":rows": rows, ":now": tx.now() })
}

/// Returns the row of a wish; none if it belongs to nobody.
fn wish(event: &NewEvent) -> Option<Value> {
    let is_added = event.wishes()?;
    let visit_id = event.visit.as_ref().map(|visit| visit.id.as_str());
    let customer_id = event.customer_id.as_ref();
    let holder = customer_id.map(CustomerId::as_str).or(visit_id)?;
    Some(json!({
        "id": WishlistItemId::new(), "holder": holder, "customer_id": customer_id, "visit_id": visit_id,
        "product_id": event.product_id.as_ref()?, "variant_id": event.variant_id,
        "added_at": is_added.then_some(event.at), "removed_at": (!is_added).then_some(event.at),
    }))
}

fn viewed(event: &NewEvent) -> Value {
    json!({
        "product_id": event.product_id, "variant_id": event.variant_id, "customer_id": event.customer_id,
        "session_id": event.visit.as_ref().map(|visit| &visit.id), "sales_channel_id": event.sales_channel_id,
        "at": Timestamp::from_millis(event.at),
    })
}

/// Deletes some rows that are too old; returns how many.
pub(super) fn forget(tx: &Tx<'_>, before: Timestamp, limit: u32) -> Result<usize, Error> {
    let mut count = 0_usize;
    for (statement, before) in [
        (
            "delete from visit_event where seq in
               (select seq from visit_event where created_at < :before order by created_at limit :limit)",
            before,
        ),
        (
            "delete from visit where id in
               (select id from visit where started_at < :before order by started_at limit :limit)",
            before,
        ),
        (
            "delete from visit_event_keys where seq in
               (select seq from visit_event_keys where received_at < :before order by received_at limit :limit)
               and seq < (select max(seq) from visit_event_keys)",
            tx.now().minus_ms(REPEAT_MS),
        ),
    ] {
        let params = named_params! { ":before": before, ":limit": limit };
        count = count.saturating_add(tx.sql(statement).execute(params)?);
    }
    Ok(count)
}

/// Returns the channels that require consent.
fn asking_channels(tx: &Tx<'_>) -> Result<BTreeSet<SalesChannelId>, Error> {
    tx.sql("select id from storefront_setting where analytics ->> '$.consent_required'")
        .all([], |row| row.get(0))
}
