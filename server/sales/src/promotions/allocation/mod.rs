//! Allocation of promotions to lines and shipping methods, in whole minor units.
//!
//! Buy-get promotions go first, the others in the order given. Each one starts from the amounts that the earlier ones
//! left, so no target ever goes below zero. An amount for several targets is rounded once and split by largest
//! remainder. A promotion that needs more than its campaign's budget has left is dropped whole.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::rules::{Facts, Rule, all_hold};
use crate::database::Word;
use crate::http::ToSchema;
use crate::ids::CampaignId;
use crate::proportion::{
    OutOfRange, PPM, add, multiply, portion, portion_rounded_up, split, subtract, sum,
};
use crate::taxes::rates::from_percent;

/// Limit: promotions on one cart.
pub(crate) const MAX_PROMOTIONS: usize = 100;

/// Limit: rounds of one buy-get promotion in one cart.
pub(crate) const MAX_BUYGET_ROUNDS: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A share of the price, in millionths, at most 100 %.
    Percentage(i64),
    /// An amount, in minor units.
    Fixed(i64),
}

impl Value {
    /// Returns a percentage between 0 and 100 with at most four decimals.
    pub fn percent(percent: Decimal) -> Option<Self> {
        from_percent(percent).ok().filter(|share| *share <= PPM).map(Self::Percentage)
    }
}

/// The target of a discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// The lines that meet the target rules.
    Items,
    /// All lines together.
    Order,
    /// The shipping methods that meet the target rules.
    ShippingMethods,
}

/// How a discount spreads over several targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// Once over all of them, in proportion to their prices.
    Across,
    /// On each target, for at most `max_quantity` pieces of it.
    Each,
    /// On the cheapest pieces of all targets, at most `max_quantity` of them.
    Once,
}

/// The conditions of a buy-get promotion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BuyGet {
    /// The lines that count as bought.
    pub(crate) buy_rules: Vec<Rule>,
    /// The number of pieces to buy per round, at least one.
    pub(crate) buy_quantity: i64,
    /// The number of target pieces given per round, at least one.
    pub(crate) get_quantity: i64,
}

/// A promotion that applies to the cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    pub value: Value,
    pub target: TargetKind,
    /// How it spreads over the targets.
    pub spread: Spread,
    /// Whether it applies to prices with tax.
    pub is_tax_inclusive: bool,
    /// The maximum number of pieces, see [`Spread`]; for buy-get, of all given pieces together.
    pub max_quantity: Option<i64>,
    /// The lines or shipping methods that are targets.
    pub target_rules: Vec<Rule>,
    /// Set for a buy-get promotion.
    pub(crate) buy_get: Option<BuyGet>,
    /// The remaining budget of its campaign; none for no limit.
    pub(crate) budget: Option<BudgetLeft>,
}

/// The type of a campaign's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum BudgetType {
    /// The amount of the discounts.
    Spend,
    /// The number of uses in orders.
    Usage,
}

impl BudgetType {
    /// Returns what a discount takes from the budget.
    pub(crate) fn units(self, amount_minor: i64) -> i64 {
        match self {
            Self::Spend => amount_minor,
            Self::Usage => 1,
        }
    }
}

/// The remaining budget shared by the promotions of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetLeft {
    pub(crate) campaign_id: CampaignId,
    pub(crate) kind: BudgetType,
    /// In minor units or uses.
    pub(crate) left: i64,
}

/// A line, or a shipping method (one piece), as promotions see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The inputs of rules.
    pub(crate) facts: Facts,
    pub quantity: i64,
    /// The price of all pieces without tax, in minor units.
    pub subtotal_minor: i64,
    /// The price of all pieces with tax, in minor units.
    pub original_total_minor: i64,
    pub is_discountable: bool,
}

/// The line or shipping method that is discounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscountedItem {
    /// The line at this index.
    Line(usize),
    /// The shipping method at this index.
    ShippingMethod(usize),
}

/// A promotion's discount on one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    pub promotion: usize,
    pub place: DiscountedItem,
    /// In minor units, greater than zero.
    pub amount_minor: i64,
    /// Whether the amount includes tax.
    pub is_tax_inclusive: bool,
}

