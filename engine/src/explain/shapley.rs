//! Shapley values in integers: the average contribution of each input to a result, over the orders
//! in which the inputs could change.
//!
//! Values are integers of one scale, so nothing is rounded before [`Shares::settle`]. The shares
//! add up to the whole because they are sums of the same differences.

/// Limit: inputs for which every mixture is computed, at most 2^10 mixtures.
pub(super) const MAX_EXACT: usize = 10;
/// Limit: starting points of the orders if there are more inputs.
const MAX_STARTS: usize = 16;

/// The contribution of each input, as numerators over one denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shares {
    pub(super) numerators: Vec<i128>,
    /// The number of orders in the average.
    pub(super) denominator: i128,
}

/// The result with some inputs changed; `None` if it is null.
pub(super) type Mixture<'m> = &'m mut dyn FnMut(&[bool]) -> Option<i128>;

/// Averages over every order; if mixtures are null, over the orders without a null step.
///
/// Returns `None` if there is no such order.
pub(super) fn over_all_orders(inputs: usize, mixture: Mixture<'_>) -> Option<Shares> {
    let bit = |input: usize| u32::try_from(input).ok().and_then(|by| 1_usize.checked_shl(by));
    let bits: Vec<usize> = (0..inputs).filter_map(bit).collect();
    let full = bits.iter().fold(0, |all, bit| all | bit);
    let values: Vec<Option<i128>> = (0..=full)
        .map(|changed| {
            let members: Vec<bool> = bits.iter().map(|bit| changed & bit != 0).collect();
            mixture(&members)
        })
        .collect();
    let value = |at: usize| values.get(at).copied().flatten();
    let mut ways_to = vec![0_i128; values.len()];
    let mut ways_on = ways_to.clone();
    let sum = |ways: &[i128], of: &mut dyn Iterator<Item = usize>| {
        of.filter_map(|at| ways.get(at)).fold(0_i128, |sum, ways| sum.saturating_add(*ways))
    };
    for at in 0..=full {
        let mut before = bits.iter().filter(|bit| at & **bit != 0).map(|bit| at ^ bit);
        let ways = if at == 0 { 1 } else { sum(&ways_to, &mut before) };
        if let Some(slot) = ways_to.get_mut(at).filter(|_| value(at).is_some()) {
            *slot = ways;
        }
    }
    for at in (0..=full).rev() {
        let mut after = bits.iter().filter(|bit| at & **bit == 0).map(|bit| at | bit);
        let ways = if at == full { 1 } else { sum(&ways_on, &mut after) };
        if let Some(slot) = ways_on.get_mut(at).filter(|_| value(at).is_some()) {
            *slot = ways;
        }
    }
    let numerator = |bit: &usize| {
        let without = (0..=full).filter(|at| at & bit == 0);
        let steps = without.filter_map(|at| {
            let step = value(at | bit)?.checked_sub(value(at)?)?;
            let ways = ways_to.get(at)?.checked_mul(*ways_on.get(at | bit)?)?;
            step.checked_mul(ways)
        });
        steps.fold(0_i128, i128::saturating_add)
    };
    let denominator = ways_to.last().copied().filter(|ways| *ways > 0)?;
    Some(Shares { numerators: bits.iter().map(numerator).collect(), denominator })
}

/// Averages over every rotation of the inputs' own order, forward and backward, from at most
/// [`MAX_STARTS`] starts, so that each input comes early in some orders and late in others.
pub(super) fn over_turns(inputs: usize, mixture: Mixture<'_>) -> Option<Shares> {
    let mut shares = Shares { numerators: vec![0; inputs], denominator: 0 };
    let starts = inputs.min(MAX_STARTS);
    for start in 0..starts {
        let first = start.saturating_mul(inputs).checked_div(starts).unwrap_or(0);
        let mut order: Vec<usize> = (first..inputs).chain(0..first).collect();
        shares.add(&order, mixture);
        order.reverse();
        shares.add(&order, mixture);
    }
    (shares.denominator > 0).then_some(shares)
}

