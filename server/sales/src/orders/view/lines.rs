//! The views of an order's lines.

use serde::Serialize;

use super::parts::{AdjustmentView, OwnerView, TaxLineView, adjustment_views, tax_views};
use crate::cart::contents::Item;
use crate::cart::{ChargeTotalsView, totals};
use crate::clock::Timestamp;
use crate::database::FromRow;
use crate::http::{Resource, ToSchema};
use crate::ids::{BundleProductId, OrderId, OrderLineId, ProductId, VariantId};
use crate::money::{Amount, Currency};
use crate::orders::order::{Metadata, Order, OrderLine, Progress};
use crate::proportion::{OutOfRange, portion, slice};

/// A line of an order: a quantity of a variant and the variant's data when it was sold.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "item", store = StoreLine)]
pub struct LineView {
    id: OrderLineId,
    /// As it was when it was sold.
    #[serde(flatten)]
    item: Item,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    variant_option_values: Option<Metadata>,
    is_tax_inclusive: bool,
    /// Always false.
    is_custom_price: bool,
    /// The bundle that it belongs to.
    bundle_id: Option<String>,
    /// The product as which that bundle was sold.
    bundle_product_id: Option<BundleProductId>,
    #[schema(value_type = Object)]
    metadata: Metadata,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
    /// The price without a sale.
    compare_at_unit_price: Option<Amount>,
    unit_price: Amount,
    /// The cost of one piece; admins only.
    #[field(extra, store(hidden))]
    unit_cost: Option<Amount>,
    /// The number of pieces ordered.
    quantity: i64,
    /// The progress of the pieces.
    detail: DetailView,
    #[serde(flatten)]
    totals: ChargeTotalsView,
    #[serde(flatten)]
    refundable: RefundableView,
    #[serde(flatten)]
    progress: ProgressTotalsView,
    #[field(relation)]
    tax_lines: Vec<TaxLineView>,
    /// The discounts of promotions.
    #[field(relation)]
    adjustments: Vec<AdjustmentView>,
    /// The current variant in the catalogue; null if it is deleted.
    #[field(relation)]
    variant: Option<VariantView>,
    /// The current product in the catalogue; null if it is deleted.
    #[field(on_request)]
    product: Option<ProductView>,
}

/// What can be refunded for a line.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "refundable totals")]
struct RefundableView {
    /// The total of the pieces that are neither returned nor on their way back.
    refundable_total: Amount,
    /// The amount that can be refunded for one piece, rounded.
    refundable_total_per_unit: Amount,
}

/// The totals of the pieces of a line, or of an order, by their progress.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "progress totals")]
#[expect(clippy::struct_field_names, reason = "the fields are those of the API")]
pub(crate) struct ProgressTotalsView {
    /// The total of the fulfilled pieces.
    fulfilled_total: Amount,
    /// The total of the shipped pieces.
    shipped_total: Amount,
    /// The total of the pieces whose return is requested.
    return_requested_total: Amount,
    /// The total of the returned pieces.
    return_received_total: Amount,
    /// The total of the pieces that were returned damaged.
    return_dismissed_total: Amount,
    /// The total of the pieces that were written off.
    write_off_total: Amount,
}

/// The progress of a line's pieces.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DetailView {
    id: OrderLineId,
    item_id: OrderLineId,
    order_id: OrderId,
    version: i64,
    #[schema(value_type = Object)]
    metadata: Metadata,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
    unit_price: Amount,
    /// The price without a sale.
    compare_at_unit_price: Option<Amount>,
    quantity: i64,
    /// Pieces in fulfillments that are not canceled.
    fulfilled_quantity: i64,
    delivered_quantity: i64,
    shipped_quantity: i64,
    return_requested_quantity: i64,
    return_received_quantity: i64,
    return_dismissed_quantity: i64,
    written_off_quantity: i64,
}

