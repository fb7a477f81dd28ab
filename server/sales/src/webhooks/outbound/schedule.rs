//! When a delivery that was not taken is sent again. Pure.

use sha2::{Digest as _, Sha256};

use crate::clock::{DAY_MS, HOUR_MS, MINUTE_MS};

const SECOND_MS: i64 = 1_000;

/// The delays after each attempt; after the last one a delivery is abandoned.
const DELAYS_MS: [i64; 9] = [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    10 * HOUR_MS,
    DAY_MS,
    DAY_MS,
];

/// Limit: the longest delay that a receiver can request, in milliseconds.
const MAX_ASKED_MS: i64 = DAY_MS;

/// Returns the delay after the attempt at an index of the schedule, from 0; none after the last. It varies by up to a
/// tenth, so that deliveries that failed together are not retried together, and is the same for the same delivery and
/// attempt. A receiver may request a longer one.
pub(super) fn delay_ms(place: usize, delivery: &str, retry_after_s: Option<u32>) -> Option<i64> {
    let delay_ms = *DELAYS_MS.get(place)?;
    let digest = Sha256::digest(format!("{delivery} {place}").as_bytes());
    let random = i64::from(digest.first().copied().unwrap_or_default());
    let tenth_ms = delay_ms.div_euclid(10);
    // From a tenth less, at 0, to a tenth more, at 255.
    let spread_ms = tenth_ms.saturating_mul(2).saturating_mul(random).div_euclid(255);
    let delay_ms = delay_ms.saturating_sub(tenth_ms).saturating_add(spread_ms);
    let least_ms = retry_after_s.map_or(0, |seconds| i64::from(seconds).saturating_mul(SECOND_MS));
    Some(delay_ms.max(least_ms.min(MAX_ASKED_MS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_sent_ten_times_in_three_days_each_within_a_tenth_of_its_time() {
        for (place, expected_ms) in DELAYS_MS.into_iter().enumerate() {
            for number in 0..200 {
                let delay_ms = delay_ms(place, &format!("wh_{number}"), None).unwrap();
                let tenth_ms = expected_ms.div_euclid(10);
                assert!(delay_ms.abs_diff(expected_ms) <= tenth_ms.unsigned_abs(), "{place}");
            }
        }
        assert_eq!(delay_ms(DELAYS_MS.len(), "wh_1", None), None);
        assert_eq!(DELAYS_MS.iter().sum::<i64>(), (75 * 60 + 35) * MINUTE_MS + 5 * SECOND_MS);
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_but_not_for_less_or_for_ever() {
        assert_eq!(delay_ms(0, "wh_1", Some(3_600)), Some(HOUR_MS));
        assert_eq!(delay_ms(0, "wh_1", Some(u32::MAX)), Some(DAY_MS));
        assert_eq!(delay_ms(3, "wh_1", Some(1)), delay_ms(3, "wh_1", None));
    }

    #[test]
    fn the_delay_differs_by_delivery_and_is_the_same_each_time() {
        let delays: std::collections::BTreeSet<_> =
            (0..50).map(|number| delay_ms(1, &format!("wh_{number}"), None)).collect();
        assert!(delays.len() > 20, "{delays:?}");
        assert_eq!(delay_ms(1, "wh_7", None), delay_ms(1, "wh_7", None));
    }
}
