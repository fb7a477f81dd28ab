//! Chooses the tax rates for an item or a shipping method at an address.
//!
//! A tax region is a country or a province. The province's rates take precedence over the country's, a rate for a
//! product over one for its type, and both over the region's default. One rate is chosen; if it is combinable, the rate
//! chosen for the country is added to it.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Deserialize;
use thiserror::Error;

use crate::database::Word;
use crate::http::ToSchema;
use crate::ids::TaxRateId;
use crate::regions::bare_province;

/// Limit: the highest rate, in millionths (1 000 %).
pub const MAX_RATE_PPM: i64 = 10_000_000;

/// Millionths in one per cent.
const PPM_PER_PERCENT: i64 = 10_000;

/// Why a percentage is not a valid tax rate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RateError {
    /// Below zero or above the limit.
    #[error("a rate of `{percent}` per cent is not between 0 and 1000")]
    OutOfRange {
        /// The rate as sent.
        percent: Decimal,
    },
    /// More than four decimals.
    #[error("a rate of `{percent}` per cent has more than four decimals")]
    TooPrecise {
        /// The rate as sent.
        percent: Decimal,
    },
}

/// The kind of resource that a rule of a rate names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReferenceWord)]
pub enum Reference {
    Product,
    ProductType,
    ShippingOption,
}

/// A resource that a rate is for; a rate with rules applies to nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateRule {
    /// The kind of resource.
    pub reference: Reference,
    pub reference_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionRate {
    /// The id, which breaks ties between equal candidates.
    pub id: TaxRateId,
    /// The rate, in millionths.
    pub rate_ppm: i64,
    /// A short code for exports.
    pub code: String,
    pub name: String,
    /// Whether it applies to everything not covered by a rule.
    pub is_default: bool,
    /// Whether the country's rate is added to it.
    pub is_combinable: bool,
    /// The resources that it is for.
    pub rules: Vec<RateRule>,
}

/// A country or a province with its rates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxRegion {
    /// A two-letter code of ISO 3166-1.
    pub country_code: String,
    /// The province, with or without the country prefix; none for the country itself.
    pub(crate) province_code: Option<String>,
    pub rates: Vec<RegionRate>,
}

/// The destination of a shipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaxPlace<'a> {
    /// The two-letter country code, in any case.
    pub country: &'a str,
    /// The province as in the address, with or without the country prefix.
    pub province: Option<&'a str>,
}

/// An item or a shipping method to tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taxed<'a> {
    /// A line of a product.
    Item {
        /// The product, if the line has one.
        product_id: Option<&'a str>,
        product_type_id: Option<&'a str>,
    },
    /// A shipping method.
    Shipping {
        /// The shipping option that it was created from.
        option_id: Option<&'a str>,
    },
}

/// A rate that applies, and the country or province that levies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxRate {
    pub rate_id: TaxRateId,
    /// In millionths.
    pub rate_ppm: i64,
    /// A short code for exports.
    pub code: String,
    pub name: String,
    /// The country that levies it.
    pub country: String,
    /// The province that levies it; none if the country does.
    pub province: Option<String>,
}

/// Returns the rates that apply to `taxed` at `place`: none, one, or the province's and the country's.
pub fn applying(regions: &[TaxRegion], place: TaxPlace<'_>, taxed: Taxed<'_>) -> Vec<TaxRate> {
    let in_country = |region: &TaxRegion| region.country_code.eq_ignore_ascii_case(place.country);
    let of_country =
        best(regions, taxed, |region| region.province_code.is_none() && in_country(region));
    let bare = |province: &str| bare_province(province, place.country);
    let of_province = place.province.map(bare).and_then(|province| {
        best(regions, taxed, |region| {
            in_country(region)
                && region.province_code.as_deref().map(bare).as_ref() == Some(&province)
        })
    });
    let of_country = of_country.filter(|_| of_province.is_none_or(|(_, rate)| rate.is_combinable));
    of_province.into_iter().chain(of_country).map(tax_rate).collect()
}

/// Converts a rate from per cent to millionths.
pub fn from_percent(percent: Decimal) -> Result<i64, RateError> {
    let scaled = percent
        .checked_mul(Decimal::from(PPM_PER_PERCENT))
        .ok_or(RateError::OutOfRange { percent })?;
    if !scaled.fract().is_zero() {
        return Err(RateError::TooPrecise { percent });
    }
    scaled
        .to_i64()
        .filter(|rate| (0..=MAX_RATE_PPM).contains(rate))
        .ok_or(RateError::OutOfRange { percent })
}

/// Converts a rate to per cent, without trailing zeros.
pub fn to_percent(rate_ppm: i64) -> Decimal {
    // Four decimals of a per cent are exactly millionths, so no digit is lost.
    Decimal::from_i128_with_scale(i128::from(rate_ppm), 4).normalize()
}

fn best<'a>(
    regions: &'a [TaxRegion],
    taxed: Taxed<'_>,
    is_wanted: impl Fn(&TaxRegion) -> bool,
) -> Option<(&'a TaxRegion, &'a RegionRate)> {
    regions
        .iter()
        .filter(|region| is_wanted(region))
        .flat_map(|region| region.rates.iter().map(move |rate| (region, rate)))
        .filter_map(|(region, rate)| Some((distance(rate, taxed)?, region, rate)))
        .min_by_key(|(distance, _, rate)| (*distance, &rate.id))
        .map(|(_, region, rate)| (region, rate))
}

/// Returns how specific a rate is: 0 if it names the item, 1 if it names its type, 2 if it is the default.
fn distance(rate: &RegionRate, taxed: Taxed<'_>) -> Option<u8> {
    let names = |reference: Reference, id: Option<&str>| {
        id.is_some_and(|id| {
            rate.rules.iter().any(|rule| rule.reference == reference && rule.reference_id == id)
        })
    };
    let (is_named, is_type_named) = match taxed {
        Taxed::Item { product_id, product_type_id } => {
            (names(Reference::Product, product_id), names(Reference::ProductType, product_type_id))
        }
        Taxed::Shipping { option_id } => (names(Reference::ShippingOption, option_id), false),
    };
    if is_named {
        Some(0)
    } else if is_type_named {
        Some(1)
    } else {
        rate.is_default.then_some(2)
    }
}

fn tax_rate((region, rate): (&TaxRegion, &RegionRate)) -> TaxRate {
    TaxRate {
        rate_id: rate.id.clone(),
        rate_ppm: rate.rate_ppm,
        code: rate.code.clone(),
        name: rate.name.clone(),
        country: region.country_code.clone(),
        province: region.province_code.clone(),
    }
}

#[cfg(test)]
mod tests;
