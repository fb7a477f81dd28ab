//! The views of a cart's lines, shipping methods and credit lines.

use serde::Serialize;

use super::totals::ChargeTotalsView;
use crate::cart::contents::{
    Cart, CreditLine, Item, Line, LineAdjustment, Metadata, ShippingMethod, TaxLine,
};
use crate::cart::pricing::Sellables;
use crate::catalog::Sellable;
use crate::clock::Timestamp;
use crate::http::{Resource, ToSchema};
use crate::ids::{
    BundleItemId, BundleProductId, CartAdjustmentId, CartBundleId, CartCreditLineId, CartId,
    CartLineId, CartShippingMethodId, CartTaxLineId, CollectionId, ProductId, ProductTypeId,
    PromotionId, ShippingOptionId, SubscriptionPlanId, TaxRateId, VariantId,
};
use crate::money::{Amount, Currency};
use crate::taxes::LINE_PROVIDER;
use crate::taxes::rates::to_percent;

/// A line of a cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "line item")]
#[schema(as = StoreCartLineItem)]
pub(super) struct ItemView {
    id: CartLineId,
    cart_id: CartId,
    #[serde(flatten)]
    item: Item,
    quantity: i64,
    unit_price: Amount,
    compare_at_unit_price: Option<Amount>,
    is_tax_inclusive: bool,
    bundle_id: Option<CartBundleId>,
    /// The product as which that bundle is sold; null if the shopper assembled it.
    bundle_product_id: Option<BundleProductId>,
    /// The slot of the bundle that it fills.
    bundle_item_id: Option<BundleItemId>,
    /// The plan that it is subscribed by; null if it is bought once.
    plan_id: Option<SubscriptionPlanId>,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    created_at: Timestamp,
    updated_at: Timestamp,
    #[serde(flatten)]
    #[field(extra)]
    totals: ChargeTotalsView,
    #[field(relation)]
    tax_lines: Vec<TaxLineView>,
    #[field(relation)]
    adjustments: Vec<AdjustmentView>,
    #[field(relation)]
    product: Option<ItemProductView>,
    #[field(on_request)]
    variant: Option<ItemVariantView>,
}

/// A shipping method of a cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "shipping method")]
#[schema(as = StoreCartShippingMethod)]
pub(super) struct ShippingMethodView {
    id: CartShippingMethodId,
    cart_id: CartId,
    name: String,
    amount: Amount,
    is_tax_inclusive: bool,
    shipping_option_id: Option<ShippingOptionId>,
    #[schema(value_type = Option<Object>)]
    data: Option<Metadata>,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    created_at: Timestamp,
    updated_at: Timestamp,
    #[serde(flatten)]
    #[field(extra)]
    totals: ChargeTotalsView,
    #[field(relation)]
    tax_lines: Vec<TaxLineView>,
    #[field(relation)]
    adjustments: Vec<AdjustmentView>,
}

/// A tax rate on a line or a shipping method.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "tax line")]
#[schema(as = StoreCartTaxLine)]
struct TaxLineView {
    #[schema(example = "calitxl_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: String,
    description: String,
    code: String,
    /// Per cent.
    #[schema(example = 7.25)]
    rate: Amount,
    #[schema(example = "system")]
    provider_id: &'static str,
    #[field(extra)]
    tax_rate_id: TaxRateId,
}

/// The discount of a promotion on a line or a shipping method, or of an offer on its line.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "adjustment")]
#[schema(as = StoreCartAdjustment)]
struct AdjustmentView {
    #[schema(example = "caliadj_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: String,
    code: String,
    /// Null for an offer and for the discount of a bundle.
    promotion_id: Option<PromotionId>,
    amount: Amount,
    is_tax_inclusive: bool,
}

/// The product of a line, with the fields that promotions use.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "product of a line")]
#[schema(as = StoreCartLineItemProduct)]
struct ItemProductView {
    id: ProductId,
    collection_id: Option<CollectionId>,
    type_id: Option<ProductTypeId>,
    #[field(extra)]
    title: String,
    #[field(extra)]
    subtitle: Option<String>,
    #[field(extra)]
    description: Option<String>,
    #[field(extra)]
    handle: String,
    #[field(extra)]
    thumbnail: Option<String>,
    #[field(extra)]
    is_giftcard: bool,
    #[field(extra)]
    discountable: bool,
    #[field(relation)]
    categories: Vec<ReferenceView>,
    #[field(relation)]
    tags: Vec<ReferenceView>,
}

/// The variant of a line.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "variant of a line")]
#[schema(as = StoreCartLineItemVariant)]
struct ItemVariantView {
    id: VariantId,
    title: String,
    sku: Option<String>,
    barcode: Option<String>,
    product_id: ProductId,
    manage_inventory: bool,
    allow_backorder: bool,
    #[field(extra)]
    thumbnail: Option<String>,
}

/// A reference by id.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "reference")]
#[schema(as = StoreCartReference)]
pub(super) struct ReferenceView {
    pub(super) id: String,
}

