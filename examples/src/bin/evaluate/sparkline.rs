//! Sparklines: numbers as a line of blocks.

use rust_decimal::Decimal;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Limit: blocks of a line; longer series are sampled.
const MOST_BLOCKS: usize = 60;

/// Draws numbers from the smallest to the largest; a missing one is a dot.
pub(crate) fn sparkline(values: &[Option<Decimal>]) -> String {
    let step = values.len().div_ceil(MOST_BLOCKS).max(1);
    let values: Vec<Option<Decimal>> = values.iter().copied().step_by(step).collect();
    let known = || values.iter().copied().flatten();
    let (Some(low), Some(high)) = (known().min(), known().max()) else { return String::new() };
    let block = |value: &Option<Decimal>| value.map_or('·', |value| block(value, low, high));
    values.iter().map(block).collect()
}

fn block(value: Decimal, low: Decimal, high: Decimal) -> char {
    let level = || {
        // Divided by four first, so that the range from the least to the greatest number does not
        // overflow.
        let part = |number: Decimal| number.checked_div(Decimal::from(4));
        let range = part(high)?.checked_sub(part(low)?)?;
        let share = part(value)?.checked_sub(part(low)?)?.checked_div(range)?;
        let level = share.checked_mul(Decimal::from(BLOCKS.len().saturating_sub(1)))?;
        usize::try_from(i64::try_from(level.round()).ok()?).ok()
    };
    // All numbers are equal: a line in the middle.
    level().and_then(|level| BLOCKS.get(level)).copied().unwrap_or('▄')
}

#[cfg(test)]
mod tests {
    use super::sparkline;
    use rust_decimal::Decimal;

    fn line(numbers: &str) -> String {
        let values: Vec<_> = numbers.split(' ').map(|number| number.parse().ok()).collect();
        sparkline(&values)
    }

    #[test]
    fn numbers_become_blocks_between_the_smallest_and_the_largest() {
        assert_eq!(line("0 1 2 3 4 5 6 7"), "▁▂▃▄▅▆▇█");
        assert_eq!(line("-5 null 5"), "▁·█");
        assert_eq!(line("3 3 3"), "▄▄▄");
        assert_eq!(line("null"), "");
    }

    #[test]
    fn the_largest_numbers_fit() {
        assert_eq!(sparkline(&[Some(Decimal::MIN), Some(Decimal::MAX)]), "▁█");
    }

    #[test]
    fn a_long_row_is_thinned() {
        let values: Vec<_> = (0..1_000).map(|number| Some(Decimal::from(number))).collect();

        assert!(sparkline(&values).chars().count() <= 60);
    }
}
