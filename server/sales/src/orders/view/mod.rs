//! The views of orders, loaded for a whole page by a fixed number of statements.
//!
//! [`views`] loads the selected relations of orders; the shapes define the fields that can be selected.

mod lines;
mod parts;
pub mod shape;
mod shipping;
mod totals;

pub(crate) use lines::{DetailRow, DetailView, ProgressTotalsView};
pub use lines::{LineView, StoreLine};

use std::collections::BTreeSet;

use serde::Serialize;

use super::admin::fulfillments::FulfillmentView;
use super::error::OrderError;
use super::order::{Address, CreditLine, Metadata, Order};
use super::queries::insert::{LINE, SHIPPING_METHOD};
use super::queries::load;
use crate::cart::TotalsView;
use crate::cart::totals::Amounts;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{
    self, ById, CustomerId, OrderAddressId, OrderCreditLineId, OrderId, RegionId, SalesChannelId,
};
use crate::money::{Amount, Currency};
use crate::payments::view::{CollectionRelations, CollectionView, collections_of};
pub(super) use lines::{ProductView, VariantView};
use shipping::ShippingMethodView;
pub(crate) use totals::attach_transactions;
use totals::{SummaryView, Sums, TransactionView};

/// The key in an order's metadata with the membership that it grants. Storefronts see it only on its own route, because
/// order ids appear in e-mails.
pub const MEMBERSHIP: &str = "membership";

/// An order.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "order", store = StoreOrder)]
pub struct OrderView {
    /// The id. It alone does not show the order in a storefront.
    pub id: OrderId,
    /// Its human-readable number.
    pub display_id: i64,
    /// Always null.
    pub(crate) custom_display_id: Option<String>,
    /// `pending`, `completed`, `archived`, `canceled` or `requires_action`.
    #[schema(example = "pending")]
    pub status: &'static str,
    /// `not_paid`, `awaiting`, `authorized`, `partially_authorized`, `captured`, `partially_captured`,
    /// `partially_refunded`, `refunded`, `canceled` or `requires_action`, according to its payments. Refunds to store
    /// credit appear only in `summary`.
    #[schema(example = "captured")]
    pub payment_status: &'static str,
    /// `not_fulfilled`, `partially_fulfilled`, `fulfilled`, `partially_shipped`, `shipped`, `partially_delivered`,
    /// `delivered` or `canceled`.
    #[schema(example = "not_fulfilled")]
    pub fulfillment_status: &'static str,
    /// Incremented by each change of the order.
    #[field(store(extra))]
    pub version: i64,
    pub summary: SummaryView,
    /// The e-mail address of the confirmation.
    pub email: Option<String>,
    pub currency_code: Currency,
    pub region_id: Option<RegionId>,
    #[field(store(extra))]
    pub sales_channel_id: Option<SalesChannelId>,
    #[field(store(extra))]
    pub customer_id: Option<CustomerId>,
    /// The language of the storefront.
    #[field(store(extra))]
    pub locale: Option<String>,
    #[schema(value_type = Option<Object>)]
    #[field(store(extra))]
    pub metadata: Option<Metadata>,
    /// When the order was placed.
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[field(store(extra))]
    pub canceled_at: Option<Timestamp>,
    #[serde(flatten)]
    totals: TotalsView,
    #[field(extra)]
    pub(crate) shipping_address_id: Option<OrderAddressId>,
    #[field(extra)]
    pub(crate) billing_address_id: Option<OrderAddressId>,
    #[field(relation)]
    pub shipping_address: Option<Address>,
    #[field(relation)]
    pub billing_address: Option<Address>,
    #[field(relation, store(relation(StoreLine)))]
    pub items: Vec<LineView>,
    #[field(relation)]
    pub shipping_methods: Vec<ShippingMethodView>,
    /// The store credit that paid a part of it.
    #[field(relation)]
    pub credit_lines: Vec<CreditLineView>,
    #[field(relation, store(relation(shape::StoreOrderCollection)))]
    pub payment_collections: Vec<CollectionView>,
    /// The fulfillments; admins only.
    #[field(relation, store(hidden))]
    pub fulfillments: Vec<FulfillmentView>,
    /// The captures and refunds; admins only.
    #[field(on_request, store(hidden))]
    pub transactions: Vec<TransactionView>,
}

