//! Which click an order is credited to if the first one is: a pure rule.

use crate::clicks::Click;
use crate::clock::Timestamp;
use crate::offers::Offer;

/// Returns the first click that counts for an order under its own offer, with that offer. `clicks` are ordered by time.
pub(super) fn first(
    clicks: Vec<Click>,
    offers: &[Offer],
    placed_at: Timestamp,
) -> Option<(Click, Offer)> {
    clicks.into_iter().find_map(|click| {
        let offer = offers.iter().find(|offer| offer.id == click.offer_id)?;
        offer.counts(click.clicked_at, placed_at).then(|| (click, offer.clone()))
    })
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::DAY_MS;
    use crate::ids::PartnerClickId;
    use crate::offers::tests::offer;

    fn click(offer: &Offer, clicked_at: Timestamp) -> Click {
        Click {
            id: PartnerClickId::new(),
            offer_id: offer.id.clone(),
            partner_id: offer.partner_id.clone(),
            visitor: "0123456789ABCDEF".to_owned(),
            sub1: None,
            sub2: None,
            sub3: None,
            referrer_host: None,
            country: None,
            device: "mobile".to_owned(),
            repeat_count: 0,
            clicked_at,
        }
    }

    proptest! {
        #[test]
        fn the_first_is_the_earliest_that_counts(
            mut days in prop::collection::vec((0_i64..60, 1_i64..60, any::<bool>()), 0..8),
            placed in 0_i64..90,
        ) {
            days.sort_by_key(|(day, ..)| *day);
            let at = |day: i64| Timestamp::from_millis(day * DAY_MS);
            let offers: Vec<Offer> = days
                .iter()
                .map(|(day, window, ran)| offer(*window, (!ran).then(|| at(*day))))
                .collect();
            let clicks: Vec<Click> =
                days.iter().zip(&offers).map(|((day, ..), offer)| click(offer, at(*day))).collect();
            let counting = days.iter().position(|(day, window, ran)| {
                *ran && *day <= placed && placed <= day + window
            });
            let found = first(clicks.clone(), &offers, at(placed));
            prop_assert_eq!(
                found.map(|(click, offer)| (click.id, offer.id)),
                counting.map(|place| (clicks[place].id.clone(), offers[place].id.clone()))
            );
            prop_assert_eq!(first(clicks, &[], at(placed)).map(|(click, _)| click), None);
        }
    }
}
