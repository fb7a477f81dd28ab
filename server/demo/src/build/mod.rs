//! Writes the demo store through the functions of the domains.

mod carts;
mod catalog;
mod customers;
mod history;
mod offers;
mod orders;
mod places;
mod sending;

pub(super) use history::{Work, write};

use crate::cart::contents::Item;
use crate::clock::Timestamp;
use crate::ids::{
    CustomerId, InventoryItemId, ProductId, RegionId, SalesChannelId, ShippingOptionId,
    StockLocationId, VariantId,
};
use crate::money::{Currency, CurrencyError};

use super::goods::{Good, Goods};
use super::people::RegionKind;
use super::source::Source;

/// The store's currencies; the first one is its default, and all orders are in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Currencies {
    pub(super) gbp: Currency,
    pub(super) eur: Currency,
    pub(super) usd: Currency,
}

impl Currencies {
    pub(super) fn new() -> Result<Self, CurrencyError> {
        let code = Currency::from_code;
        Ok(Self { gbp: code("gbp")?, eur: code("eur")?, usd: code("usd")? })
    }
}

/// Something that each region has its own of.
#[derive(Debug)]
pub(super) struct ByRegion<T> {
    pub(super) britain: T,
    pub(super) europe: T,
    pub(super) world: T,
}

impl<T> ByRegion<T> {
    pub(super) const fn of(&self, kind: RegionKind) -> &T {
        match kind {
            RegionKind::Britain => &self.britain,
            RegionKind::Europe => &self.europe,
            RegionKind::World => &self.world,
        }
    }
}

/// The default shipping option to each region.
pub(super) type Ways = ByRegion<ShippingOptionId>;

/// The store's regions, channels and locations.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) regions: ByRegion<RegionId>,
    pub(super) web_shop: SalesChannelId,
    pub(super) wholesale: SalesChannelId,
    pub(super) warehouse: StockLocationId,
}

impl Places {
    /// Returns the channel of wholesalers or of other customers.
    pub(super) fn channel(&self, is_wholesale: bool) -> &SalesChannelId {
        if is_wholesale { &self.wholesale } else { &self.web_shop }
    }
}

/// A created product.
#[derive(Debug)]
pub(super) struct CreatedProduct {
    pub(super) product_id: ProductId,
    pub(super) variant_id: VariantId,
    pub(super) item_id: InventoryItemId,
    /// The title of its collection.
    pub(super) collection: Option<&'static str>,
}

impl CreatedProduct {
    /// Returns the snapshot for a line.
    fn item(&self, good: &Good) -> Item {
        Item {
            variant_id: Some(self.variant_id.clone()),
            product_id: Some(self.product_id.clone()),
            title: good.title.clone(),
            is_discountable: true,
            requires_shipping: true,
            product_title: Some(good.title.clone()),
            product_handle: Some(good.handle.clone()),
            product_collection: self.collection.map(str::to_owned),
            variant_title: Some(good.variant_title().to_owned()),
            variant_sku: Some(good.sku.clone()),
            ..Item::default()
        }
    }
}

/// A created customer.
#[derive(Debug, Clone)]
pub(super) struct Buyer {
    pub(super) id: CustomerId,
    pub(super) person: super::people::Person,
}

/// The inputs of orders.
struct OrderContext<'a> {
    source: &'a Source,
    goods: &'a Goods,
    products: &'a [CreatedProduct],
    places: &'a Places,
    ways: &'a Ways,
    currencies: Currencies,
    /// When the cost of every product rose: the middle day of the data, on the store's calendar.
    rise: Timestamp,
}
