//! Stored offers.

use serde::{Deserialize, Serialize};

use crate::clock::{DAY_MS, Timestamp};
use crate::commission::{Override, Rate, Terms};
use crate::database::{Record, Word};
use crate::http::ToSchema;
use crate::ids::{PartnerId, PartnerOfferId};
use crate::metadata::Metadata;
use crate::money::Currency;

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

    /// Returns whether a click on its link counts for an order: the offer was active then, and the order is within the
    /// window, including both ends.
    pub(crate) fn counts(&self, clicked_at: Timestamp, placed_at: Timestamp) -> bool {
        let window_ms = self.window_days.saturating_mul(DAY_MS);
        let age_ms = placed_at.as_millis().saturating_sub(clicked_at.as_millis());
        self.ran_at(clicked_at) && (0..=window_ms).contains(&age_ms)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns an offer with a window.
    pub(crate) fn offer(window_days: i64, ends_at: Option<Timestamp>) -> Offer {
        let created_at = Timestamp::from_millis(0);
        Offer {
            id: PartnerOfferId::new(),
            partner_id: PartnerId::new(),
            code: "MOUNTAIN".to_owned(),
            code_key: "mountain".to_owned(),
            landing_url: "/spring".to_owned(),
            window_days,
            attribution: Attribution::First,
            commission_type: RateKind::Percent,
            commission_value: 0,
            currency: "gbp".parse().expect("a currency"),
            overrides: Vec::new(),
            new_customers_only: false,
            renewals: RenewalRule::None,
            renewal_count: None,
            hold_days: 30,
            cap_per_order_minor: None,
            starts_at: None,
            ends_at,
            promo_codes: Vec::new(),
            metadata: Metadata::default(),
            created_at,
            updated_at: created_at,
            deleted_at: None,
        }
    }

    #[test]
    fn both_ends_of_the_window_count_and_a_millisecond_more_does_not() {
        // Windows are durations: neither a leap day nor a clock change moves their end.
        for clicked in [1_709_164_800_000_i64, 1_711_843_200_000, 1_730_000_000_000] {
            let running = offer(30, None);
            let at = Timestamp::from_millis;
            for (age, expected) in
                [(-1, false), (0, true), (30 * DAY_MS, true), (30 * DAY_MS + 1, false)]
            {
                assert_eq!(
                    running.counts(at(clicked), at(clicked + age)),
                    expected,
                    "{clicked} + {age}"
                );
            }
            let over = offer(30, Some(at(clicked)));
            assert!(!over.counts(at(clicked), at(clicked + 1)));
        }
    }
}