/// Store credit that paid a part of an order.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "credit_line")]
pub struct CreditLineView {
    id: OrderCreditLineId,
    order_id: OrderId,
    amount: Amount,
    /// Equal to `amount`.
    subtotal: Amount,
    /// Equal to `amount`.
    total: Amount,
    #[schema(example = "store-credit")]
    reference: String,
    reference_id: String,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order was placed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
}

/// Loads the selected fields of a page of orders, with at most sixteen statements for any number of orders.
pub fn views(
    tx: &Tx<'_>,
    orders: Vec<Order>,
    selection: &Selection,
) -> Result<Vec<OrderView>, OrderError> {
    let mut related = Related::load(tx, &orders, selection)?;
    orders.into_iter().map(|order| related.view(order)).collect()
}

/// Loads the selected fields of an order.
pub(crate) fn view(
    tx: &Tx<'_>,
    order: Order,
    selection: &Selection,
) -> Result<OrderView, OrderError> {
    Related::load(tx, std::slice::from_ref(&order), selection)?.view(order)
}

/// Returns whether any amount is selected that returns change.
fn wants_totals(selection: &Selection) -> bool {
    let totals = TotalsView::SHAPE.defaults.iter();
    selection.wants("summary") || totals.copied().any(|name| selection.wants(name))
}

/// The relations of a page of orders, by order id.
#[derive(Default)]
struct Related {
    lines: ById<Vec<super::order::OrderLine>>,
    /// The amounts of the returned pieces.
    returned: ById<Amounts>,
    shipping_methods: ById<Vec<super::order::ShippingMethod>>,
    credit_lines: ById<Vec<CreditLine>>,
    collections: ById<Vec<CollectionView>>,
    variants: ById<VariantView>,
    products: ById<ProductView>,
}

impl Related {
    fn load(tx: &Tx<'_>, orders: &[Order], selection: &Selection) -> Result<Self, OrderError> {
        let ids = ids::list(orders.iter().map(|order| &order.id));
        let mut related = Self::default();
        if selection.wants("items") {
            related.load_lines(tx, &ids, selection)?;
        }
        if wants_totals(selection) {
            for (order, line) in load::returned(tx, &ids)? {
                let returned =
                    line.amounts.of_pieces(line.return_received_quantity, line.quantity)?;
                let sum = related.returned.take(&order).plus(returned)?;
                related.returned.insert(order, sum);
            }
        }
        if selection.wants("shipping_methods") {
            let mut taxes = load::taxes(tx, SHIPPING_METHOD, &ids)?;
            let mut adjustments = load::adjustments(tx, SHIPPING_METHOD, &ids)?;
            for (order, mut method) in load::shipping_methods(tx, &ids)? {
                method.taxes = taxes.take(&method.id);
                method.adjustments = adjustments.take(&method.id);
                related.shipping_methods.push(order, method);
            }
        }
        if selection.wants("credit_lines") {
            related.credit_lines = ById::grouped(load::credit_lines(tx, &ids)?);
        }
        if selection.wants("payment_collections") {
            let wants = |path: &str| selection.wants(&format!("payment_collections.{path}"));
            let relations = CollectionRelations {
                sessions: wants("payment_sessions"),
                payments: wants("payments"),
                transactions: wants("payments.captures") || wants("payments.refunds"),
            };
            related.collections = ById::grouped(collections_of(tx, &ids, relations)?);
        }
        Ok(related)
    }

