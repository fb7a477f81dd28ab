//! The SQL of regions, sales channels and the store, one statement per function.

use rusqlite::named_params;
use serde_json::json;

use super::settings::StoreCurrency;
use crate::database::{Error, Link, Tx};
use crate::ids::{self, PricePreferenceId, RegionId, SalesChannelId, StoreId};
use crate::money::Currency;

pub(crate) const CHANNEL_PRODUCTS: Link =
    Link::new("product_sales_channel", "sales_channel_id", "product_id");

/// Returns the oldest enabled channel.
pub(crate) fn oldest_channel(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    tx.sql(
        "select id from sales_channel
          where deleted_at is null and is_disabled = 0
          order by created_at, id
          limit 1",
    )
    .first([], |row| row.get(0))
}

pub(crate) const COUNTRIES: Link = Link::new("region_country", "region_id", "country");

pub(crate) const PAYMENT_PROVIDERS: Link =
    Link::new("region_payment_provider", "region_id", "provider_id");

/// Returns one of the countries that belongs to another region.
pub(crate) fn country_elsewhere(
    tx: &Tx<'_>,
    region: &RegionId,
    countries: &[&str],
) -> Result<Option<String>, Error> {
    tx.sql(
        "select country
           from region_country
          where country in (select value from json_each(:countries)) and region_id <> :region
          order by country
          limit 1",
    )
    .first(named_params! { ":countries": ids::list(countries), ":region": region }, |row| {
        row.get(0)
    })
}

pub(crate) fn insert_store(
    tx: &Tx<'_>,
    id: &StoreId,
    name: &str,
    currency: Currency,
    channel: &SalesChannelId,
) -> Result<(), Error> {
    tx.insert(
        "store",
        named_params! {
            ":id": id, ":name": name, ":default_currency": currency,
            ":default_sales_channel_id": channel, ":created_at": tx.now(), ":updated_at": tx.now(),
        },
    )
}

pub(crate) fn currencies(tx: &Tx<'_>, store: &StoreId) -> Result<Vec<StoreCurrency>, Error> {
    tx.sql(
        "select c.currency, c.is_default, coalesce(p.is_tax_inclusive, 0), c.created_at
           from store_currency c
           left join price_preference p on p.attribute = 'currency_code' and p.value = c.currency
          order by c.is_default desc, c.currency",
    )
    .all([], |row| {
        let currency_code: Currency = row.get(0)?;
        Ok(StoreCurrency {
            currency_code,
            is_default: row.get(1)?,
            is_tax_inclusive: row.get(2)?,
            store_id: store.clone(),
            created_at: row.get(3)?,
            currency: currency_code.into(),
        })
    })
}

pub(crate) fn accepts(tx: &Tx<'_>, currency: Currency) -> Result<bool, Error> {
    let sql = "select exists (select 1 from store_currency where currency = :currency)
                   or exists (select 1 from region where currency = :currency and deleted_at is null)";
    tx.sql(sql).one(named_params! { ":currency": currency }, |row| row.get(0))
}

/// Replaces the currencies of the store; the first one is the default.
pub(crate) fn replace_currencies(
    tx: &Tx<'_>,
    currencies: &[(Currency, bool)],
) -> Result<(), Error> {
    let codes: Vec<String> = currencies.iter().map(|(code, _)| code.to_string()).collect();
    let codes = json!(codes).to_string();
    tx.sql(
        "delete from store_currency where currency not in (select value from json_each(:codes))",
    )
    .run(named_params! { ":codes": codes })?;
    tx.sql(
        "insert into store_currency (currency, is_default, created_at)
         select value, key = 0, :now from json_each(:codes) where true
             on conflict (currency) do update set is_default = excluded.is_default",
    )
    .run(named_params! { ":codes": codes, ":now": tx.now() })
}

pub(crate) fn default_channel(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    tx.sql(
        "select c.id
           from store
           join sales_channel c on c.id = store.default_sales_channel_id
          where c.deleted_at is null",
    )
    .first([], |row| row.get(0))
}

/// Sets whether prices in a region or a currency include tax.
pub(crate) fn prefer_tax(
    tx: &Tx<'_>,
    attribute: &str,
    value: &str,
    is_tax_inclusive: bool,
) -> Result<(), Error> {
    tx.put(
        "price_preference",
        &["attribute", "value"],
        &["id"],
        named_params! {
            ":id": PricePreferenceId::new(), ":attribute": attribute, ":value": value,
            ":is_tax_inclusive": is_tax_inclusive, ":created_at": tx.now(), ":updated_at": tx.now(),
        },
    )
}
