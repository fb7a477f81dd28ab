//! The view of conversions for admins.

use serde::Serialize;

use super::conversion::{Conversion, ConversionStatus, Via};
use crate::clicks::Click;
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::error::PartnerError;
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{
    OrderId, OrderLineId, PartnerClickId, PartnerConversionId, PartnerId, PartnerOfferId,
};
use crate::money::{Amount, Currency};
use crate::resource::View;

/// The share of an order line.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "conversion line")]
#[schema(as = PartnerConversionLine)]
pub(super) struct LineView {
    line_id: OrderLineId,
    base: Amount,
    commission: Amount,
}

/// An order that a partner brought.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "partner conversion", key = "partner_conversion", rows = Conversion)]
#[schema(as = PartnerConversion)]
pub(super) struct ConversionView {
    id: PartnerConversionId,
    order_id: OrderId,
    partner_id: PartnerId,
    offer_id: PartnerOfferId,
    click_id: Option<PartnerClickId>,
    via: Via,
    status: ConversionStatus,
    currency_code: Currency,
    /// The goods minus discounts and refunds, without tax, shipping and gift cards.
    base: Amount,
    commission: Amount,
    /// The base and the commission of each line; they add up to those of the order.
    #[schema(value_type = Vec<LineView>)]
    lines: Vec<LineView>,
    /// What a person must decide on: `too_fast`, `many_clicks`, `many_refunds`.
    flags: Vec<String>,
    /// The reason for its state: `self_referral`, `existing_customer`, `duplicate_customer`, `canceled`,
    /// `refunded`, `hold_over`, or a person's text.
    reason: Option<String>,
    /// The admin or API key that decided; null for the server itself.
    decided_by: Option<String>,
    is_new_customer: bool,
    is_renewal: bool,
    placed_at: Timestamp,
    /// When it is approved, if the order is paid and there are no findings.
    due_at: Timestamp,
    /// When the order was paid.
    paid_at: Option<Timestamp>,
    /// When the state last changed.
    decided_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// The click, on request.
    #[field(on_request)]
    click: Option<Click>,
}

impl From<Conversion> for ConversionView {
    fn from(conversion: Conversion) -> Self {
        let currency = conversion.currency;
        let lines = conversion.lines.into_iter().map(|line| LineView {
            line_id: line.line_id,
            base: currency.amount(line.base_minor),
            commission: currency.amount(line.commission_minor),
        });
        Self {
            lines: lines.collect(),
            id: conversion.id,
            order_id: conversion.order_id,
            partner_id: conversion.partner_id,
            offer_id: conversion.offer_id,
            click_id: conversion.click_id,
            via: conversion.via,
            status: conversion.status,
            currency_code: currency,
            base: currency.amount(conversion.base_minor),
            commission: currency.amount(conversion.commission_minor),
            flags: conversion.flags,
            reason: conversion.reason,
            decided_by: conversion.decided_by,
            is_new_customer: conversion.is_new_customer,
            is_renewal: conversion.is_renewal,
            placed_at: conversion.placed_at,
            due_at: conversion.due_at,
            paid_at: conversion.paid_at,
            decided_at: conversion.decided_at,
            created_at: conversion.created_at,
            updated_at: conversion.updated_at,
            click: None,
        }
    }
}

impl View for ConversionView {
    type Row = Conversion;
    type Error = PartnerError;

    fn attach(
        tx: &Tx<'_>,
        conversions: &mut [Self],
        selection: &Selection,
    ) -> Result<(), PartnerError> {
        if !selection.wants("click") {
            return Ok(());
        }
        let ids: Vec<PartnerClickId> =
            conversions.iter().filter_map(|conversion| conversion.click_id.clone()).collect();
        let clicks = Click::find_all(tx, &ids)?;
        for conversion in conversions {
            let own = clicks.iter().find(|click| Some(&click.id) == conversion.click_id.as_ref());
            conversion.click = own.cloned();
        }
        Ok(())
    }
}
