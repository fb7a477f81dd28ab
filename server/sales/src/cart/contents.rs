//! Carts and their parts, as stored and as passed to other domains.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::offers::OfferTerms;
use super::totals::{self, Adjustment, CartTotals, Charge, ChargeTotals, TotalsError};
use crate::clock::Timestamp;
use crate::database::FromRow;
use crate::http::{Resource, ToSchema};
use crate::ids::{
    BundleItemId, BundleProductId, CartAddressId, CartAdjustmentId, CartBundleId, CartCreditLineId,
    CartId, CartLineId, CartShippingMethodId, CartTaxLineId, CustomerId, ProductId, ProductTypeId,
    PromotionId, RegionId, SalesChannelId, ShippingOptionId, ShippingProfileId, SubscriptionPlanId,
    TaxRateId, VariantId,
};
use crate::money::Currency;
use crate::taxes::TaxedThing;

/// The client's own data on a cart, a line or a shipping method.
pub type Metadata = Map<String, Value>;

#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct Cart {
    /// While no account owns the cart, knowing its id grants access to it.
    pub id: CartId,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    /// The owner: a guest or an account.
    pub customer_id: Option<CustomerId>,
    /// Whether the customer has an account; then only that account may use the cart.
    pub has_account: bool,
    pub currency: Currency,
    pub email: Option<String>,
    /// The language of the storefront, such as `en-GB`.
    pub locale: Option<String>,
    #[column(json)]
    pub shipping_address: Option<Address>,
    #[column(json)]
    pub billing_address: Option<Address>,
    /// Promotion codes in the order they were added, whether or not they apply.
    #[column(json)]
    pub promo_codes: Vec<String>,
    /// When it became an order; it cannot change after that.
    pub completed_at: Option<Timestamp>,
    /// Whether its completion is in progress, during which it cannot be changed.
    pub(crate) is_being_completed: bool,
    #[column(json)]
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The lines in the order they were added.
    #[column(skip)]
    pub lines: Vec<Line>,
    #[column(skip)]
    pub shipping_methods: Vec<ShippingMethod>,
    #[column(skip)]
    pub credit_lines: Vec<CreditLine>,
    #[column(skip)]
    pub totals: CartTotals,
}

/// A line of a cart: a quantity of a variant and the variant's data at the last refresh.
#[derive(Debug, Clone, PartialEq, Serialize, FromRow)]
pub struct Line {
    pub id: CartLineId,
    pub position: i64,
    #[serde(flatten)]
    #[column(flatten)]
    pub item: Item,
    pub quantity: i64,
    pub unit_price_minor: i64,
    /// The price of one piece without a sale, in minor units.
    pub compare_at_unit_price_minor: Option<i64>,
    /// Whether the price was set by hand.
    pub(crate) is_custom_price: bool,
    pub is_tax_inclusive: bool,
    pub bundle_id: Option<CartBundleId>,
    /// The product as which that bundle is sold; none if the shopper assembled it.
    pub bundle_product_id: Option<BundleProductId>,
    /// The slot of the bundle that it fills.
    pub bundle_item_id: Option<BundleItemId>,
    /// The plan that it is subscribed by; none if it is bought once.
    pub plan_id: Option<SubscriptionPlanId>,
    #[column(json)]
    pub tax_lines: Vec<TaxLine>,
    #[column(json)]
    pub adjustments: Vec<LineAdjustment>,
    #[column(json)]
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(skip)]
    #[column(skip)]
    pub totals: ChargeTotals,
}

impl Line {
    /// Returns a line at a position; its price is not computed yet.
    pub(super) fn new(
        id: CartLineId,
        position: i64,
        item: Item,
        quantity: i64,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            position,
            item,
            quantity,
            unit_price_minor: 0,
            compare_at_unit_price_minor: None,
            is_custom_price: false,
            is_tax_inclusive: false,
            bundle_id: None,
            bundle_product_id: None,
            bundle_item_id: None,
            plan_id: None,
            tax_lines: Vec::new(),
            adjustments: Vec::new(),
            metadata: None,
            created_at: at,
            updated_at: at,
            totals: ChargeTotals::default(),
        }
    }
}

