//! Stored conversions.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::commission::{RateOf, Terms};
use crate::database::{Record, Word};
use crate::http::ToSchema;
use crate::ids::{
    OrderId, OrderLineId, PartnerClickId, PartnerConversionId, PartnerId, PartnerOfferId,
};
use crate::money::Currency;

/// The state of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum ConversionStatus {
    Pending,
    /// It will be paid with the next payout.
    Approved,
    Paid,
    /// The order was canceled, or its goods were refunded, before the payout.
    Reversed,
    Rejected,
}

/// How an order was attributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    Click,
    PromoCode,
    /// Like the first order of its subscription.
    Renewal,
}

/// The share of an order line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinePart {
    pub line_id: OrderLineId,
    pub base_minor: i64,
    pub commission_minor: i64,
    /// Which rate applies; not recorded by earlier versions.
    #[serde(default)]
    pub rate_of: Option<RateOf>,
}

#[derive(Debug, Clone, PartialEq, Record)]
#[record(table = "partner_conversion v", title = "Partner conversion")]
#[record(list(plural = "partner_conversions", order = "-placed_at", limit = 50))]
pub struct Conversion {
    #[column(filter)]
    pub id: PartnerConversionId,
    #[column(once, filter)]
    pub order_id: OrderId,
    #[column(once, filter)]
    pub partner_id: PartnerId,
    #[column(once, filter)]
    pub offer_id: PartnerOfferId,
    #[column(once, filter)]
    pub click_id: Option<PartnerClickId>,
    #[column(once)]
    pub via: Via,
    #[column(filter)]
    pub status: ConversionStatus,
    #[column(once)]
    pub currency: Currency,
    pub base_minor: i64,
    /// The commission: the sum of its entries.
    pub commission_minor: i64,
    #[column(json)]
    pub lines: Vec<LinePart>,
    /// The findings that a person must decide on.
    #[column(json)]
    pub flags: Vec<String>,
    pub reason: Option<String>,
    /// Who made the last decision; none for the server itself.
    pub decided_by: Option<String>,
    #[column(once)]
    pub is_new_customer: bool,
    #[column(once)]
    pub is_renewal: bool,
    /// The terms when it was recorded.
    #[column(once, json)]
    pub terms: Terms,
    #[column(once, filter, order)]
    pub placed_at: Timestamp,
    /// When it is approved, if the order is paid and there are no findings.
    #[column(once)]
    pub due_at: Timestamp,
    pub paid_at: Option<Timestamp>,
    /// When the state last changed.
    pub decided_at: Timestamp,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
}
