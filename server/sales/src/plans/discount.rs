//! The discount of a plan, and the resulting price.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::error::PlanError;
use crate::database::Word;
use crate::http::{Resource, ToSchema};
use crate::money::{Amount, Currency, Major};
use crate::proportion::{OutOfRange, PPM, portion, subtract};
use crate::taxes::rates::{from_percent, to_percent};

/// The type of a discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum DiscountKind {
    /// A share of the price.
    Percent,
    /// An amount off each piece.
    Amount,
}

/// A discount on the price of each piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", into = "DiscountView")]
pub enum Discount {
    /// A share of the price, in millionths, at most 100 %.
    Percent(i64),
    /// An amount, in minor units; prices in other currencies have no discount.
    Amount { minor: i64, currency: Currency },
}

/// A discount in requests.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SubscriptionPlanDiscountRequest, example = json!({ "type": "percent", "value": 10 }))]
pub(super) struct DiscountRequest {
    #[serde(rename = "type")]
    kind: DiscountKind,
    /// Per cent with at most four decimals, or an amount.
    value: Major,
    /// The currency of an amount, which is off prices in this currency only. Defaults to the store's.
    currency_code: Option<Currency>,
}

/// A discount in responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Resource)]
#[resource(name = "plan discount")]
#[schema(as = SubscriptionPlanDiscount)]
pub(super) struct DiscountView {
    #[serde(rename = "type")]
    kind: DiscountKind,
    /// A percentage of the price, or an amount off each piece.
    value: Amount,
    /// The currency of an amount; null for a percentage.
    currency_code: Option<Currency>,
}

impl Discount {
    /// Returns the price of a piece with the discount, zero or more. The discount is rounded once to the minor unit,
    /// half away from zero.
    pub(super) fn apply(self, price_minor: i64, currency: Currency) -> Result<i64, OutOfRange> {
        let discount_minor = match self {
            Self::Percent(share) => portion(price_minor, share, PPM)?,
            Self::Amount { minor, currency: own } if own == currency => minor,
            Self::Amount { .. } => 0,
        };
        Ok(subtract(price_minor, discount_minor)?.max(0))
    }
}

impl DiscountRequest {
    /// Returns the discount; `default` is the currency of an amount without one.
    pub(super) fn into_discount(self, default: Option<Currency>) -> Result<Discount, PlanError> {
        match self.kind {
            DiscountKind::Percent if self.currency_code.is_some() => {
                Err(PlanError::Invalid("`discount` has a `currency_code`, but a percentage has none"))
            }
            DiscountKind::Percent => from_percent(self.value.decimal())
                .ok()
                .filter(|share| *share <= PPM)
                .map(Discount::Percent)
                .ok_or(PlanError::Invalid(
                    "`discount.value` must be a percentage from 0 to 100 with at most four decimals",
                )),
            DiscountKind::Amount if self.value.decimal() < Decimal::ZERO => {
                Err(PlanError::Invalid("`discount.value` must not be below zero"))
            }
            DiscountKind::Amount => {
                let currency = self.currency_code.or(default);
                let currency =
                    currency.ok_or(PlanError::Invalid("`discount` needs a `currency_code`"))?;
                Ok(Discount::Amount { minor: self.value.minor(currency)?, currency })
            }
        }
    }
}

impl From<Discount> for DiscountView {
    fn from(discount: Discount) -> Self {
        let (kind, value, currency_code) = match discount {
            Discount::Percent(share) => (DiscountKind::Percent, to_percent(share).into(), None),
            Discount::Amount { minor, currency } => {
                (DiscountKind::Amount, currency.amount(minor), Some(currency))
            }
        };
        Self { kind, value, currency_code }
    }
}
