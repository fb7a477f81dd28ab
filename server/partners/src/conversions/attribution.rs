//! Which click an order is credited to: a pure rule.

use crate::clock::Timestamp;
use crate::offers::Attribution;

/// A click with what its offer says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) clicked_at: Timestamp,
    pub(super) window_ms: i64,
    /// Whether the offer was active when the link was followed.
    pub(super) ran: bool,
    pub(super) attribution: Attribution,
}

impl Candidate {
    /// Returns whether an order is within the click's window, including both ends.
    pub(super) fn counts(&self, placed_at: Timestamp) -> bool {
        let age_ms = placed_at.as_millis().saturating_sub(self.clicked_at.as_millis());
        self.ran && (0..=self.window_ms).contains(&age_ms)
    }
}

/// Returns the index of the click that an order is credited to. `stamped` is the click that the order is stamped
/// with; `all` are the visitor's clicks, including that one.
pub(super) fn choose(
    stamped: &Candidate,
    all: &[Candidate],
    placed_at: Timestamp,
) -> Option<usize> {
    if !stamped.counts(placed_at) {
        return None;
    }
    let place = || all.iter().position(|one| one == stamped);
    match stamped.attribution {
        Attribution::Last => place(),
        Attribution::First => {
            let counted = all.iter().enumerate().filter(|(_, one)| one.counts(placed_at));
            counted.min_by_key(|(_, one)| one.clicked_at).map(|(place, _)| place)
        }
    }
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY: i64 = 86_400_000;

    fn candidate(at_ms: i64, days: i64, attribution: Attribution) -> Candidate {
        let clicked_at = Timestamp::from_millis(at_ms);
        Candidate { clicked_at, window_ms: days * DAY, ran: true, attribution }
    }

    #[test]
    fn both_ends_of_the_window_count_and_a_millisecond_more_does_not() {
        // Windows are durations: neither a leap day nor a clock change moves their end.
        for clicked in [1_709_164_800_000_i64, 1_711_843_200_000, 1_730_000_000_000] {
            let click = candidate(clicked, 30, Attribution::Last);
            for (age, expected) in [(-1, false), (0, true), (30 * DAY, true), (30 * DAY + 1, false)]
            {
                let counts = click.counts(Timestamp::from_millis(clicked + age));
                assert_eq!(counts, expected, "{clicked} + {age}");
            }
        }
        let late = Candidate { ran: false, ..candidate(0, 30, Attribution::Last) };
        assert!(!late.counts(Timestamp::from_millis(1)));
    }

    proptest! {
        #[test]
        fn the_first_is_the_earliest_that_counts_and_the_last_the_one_on_the_order(
            clicks in prop::collection::vec((0_i64..60, 1_i64..60, any::<bool>()), 1..8),
            placed in 0_i64..90, is_first: bool,
        ) {
            let attribution = if is_first { Attribution::First } else { Attribution::Last };
            let all: Vec<Candidate> = clicks
                .iter()
                .enumerate()
                .map(|(number, (day, days, ran))| {
                    let at = day * DAY + i64::try_from(number).unwrap();
                    Candidate { ran: *ran, ..candidate(at, *days, attribution) }
                })
                .collect();
            let stamped = all[all.len() - 1];
            let placed_at = Timestamp::from_millis(placed * DAY);
            let within = |one: &Candidate| {
                one.ran && one.clicked_at <= placed_at && placed_at <= one.clicked_at.plus_ms(one.window_ms)
            };
            let mut valid: Vec<&Candidate> = all.iter().filter(|one| within(one)).collect();
            valid.sort_by_key(|one| one.clicked_at);
            let expected = if !within(&stamped) { None } else if is_first { valid.first().copied() } else { Some(&stamped) };
            prop_assert_eq!(choose(&stamped, &all, placed_at).map(|place| &all[place]), expected);
        }
    }
}