/// The fields of a line and its order that its detail shows.
#[derive(Debug, FromRow)]
pub(crate) struct DetailRow {
    id: OrderLineId,
    order_id: OrderId,
    version: i64,
    currency: Currency,
    placed_at: Timestamp,
    updated_at: Timestamp,
    unit_price_minor: i64,
    compare_at_unit_price_minor: Option<i64>,
    quantity: i64,
    #[column(flatten)]
    progress: Progress,
    #[column(json)]
    metadata: Option<Metadata>,
}

/// A current variant in the catalogue.
#[derive(Debug, Clone, Serialize, ToSchema, Resource, FromRow)]
#[resource(name = "variant")]
pub(crate) struct VariantView {
    pub(crate) id: VariantId,
    title: String,
    /// Its stock-keeping unit.
    sku: Option<String>,
    barcode: Option<String>,
    /// The European article number.
    ean: Option<String>,
    /// The universal product code.
    upc: Option<String>,
    /// Whether it can be sold when it is out of stock.
    allow_backorder: bool,
    /// Whether its stock is managed.
    manage_inventory: bool,
    /// The position among the product's variants.
    variant_rank: i64,
    /// The Harmonized System code.
    hs_code: Option<String>,
    origin_country: Option<String>,
    /// The manufacturer's code.
    mid_code: Option<String>,
    material: Option<String>,
    /// Weight in the store's unit.
    weight: Option<i64>,
    /// Length in the store's unit.
    length: Option<i64>,
    /// Height in the store's unit.
    height: Option<i64>,
    /// Width in the store's unit.
    width: Option<i64>,
    #[column(json)]
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    /// The URL of a picture.
    thumbnail: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// Always null: deleted variants are never returned.
    deleted_at: Option<Timestamp>,
    product_id: String,
    #[field(relation)]
    #[column(flatten)]
    product: ProductView,
}

/// A current product in the catalogue.
#[derive(Debug, Clone, Serialize, ToSchema, Resource, FromRow)]
#[resource(name = "product")]
pub(crate) struct ProductView {
    #[column(name = "product_id")]
    pub(in crate::orders) id: ProductId,
    #[column(name = "product_title")]
    title: String,
    #[column(name = "product_handle")]
    handle: String,
    /// The URL of a picture.
    #[column(name = "product_thumbnail")]
    thumbnail: Option<String>,
    collection_id: Option<String>,
    type_id: Option<String>,
}

impl LineView {
    /// Builds the view of a line with the variant and the product that it refers to, if they exist and are selected.
    pub(super) fn of(
        line: OrderLine,
        order: &Order,
        variant: Option<VariantView>,
        product: Option<ProductView>,
    ) -> Result<Self, OutOfRange> {
        let currency = order.currency;
        let received = line.progress.return_received_quantity;
        let left = line.amounts.minus(line.amounts.of_pieces(received, line.quantity)?)?;
        let parts = totals::charge(&line.charge()).ok();
        let parts = parts.as_ref();
        let detail = DetailRow::of(&line, order).into();
        let refundable = RefundableView::of(&line, currency);
        let progress = ProgressTotalsView::of(&line, currency);
        let owner = OwnerView::of_line(&line.id, order);
        Ok(Self {
            detail,
            tax_lines: tax_views(
                &owner,
                line.taxes,
                parts,
                (received > 0).then_some(&left),
                currency,
            ),
            adjustments: adjustment_views(&owner, line.adjustments, parts, currency),
            id: line.id,
            item: line.item,
            variant_option_values: None,
            is_tax_inclusive: line.is_tax_inclusive,
            is_custom_price: false,
            bundle_id: line.bundle_id,
            bundle_product_id: line.bundle_product_id,
            metadata: line.metadata.unwrap_or_default(),
            created_at: order.placed_at,
            updated_at: order.updated_at,
            deleted_at: None,
            compare_at_unit_price: line.compare_at_unit_price_minor.map(|it| currency.amount(it)),
            unit_price: currency.amount(line.unit_price_minor),
            unit_cost: line.unit_cost_minor.map(|it| currency.amount(it)),
            quantity: line.quantity,
            totals: ChargeTotalsView::of(&left, currency),
            refundable,
            progress,
            variant,
            product,
        })
    }
}