impl Shares {
    /// Adds the steps of one order, unless one of its mixtures is null.
    fn add(&mut self, order: &[usize], mixture: Mixture<'_>) {
        let mut changed = vec![false; self.numerators.len()];
        let Some(mut before) = mixture(&changed) else { return };
        let mut steps = Vec::with_capacity(order.len());
        for input in order {
            if let Some(flag) = changed.get_mut(*input) {
                *flag = true;
            }
            let Some(after) = mixture(&changed) else { return };
            steps.push((*input, after.saturating_sub(before)));
            before = after;
        }
        for (input, step) in steps {
            if let Some(numerator) = self.numerators.get_mut(input) {
                *numerator = numerator.saturating_add(step);
            }
        }
        self.denominator = self.denominator.saturating_add(1);
    }

    /// Returns the shares in whole units of `unit`, with the sum `total`.
    ///
    /// Each share is truncated towards zero. The remainder goes, one unit at a time, to the shares
    /// that lost most by truncation, the first among equals first. An input without contribution
    /// gets nothing.
    pub(super) fn settle(&self, unit: i128, total: i128) -> Vec<i128> {
        let divisor = self.denominator.saturating_mul(unit);
        let cut = |numerator: &i128| numerator.checked_div(divisor).unwrap_or(0);
        let mut whole: Vec<i128> = self.numerators.iter().map(cut).collect();
        let given = whole.iter().fold(0_i128, |sum, part| sum.saturating_add(*part));
        let rest = total.saturating_sub(given);
        let lost = |index: &usize| {
            let numerator = self.numerators.get(*index).copied().unwrap_or(0);
            let lost = numerator.checked_rem(divisor).unwrap_or(0);
            std::cmp::Reverse(lost.saturating_mul(rest.signum()))
        };
        let mut order: Vec<usize> = (0..whole.len())
            .filter(|index| self.numerators.get(*index).is_some_and(|numerator| *numerator != 0))
            .collect();
        order.sort_by_key(lost);
        let units = usize::try_from(rest.unsigned_abs()).unwrap_or(0);
        for index in order.iter().cycle().take(if order.is_empty() { 0 } else { units }) {
            if let Some(part) = whole.get_mut(*index) {
                *part = part.saturating_add(rest.signum());
            }
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 600 / 3 to 1000 / 5 in thousandths, by the changed inputs.
    fn ratio() -> impl FnMut(&[bool]) -> Option<i128> {
        |changed| match changed {
            [true, false] => Some(333_333),
            [false, true] => Some(120_000),
            _ => Some(200_000),
        }
    }

    #[test]
    fn two_factors_share_what_they_do_together() {
        let shares = over_all_orders(2, &mut ratio()).unwrap();
        // Together they leave the ratio unchanged.
        assert_eq!(shares.settle(1_000, 0), [106, -106]);
        assert_eq!(over_turns(2, &mut ratio()).unwrap().settle(1_000, 0), [106, -106]);
    }

    #[test]
    fn the_last_units_go_to_those_that_lost_most_by_the_cut() {
        let shares = Shares { numerators: vec![0, 14, 16, -3], denominator: 10 };
        for (total, settled) in [
            (2, [0, 1, 1, 0]),
            (3, [0, 1, 2, 0]),
            (4, [0, 2, 2, 0]),
            (1, [0, 1, 1, -1]),
            (-1, [0, 0, 0, -1]),
        ] {
            assert_eq!(shares.settle(1, total), settled, "{total}");
        }
    }

    #[test]
    fn orders_with_a_step_that_has_no_value_do_not_count() {
        // The second may not change before the first.
        let mut mixture = |changed: &[bool]| match changed {
            [false, true] => None,
            [false, false] => Some(0),
            [true, false] => Some(30),
            _ => Some(100),
        };
        let shares = over_all_orders(2, &mut mixture).unwrap();
        assert_eq!((shares.settle(1, 100), shares.denominator), (vec![30, 70], 1));
        assert_eq!(
            over_all_orders(2, &mut |changed| (changed[0] == changed[1]).then_some(1)),
            None
        );
    }
}
