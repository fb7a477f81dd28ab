//! The store: its name, currencies and defaults. There is exactly one.

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::{channels, settings as queries};
use super::{CurrencyView, NewChannel, RegionError, create_channel, find, find_channel};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{RegionId, SalesChannelId, StockLocationId, StoreId};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::sent::Sent;

/// The store.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// What people call it.
    #[schema(example = "Greenwich Gifts")]
    pub name: String,
    /// What it thinks in.
    #[serde(rename = "default_currency_code")]
    pub default_currency: Currency,
    /// The channel of shoppers and keys that name none.
    pub default_sales_channel_id: Option<SalesChannelId>,
    /// The region of shoppers who name none.
    pub default_region_id: Option<RegionId>,
    /// Where stock is when nobody says where.
    pub default_location_id: Option<StockLocationId>,
    /// Whose days its reports have, an IANA name.
    #[schema(example = "Europe/London")]
    pub time_zone: String,
    /// What it keeps.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// What it can be paid in.
    pub(crate) supported_currencies: Vec<StoreCurrency>,
}

/// A currency that the store can be paid in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct StoreCurrency {
    /// Its letters.
    pub currency_code: Currency,
    /// Whether it is the one that the store thinks in.
    pub is_default: bool,
    /// Whether prices in it include tax, unless their region says otherwise.
    pub is_tax_inclusive: bool,
    /// The store.
    pub(crate) store_id: StoreId,
    /// Since when.
    pub created_at: Timestamp,
    /// The currency.
    pub currency: CurrencyView,
}

/// A change of the store; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct StoreChange {
    /// Its name.
    pub name: Option<String>,
    /// Its currencies with whether their prices include tax, the default one first.
    pub currencies: Option<Vec<(Currency, bool)>>,
    /// Its default channel.
    pub default_sales_channel_id: Sent<SalesChannelId>,
    /// Its default region.
    pub default_region_id: Sent<RegionId>,
    /// Its default location.
    pub default_location_id: Sent<StockLocationId>,
    /// Its time zone, an IANA name.
    pub time_zone: Option<String>,
    /// What it keeps, as it is stored afterwards.
    pub metadata: Option<Metadata>,
}

/// The store, if there is one already.
///
/// # Errors
/// [`RegionError::Db`].
pub fn store(tx: &Tx<'_>) -> Result<Option<Store>, RegionError> {
    let Some(mut store) = queries::find(tx)? else { return Ok(None) };
    store.supported_currencies = queries::currencies(tx, &store.id)?;
    Ok(Some(store))
}

/// The store; a new one with a default sales channel where there is none. Meant for the first start.
///
/// # Errors
/// [`RegionError::Db`].
pub fn ensure_store(tx: &Tx<'_>, name: &str, currency: Currency) -> Result<Store, RegionError> {
    if let Some(store) = store(tx)? {
        return Ok(store);
    }
    let channel = match channels::oldest(tx)? {
        Some(id) => id,
        None => create_channel(tx, NewChannel::named("Default Sales Channel"))?.id,
    };
    queries::insert(tx, &StoreId::new(), name, currency, &channel)?;
    queries::replace_currencies(tx, &[(currency, false)])?;
    store(tx)?.ok_or_else(|| RegionError::not_found("Store", &"store"))
}

/// Changes the store.
///
/// # Errors
/// [`RegionError::NotFound`] before [`ensure_store`], or for a default that is not there; [`RegionError::Invalid`] for
/// a time zone nobody knows or an empty list of currencies.
pub fn change_store(tx: &Tx<'_>, change: StoreChange) -> Result<Store, RegionError> {
    let mut store = store(tx)?.ok_or_else(|| RegionError::not_found("Store", &"store"))?;
    check_defaults(tx, &change)?;
    if let Some(time_zone) = &change.time_zone
        && jiff::tz::TimeZone::get(time_zone).is_err()
    {
        return Err(RegionError::Invalid(format!("`{time_zone}` is no time zone")));
    }
    if let Some(currencies) = change.currencies {
        let (default, _) = currencies
            .first()
            .ok_or_else(|| RegionError::Invalid("a store has at least one currency".to_owned()))?;
        store.default_currency = *default;
        queries::replace_currencies(tx, &currencies)?;
        for (currency, is_tax_inclusive) in &currencies {
            let code = currency.to_string();
            queries::prefer_tax(tx, "currency_code", &code, *is_tax_inclusive)?;
        }
    }
    store.name = change.name.unwrap_or(store.name);
    store.time_zone = change.time_zone.unwrap_or(store.time_zone);
    store.metadata = change.metadata.unwrap_or(store.metadata);
    store.default_sales_channel_id =
        change.default_sales_channel_id.unwrap_or(store.default_sales_channel_id);
    store.default_region_id = change.default_region_id.unwrap_or(store.default_region_id);
    store.default_location_id = change.default_location_id.unwrap_or(store.default_location_id);
    store.updated_at = tx.now();
    queries::update(tx, &store)?;
    store.supported_currencies = queries::currencies(tx, &store.id)?;
    Ok(store)
}

fn check_defaults(tx: &Tx<'_>, change: &StoreChange) -> Result<(), RegionError> {
    if let Some(Some(id)) = &change.default_sales_channel_id {
        find_channel(tx, id)?;
    }
    if let Some(Some(id)) = &change.default_region_id {
        find(tx, id)?;
    }
    if let Some(Some(id)) = &change.default_location_id
        && !queries::is_location(tx, id)?
    {
        return Err(RegionError::not_found("Stock location", id));
    }
    Ok(())
}

/// The channel of shoppers and keys that name none: the store's default one, or the oldest that is open.
///
/// # Errors
/// [`RegionError::Db`].
pub fn default_channel(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, RegionError> {
    match queries::default_channel(tx)? {
        Some(id) => Ok(Some(id)),
        None => Ok(channels::oldest(tx)?),
    }
}

/// The currency that the store thinks in, if there is a store.
///
/// # Errors
/// [`RegionError::Db`].
pub fn default_currency(tx: &Tx<'_>) -> Result<Option<Currency>, RegionError> {
    Ok(queries::find(tx)?.map(|store| store.default_currency))
}