/// The snapshot of a product and its variant on a line of a cart or an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema, Resource, FromRow)]
#[resource(name = "item")]
#[schema(as = LineItemSnapshot)]
pub struct Item {
    // None for a custom line.
    pub variant_id: Option<VariantId>,
    pub product_id: Option<ProductId>,
    /// The headline of the line.
    pub title: String,
    /// The text below the title.
    pub subtitle: Option<String>,
    /// The URL of a picture.
    pub thumbnail: Option<String>,
    /// Whether promotions may discount it.
    pub is_discountable: bool,
    pub is_giftcard: bool,
    pub requires_shipping: bool,
    pub product_title: Option<String>,
    pub product_description: Option<String>,
    pub product_subtitle: Option<String>,
    pub product_handle: Option<String>,
    /// The name of the product's type.
    pub product_type: Option<String>,
    pub product_type_id: Option<ProductTypeId>,
    /// The title of the product's collection.
    pub product_collection: Option<String>,
    pub variant_title: Option<String>,
    /// The variant's stock-keeping unit.
    pub variant_sku: Option<String>,
    pub variant_barcode: Option<String>,
}

impl Item {
    /// Returns what its taxes depend on.
    pub(crate) fn taxed(&self) -> TaxedThing<'_> {
        TaxedThing::Item {
            product_id: self.product_id.as_ref().map(ProductId::as_str),
            product_type_id: self.product_type_id.as_ref().map(ProductTypeId::as_str),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, FromRow)]
pub struct ShippingMethod {
    pub id: CartShippingMethodId,
    pub shipping_option_id: Option<ShippingOptionId>,
    /// The shipping profile it covers; a cart has one method per profile.
    pub shipping_profile_id: Option<ShippingProfileId>,
    pub name: String,
    /// The price, in minor units.
    pub amount_minor: i64,
    /// Whether an administrator set the price. Shoppers cannot, so stored carts have no such method.
    #[column(skip)]
    pub(crate) is_custom_amount: bool,
    pub is_tax_inclusive: bool,
    #[column(json)]
    pub data: Option<Metadata>,
    #[column(json)]
    pub tax_lines: Vec<TaxLine>,
    #[column(json)]
    pub adjustments: Vec<LineAdjustment>,
    #[column(json)]
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(skip)]
    #[column(skip)]
    pub totals: ChargeTotals,
}

/// Store credit that will pay a part of the cart; it is spent only at completion.
#[derive(Debug, Clone, PartialEq, Serialize, FromRow)]
pub struct CreditLine {
    pub id: CartCreditLineId,
    /// What it pays at present, in minor units; zero while the cart costs nothing or the account is empty.
    pub amount_minor: i64,
    /// What the shopper asked for, in minor units; none for the whole balance.
    pub(crate) requested_minor: Option<i64>,
    /// The means of payment: always `store-credit`.
    pub reference: String,
    pub reference_id: String,
    #[column(json)]
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A tax rate on a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxLine {
    pub id: CartTaxLineId,
    /// The rate that it was created from.
    pub(crate) tax_rate_id: TaxRateId,
    pub code: String,
    pub name: String,
    /// The rate, in millionths.
    pub rate_ppm: i64,
    /// The two-letter code of the country that levies the tax.
    pub country: String,
    /// The province that levies the tax; none if the country does.
    pub province: Option<String>,
}

/// A discount on a line or a shipping method, by a promotion or by a bundle, or of an offer on its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineAdjustment {
    pub id: CartAdjustmentId,
    /// None for the discount of a bundle or an offer.
    pub promotion_id: Option<PromotionId>,
    /// The promotion's code, [`BUNDLE`], or that of offers.
    pub code: String,
    /// The discount in minor units.
    pub amount_minor: i64,
    pub is_tax_inclusive: bool,
    /// The accepted terms, if it belongs to an offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<OfferTerms>,
}

impl LineAdjustment {
    /// Returns whether it is the discount of a bundle.
    pub(crate) fn is_of_bundle(&self) -> bool {
        self.promotion_id.is_none() && self.offer.is_none()
    }
}

/// The code of the discount of a bundle.
pub const BUNDLE: &str = "BUNDLE";

/// An address of a cart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "address")]
pub struct Address {
    pub id: CartAddressId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    /// Street and number.
    pub address_1: Option<String>,
    /// Second line.
    pub address_2: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// Two-letter code, lower case.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    pub phone: Option<String>,
    #[schema(value_type = Option<Object>)]
    #[field(extra)]
    pub metadata: Option<Metadata>,
}

