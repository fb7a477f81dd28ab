//! The price of a set of a bundle.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::error::BundleError;
use crate::database::Word;
use crate::http::{Refusal, Resource, ToSchema};
use crate::money::{Amount, Currency, Major};
use crate::proportion::{OutOfRange, PPM, multiply, portion, subtract};
use crate::taxes::rates::{from_percent, to_percent};

/// How a set is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum PricingType {
    /// The sum of its pieces.
    Sum,
    /// A share off the sum.
    PercentOff,
    /// An amount off the sum.
    AmountOff,
    /// An amount for a set.
    Fixed,
}

/// Amounts by currency, in minor units.
pub(super) type Amounts = BTreeMap<Currency, i64>;

#[derive(Debug, Clone, Copy)]
pub struct Pricing<'a> {
    pub kind: PricingType,
    /// The share in millionths, for a share off.
    pub percent_ppm: Option<i64>,
    /// By currency, for an amount.
    pub amounts: &'a Amounts,
}

impl Pricing<'_> {
    /// Returns whether sets have a price in the currency.
    pub fn is_in(self, currency: Currency) -> bool {
        match self.kind {
            PricingType::Sum | PricingType::PercentOff => true,
            PricingType::AmountOff | PricingType::Fixed => self.amounts.contains_key(&currency),
        }
    }

    /// Returns the discount on complete sets whose pieces cost `original_minor` in total; none if the bundle has no price
    /// in the currency.
    pub(super) fn discount(
        self,
        original_minor: i64,
        set_count: i64,
        currency: Currency,
    ) -> Result<Option<i64>, OutOfRange> {
        let amount = self.amounts.get(&currency);
        let of_sets = amount.map(|amount| multiply(*amount, set_count)).transpose()?;
        let discount = match self.kind {
            PricingType::Sum => Some(0),
            PricingType::PercentOff => {
                Some(portion(original_minor, self.percent_ppm.unwrap_or(0), PPM)?)
            }
            PricingType::AmountOff => of_sets,
            PricingType::Fixed => {
                of_sets.map(|fixed| subtract(original_minor, fixed)).transpose()?
            }
        };
        Ok(discount.map(|discount| discount.clamp(0, original_minor.max(0))))
    }
}

/// A pricing in requests.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BundlePricingRequest, example = json!({ "type": "percent_off", "value": 10 }))]
pub(super) struct PricingRequest {
    #[serde(rename = "type")]
    kind: PricingType,
    /// The per cent of `percent_off`, with at most four decimals.
    value: Option<Major>,
    /// The amounts of `amount_off` and `fixed` by currency. In other currencies the bundle is not sold.
    #[schema(value_type = Option<Object>, example = json!({ "usd": 45, "gbp": 39.5 }))]
    amounts: Option<BTreeMap<Currency, Major>>,
}

/// A pricing in responses.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "bundle pricing")]
#[schema(as = BundlePricing)]
pub(super) struct PricingView {
    #[serde(rename = "type")]
    kind: PricingType,
    /// The percentage of `percent_off`; null for the other types.
    value: Option<Amount>,
    /// The amounts of `amount_off` and `fixed` by currency; empty for the other types.
    #[schema(value_type = Object)]
    amounts: BTreeMap<Currency, Amount>,
}

impl PricingRequest {
    /// Returns the type, the share, and the amounts.
    pub(super) fn checked(self) -> Result<(PricingType, Option<i64>, Amounts), BundleError> {
        let has_amounts = matches!(self.kind, PricingType::AmountOff | PricingType::Fixed);
        let is_percent = self.kind == PricingType::PercentOff;
        if is_percent != self.value.is_some() {
            return Err(
                Refusal::invalid("`pricing.value` is for `percent_off`, which needs it").into()
            );
        }
        let sent = self.amounts.unwrap_or_default();
        if has_amounts == sent.is_empty() {
            let message = "`pricing.amounts` is for `amount_off` and `fixed`, which need it";
            return Err(Refusal::invalid(message).into());
        }
        let percent_ppm = self.value.map(|value| percent(value.decimal())).transpose()?;
        let mut amounts = Amounts::new();
        for (currency, amount) in sent {
            if amount.decimal() < Decimal::ZERO {
                return Err(Refusal::invalid("`pricing.amounts` must not be below zero").into());
            }
            amounts.insert(currency, amount.minor(currency)?);
        }
        Ok((self.kind, percent_ppm, amounts))
    }
}

