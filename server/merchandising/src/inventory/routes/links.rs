//! The links of a stock location to sales channels and fulfillment providers.

use crate::database::Tx;
use crate::http::{Text, request};
use crate::ids::{SalesChannelId, StockLocationId};
use crate::inventory::{InventoryError, location};

/// Channels to add to a location and to remove from it.
#[request]
#[schema(example = json!({ "add": ["sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(super) struct ChangeStockLocationChannelsRequest {
    #[serde(default)]
    add: Vec<SalesChannelId>,
    #[serde(default)]
    remove: Vec<SalesChannelId>,
}

impl ChangeStockLocationChannelsRequest {
    pub(super) fn apply(self, tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
        location::change_channels(tx, id, &self.add, &self.remove)
    }
}

/// Providers to add to a location and to remove from it.
#[request]
#[schema(example = json!({ "add": ["manual_manual"] }))]
pub(super) struct ChangeStockLocationProvidersRequest {
    #[serde(default)]
    #[schema(max_items = 50)]
    add: Vec<Text<100>>,
    #[serde(default)]
    #[schema(max_items = 50)]
    remove: Vec<Text<100>>,
}

impl ChangeStockLocationProvidersRequest {
    pub(super) fn apply(self, tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
        let texts = |sent: Vec<Text<100>>| sent.into_iter().map(String::from).collect::<Vec<_>>();
        location::change_providers(tx, id, &texts(self.add), &texts(self.remove))
    }
}
