//! What an order earns: a pure rule.
//!
//! Invariants: the commission depends on the present state of the order, never on its history; it is rounded once
//! per rate; the shares of the lines add up to it; an order whose goods are all refunded earns nothing.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::ids::{CategoryId, ProductId};
use crate::money::Currency;
use crate::proportion::{OutOfRange, PPM, add, portion, split, subtract, sum};

/// What goods earn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Rate {
    /// Millionths of the base.
    Percent(i64),
    /// Minor units, once, if there is a base.
    Fixed(i64),
}

/// A different rate for a product, or for the products of a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub product_id: Option<ProductId>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category_id: Option<CategoryId>,
    #[serde(flatten)]
    pub rate: Rate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateOf {
    Offer,
    /// The override at this index.
    Override(usize),
}

/// The terms of an offer, as a conversion keeps them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub rate: Rate,
    /// The first one that matches a line applies.
    pub overrides: Vec<Override>,
    /// The maximum per order.
    pub cap_minor: Option<i64>,
    /// The currency of amounts. Orders in other currencies earn only percentages, and nothing under
    /// a cap.
    pub currency: Currency,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its subtotal minus its discount, without tax.
    pub net_minor: i64,
    /// What was refunded for its returned items, without tax.
    pub returned_minor: i64,
    /// Gift cards earn nothing.
    pub is_gift_card: bool,
    pub product_id: Option<ProductId>,
    pub category_ids: Vec<CategoryId>,
    /// The rate that applied to it before, even if its product's categories have changed.
    pub rate_of: Option<RateOf>,
}

/// What an order earns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The base before refunds.
    pub gross_minor: i64,
    pub base_minor: i64,
    pub commission_minor: i64,
    /// The base and the commission of each line.
    pub parts: Vec<(i64, i64)>,
}

impl Terms {
    /// Returns what an order with these lines earns. `refunded_minor` is the refunded amount of goods, without tax.
    pub fn target(
        &self,
        lines: &[Line],
        refunded_minor: i64,
        currency: Currency,
    ) -> Result<Target, OutOfRange> {
        let bases = bases(lines, refunded_minor)?;
        let gross =
            lines.iter().filter(|line| !line.is_gift_card).map(|line| line.net_minor.max(0));
        let shares = self.shares(lines, &bases, currency)?;
        let earned_minor = sum(shares.iter().copied())?;
        let shares = match self.cap_minor {
            Some(_) if currency != self.currency => vec![0; shares.len()],
            Some(cap_minor) if earned_minor > cap_minor => split(cap_minor, &shares)?,
            Some(_) | None => shares,
        };
        Ok(Target {
            gross_minor: sum(gross)?,
            base_minor: sum(bases.iter().copied())?,
            commission_minor: sum(shares.iter().copied())?,
            parts: bases.into_iter().zip(shares).collect(),
        })
    }

    /// Returns what each line earns, before the cap. Lines with the same percentage are rounded together; a fixed
    /// amount is divided among the lines of its override.
    fn shares(
        &self,
        lines: &[Line],
        bases: &[i64],
        currency: Currency,
    ) -> Result<Vec<i64>, OutOfRange> {
        let group = |line: &Line| {
            let place = self.rate_of(line);
            let rate = self.rate_at(place);
            (rate, matches!(rate, Rate::Fixed(_)).then_some(place))
        };
        let groups: Vec<(Rate, Option<RateOf>)> = lines.iter().map(group).collect();
        let mut shares = vec![0; lines.len()];
        for group in groups.iter().collect::<BTreeSet<_>>() {
            let weights = groups.iter().zip(bases);
            let weights = weights.map(|(other, base)| if other == group { *base } else { 0 });
            let weights: Vec<i64> = weights.collect();
            let base_minor = sum(weights.iter().copied())?;
            let earned_minor = match group.0 {
                Rate::Percent(share) => portion(base_minor, share, PPM)?,
                Rate::Fixed(amount) if base_minor > 0 && currency == self.currency => amount,
                Rate::Fixed(_) => 0,
            };
            for (share, part) in shares.iter_mut().zip(split(earned_minor, &weights)?) {
                *share = add(*share, part)?;
            }
        }
        Ok(shares)
    }

    /// Returns which rate applies to a line: the first matching override, or the offer's.
    pub fn rate_of(&self, line: &Line) -> RateOf {
        if let Some(before) = line.rate_of {
            return before;
        }
        let place = self.overrides.iter().position(|one| {
            let is_product = one.product_id.is_some() && one.product_id == line.product_id;
            let is_category =
                one.category_id.as_ref().is_some_and(|id| line.category_ids.contains(id));
            is_product || is_category
        });
        place.map_or(RateOf::Offer, RateOf::Override)
    }

    fn rate_at(&self, rate_of: RateOf) -> Rate {
        match rate_of {
            RateOf::Offer => self.rate,
            RateOf::Override(place) => self.overrides.get(place).map_or(self.rate, |one| one.rate),
        }
    }
}

/// Returns the base of each line: what remains after refunds. Refunds apply to the returned lines first, and then to
/// the others in proportion.
fn bases(lines: &[Line], refunded_minor: i64) -> Result<Vec<i64>, OutOfRange> {
    let nets: Vec<i64> = lines.iter().map(|line| line.net_minor.max(0)).collect();
    let returned: Vec<i64> =
        lines.iter().zip(&nets).map(|(line, net)| line.returned_minor.clamp(0, *net)).collect();
    let refunded_minor = refunded_minor.clamp(0, sum(nets.iter().copied())?);
    let returned_minor = sum(returned.iter().copied())?;
    let first_minor = refunded_minor.min(returned_minor);
    let first = split(first_minor, &returned)?;
    let others = nets.iter().zip(&returned).map(|(net, returned)| subtract(*net, *returned));
    let others: Vec<i64> = others.collect::<Result<_, _>>()?;
    let rest = split(subtract(refunded_minor, first_minor)?, &others)?;
    let refunded = first.iter().zip(&rest).map(|(one, other)| add(*one, *other));
    let bases = lines.iter().zip(&nets).zip(refunded);
    bases
        .map(
            |((line, net), refunded)| {
                if line.is_gift_card { Ok(0) } else { subtract(*net, refunded?) }
            },
        )
        .collect()
}