impl Address {
    /// Returns an address with only a country.
    pub(crate) fn of_country(country_code: String) -> Self {
        Self { country_code: Some(country_code), ..Self::empty() }
    }

    pub(crate) fn empty() -> Self {
        Self {
            id: CartAddressId::new(),
            first_name: None,
            last_name: None,
            company: None,
            address_1: None,
            address_2: None,
            city: None,
            postal_code: None,
            country_code: None,
            province: None,
            phone: None,
            metadata: None,
        }
    }
}

impl Cart {
    /// Returns the discounts of the lines, then those of the shipping methods.
    pub(crate) fn adjustments(&self) -> impl Iterator<Item = &LineAdjustment> {
        let of_lines = self.lines.iter().flat_map(|line| &line.adjustments);
        of_lines.chain(self.shipping_methods.iter().flat_map(|method| &method.adjustments))
    }

    /// Returns the credit lines that pay something.
    pub(crate) fn paying_credit(&self) -> impl Iterator<Item = &CreditLine> {
        self.credit_lines.iter().filter(|line| line.amount_minor > 0)
    }

    /// Returns the promotions that discount it.
    pub(crate) fn promotion_ids(&self) -> Vec<&PromotionId> {
        let mut ids: Vec<_> =
            self.adjustments().filter_map(|one| one.promotion_id.as_ref()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Computes the totals of all lines, of the shipping methods and of the cart.
    pub(crate) fn add_up(&mut self) -> Result<(), TotalsError> {
        for line in &mut self.lines {
            line.totals = totals::charge(&line.charge())?;
        }
        for method in &mut self.shipping_methods {
            method.totals = totals::charge(&method.charge())?;
        }
        self.totals = totals::cart(
            self.lines.iter().map(|line| line.totals.amounts),
            self.shipping_methods.iter().map(|method| method.totals.amounts),
            self.credit_lines.iter().map(|line| line.amount_minor),
        )?;
        Ok(())
    }

    /// Returns the distinct variants of its lines.
    pub fn variant_ids(&self) -> Vec<VariantId> {
        let mut ids: Vec<_> =
            self.lines.iter().filter_map(|line| line.item.variant_id.clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns where taxes are due: the country and the province of the shipping address.
    pub(crate) fn tax_place(&self) -> Option<(&str, Option<&str>)> {
        let address = self.shipping_address.as_ref()?;
        Some((address.country_code.as_deref()?, address.province.as_deref()))
    }
}

impl Line {
    /// Returns whether it is an accepted offer with a special price.
    pub(crate) fn is_offer(&self) -> bool {
        self.adjustments.iter().any(|adjustment| adjustment.offer.is_some())
    }

    /// Returns the inputs of the line's totals.
    pub fn charge(&self) -> Charge {
        Charge {
            unit_price_minor: self.unit_price_minor,
            quantity: self.quantity,
            is_tax_inclusive: self.is_tax_inclusive,
            rates_ppm: self.tax_lines.iter().map(|line| line.rate_ppm).collect(),
            adjustments: self.adjustments.iter().map(Adjustment::from).collect(),
        }
    }

    /// Returns the inputs of the line's totals before promotions: with the discount of its bundle only.
    pub(crate) fn charge_before_promotions(&self) -> Charge {
        let of_bundle = self.adjustments.iter().filter(|adjustment| adjustment.is_of_bundle());
        Charge { adjustments: of_bundle.map(Adjustment::from).collect(), ..self.charge() }
    }
}

impl ShippingMethod {
    /// Returns the inputs of the method's totals.
    pub fn charge(&self) -> Charge {
        Charge {
            unit_price_minor: self.amount_minor,
            quantity: 1,
            is_tax_inclusive: self.is_tax_inclusive,
            rates_ppm: self.tax_lines.iter().map(|line| line.rate_ppm).collect(),
            adjustments: self.adjustments.iter().map(Adjustment::from).collect(),
        }
    }
}

impl From<&LineAdjustment> for Adjustment {
    fn from(adjustment: &LineAdjustment) -> Self {
        let LineAdjustment { amount_minor, is_tax_inclusive, .. } = *adjustment;
        Self { amount_minor, is_tax_inclusive }
    }
}
