//! Tax amounts of rates: on top of a net amount, or inside a gross one.

use crate::proportion::{OutOfRange, PPM, add, portion, sum};

/// Returns the tax that each rate adds to a net amount, in minor units, rounded per rate.
///
/// Rates are in millionths and not negative.
pub fn on_net(net_minor: i64, rates_ppm: &[i64]) -> Result<Vec<i64>, OutOfRange> {
    rates_ppm.iter().map(|rate| portion(net_minor, *rate, PPM)).collect()
}

/// Returns the tax of each rate inside a gross amount, in minor units, rounded per rate.
///
/// The net amount is the gross less these taxes, so the gross never changes.
pub fn in_gross(gross_minor: i64, rates_ppm: &[i64]) -> Result<Vec<i64>, OutOfRange> {
    let whole = add(PPM, sum(rates_ppm.iter().copied())?)?;
    rates_ppm.iter().map(|rate| portion(gross_minor, *rate, whole)).collect()
}

/// A price with and without tax, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BothWays {
    pub(crate) with_tax: i64,
    pub(crate) without_tax: i64,
}

/// Adds the tax to a net price.
pub(crate) fn from_net(net_minor: i64, rates_ppm: &[i64]) -> Result<BothWays, OutOfRange> {
    let tax = sum(on_net(net_minor, rates_ppm)?)?;
    Ok(BothWays { with_tax: add(net_minor, tax)?, without_tax: net_minor })
}

/// Removes the tax from a gross price.
pub(crate) fn from_gross(gross_minor: i64, rates_ppm: &[i64]) -> Result<BothWays, OutOfRange> {
    let tax = sum(in_gross(gross_minor, rates_ppm)?)?;
    let without_tax = crate::proportion::subtract(gross_minor, tax)?;
    Ok(BothWays { with_tax: gross_minor, without_tax })
}

#[cfg(test)]
mod tests {
    use super::{BothWays, from_gross, from_net, in_gross, on_net};

    #[test]
    fn each_rate_is_rounded_by_itself() {
        assert_eq!(on_net(1_299, &[72_500]), Ok(vec![94]));
        assert_eq!(on_net(10, &[50_000, 50_000]), Ok(vec![1, 1]));
        assert_eq!(in_gross(11_900, &[190_000]), Ok(vec![1_900]));
        assert_eq!(in_gross(0, &[]), Ok(vec![]));
    }

    #[test]
    fn a_price_is_shown_with_and_without_tax_however_it_is_stored() {
        assert_eq!(
            from_net(1_299, &[72_500]),
            Ok(BothWays { with_tax: 1_393, without_tax: 1_299 })
        );
        assert_eq!(
            from_gross(1_393, &[72_500]),
            Ok(BothWays { with_tax: 1_393, without_tax: 1_299 })
        );
    }
}
