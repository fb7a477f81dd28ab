//! Refunds, attributed to the goods of their orders.
//!
//! A refund names an order but no goods. Its amount for goods is attributed to the returned lines in proportion to the
//! value of the returned units or, if nothing was returned, to all lines in proportion to their sales. So the parts of
//! a refund add up to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::SoldBy;
use super::queries::returns::{self, ReturnedLine};
use crate::MetricError;
use crate::compute::range::ResolvedRange;
use crate::compute::{CachedSums, ReadFrom, Sums};
use crate::database::Tx;
use crate::proportion;

/// The sources of refunds. A refund, a return and every other change of an order's amounts count as changes of its
/// refunds.
const READS: &[ReadFrom] = &[
    ReadFrom { source: "refunds", is_of_added: true },
    ReadFrom { source: "items", is_of_added: false },
];
/// The same if the country of an order is used.
const READS_OF_OTHERS: &[ReadFrom] = &[
    ReadFrom { source: "refunds", is_of_added: true },
    ReadFrom { source: "items", is_of_added: false },
    ReadFrom { source: "orders", is_of_added: false },
];

/// Returns the refunded amounts of the range in minor units, by the key of the goods; none for lines without one.
pub(super) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
) -> Result<Sums<i64>, MetricError> {
    let ResolvedRange { asked, start, end, until, currency_code, .. } = range;
    let filters = &asked.filters;
    let key = format!("{by:?} {start:?} {end:?} {currency_code} {filters:?}");
    let cache = range.caches.refunds(tx)?;
    if let Some(cached) = cache.and_then(|cache| cache.find(&key))
        && !returns::is_any_between(tx, cached.until, *until)?
    {
        return Ok(cached.sums);
    }
    let sums = Arc::new(sums_of(&returns::lines(tx, range, by)?)?);
    if let Some(cache) = cache {
        let is_of_others = filters.country_code.is_some();
        let reads = if is_of_others { READS_OF_OTHERS } else { READS };
        cache.keep(key, CachedSums { sums: Arc::clone(&sums), until: *until, reads });
    }
    Ok(sums)
}

/// Returns the refunded amounts by grouping key.
fn sums_of(lines: &[ReturnedLine]) -> Result<BTreeMap<Option<String>, i64>, MetricError> {
    let mut sums = BTreeMap::new();
    for refund in lines.chunk_by(|one, next| one.refund_id == next.refund_id) {
        let total = refund.first().map_or(0, |line| line.goods_minor);
        let parts = parts(total, refund).map_err(|_too_large| {
            MetricError::Range("The refunds of the range are too large to be split".to_owned())
        })?;
        for (line, part) in refund.iter().zip(parts).filter(|(_, part)| *part != 0) {
            let sum: &mut i64 = sums.entry(line.key.clone()).or_default();
            *sum = sum.saturating_add(part);
        }
    }
    Ok(sums)
}

/// Returns the part of a refund that belongs to each line of its order.
fn parts(total: i64, lines: &[ReturnedLine]) -> Result<Vec<i64>, proportion::OutOfRange> {
    let came_back: Vec<i64> = lines.iter().map(|line| line.returned_minor.max(0)).collect();
    let sold_for: Vec<i64> = lines.iter().map(|line| line.net_minor.max(0)).collect();
    let has_weight = |weights: &[i64]| weights.iter().any(|weight| *weight > 0);
    // A refund of tax alone may have a negative amount for goods.
    let split = |weights: &[i64]| {
        let parts = proportion::split(total.saturating_abs(), weights)?;
        Ok(parts.into_iter().map(|part| part.saturating_mul(total.signum())).collect())
    };
    match (has_weight(&came_back), has_weight(&sold_for)) {
        (true, _) => split(&came_back),
        (false, true) => split(&sold_for),
        (false, false) => split(&vec![1; lines.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(
        refund_id: &str,
        goods_minor: i64,
        key: &str,
        (returned, net): (i64, i64),
    ) -> ReturnedLine {
        ReturnedLine {
            refund_id: refund_id.to_owned(),
            goods_minor,
            key: Some(key.to_owned()),
            returned_minor: returned,
            net_minor: net,
        }
    }

    #[test]
    fn a_refund_is_of_the_lines_that_came_back_and_else_of_all() {
        let lines = [
            line("1", 100, "mug", (120, 300)),
            line("1", 100, "lamp", (0, 900)),
            line("2", 100, "mug", (0, 200)),
            line("2", 100, "lamp", (0, 100)),
            line("3", 5, "gift", (0, 0)),
        ];
        let sums = sums_of(&lines).unwrap();
        let of = |key: &str| sums.get(&Some(key.to_owned())).copied();
        assert_eq!((of("mug"), of("lamp"), of("gift")), (Some(167), Some(33), Some(5)));
    }
}
