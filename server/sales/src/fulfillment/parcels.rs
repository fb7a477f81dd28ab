//! Parcels as carriers and warehouses report them, in any order and more than once.
//!
//! A parcel is the join of its reports: the furthest state, and the earliest time of each kind. It has one fulfillment,
//! which is found or packed when it is shipped, and which follows the parcel's state and never goes back.

use std::collections::BTreeMap;

use super::error::FulfillmentError;
use super::packing::Pieces;
use super::queries;
use super::steps::{self, Label, NewFulfillment};
use crate::clock::Timestamp;
use crate::database::{Missing, Record, Tx, Word};
use crate::http::Refusal;
use crate::ids::{FulfillmentId, OrderId};
use crate::metadata::Metadata;
use crate::statuses::FulfillmentStage;

/// The state of a parcel, in ascending order of precedence: a sent parcel was not canceled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum ParcelState {
    Packed,
    Canceled,
    Shipped,
    Delivered,
    Returned,
}

/// The facts about a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
#[record(table = "parcel p")]
pub struct Parcel {
    pub order_id: OrderId,
    /// Empty if the carrier has none.
    pub tracking_number: String,
    pub fulfillment_id: Option<FulfillmentId>,
    pub carrier: String,
    pub tracking_url: String,
    pub state: ParcelState,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub returned_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParcelReport {
    pub order_id: OrderId,
    pub tracking_number: String,
    pub carrier: String,
    pub tracking_url: String,
    pub state: ParcelState,
    pub at: Timestamp,
    /// The contents as SKUs and quantities; empty if they are not reported.
    pub items: Vec<(String, i64)>,
}

impl Parcel {
    /// Returns the parcel described by a single report.
    fn of(report: &ParcelReport) -> Self {
        let at = |state| (report.state == state).then_some(report.at);
        Self {
            order_id: report.order_id.clone(),
            tracking_number: report.tracking_number.clone(),
            fulfillment_id: None,
            carrier: report.carrier.clone(),
            tracking_url: report.tracking_url.clone(),
            state: report.state,
            shipped_at: at(ParcelState::Shipped),
            delivered_at: at(ParcelState::Delivered),
            returned_at: at(ParcelState::Returned),
        }
    }

