//! Stored offers.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::commission::{Override, Rate, Terms};
use crate::database::{Record, Word};
use crate::http::ToSchema;
use crate::ids::{PartnerId, PartnerOfferId};
use crate::metadata::Metadata;
use crate::money::Currency;

pub(crate) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Which click of a visitor an order is credited to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// The one that the order is stamped with.
    Last,
    /// The visitor's earliest click whose window is still open.
    First,
}

/// Which renewals of a subscription earn a commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum RenewalRule {
    None,
    /// As many as `renewal_count` says.
    FirstN,
    All,
}

/// The type of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum RateKind {
    Percent,
    Fixed,
}

/// A code, the target of its link, and what an order that it brings earns.
#[derive(Debug, Clone, Record)]
#[record(table = "partner_offer o", title = "Partner offer")]
#[record(list(plural = "partner_offers", search = ["o.code"], order = "-created_at", limit = 50))]
pub struct Offer {
    #[column(filter, order)]
    pub id: PartnerOfferId,
    #[column(once)]
    pub partner_id: PartnerId,
    #[column(once, filter)]
    pub code: String,
    /// The code in lower case.
    #[column(once)]
    pub code_key: String,
    pub landing_url: String,
    pub window_days: i64,
    pub attribution: Attribution,
    pub(super) commission_type: RateKind,
    pub(super) commission_value: i64,
    /// The currency of amounts.
    pub currency: Currency,
    #[column(json)]
    pub overrides: Vec<Override>,
    pub new_customers_only: bool,
    pub renewals: RenewalRule,
    pub renewal_count: Option<i64>,
    pub hold_days: i64,
    pub cap_per_order_minor: Option<i64>,
    pub starts_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    /// Sorted by code.
    #[column(
        json,
        sql = "(select json_group_array(code) from
                (select code from partner_offer_promo_code where offer_id = o.id order by code))"
    )]
    pub promo_codes: Vec<String>,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

impl Offer {
    pub fn rate(&self) -> Rate {
        match self.commission_type {
            RateKind::Percent => Rate::Percent(self.commission_value),
            RateKind::Fixed => Rate::Fixed(self.commission_value),
        }
    }

    pub(super) fn set_rate(&mut self, rate: Rate) {
        (self.commission_type, self.commission_value) = match rate {
            Rate::Percent(share) => (RateKind::Percent, share),
            Rate::Fixed(minor) => (RateKind::Fixed, minor),
        };
    }

    pub fn terms(&self) -> Terms {
        Terms {
            rate: self.rate(),
            overrides: self.overrides.clone(),
            cap_minor: self.cap_per_order_minor,
            currency: self.currency,
        }
    }

    /// Returns whether it was active at an instant; its end is exclusive.
    pub fn ran_at(&self, at: Timestamp) -> bool {
        self.starts_at.is_none_or(|start| start <= at) && self.ends_at.is_none_or(|end| at < end)
    }

    pub const fn window_ms(&self) -> i64 {
        self.window_days.saturating_mul(DAY_MS)
    }
}
