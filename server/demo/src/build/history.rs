//! Writes the demo store in order: the store and its catalog, every order with its payment and its parcel, and then all
//! stock movements by time.

use super::customers::Customers;
use super::orders::{self, Written};
use super::{Currencies, OrderContext, Places, carts, catalog, offers, places, sending};
use crate::calendar::Calendar;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::fulfillment;
use crate::goods::Goods;
use crate::ids::{InventoryItemId, OrderLineId, VariantId};
use crate::inventory::{self, LineQuantity};
use crate::orders as placed;
use crate::payments::{self, NewRefund};
use crate::plan::{Delivery, Move, Parcel, Plan, Reversal, deliveries, moves, parcel};
use crate::progress::Progress;
use crate::returns;
use crate::source::Source;
use crate::{DemoError, Summary, queries};

/// The middle of the data, when costs rose; a Friday.
const COST_RISE_MS: i64 = 1_307_059_200_000;
/// The reason of incoming stock movements.
const ARRIVAL: &str = "delivery";

/// The inputs of the demo store.
#[derive(Debug)]
pub(crate) struct Work {
    pub source: Source,
    pub goods: Goods,
    pub plan: Plan,
    pub calendar: Calendar,
    pub zone: String,
    pub(crate) progress: Progress,
}

/// Writes everything in the caller's transaction.
pub(crate) fn write(tx: &Tx<'_>, work: &Work) -> Result<Summary, DemoError> {
    if !queries::is_empty(tx)? {
        return Err(DemoError::NotEmpty);
    }
    let memory = queries::grow_memory(tx)?;
    let late_indexes = queries::drop_late_indexes(tx)?;
    let outcome = write_all(tx, work);
    if outcome.is_ok() {
        queries::create_indexes(tx, &late_indexes)?;
    }
    queries::shrink_memory(tx, memory)?;
    outcome
}

fn write_all(tx: &Tx<'_>, work: &Work) -> Result<Summary, DemoError> {
    let Work { source, goods, plan, calendar, zone, progress } = work;
    let begins = match source.invoices.first() {
        Some(first) => calendar.day_of(calendar.moved(first.at)?)?,
        None => calendar.day_of(calendar.ends())?,
    };
    let tx = &tx.at(begins);
    let currencies = Currencies::new()?;
    let places = places::make(tx, zone, currencies)?;
    let (profile, ways) = sending::make(tx, &places, currencies)?;
    let groupings = catalog::groupings(tx)?;
    let rise = calendar.moved(Timestamp::from_millis(COST_RISE_MS))?;
    let context = catalog::ProductContext { places: &places, profile: &profile, currencies, rise };
    let products = catalog::products(tx, goods, &groupings, &context)?;
    offers::make(tx, begins)?;
    progress.step(0);

    let context = OrderContext {
        source,
        goods,
        products: &products,
        places: &places,
        ways: &ways,
        currencies,
        rise,
    };
    let mut customers = Customers::default();
    let parcels: Vec<Parcel> =
        plan.orders.iter().map(|order| parcel(order, calendar.ends())).collect();
    let mut written = Vec::with_capacity(plan.orders.len());
    for ((index, order), parcel) in (0_u64..).zip(&plan.orders).zip(&parcels) {
        let tx = &tx.at(order.at);
        carts::left(tx, &context, (index, order))?;
        let buyer = customers.of(tx, plan, (index, order))?;
        written.push(orders::write(tx, &context, (index, order, parcel), &buyer)?);
        progress.step(1);
    }
    customers.group(tx, plan)?;

    let deliveries = deliveries(plan, goods, calendar)?;
    let history = OrderHistory { context: &context, plan, parcels: &parcels, written: &written };
    let mut refund_count = 0_u64;
    for (at, what) in moves(plan, &deliveries, &parcels, calendar.ends()) {
        refund_count =
            refund_count.saturating_add(history.follow(&tx.at(at), what, &deliveries)?);
        if matches!(what, Move::Pack(_)) {
            progress.step(1);
        }
    }
    let count = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
    Ok(Summary {
        products: count(products.len()),
        customers: customers.count(),
        orders: count(written.len()),
        refunds: refund_count,
        accounts: plan.accounts,
    })
}