/// Computes all adjustments of a cart from scratch, in the order in which they apply.
pub(crate) fn allocate(
    promotions: &[Method],
    lines: &[Target],
    shipping_methods: &[Target],
) -> Result<Vec<Allocation>, OutOfRange> {
    let mut lines = lines.iter().map(Open::new).collect::<Result<Vec<_>, _>>()?;
    let mut methods = shipping_methods.iter().map(Open::new).collect::<Result<Vec<_>, _>>()?;
    let mut order: Vec<_> = promotions.iter().take(MAX_PROMOTIONS).enumerate().collect();
    order.sort_by_key(|(_, promotion)| promotion.buy_get.is_none());
    let (mut taken, mut spent) = (Vec::new(), BTreeMap::new());
    for (index, promotion) in order {
        let (targets, place): (&mut [Open<'_>], fn(usize) -> DiscountedItem) =
            match promotion.target {
                TargetKind::Items | TargetKind::Order => (&mut lines, DiscountedItem::Line),
                TargetKind::ShippingMethods => (&mut methods, DiscountedItem::ShippingMethod),
            };
        let amounts = amounts(promotion, targets)?;
        let whole = sum(amounts.iter().copied())?;
        if whole == 0 || !spend(promotion, whole, &mut spent)? {
            continue;
        }
        for (at, (target, amount_minor)) in targets.iter_mut().zip(amounts).enumerate() {
            if amount_minor > 0 {
                target.take(amount_minor, promotion.is_tax_inclusive)?;
                let is_tax_inclusive = promotion.is_tax_inclusive;
                taken.push(Allocation {
                    promotion: index,
                    place: place(at),
                    amount_minor,
                    is_tax_inclusive,
                });
            }
        }
    }
    Ok(taken)
}

/// Takes a discount from the budget of the promotion's campaign; returns whether it fits.
fn spend<'a>(
    promotion: &'a Method,
    amount_minor: i64,
    spent: &mut BTreeMap<&'a CampaignId, i64>,
) -> Result<bool, OutOfRange> {
    let Some(budget) = &promotion.budget else { return Ok(true) };
    let so_far = spent.entry(&budget.campaign_id).or_insert(0);
    let total = add(*so_far, budget.kind.units(amount_minor))?;
    let fits = total <= budget.left;
    if fits {
        *so_far = total;
    }
    Ok(fits)
}

/// A target with the amounts that earlier promotions left.
struct Open<'a> {
    target: &'a Target,
    net_left: i64,
    gross_left: i64,
}

impl<'a> Open<'a> {
    fn new(target: &'a Target) -> Result<Self, OutOfRange> {
        let Target { quantity, subtotal_minor, original_total_minor, .. } = *target;
        if quantity < 0 || subtotal_minor < 0 || original_total_minor < 0 {
            return Err(OutOfRange);
        }
        Ok(Self { target, net_left: subtotal_minor, gross_left: original_total_minor })
    }

    /// Returns the amount that the promotion can discount; zero if the target is excluded.
    fn base(&self, promotion: &Method) -> i64 {
        let is_aimed_at = match promotion.target {
            TargetKind::Order => true,
            TargetKind::Items | TargetKind::ShippingMethods => {
                all_hold(&promotion.target_rules, &self.target.facts)
            }
        };
        if !is_aimed_at || !self.target.is_discountable || self.target.quantity == 0 {
            0
        } else if promotion.is_tax_inclusive {
            self.gross_left
        } else {
            self.net_left
        }
    }

    /// Lowers both amounts; the other side is rounded up, so that discounts with and without tax on one target never
    /// exceed its price.
    fn take(&mut self, amount: i64, is_tax_inclusive: bool) -> Result<(), OutOfRange> {
        let (net, gross) = (self.target.subtotal_minor, self.target.original_total_minor);
        let (net_off, gross_off) = if is_tax_inclusive {
            (portion_rounded_up(amount, net, gross)?, amount)
        } else {
            (amount, portion_rounded_up(amount, gross, net)?)
        };
        self.net_left = subtract(self.net_left, net_off)?.max(0);
        self.gross_left = subtract(self.gross_left, gross_off)?.max(0);
        Ok(())
    }
}

