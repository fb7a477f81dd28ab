//! `/admin/stores`.

use std::collections::BTreeSet;
use utoipa_axum::router::OpenApiRouter;

use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::{RegionId, SalesChannelId, StockLocationId, StoreId};
use crate::metadata::MetadataPatch;
use crate::money::Currency;
use crate::regions::{self, Locale, RegionError, Store, StoreChange};
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Store, _>::at("/admin/stores", "Admin store")
        .list()
        .note("There is exactly one.")
        .show()
        .update(UpdateStoreRequest::update)
        .router()
}

/// The fields of the store to change; absent fields stay.
#[request]
#[schema(example = json!({ "name": "Greenwich Gifts",
    "supported_currencies": [{ "currency_code": "gbp", "is_default": true }] }))]
struct UpdateStoreRequest {
    name: Option<Text<255>>,
    /// Replaces all currencies; exactly one must be the default.
    #[schema(min_items = 1, max_items = 200)]
    supported_currencies: Option<Vec<SupportedCurrencyRequest>>,
    #[schema(value_type = Option<SalesChannelId>)]
    default_sales_channel_id: Patch<SalesChannelId>,
    #[schema(value_type = Option<RegionId>)]
    default_region_id: Patch<RegionId>,
    #[schema(value_type = Option<StockLocationId>)]
    default_location_id: Patch<StockLocationId>,
    /// An IANA time zone.
    #[schema(example = "Europe/London")]
    time_zone: Option<Text<64>>,
    /// The format of numbers, amounts and days for the store's staff.
    locale: Option<Locale>,
    metadata: Option<MetadataPatch>,
}

/// A currency that the store accepts.
#[request]
struct SupportedCurrencyRequest {
    currency_code: Currency,
    #[serde(default)]
    is_default: bool,
    /// Whether prices in it include tax.
    #[serde(default)]
    is_tax_inclusive: bool,
}

impl UpdateStoreRequest {
    fn update(self, tx: &Tx<'_>, id: &StoreId) -> Result<(), RegionError> {
        let mut store = Store::require::<RegionError>(tx, id)?;
        store.metadata.merge(self.metadata)?;
        let change = StoreChange {
            name: self.name.map(String::from),
            currencies: self.supported_currencies.map(currencies).transpose()?,
            default_sales_channel_id: self.default_sales_channel_id,
            default_region_id: self.default_region_id,
            default_location_id: self.default_location_id,
            time_zone: self.time_zone.map(String::from),
            locale: self.locale,
            metadata: Some(store.metadata),
        };
        regions::change_store(tx, change).map(drop)
    }
}

/// Returns the currencies with the default one first.
fn currencies(
    mut sent: Vec<SupportedCurrencyRequest>,
) -> Result<Vec<(Currency, bool)>, RegionError> {
    if sent.iter().filter(|currency| currency.is_default).count() != 1 {
        let sentence = "exactly one of supported_currencies is the default".to_owned();
        return Err(RegionError::Invalid(sentence));
    }
    sent.sort_by_key(|currency| (!currency.is_default, currency.currency_code));
    let codes: BTreeSet<Currency> = sent.iter().map(|currency| currency.currency_code).collect();
    if codes.len() != sent.len() {
        let sentence = "supported_currencies has a currency twice".to_owned();
        return Err(RegionError::Invalid(sentence));
    }
    Ok(sent
        .into_iter()
        .map(|currency| (currency.currency_code, currency.is_tax_inclusive))
        .collect())
}
