//! What a partner sees.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::conversions::ConversionStatus;
use crate::database::{FromRow, Record};
use crate::error::PartnerError;
use crate::http::{Resource, ToSchema};
use crate::ids::{PartnerClickId, PartnerConversionId, PartnerId, PartnerPayoutId};
use crate::money::{Amount, Currency};
use crate::partners::{Partner, PartnerStatus};
use crate::payouts::Payout;

/// What a partner has earned in a currency.
#[derive(Debug, Clone, FromRow, Serialize, ToSchema, Resource)]
#[resource(name = "partner balance")]
#[schema(as = PartnerBalance)]
pub(super) struct BalanceView {
    currency_code: Currency,
    /// Held, or waiting for a decision.
    pending: Amount,
    /// Approved and not paid out yet; refunds of earlier payouts are deducted only in `balance`.
    approved: Amount,
    /// The payouts so far.
    paid: Amount,
    /// All earnings minus the payouts.
    balance: Amount,
}

/// A partner's own data.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "partner statement", key = "partner", id = PartnerId)]
#[schema(as = PartnerStatement)]
pub(super) struct StatementView {
    pub(super) id: PartnerId,
    name: String,
    email: String,
    status: PartnerStatus,
    #[schema(value_type = Vec<BalanceView>)]
    balances: Vec<BalanceView>,
}

impl StatementView {
    pub(super) fn new(partner: Partner, balances: Vec<BalanceView>) -> Self {
        Self {
            id: partner.id,
            name: partner.name,
            email: partner.email.to_string(),
            status: partner.status,
            balances,
        }
    }
}

/// A conversion as its partner sees it.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(
    table = "partner_conversion v join partner_offer o on o.id = v.offer_id",
    title = "Partner conversion"
)]
#[record(list(plural = "conversions", order = "-placed_at", limit = 50))]
#[resource(name = "conversion", error = PartnerError)]
#[schema(as = OwnPartnerConversion)]
pub(super) struct OwnConversion {
    id: PartnerConversionId,
    #[column(sql = "o.code")]
    code: String,
    #[column(filter)]
    status: ConversionStatus,
    #[column(name = "currency")]
    currency_code: Currency,
    #[column(sql = "amount(v.commission_minor, v.currency)")]
    commission: Amount,
    #[column(filter, order)]
    placed_at: Timestamp,
}

/// A click as its partner sees it.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(
    table = "partner_click k join partner_offer o on o.id = k.offer_id",
    title = "Partner click"
)]
#[record(list(plural = "clicks", order = "-clicked_at", limit = 50))]
#[resource(name = "click", error = PartnerError)]
#[schema(as = OwnPartnerClick)]
pub(super) struct OwnClick {
    id: PartnerClickId,
    #[column(sql = "o.code")]
    code: String,
    sub1: Option<String>,
    sub2: Option<String>,
    sub3: Option<String>,
    repeat_count: i64,
    #[column(filter, order)]
    clicked_at: Timestamp,
}

/// A payout as its partner sees it.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "payout", rows = Payout, error = PartnerError)]
#[schema(as = OwnPartnerPayout)]
pub(super) struct OwnPayoutView {
    id: PartnerPayoutId,
    currency_code: Currency,
    amount: Amount,
    up_to: Timestamp,
    created_at: Timestamp,
}

impl From<Payout> for OwnPayoutView {
    fn from(payout: Payout) -> Self {
        Self {
            id: payout.id,
            currency_code: payout.currency,
            amount: payout.currency.amount(payout.amount_minor),
            up_to: payout.up_to,
            created_at: payout.created_at,
        }
    }
}