fn amounts(promotion: &Method, targets: &[Open<'_>]) -> Result<Vec<i64>, OutOfRange> {
    let bases: Vec<_> = targets.iter().map(|target| target.base(promotion)).collect();
    if let Some(buy_get) = &promotion.buy_get {
        let pieces = given_pieces(promotion, buy_get, targets, &bases)?;
        return on_pieces(promotion.value, targets, &bases, &pieces);
    }
    let spread = match promotion.target {
        TargetKind::Order => Spread::Across,
        TargetKind::Items | TargetKind::ShippingMethods => promotion.spread,
    };
    match spread {
        Spread::Across => across(promotion.value, &bases),
        Spread::Each => {
            let pieces: Vec<_> = targets
                .iter()
                .map(|target| target.target.quantity.min(each_limit(promotion)))
                .collect();
            on_pieces(promotion.value, targets, &bases, &pieces)
        }
        Spread::Once => {
            let limit = promotion.max_quantity.unwrap_or(1).max(0);
            let pieces = cheapest_pieces(targets, &bases, limit)?;
            on_pieces(promotion.value, targets, &bases, &pieces)
        }
    }
}

/// Returns the maximum number of pieces per target: by default one for an amount, and all for a percentage.
fn each_limit(promotion: &Method) -> i64 {
    let default = match promotion.value {
        Value::Percentage(_) => i64::MAX,
        Value::Fixed(_) => 1,
    };
    promotion.max_quantity.unwrap_or(default).max(0)
}

fn across(value: Value, bases: &[i64]) -> Result<Vec<i64>, OutOfRange> {
    let base = sum(bases.iter().copied())?;
    let whole = match value {
        Value::Percentage(share) => portion(base, share.clamp(0, PPM), PPM)?,
        Value::Fixed(amount) => amount.clamp(0, base),
    };
    split(whole, bases)
}

/// Returns the discount on the given number of pieces of each target, at most the price of those pieces.
fn on_pieces(
    value: Value,
    targets: &[Open<'_>],
    bases: &[i64],
    pieces: &[i64],
) -> Result<Vec<i64>, OutOfRange> {
    let mut amounts = Vec::with_capacity(targets.len());
    for ((target, base), pieces) in targets.iter().zip(bases).zip(pieces) {
        // There is nothing to discount, and perhaps no quantity to divide by.
        if *base == 0 {
            amounts.push(0);
            continue;
        }
        let cost = portion(*base, *pieces, target.target.quantity)?;
        amounts.push(match value {
            Value::Percentage(share) => portion(cost, share.clamp(0, PPM), PPM)?,
            Value::Fixed(amount) => multiply(amount.max(0), *pieces)?.min(cost),
        });
    }
    Ok(amounts)
}

/// Returns the indexes of targets with a remaining amount, the cheapest piece first.
fn by_piece_price(targets: &[Open<'_>], bases: &[i64]) -> Vec<usize> {
    let mut priced: Vec<_> = targets
        .iter()
        .zip(bases)
        .enumerate()
        .filter(|(_, (_, base))| **base > 0)
        .map(|(index, (target, base))| (index, i128::from(*base), target.target.quantity))
        .collect();
    // Prices per piece are compared as fractions by cross-multiplication, so nothing is rounded.
    priced.sort_by(|left, right| {
        let this = left.1.saturating_mul(i128::from(right.2));
        let that = right.1.saturating_mul(i128::from(left.2));
        this.cmp(&that).then(left.0.cmp(&right.0))
    });
    priced.into_iter().map(|(index, _, _)| index).collect()
}

fn cheapest_pieces(
    targets: &[Open<'_>],
    bases: &[i64],
    limit: i64,
) -> Result<Vec<i64>, OutOfRange> {
    let mut free: Vec<_> = targets.iter().map(|target| target.target.quantity).collect();
    let mut pieces = vec![0; targets.len()];
    draw(&mut free, &by_piece_price(targets, bases), limit, &mut pieces)?;
    Ok(pieces)
}

/// Returns the given pieces: each round buys the most expensive free pieces and gives the cheapest, and no piece is
/// both. The last round may give fewer.
fn given_pieces(
    promotion: &Method,
    buy_get: &BuyGet,
    targets: &[Open<'_>],
    bases: &[i64],
) -> Result<Vec<i64>, OutOfRange> {
    let mut free: Vec<_> = targets.iter().map(|target| target.target.quantity).collect();
    let mut given = vec![0; targets.len()];
    let can_be_given = by_piece_price(targets, bases);
    let bought_bases: Vec<_> = targets
        .iter()
        .map(|target| {
            let counts = all_hold(&buy_get.buy_rules, &target.target.facts);
            if counts { target.target.subtotal_minor } else { 0 }
        })
        .collect();
    let mut can_be_bought = by_piece_price(targets, &bought_bases);
    can_be_bought.reverse();
    let mut left = promotion.max_quantity.unwrap_or(i64::MAX).max(0);
    let (buy, get) = (buy_get.buy_quantity.max(1), buy_get.get_quantity.max(1));
    for _round in 0..MAX_BUYGET_ROUNDS {
        let mut bought = vec![0; targets.len()];
        if draw(&mut free, &can_be_bought, buy, &mut bought)? < buy {
            break;
        }
        let drawn = draw(&mut free, &can_be_given, get.min(left), &mut given)?;
        if drawn == 0 {
            break;
        }
        left = subtract(left, drawn)?;
    }
    Ok(given)
}

/// Moves up to `wanted` pieces from `free` to `drawn`, in the order given; returns their number.
fn draw(
    free: &mut [i64],
    order: &[usize],
    wanted: i64,
    drawn: &mut [i64],
) -> Result<i64, OutOfRange> {
    let mut missing = wanted;
    for index in order {
        if let (Some(free), Some(drawn)) = (free.get_mut(*index), drawn.get_mut(*index)) {
            let part = (*free).min(missing);
            *free = subtract(*free, part)?;
            *drawn = add(*drawn, part)?;
            missing = subtract(missing, part)?;
        }
    }
    subtract(wanted, missing)
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests;