impl RefundableView {
    fn of(line: &OrderLine, currency: Currency) -> Self {
        let (total, quantity, progress) = (line.amounts.total, line.quantity, line.progress);
        let back = progress
            .return_requested_quantity
            .saturating_add(progress.return_received_quantity)
            .saturating_add(progress.return_dismissed_quantity);
        Self {
            refundable_total: currency
                .amount(total.saturating_sub(of_pieces(total, back, quantity))),
            refundable_total_per_unit: currency
                .amount(portion(total, 1, quantity).unwrap_or(total)),
        }
    }
}

impl ProgressTotalsView {
    fn of(line: &OrderLine, currency: Currency) -> Self {
        let (total, quantity) = (line.amounts.total, line.quantity);
        let cost_of = |pieces: i64| currency.amount(of_pieces(total, pieces, quantity));
        let Progress {
            fulfilled_quantity,
            shipped_quantity,
            return_requested_quantity,
            return_received_quantity,
            return_dismissed_quantity,
            written_off_quantity,
            ..
        } = line.progress;
        Self {
            fulfilled_total: cost_of(fulfilled_quantity),
            shipped_total: cost_of(shipped_quantity),
            return_requested_total: cost_of(return_requested_quantity),
            return_received_total: cost_of(return_received_quantity),
            return_dismissed_total: cost_of(return_dismissed_quantity),
            write_off_total: cost_of(written_off_quantity),
        }
    }

    /// Adds up the totals of an order's lines.
    pub(crate) fn sum(lines: &[LineView]) -> Self {
        let sum = |total: fn(&Self) -> Amount| {
            lines.iter().map(|line| total(&line.progress)).sum::<Amount>()
        };
        Self {
            fulfilled_total: sum(|line| line.fulfilled_total),
            shipped_total: sum(|line| line.shipped_total),
            return_requested_total: sum(|line| line.return_requested_total),
            return_received_total: sum(|line| line.return_received_total),
            return_dismissed_total: sum(|line| line.return_dismissed_total),
            write_off_total: sum(|line| line.write_off_total),
        }
    }
}

/// Returns the total of the first `pieces` of a line. The database keeps them within the line's quantity, so the
/// division cannot fail.
fn of_pieces(total: i64, pieces: i64, quantity: i64) -> i64 {
    if pieces == 0 { 0 } else { slice(total, 0, pieces, quantity).unwrap_or(total) }
}

impl DetailRow {
    fn of(line: &OrderLine, order: &Order) -> Self {
        Self {
            id: line.id.clone(),
            order_id: order.id.clone(),
            version: order.version,
            currency: order.currency,
            placed_at: order.placed_at,
            updated_at: order.updated_at,
            unit_price_minor: line.unit_price_minor,
            compare_at_unit_price_minor: line.compare_at_unit_price_minor,
            quantity: line.quantity,
            progress: line.progress,
            metadata: line.metadata.clone(),
        }
    }
}

impl From<DetailRow> for DetailView {
    fn from(row: DetailRow) -> Self {
        let DetailRow { currency, progress, .. } = row;
        let compare_at = row.compare_at_unit_price_minor;
        Self {
            item_id: row.id.clone(),
            id: row.id,
            order_id: row.order_id,
            version: row.version,
            metadata: row.metadata.unwrap_or_default(),
            created_at: row.placed_at,
            updated_at: row.updated_at,
            deleted_at: None,
            unit_price: currency.amount(row.unit_price_minor),
            compare_at_unit_price: compare_at.map(|minor| currency.amount(minor)),
            quantity: row.quantity,
            fulfilled_quantity: progress.fulfilled_quantity,
            delivered_quantity: progress.delivered_quantity,
            shipped_quantity: progress.shipped_quantity,
            return_requested_quantity: progress.return_requested_quantity,
            return_received_quantity: progress.return_received_quantity,
            return_dismissed_quantity: progress.return_dismissed_quantity,
            written_off_quantity: progress.written_off_quantity,
        }
    }
}
