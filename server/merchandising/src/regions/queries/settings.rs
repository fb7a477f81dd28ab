//! The SQL of the store itself.

use rusqlite::{OptionalExtension, named_params};
use serde_json::json;

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{PricePreferenceId, SalesChannelId, StockLocationId, StoreId};
use crate::money::Currency;
use crate::regions::settings::{Store, StoreCurrency};

/// What the list of stores can be asked for.
pub(in crate::regions) static STORES: Listing = Listing {
    plural: "stores",
    table: "store s",
    id: "s.id",
    columns: &[
        Column::new("id", "s.id", Kind::Id),
        Column::new("name", "s.name", Kind::Text),
        Column::new("created_at", "s.created_at", Kind::Time),
    ],
    search: &["s.name"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// The ids on a page of the list, and how many there are.
pub(in crate::regions) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<StoreId>, u64), Error> {
    Ok((query.page(tx, "s.id", |row| row.get(0))?, query.count(tx)?))
}

pub(in crate::regions) fn find(tx: &Tx<'_>) -> Result<Option<Store>, Error> {
    let store = tx
        .prepare_cached(
            "select id, name, default_currency, default_sales_channel_id, default_region_id,
                    default_location_id, time_zone, metadata, created_at, updated_at
               from store
              order by id
              limit 1",
        )?
        .query_row([], |row| {
            Ok(Store {
                id: row.get(0)?,
                name: row.get(1)?,
                default_currency: row.get(2)?,
                default_sales_channel_id: row.get(3)?,
                default_region_id: row.get(4)?,
                default_location_id: row.get(5)?,
                time_zone: row.get(6)?,
                metadata: row.get(7)?,
                created_at: row.get(8)?,
                updated_at: row.get(9)?,
                supported_currencies: Vec::new(),
            })
        })
        .optional()?;
    Ok(store)
}

pub(in crate::regions) fn insert(
    tx: &Tx<'_>,
    id: &StoreId,
    name: &str,
    currency: Currency,
    channel: &SalesChannelId,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into store (id, name, default_currency, default_sales_channel_id, created_at, updated_at)
         values (:id, :name, :currency, :channel, :now, :now)",
    )?
    .execute(named_params! {
        ":id": id, ":name": name, ":currency": currency, ":channel": channel, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::regions) fn update(tx: &Tx<'_>, store: &Store) -> Result<(), Error> {
    tx.prepare_cached(
        "update store
            set name = :name, default_currency = :currency, default_sales_channel_id = :channel,
                default_region_id = :region, default_location_id = :location, time_zone = :time_zone,
                metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": store.id, ":name": store.name, ":currency": store.default_currency,
        ":channel": store.default_sales_channel_id, ":region": store.default_region_id,
        ":location": store.default_location_id, ":time_zone": store.time_zone,
        ":metadata": store.metadata, ":updated_at": store.updated_at,
    })?;
    Ok(())
}

pub(in crate::regions) fn currencies(
    tx: &Tx<'_>,
    store: &StoreId,
) -> Result<Vec<StoreCurrency>, Error> {
    let rows = tx
        .prepare_cached(
            "select c.currency, c.is_default, coalesce(p.is_tax_inclusive, 0), c.created_at
               from store_currency c
               left join price_preference p on p.attribute = 'currency_code' and p.value = c.currency
              order by c.is_default desc, c.currency",
        )?
        .query_map([], |row| {
            let currency_code: Currency = row.get(0)?;
            Ok(StoreCurrency {
                currency_code,
                is_default: row.get(1)?,
                is_tax_inclusive: row.get(2)?,
                store_id: store.clone(),
                created_at: row.get(3)?,
                currency: currency_code.into(),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The currencies of the store, of which the first is the default one.
pub(in crate::regions) fn replace_currencies(
    tx: &Tx<'_>,
    currencies: &[(Currency, bool)],
) -> Result<(), Error> {
    let codes: Vec<String> = currencies.iter().map(|(code, _)| code.to_string()).collect();
    let codes = json!(codes).to_string();
    tx.prepare_cached(
        "delete from store_currency where currency not in (select value from json_each(:codes))",
    )?
    .execute(named_params! { ":codes": codes })?;
    tx.prepare_cached(
        "insert into store_currency (currency, is_default, created_at)
         select value, key = 0, :now from json_each(:codes) where true
             on conflict (currency) do update set is_default = excluded.is_default",
    )?
    .execute(named_params! { ":codes": codes, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::regions) fn default_channel(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    let id = tx
        .prepare_cached(
            "select c.id
               from store
               join sales_channel c on c.id = store.default_sales_channel_id
              where c.deleted_at is null",
        )?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(id)
}

pub(in crate::regions) fn is_location(tx: &Tx<'_>, id: &StockLocationId) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from stock_location where id = :id and deleted_at is null")?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}

/// Says whether prices of a region or a currency include tax.
pub(in crate::regions) fn prefer_tax(
    tx: &Tx<'_>,
    attribute: &str,
    value: &str,
    is_tax_inclusive: bool,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into price_preference (id, attribute, value, is_tax_inclusive, created_at, updated_at)
         values (:id, :attribute, :value, :is_tax_inclusive, :now, :now)
             on conflict (attribute, value)
             do update set is_tax_inclusive = excluded.is_tax_inclusive, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": PricePreferenceId::new(), ":attribute": attribute, ":value": value,
        ":is_tax_inclusive": is_tax_inclusive, ":now": tx.now(),
    })?;
    Ok(())
}