/// Store credit on a cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "credit line")]
#[schema(as = StoreCartCreditLine)]
pub(super) struct CreditLineView {
    id: CartCreditLineId,
    amount: Amount,
    reference: String,
    reference_id: String,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl ItemView {
    pub(super) fn new(cart: &Cart, line: &Line, sellables: &Sellables) -> Self {
        let (item, currency) = (&line.item, cart.currency);
        let sellable = item.variant_id.as_ref().and_then(|id| sellables.get(id));
        Self {
            id: line.id.clone(),
            cart_id: cart.id.clone(),
            item: item.clone(),
            quantity: line.quantity,
            unit_price: currency.amount(line.unit_price_minor),
            compare_at_unit_price: line
                .compare_at_unit_price_minor
                .map(|minor| currency.amount(minor)),
            is_tax_inclusive: line.is_tax_inclusive,
            bundle_id: line.bundle_id.clone(),
            bundle_product_id: line.bundle_product_id.clone(),
            bundle_item_id: line.bundle_item_id.clone(),
            plan_id: line.plan_id.clone(),
            metadata: line.metadata.clone(),
            created_at: line.created_at,
            updated_at: line.updated_at,
            totals: ChargeTotalsView::of(&line.totals.amounts, currency),
            tax_lines: tax_lines(&line.tax_lines, CartTaxLineId::PREFIX),
            adjustments: adjustments(&line.adjustments, CartAdjustmentId::PREFIX, currency),
            product: sellable.map(ItemProductView::new),
            variant: sellable.map(ItemVariantView::new),
        }
    }
}

impl ShippingMethodView {
    pub(super) fn new(cart: &Cart, method: &ShippingMethod) -> Self {
        Self {
            id: method.id.clone(),
            cart_id: cart.id.clone(),
            name: method.name.clone(),
            amount: cart.currency.amount(method.amount_minor),
            is_tax_inclusive: method.is_tax_inclusive,
            shipping_option_id: method.shipping_option_id.clone(),
            data: method.data.clone(),
            metadata: method.metadata.clone(),
            created_at: method.created_at,
            updated_at: method.updated_at,
            totals: ChargeTotalsView::of(&method.totals.amounts, cart.currency),
            tax_lines: tax_lines(&method.tax_lines, "casmtxl"),
            adjustments: adjustments(&method.adjustments, "casmadj", cart.currency),
        }
    }
}

/// Returns an id with the prefix of its owner's kind: taxes and adjustments are stored in the same way for lines
/// and methods.
fn with_prefix(id: &str, prefix: &str) -> String {
    let ulid = id.split_once('_').map_or(id, |(_, ulid)| ulid);
    format!("{prefix}_{ulid}")
}

fn tax_lines(lines: &[TaxLine], prefix: &str) -> Vec<TaxLineView> {
    lines
        .iter()
        .map(|line| TaxLineView {
            id: with_prefix(line.id.as_str(), prefix),
            description: line.name.clone(),
            code: line.code.clone(),
            rate: to_percent(line.rate_ppm).into(),
            provider_id: LINE_PROVIDER,
            tax_rate_id: line.tax_rate_id.clone(),
        })
        .collect()
}

fn adjustments(
    adjustments: &[LineAdjustment],
    prefix: &str,
    currency: Currency,
) -> Vec<AdjustmentView> {
    adjustments
        .iter()
        .map(|adjustment| AdjustmentView {
            id: with_prefix(adjustment.id.as_str(), prefix),
            code: adjustment.code.clone(),
            promotion_id: adjustment.promotion_id.clone(),
            amount: currency.amount(adjustment.amount_minor),
            is_tax_inclusive: adjustment.is_tax_inclusive,
        })
        .collect()
}

impl ItemProductView {
    fn new(sellable: &Sellable) -> Self {
        let categories = sellable.category_ids.iter();
        let tags = sellable.tag_ids.iter();
        Self {
            id: sellable.product_id.clone(),
            collection_id: sellable.collection_id.clone(),
            type_id: sellable.type_id.clone(),
            title: sellable.product_title.clone(),
            subtitle: sellable.product_subtitle.clone(),
            description: sellable.product_description.clone(),
            handle: sellable.product_handle.clone(),
            thumbnail: sellable.product_thumbnail.clone(),
            is_giftcard: sellable.is_giftcard,
            discountable: sellable.discountable,
            categories: categories.map(|id| ReferenceView { id: id.to_string() }).collect(),
            tags: tags.map(|id| ReferenceView { id: id.to_string() }).collect(),
        }
    }
}

impl ItemVariantView {
    fn new(sellable: &Sellable) -> Self {
        Self {
            id: sellable.variant_id.clone(),
            title: sellable.variant_title.clone(),
            sku: sellable.sku.clone(),
            barcode: sellable.barcode.clone(),
            product_id: sellable.product_id.clone(),
            manage_inventory: sellable.manage_inventory,
            allow_backorder: sellable.allow_backorder,
            thumbnail: sellable.thumbnail.clone(),
        }
    }
}

impl CreditLineView {
    pub(super) fn new(line: &CreditLine, currency: Currency) -> Self {
        Self {
            id: line.id.clone(),
            amount: currency.amount(line.amount_minor),
            reference: line.reference.clone(),
            reference_id: line.reference_id.clone(),
            metadata: line.metadata.clone(),
            created_at: line.created_at,
            updated_at: line.updated_at,
        }
    }
}