fn percent(value: Decimal) -> Result<i64, Refusal> {
    let share = from_percent(value).ok().filter(|share| (0..=PPM).contains(share));
    share.ok_or_else(|| {
        Refusal::invalid("`pricing.value` must be from 0 to 100 with at most four decimals")
    })
}

impl From<Pricing<'_>> for PricingView {
    fn from(pricing: Pricing<'_>) -> Self {
        let amounts = pricing.amounts.iter();
        Self {
            kind: pricing.kind,
            value: pricing.percent_ppm.map(|share| to_percent(share).into()),
            amounts: amounts.map(|(code, minor)| (*code, code.amount(*minor))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discount_is_of_the_sets_and_never_more_than_they_cost() {
        let (usd, gbp) = (Currency::from_code("usd").unwrap(), Currency::from_code("gbp").unwrap());
        let amounts = Amounts::from([(usd, 500)]);
        for (kind, percent_ppm, original, sets, currency, expected) in [
            (PricingType::Sum, None, 1_001, 2, usd, Some(0)),
            (PricingType::PercentOff, Some(100_000), 1_005, 1, usd, Some(101)),
            (PricingType::AmountOff, None, 1_001, 2, usd, Some(1_000)),
            (PricingType::AmountOff, None, 900, 2, usd, Some(900)),
            (PricingType::AmountOff, None, 1_001, 2, gbp, None),
            (PricingType::Fixed, None, 1_500, 2, usd, Some(500)),
            (PricingType::Fixed, None, 900, 2, usd, Some(0)),
            (PricingType::Fixed, None, 900, 2, gbp, None),
        ] {
            let pricing = Pricing { kind, percent_ppm, amounts: &amounts };
            assert_eq!(
                pricing.discount(original, sets, currency),
                Ok(expected),
                "{kind:?} {original}"
            );
        }
    }

    #[test]
    fn a_pricing_has_exactly_the_fields_of_its_type() {
        let usd = Currency::from_code("usd").unwrap();
        let checked = |json: &str| {
            let request: PricingRequest = serde_json::from_str(json).unwrap();
            let refusal = |error: BundleError| error.to_string();
            request.checked().map(|(_, share, amounts)| (share, amounts)).map_err(refusal)
        };
        for (json, share, amount_minor) in [
            (r#"{"type": "sum"}"#, None, None),
            (r#"{"type": "percent_off", "value": 12.5}"#, Some(125_000), None),
            (r#"{"type": "percent_off", "value": 100}"#, Some(PPM), None),
            (r#"{"type": "amount_off", "amounts": {"usd": 4.5}}"#, None, Some(450)),
            (r#"{"type": "fixed", "amounts": {"usd": 0}}"#, None, Some(0)),
        ] {
            let amounts = amount_minor.map(|minor| (usd, minor)).into_iter().collect();
            assert_eq!(checked(json), Ok((share, amounts)), "{json}");
        }
        for (json, expected) in [
            (r#"{"type": "percent_off"}"#, "which needs it"),
            (r#"{"type": "sum", "value": 1}"#, "for `percent_off`"),
            (r#"{"type": "fixed"}"#, "which need it"),
            (r#"{"type": "sum", "amounts": {"usd": 1}}"#, "for `amount_off` and `fixed`"),
            (r#"{"type": "fixed", "amounts": {"usd": -0.01}}"#, "below zero"),
            (r#"{"type": "percent_off", "value": 100.0001}"#, "from 0 to 100"),
        ] {
            let refusal = checked(json).unwrap_err();
            assert!(refusal.contains(expected), "{json}: {refusal}");
        }
    }
}