    /// Returns the join of two reports on one parcel.
    fn join(self, other: Self) -> Self {
        Self {
            fulfillment_id: self.fulfillment_id.or(other.fulfillment_id),
            carrier: self.carrier.max(other.carrier),
            tracking_url: self.tracking_url.max(other.tracking_url),
            state: self.state.max(other.state),
            shipped_at: earliest(self.shipped_at, other.shipped_at),
            delivered_at: earliest(self.delivered_at, other.delivered_at),
            returned_at: earliest(self.returned_at, other.returned_at),
            ..self
        }
    }
}

fn earliest(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}

/// Joins a report to its parcel and brings the fulfillment to it; returns the fulfillment, if the parcel was shipped.
///
/// # Errors
/// [`FulfillmentError`] if the order is not open, or fewer pieces are left to pack.
pub fn report(
    tx: &Tx<'_>,
    report: &ParcelReport,
) -> Result<Option<FulfillmentId>, FulfillmentError> {
    // The clocks of senders may be ahead.
    let report = ParcelReport { at: report.at.min(tx.now()), ..report.clone() };
    let new = Parcel::of(&report);
    let earlier = queries::find_parcel(tx, &report.order_id, &report.tracking_number)?;
    let mut parcel = match earlier {
        Some(earlier) => earlier.join(new),
        None => new,
    };
    if parcel.state >= ParcelState::Shipped {
        let id = fulfillment_of(tx, &parcel, &report.items)?;
        follow(tx, &parcel, &id)?;
        parcel.fulfillment_id = Some(id);
    }
    queries::put_parcel(tx, &parcel)?;
    Ok(parcel.fulfillment_id)
}

/// Returns the fulfillment of a parcel: its own, the one with its number, the unshipped one with its items or the only one
/// if none are reported, or a new one.
fn fulfillment_of(
    tx: &Tx<'_>,
    parcel: &Parcel,
    items: &[(String, i64)],
) -> Result<FulfillmentId, FulfillmentError> {
    let order_id = &parcel.order_id;
    if let Some(id) = &parcel.fulfillment_id {
        return Ok(id.clone());
    }
    if let Some(id) = queries::labelled(tx, order_id, &parcel.tracking_number)? {
        return Ok(id);
    }
    let waiting = queries::waiting(tx, order_id)?;
    if let ([id], []) = (waiting.as_slice(), items) {
        return Ok(id.clone());
    }
    if items.is_empty() {
        let packed = steps::fulfil_all(tx, order_id, None)?;
        return packed.ok_or_else(|| {
            Refusal::invalid("an order needs at least one item to be fulfilled").into()
        });
    }
    // Some senders list a SKU once per piece.
    let mut by_sku: BTreeMap<String, i64> = BTreeMap::new();
    for (sku, quantity) in items {
        let sum = by_sku.entry(sku.clone()).or_default();
        *sum = sum.saturating_add(*quantity);
    }
    for id in waiting {
        if queries::contents(tx, &id)? == by_sku {
            return Ok(id);
        }
    }
    let new = NewFulfillment {
        order_id: order_id.clone(),
        pieces: pieces(tx, order_id, by_sku)?,
        location_id: None,
        shipping_option_id: None,
        metadata: Metadata::default(),
        actor_id: None,
    };
    steps::pack(tx, new)
}

/// Returns the pieces of an order for these SKUs, from the first lines that have some left.
fn pieces(
    tx: &Tx<'_>,
    order_id: &OrderId,
    by_sku: BTreeMap<String, i64>,
) -> Result<Vec<Pieces>, FulfillmentError> {
    let mut pieces = Vec::new();
    for (sku, quantity) in by_sku {
        let mut left = quantity;
        for (line_id, waiting) in queries::lines_of_sku(tx, order_id, &sku)? {
            let part = left.min(waiting);
            if part > 0 {
                pieces.push(Pieces { line_id, quantity: part });
                left = left.saturating_sub(part);
            }
        }
        if left > 0 || quantity < 1 {
            let message = format!("the order has no {quantity} pieces of `{sku}` left to fulfill");
            return Err(Refusal::invalid(message).into());
        }
    }
    Ok(pieces)
}

/// Ships and delivers a fulfillment as far as its parcel is, at the parcel's times.
fn follow(tx: &Tx<'_>, parcel: &Parcel, id: &FulfillmentId) -> Result<(), FulfillmentError> {
    let order_id = &parcel.order_id;
    let stage = |tx: &Tx<'_>| -> Result<FulfillmentStage, FulfillmentError> {
        let row = queries::find(tx, order_id, id)?;
        Ok(row.ok_or_else(|| Missing::new("Fulfillment", id))?.stage)
    };
    if stage(tx)? == FulfillmentStage::Packed {
        let labels: Vec<Label> = Some(&parcel.tracking_number)
            .filter(|number| !number.is_empty())
            .map(|number| Label {
                tracking_number: number.clone(),
                tracking_url: parcel.tracking_url.clone(),
                print_url: String::new(),
            })
            .into_iter()
            .collect();
        steps::ship(tx, (order_id, id), None, &labels, false)?;
    }
    if parcel.delivered_at.is_some() && stage(tx)? == FulfillmentStage::Shipped {
        steps::deliver(tx, order_id, id)?;
    }
    Ok(queries::set_earlier_times(tx, id, parcel.shipped_at, parcel.delivered_at)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcel(state: ParcelState, at_ms: i64) -> Parcel {
        Parcel::of(&ParcelReport {
            order_id: OrderId::seeded(0, 1),
            tracking_number: "TRK1".to_owned(),
            carrier: String::new(),
            tracking_url: String::new(),
            state,
            at: Timestamp::from_millis(at_ms),
            items: Vec::new(),
        })
    }

    #[test]
    fn a_parcel_is_the_furthest_state_and_the_earliest_times_whatever_the_order() {
        let reports = [
            parcel(ParcelState::Delivered, 50),
            parcel(ParcelState::Packed, 10),
            parcel(ParcelState::Shipped, 30),
            parcel(ParcelState::Shipped, 20),
            parcel(ParcelState::Canceled, 15),
            parcel(ParcelState::Delivered, 60),
        ];
        for turns in 0..reports.len() {
            let mut reports = reports.to_vec();
            reports.rotate_left(turns);
            let mut all = reports.into_iter();
            let first = all.next().unwrap();
            let joined = all.clone().chain(all).fold(first, Parcel::join);
            assert_eq!(joined.state, ParcelState::Delivered, "{turns}");
            let times = (joined.shipped_at, joined.delivered_at, joined.returned_at);
            let at = |at_ms| Some(Timestamp::from_millis(at_ms));
            assert_eq!(times, (at(20), at(50), None), "{turns}");
        }
    }
}