    fn load_lines(
        &mut self,
        tx: &Tx<'_>,
        ids: &str,
        selection: &Selection,
    ) -> Result<(), OrderError> {
        let mut taxes = load::taxes(tx, LINE, ids)?;
        let mut adjustments = load::adjustments(tx, LINE, ids)?;
        let (mut variant_ids, mut product_ids) = (BTreeSet::new(), BTreeSet::new());
        for (order, mut line) in load::lines(tx, ids)? {
            line.taxes = taxes.take(&line.id);
            line.adjustments = adjustments.take(&line.id);
            variant_ids.extend(line.item.variant_id.clone());
            product_ids.extend(line.item.product_id.clone());
            self.lines.push(order, line);
        }
        if selection.wants("items.variant") {
            self.variants = load::variants(tx, &ids::list(&variant_ids))?;
        }
        if selection.wants("items.product") {
            self.products = load::products(tx, &ids::list(&product_ids))?;
        }
        Ok(())
    }

    fn view(&mut self, order: Order) -> Result<OrderView, OrderError> {
        let id = &order.id;
        let returned = self.returned.take(id);
        let totals = order.totals.less_items(returned)?;
        let lines = self.lines.take(id);
        let methods = self.shipping_methods.take(id);
        let credit = self.credit_lines.take(id);
        let sums = Sums {
            total: order.totals.total,
            returned: returned.total,
            credit: order.totals.credit_line_total,
            paid: order.paid_minor,
            refunded: order.refunded_minor,
            goodwill: order.goodwill_minor,
            is_canceled: order.canceled_at.is_some(),
        };
        let line_view = |line: super::order::OrderLine| {
            let variant = line.item.variant_id.as_ref().and_then(|id| self.variants.get(id));
            let product = line.item.product_id.as_ref().and_then(|id| self.products.get(id));
            LineView::of(line, &order, variant.cloned(), product.cloned())
        };
        let items = lines.into_iter().map(line_view).collect::<Result<_, _>>()?;
        let payment_collections = self.collections.take(id);
        let shipping_methods =
            methods.into_iter().map(|method| ShippingMethodView::of(method, &order)).collect();
        let credit_lines =
            credit.into_iter().map(|line| CreditLineView::of(line, &order)).collect();
        Ok(OrderView {
            display_id: order.display_id,
            custom_display_id: None,
            status: order.status.as_str(),
            payment_status: order.payment_status.as_str(),
            fulfillment_status: order.fulfillment_status.as_str(),
            version: order.version,
            summary: SummaryView::of(&sums, order.currency),
            totals: TotalsView::of(&totals, order.currency),
            id: order.id,
            email: order.email,
            currency_code: order.currency,
            region_id: order.region_id,
            sales_channel_id: order.sales_channel_id,
            customer_id: order.customer_id,
            locale: order.locale,
            metadata: order.metadata,
            created_at: order.placed_at,
            updated_at: order.updated_at,
            canceled_at: order.canceled_at,
            shipping_address_id: order.shipping_address.as_ref().map(|address| address.id.clone()),
            billing_address_id: order.billing_address.as_ref().map(|address| address.id.clone()),
            shipping_address: order.shipping_address,
            billing_address: order.billing_address,
            items,
            shipping_methods,
            credit_lines,
            payment_collections,
            fulfillments: Vec::new(),
            transactions: Vec::new(),
        })
    }
}

impl OrderView {
    /// Returns the order as storefronts see it.
    #[must_use]
    pub fn for_storefront(mut self) -> Self {
        if let Some(metadata) = &mut self.metadata {
            metadata.remove(MEMBERSHIP);
        }
        self
    }
}

impl CreditLineView {
    fn of(line: CreditLine, order: &Order) -> Self {
        let amount = order.currency.amount(line.amount_minor);
        Self {
            id: line.id,
            order_id: order.id.clone(),
            amount,
            subtotal: amount,
            total: amount,
            reference: line.reference,
            reference_id: line.reference_id,
            metadata: line.metadata,
            created_at: order.placed_at,
            updated_at: order.placed_at,
            deleted_at: None,
        }
    }
}