/// The written orders, with their plan.
struct OrderHistory<'a> {
    context: &'a OrderContext<'a>,
    plan: &'a Plan,
    parcels: &'a [Parcel],
    written: &'a [Written],
}

impl OrderHistory<'_> {
    /// Applies a stock movement at the transaction's time; returns the number of refunds.
    fn follow(&self, tx: &Tx<'_>, what: Move, deliveries: &[Delivery]) -> Result<u64, DemoError> {
        match what {
            Move::Arrive(place) => {
                deliveries.get(place).map_or(Ok(()), |delivery| self.arrive(tx, delivery))?;
            }
            Move::Promise(place) => self.promise(tx, place)?,
            Move::Pack(place) => self.pack(tx, place)?,
            Move::TakeBack(place, index) => {
                let order =
                    self.plan.orders.get(place).and_then(|order| order.reversals.get(index));
                if let (Some(reversal), Some(written)) = (order, self.written.get(place)) {
                    return take_back(tx, written, reversal);
                }
            }
        }
        Ok(0)
    }

    fn places(&self) -> &Places {
        self.context.places
    }

    fn arrive(&self, tx: &Tx<'_>, delivery: &Delivery) -> Result<(), DemoError> {
        let product = |place: usize| self.context.products.get(place);
        let pieces = delivery.pieces.iter();
        let pieces: Vec<(VariantId, i64)> = pieces
            .filter_map(|(place, pieces)| Some((product(*place)?.variant_id.clone(), *pieces)))
            .collect();
        Ok(inventory::restock(tx, &self.places().warehouse, &pieces, ARRIVAL, None)?)
    }

    /// Returns the goods of an order: line, product and pieces.
    fn goods(&self, place: usize) -> Vec<(&OrderLineId, &super::CreatedProduct, i64)> {
        let (Some(order), Some(written)) = (self.plan.orders.get(place), self.written.get(place))
        else {
            return Vec::new();
        };
        let lines = order.lines.iter().zip(&written.line_ids);
        let goods = lines.filter_map(|(line, id)| {
            Some((id, self.context.products.get(line.good?)?, line.quantity))
        });
        goods.collect()
    }

    fn promise(&self, tx: &Tx<'_>, place: usize) -> Result<(), DemoError> {
        let (Some(order), Some(written)) = (self.plan.orders.get(place), self.written.get(place))
        else {
            return Ok(());
        };
        let goods = self.goods(place).into_iter();
        let quantities: Vec<LineQuantity> = goods
            .map(|(line_id, product, quantity)| LineQuantity {
                line_id: line_id.clone(),
                variant_id: product.variant_id.clone(),
                quantity,
            })
            .collect();
        let channel = self.places().channel(order.is_wholesale);
        Ok(inventory::reserve(tx, &written.id, &quantities, channel)?)
    }

    fn pack(&self, tx: &Tx<'_>, place: usize) -> Result<(), DemoError> {
        let (Some(parcel), Some(written)) = (self.parcels.get(place), self.written.get(place))
        else {
            return Ok(());
        };
        if parcel.shipped_at.is_none() {
            fulfillment::fulfil_all(tx, &written.id, Some(&self.places().warehouse))?;
            return Ok(());
        }
        let goods = self.goods(place).into_iter();
        let pieces: Vec<(InventoryItemId, i64)> =
            goods.map(|(_, product, quantity)| (product.item_id.clone(), quantity)).collect();
        Ok(inventory::import_shipment(tx, &written.id, &self.places().warehouse, &pieces)?)
    }
}

fn take_back(tx: &Tx<'_>, written: &Written, reversal: &Reversal) -> Result<u64, DemoError> {
    let returned = reversal.returned.iter();
    let lines: Vec<(OrderLineId, i64)> = returned
        .filter_map(|(line, pieces)| Some((written.line_ids.get(*line)?.clone(), *pieces)))
        .collect();
    if !lines.is_empty() {
        returns::return_lines(tx, &written.id, &lines, None)?;
    }
    let is_refunded = reversal.refund_minor > 0;
    if is_refunded {
        let refund = NewRefund {
            amount_minor: Some(reversal.refund_minor),
            note: Some(reversal.number.clone()),
            ..NewRefund::default()
        };
        payments::refund(tx, &written.payment_id, refund)?;
    }
    placed::settle(tx, &written.id)?;
    Ok(u64::from(is_refunded))
}
