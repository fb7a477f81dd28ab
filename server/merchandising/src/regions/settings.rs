//! The store: its name, currencies and defaults. There is exactly one.

use serde::Serialize;

use super::queries;
use super::{CurrencyView, Locale, NewChannel, RegionError, create_channel, find, find_channel};
use crate::clock::{self, Timestamp};
use crate::database::{self, Record, Table, Tx, first_missing};
use crate::http::{Patch, Resource, Selection, ToSchema};
use crate::ids::{RegionId, SalesChannelId, StockLocationId, StoreId};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::resource::View;

/// The store.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "store s", list(plural = "stores", search = ["s.name"], limit = 50))]
#[resource(name = "store")]
pub struct Store {
    #[column(filter, order)]
    pub id: StoreId,
    #[schema(example = "Greenwich Gifts")]
    #[column(filter, order)]
    pub name: String,
    #[serde(rename = "default_currency_code")]
    #[column(name = "default_currency")]
    pub default_currency: Currency,
    /// The sales channel for shoppers and keys without one.
    pub default_sales_channel_id: Option<SalesChannelId>,
    /// The region for shoppers without one.
    pub default_region_id: Option<RegionId>,
    /// The stock location if none is given.
    pub default_location_id: Option<StockLocationId>,
    /// The time zone of reports, an IANA name.
    #[schema(example = "Europe/London")]
    pub time_zone: String,
    /// The format of numbers, amounts and days for the store's staff.
    pub locale: Locale,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The currencies that it accepts.
    #[field(relation)]
    pub(crate) supported_currencies: Vec<StoreCurrency>,
}

/// A currency that the store accepts.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "currency of the store")]
pub(crate) struct StoreCurrency {
    pub currency_code: Currency,
    pub is_default: bool,
    /// Whether prices in it include tax, unless their region has its own preference.
    pub is_tax_inclusive: bool,
    pub(crate) store_id: StoreId,
    pub created_at: Timestamp,
    #[field(relation)]
    pub currency: CurrencyView,
}

impl View for Store {
    type Row = Self;
    type Error = RegionError;

    fn attach(tx: &Tx<'_>, stores: &mut [Self], selection: &Selection) -> Result<(), RegionError> {
        if selection.wants("supported_currencies") {
            for store in stores {
                store.supported_currencies = queries::currencies(tx, &store.id)?;
            }
        }
        Ok(())
    }
}

/// A change of the store; a field that is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct StoreChange {
    pub name: Option<String>,
    /// The currencies, each with whether its prices include tax; the default one first.
    pub currencies: Option<Vec<(Currency, bool)>>,
    pub default_sales_channel_id: Patch<SalesChannelId>,
    pub default_region_id: Patch<RegionId>,
    pub default_location_id: Patch<StockLocationId>,
    /// The time zone, an IANA name.
    pub time_zone: Option<String>,
    pub locale: Option<Locale>,
    /// The new metadata, complete.
    pub metadata: Option<Metadata>,
}

/// Returns the store, if it exists.
pub fn store(tx: &Tx<'_>) -> Result<Option<Store>, RegionError> {
    let Some(mut store) = find_only(tx)? else { return Ok(None) };
    store.supported_currencies = queries::currencies(tx, &store.id)?;
    Ok(Some(store))
}

/// Returns the store, creating it with a default sales channel if necessary. For the first start.
pub fn ensure_store(tx: &Tx<'_>, name: &str, currency: Currency) -> Result<Store, RegionError> {
    if let Some(store) = store(tx)? {
        return Ok(store);
    }
    let channel = match queries::oldest_channel(tx)? {
        Some(id) => id,
        None => create_channel(tx, NewChannel::named("Default Sales Channel"))?.id,
    };
    queries::insert_store(tx, &StoreId::new(), name, currency, &channel)?;
    queries::replace_currencies(tx, &[(currency, false)])?;
    store(tx)?.ok_or_else(|| RegionError::not_found("Store", &"store"))
}

/// Updates the store.
///
/// # Errors
/// [`RegionError::NotFound`] before [`ensure_store`], or for a default that does not exist; [`RegionError::Invalid`]
/// for an unknown time zone or an empty list of currencies.
pub fn change_store(tx: &Tx<'_>, change: StoreChange) -> Result<Store, RegionError> {
    let mut store = store(tx)?.ok_or_else(|| RegionError::not_found("Store", &"store"))?;
    check_defaults(tx, &change)?;
    if let Some(time_zone) = &change.time_zone
        && clock::time_zone(time_zone).is_none()
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
    crate::assign!(change => store:
        name, time_zone, locale, metadata, default_sales_channel_id, default_region_id,
        default_location_id
    );
    store.update(tx)?;
    store.supported_currencies = queries::currencies(tx, &store.id)?;
    Ok(store)
}

fn check_defaults(tx: &Tx<'_>, change: &StoreChange) -> Result<(), RegionError> {
    if let Patch::Value(id) = &change.default_sales_channel_id {
        find_channel(tx, id)?;
    }
    if let Patch::Value(id) = &change.default_region_id {
        find(tx, id)?;
    }
    if let Patch::Value(id) = &change.default_location_id
        && first_missing::<String>(tx, "stock_location", [id])?.is_some()
    {
        return Err(RegionError::not_found("Stock location", id));
    }
    Ok(())
}

/// Returns the channel for shoppers and keys without one: the store's default, otherwise the oldest enabled one.
pub fn default_channel(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, RegionError> {
    match queries::default_channel(tx)? {
        Some(id) => Ok(Some(id)),
        None => Ok(queries::oldest_channel(tx)?),
    }
}

/// Returns the store's default currency, if the store exists.
pub fn default_currency(tx: &Tx<'_>) -> Result<Option<Currency>, RegionError> {
    Ok(find_only(tx)?.map(|store| store.default_currency))
}

/// Returns the currency of a request, by default the store's.
///
/// # Errors
/// If it is absent, and there is no store.
pub fn currency_or_default(
    tx: &Tx<'_>,
    currency: Option<Currency>,
) -> Result<Currency, RegionError> {
    match currency {
        Some(currency) => Ok(currency),
        None => default_currency(tx)?
            .ok_or_else(|| RegionError::Invalid("Field 'currency_code' is required".to_owned())),
    }
}

/// Returns the store's time zone; `UTC` before there is a store.
pub fn time_zone(tx: &Tx<'_>) -> Result<String, RegionError> {
    Ok(find_only(tx)?.map_or_else(|| "UTC".to_owned(), |store| store.time_zone))
}

/// Returns whether the store or one of its regions sells in a currency.
pub fn accepts(tx: &Tx<'_>, currency: Currency) -> Result<bool, RegionError> {
    Ok(queries::accepts(tx, currency)?)
}

/// Returns the store without its currencies.
fn find_only(tx: &Tx<'_>) -> Result<Option<Store>, database::Error> {
    Store::select_one(tx, "order by s.id limit 1", [])
}
