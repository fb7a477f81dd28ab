//! Decisions on conversions: by a job after the hold period, or by a person.

use serde_json::{Value, json};

use super::conversion::{Conversion, ConversionStatus};
use super::{ledger, queries};
use crate::audit_log::{self, EntityType};
use crate::clock::HOUR_MS;
use crate::database::{Table as _, Tx, Word as _};
use crate::error::PartnerError;
use crate::events;
use crate::ids::PartnerConversionId;

/// How often the approval job runs.
pub const APPROVE_EVERY_MS: i64 = HOUR_MS;

/// Approves the conversions whose hold period is over, up to a limit; returns how many.
pub fn approve_due(tx: &Tx<'_>) -> Result<usize, PartnerError> {
    let due = queries::due(tx, tx.now())?;
    let count = due.len();
    for conversion in &due {
        set(tx, conversion, ConversionStatus::Approved, "hold_over", "")?;
    }
    Ok(count)
}

/// Approves a pending conversion, regardless of findings and hold period.
pub(super) fn approve(
    tx: &Tx<'_>,
    id: &PartnerConversionId,
    (reason, by): (Option<&str>, &str),
) -> Result<(), PartnerError> {
    let conversion = pending(tx, id)?;
    if conversion.paid_at.is_none() {
        return Err(PartnerError::NotPaid(id.clone()));
    }
    set(tx, &conversion, ConversionStatus::Approved, reason.unwrap_or("approved"), by)
}

pub(super) fn reject(
    tx: &Tx<'_>,
    id: &PartnerConversionId,
    (reason, by): (&str, &str),
) -> Result<(), PartnerError> {
    set(tx, &pending(tx, id)?, ConversionStatus::Rejected, reason, by)
}

fn pending(tx: &Tx<'_>, id: &PartnerConversionId) -> Result<Conversion, PartnerError> {
    let conversion = Conversion::require::<PartnerError>(tx, id)?;
    if conversion.status == ConversionStatus::Pending {
        return Ok(conversion);
    }
    Err(PartnerError::NotPending { id: conversion.id, status: conversion.status.as_str() })
}

fn set(
    tx: &Tx<'_>,
    before: &Conversion,
    status: ConversionStatus,
    reason: &str,
    by: &str,
) -> Result<(), PartnerError> {
    let mut after = Conversion {
        status,
        reason: Some(reason.to_owned()),
        decided_by: Some(by.to_owned()).filter(|by| !by.is_empty()),
        decided_at: tx.now(),
        ..before.clone()
    };
    let (action, event) = if status == ConversionStatus::Rejected {
        after.commission_minor = 0;
        for line in &mut after.lines {
            line.commission_minor = 0;
        }
        let owner = (&after.partner_id, &after.id);
        ledger::append(tx, owner, (after.currency, 0), ("reject", after.decided_by.as_deref()))?;
        ("reject", "partner.conversion_rejected")
    } else {
        ("approve", "partner.conversion_approved")
    };
    after.update(tx)?;
    record_entry(tx, action, Some(snapshot(before)), &after, by)?;
    record_event(tx, event, &after)
}

/// Records an event about a conversion. The event reveals neither the buyer nor any amount.
pub(super) fn record_event(
    tx: &Tx<'_>,
    name: &'static str,
    conversion: &Conversion,
) -> Result<(), PartnerError> {
    let payload = json!({
        "id": conversion.id,
        "partner_id": conversion.partner_id,
        "order_id": conversion.order_id,
        "status": conversion.status,
    });
    Ok(events::record(tx, name, &payload)?)
}

pub(crate) fn record_entry(
    tx: &Tx<'_>,
    action: &str,
    before: Option<Value>,
    conversion: &Conversion,
    actor_id: &str,
) -> Result<(), PartnerError> {
    let entity = (EntityType::PartnerConversion, conversion.id.as_str());
    let states = (before, Some(snapshot(conversion)));
    Ok(audit_log::record_change(tx, entity, action, states, actor_id)?)
}

pub(super) fn snapshot(conversion: &Conversion) -> Value {
    json!({
        "status": conversion.status,
        "reason": conversion.reason,
        "flags": conversion.flags,
        "commission_minor": conversion.commission_minor,
        "currency": conversion.currency,
    })
}
