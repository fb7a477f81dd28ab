//! The views of carts.

mod charges;
mod relations;
mod totals;

use serde::Serialize;
use serde_json::Value;

use super::contents::{Address, Cart, Metadata};
use super::error::CartError;
use super::pricing::Sellables;
use crate::catalog;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Relation, Resource, Selection, Shape, ToSchema};
use crate::ids::{CartAddressId, CartId, CustomerId, RegionId, SalesChannelId};
use crate::money::Currency;
use crate::payments;
use crate::payments::view::{CollectionView, SessionView};
use charges::{CreditLineView, ItemView, ShippingMethodView};
use relations::{CartCustomerView, CartPromotionView, CartRegionView};
pub use totals::{ChargeTotalsView, TotalsView};

/// Returns a cart with the store's default fields.
pub fn view(tx: &Tx<'_>, cart: &Cart) -> Result<Value, CartError> {
    let selection = Selection::of_defaults(CartView::SHAPE);
    let view = CartView::load(tx, cart, &selection)?;
    // A view consists of strings, numbers and lists, so serialization cannot fail.
    Ok(selection.value(&view).unwrap_or_default())
}

/// Returns the fields without the last, `deleted_at`, which a cart shows on request.
const fn default_fields(fields: &'static [&'static str]) -> &'static [&'static str] {
    match fields.split_last() {
        Some((_deleted_at, others)) => others,
        None => &[],
    }
}

static SESSION: Shape = Shape {
    name: "payment session",
    defaults: default_fields(SessionView::SHAPE.defaults),
    extras: &["deleted_at"],
    ..*SessionView::SHAPE
};

/// The payment collection of a cart.
#[derive(Debug)]
struct PaymentCollection;

impl Resource for PaymentCollection {
    const SHAPE: &'static Shape = {
        static SHAPE: Shape = Shape {
            name: "payment collection",
            defaults: default_fields(CollectionView::SHAPE.defaults),
            extras: &["deleted_at"],
            relations: &[Relation::default("payment_sessions", &SESSION)],
            ..*CollectionView::SHAPE
        };
        &SHAPE
    };
}

/// A cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "cart")]
#[schema(as = StoreCart, example = json!({
    "id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "currency_code": "gbp", "email": "ada@example.com",
    "total": 64.7, "subtotal": 65.91, "discount_total": 6.01, "tax_total": 4.39,
    "items": [{ "id": "cali_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Green Shirt", "quantity": 2, "unit_price": 12.99 }],
}))]
pub(super) struct CartView {
    id: CartId,
    currency_code: Currency,
    email: Option<String>,
    locale: Option<String>,
    region_id: Option<RegionId>,
    sales_channel_id: Option<SalesChannelId>,
    customer_id: Option<CustomerId>,
    shipping_address_id: Option<CartAddressId>,
    billing_address_id: Option<CartAddressId>,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: Option<Timestamp>,
    #[serde(flatten)]
    totals: TotalsView,
    #[field(relation)]
    items: Vec<ItemView>,
    #[field(relation)]
    shipping_methods: Vec<ShippingMethodView>,
    #[field(relation)]
    shipping_address: Option<Address>,
    #[field(relation)]
    billing_address: Option<Address>,
    #[field(relation)]
    credit_lines: Vec<CreditLineView>,
    #[field(relation)]
    region: Option<CartRegionView>,
    #[field(relation)]
    customer: Option<CartCustomerView>,
    #[field(relation)]
    promotions: Vec<CartPromotionView>,
    #[schema(value_type = Option<Object>)]
    #[field(relation(PaymentCollection))]
    payment_collection: Option<Value>,
}

impl CartView {
    /// Returns the view of a cart with the selected relations.
    pub(super) fn load(tx: &Tx<'_>, cart: &Cart, selection: &Selection) -> Result<Self, CartError> {
        let wants = |name: &str| selection.wants(name);
        let sellables = if wants("items.product") || wants("items.variant") {
            catalog::sellables_by_id(tx, &cart.variant_ids())?
        } else {
            Sellables::default()
        };
        let lines = cart.lines.iter();
        let methods = cart.shipping_methods.iter();
        let credit = cart.paying_credit();
        Ok(Self {
            id: cart.id.clone(),
            currency_code: cart.currency,
            email: cart.email.clone(),
            locale: cart.locale.clone(),
            region_id: cart.region_id.clone(),
            sales_channel_id: cart.sales_channel_id.clone(),
            customer_id: cart.customer_id.clone(),
            shipping_address_id: cart.shipping_address.as_ref().map(|address| address.id.clone()),
            billing_address_id: cart.billing_address.as_ref().map(|address| address.id.clone()),
            metadata: cart.metadata.clone(),
            created_at: cart.created_at,
            updated_at: cart.updated_at,
            completed_at: cart.completed_at,
            totals: TotalsView::of(&cart.totals, cart.currency),
            items: lines.map(|line| ItemView::new(cart, line, &sellables)).collect(),
            shipping_methods: methods.map(|method| ShippingMethodView::new(cart, method)).collect(),
            shipping_address: cart.shipping_address.clone(),
            billing_address: cart.billing_address.clone(),
            credit_lines: credit.map(|line| CreditLineView::new(line, cart.currency)).collect(),
            region: if wants("region") { relations::region(tx, cart)? } else { None },
            customer: if wants("customer") { relations::customer(tx, cart)? } else { None },
            promotions: if wants("promotions") {
                relations::promotions_of(tx, cart)?
            } else {
                Vec::new()
            },
            payment_collection: if wants("payment_collection") {
                payments::collection_view(tx, &cart.id)?
            } else {
                None
            },
        })
    }
}
