//! Follows an order: records its conversion once, and keeps it up to date with the order.

use serde_json::Value;

use super::attribute::attribute;
use super::conversion::{Conversion, ConversionStatus, LinePart};
use super::decide::{record_entry, record_event, snapshot};
use super::ledger;
use super::queries;
use super::queries::orders::{self, OrderFacts};
use crate::commission::Target;
use crate::database::{self, Table as _, Tx};
use crate::error::PartnerError;
use crate::events::{Event, Subscriber};
use crate::ids::OrderId;

/// Follows what happens to orders.
pub const SUBSCRIBER: Subscriber = Subscriber {
    name: "partners.conversions",
    events: &[
        "order.placed",
        "payment.captured",
        "payment.refunded",
        "order.updated",
        "order.canceled",
    ],
    handle,
};

fn handle(tx: &Tx<'_>, event: &Event) -> Result<(), database::Error> {
    let payload: Value = serde_json::from_str(&event.payload).unwrap_or_default();
    let member = if event.name.starts_with("payment.") { "order_id" } else { "id" };
    let id = payload.get(member).and_then(Value::as_str).and_then(|id| id.parse::<OrderId>().ok());
    let Some(id) = id else { return Ok(()) };
    let event_ms = event.created_at.as_millis();
    // An order that cannot be followed must not delay the others.
    match tx.attempt(|tx| follow(tx, &id, (&event.name, event_ms)))? {
        Ok(()) => Ok(()),
        Err(PartnerError::Db(error)) => Err(error),
        Err(error) => {
            tracing::error!(%error, order = %id, "an order's commission could not be computed");
            Ok(())
        }
    }
}

/// Attributes an order unless this has been done, and recomputes what it earns. Does nothing if nothing has
/// changed.
pub fn follow(
    tx: &Tx<'_>,
    id: &OrderId,
    (cause, event_ms): (&str, i64),
) -> Result<(), PartnerError> {
    let Some(order) = orders::find(tx, id)? else { return Ok(()) };
    let conversion = match queries::of_order(tx, id)? {
        Some(conversion) => conversion,
        None => match attribute(tx, &order, event_ms)? {
            Some(conversion) => {
                conversion.insert(tx)?;
                record(tx, &conversion)?;
                conversion
            }
            None => return Ok(()),
        },
    };
    settle(tx, &conversion, &order, cause)
}

fn record(tx: &Tx<'_>, conversion: &Conversion) -> Result<(), PartnerError> {
    record_event(tx, "partner.conversion_recorded", conversion)?;
    if conversion.status == ConversionStatus::Rejected {
        record_entry(tx, "reject", None, conversion, "")?;
        record_event(tx, "partner.conversion_rejected", conversion)?;
    }
    Ok(())
}

fn settle(
    tx: &Tx<'_>,
    before: &Conversion,
    order: &OrderFacts,
    cause: &str,
) -> Result<(), PartnerError> {
    use ConversionStatus::{Approved, Paid, Pending, Rejected, Reversed};
    let (ids, mut lines): (Vec<_>, Vec<_>) = orders::lines(tx, &order.id)?.into_iter().unzip();
    for (id, line) in ids.iter().zip(&mut lines) {
        let part = before.lines.iter().find(|part| part.line_id == *id);
        line.rate_of = part.and_then(|part| part.rate_of);
    }
    let mut target = before.terms.target(&lines, order.refunded_goods()?, order.currency)?;
    let is_gone = order.is_canceled || (target.gross_minor > 0 && target.base_minor == 0);
    if order.is_canceled {
        let (gross_minor, parts) = (target.gross_minor, vec![(0, 0); lines.len()]);
        target = Target { gross_minor, parts, ..Target::default() };
    }
    let status = match before.status {
        Pending | Approved if is_gone => Reversed,
        // A line was added to an order whose goods were refunded.
        Reversed if !is_gone => Pending,
        status @ (Pending | Approved | Paid | Reversed | Rejected) => status,
    };
    let is_rejected = status == Rejected;
    let parts = ids.into_iter().zip(lines.iter().zip(&target.parts));
    let parts = parts.map(|(line_id, (line, (base, part)))| LinePart {
        line_id,
        base_minor: *base,
        commission_minor: if is_rejected { 0 } else { *part },
        rate_of: Some(before.terms.rate_of(line)),
    });
    let mut after = Conversion {
        status,
        base_minor: target.base_minor,
        commission_minor: if is_rejected { 0 } else { target.commission_minor },
        lines: parts.collect(),
        paid_at: before.paid_at.or(order.paid_at),
        ..before.clone()
    };
    ledger::append(
        tx,
        (&after.partner_id, &after.id),
        (after.currency, after.commission_minor),
        (cause, None),
    )?;
    if after == *before {
        return Ok(());
    }
    if status != before.status {
        after.decided_at = tx.now();
        after.decided_by = None;
        let is_reversed = status == Reversed;
        let why = if order.is_canceled { "canceled" } else { "refunded" };
        after.reason = is_reversed.then(|| why.to_owned());
        let (action, event) = if is_reversed {
            ("reverse", "partner.conversion_reversed")
        } else {
            ("reopen", "partner.conversion_recorded")
        };
        record_entry(tx, action, Some(snapshot(before)), &after, "")?;
        record_event(tx, event, &after)?;
    }
    Ok(after.update(tx)?)
}
