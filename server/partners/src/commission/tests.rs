//! Tests of commissions: examples, and a second implementation over random orders.

#![expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]

use proptest::prelude::*;

use super::{Line, Override, Rate, Target, Terms};
use crate::ids::ProductId;
use crate::money::Currency;

fn eur() -> Currency {
    Currency::from_code("eur").unwrap()
}

fn terms(rate: Rate) -> Terms {
    Terms { rate, overrides: Vec::new(), cap_minor: None, currency: eur() }
}

fn product(number: u128) -> ProductId {
    ProductId::seeded(0, number)
}

fn line(net_minor: i64, returned_minor: i64) -> Line {
    Line {
        net_minor,
        returned_minor,
        is_gift_card: false,
        product_id: Some(product(1)),
        category_ids: Vec::new(),
        rate_of: None,
    }
}

fn earned(terms: &Terms, lines: &[Line], refunded_minor: i64) -> i64 {
    terms.target(lines, refunded_minor, eur()).unwrap().commission_minor
}

#[test]
fn refunds_reverse_commissions_to_the_cent() {
    let terms = terms(Rate::Percent(75_000));
    for (refunded, returned, commission) in [(0, 0, 450), (1_999, 1_999, 300), (5_997, 5_997, 0)] {
        assert_eq!(earned(&terms, &[line(5_997, returned)], refunded), commission, "{refunded}");
    }
}

#[test]
fn a_fixed_amount_is_earned_once_while_there_is_a_base_and_a_cap_is_never_passed() {
    let fixed = terms(Rate::Fixed(500));
    assert_eq!(earned(&fixed, &[line(100, 0), line(900, 0)], 999), 500);
    assert_eq!(earned(&fixed, &[line(100, 0), line(900, 0)], 1_000), 0);

    let capped = Terms { cap_minor: Some(101), ..terms(Rate::Percent(500_000)) };
    let target = capped.target(&[line(300, 0), line(300, 0)], 0, eur()).unwrap();
    assert_eq!((target.commission_minor, target.parts), (101, vec![(300, 51), (300, 50)]));
}

#[test]
fn amounts_are_of_their_own_currency_only() {
    let usd = Currency::from_code("usd").unwrap();
    let lines = [line(1_000, 0)];
    for (terms, expected) in [
        (terms(Rate::Percent(100_000)), 100),
        (terms(Rate::Fixed(500)), 0),
        (Terms { cap_minor: Some(50), ..terms(Rate::Percent(100_000)) }, 0),
    ] {
        assert_eq!(terms.target(&lines, 0, usd).unwrap().commission_minor, expected);
    }
}

#[test]
fn gift_cards_earn_nothing_and_a_product_may_have_its_own_rate() {
    let overrides = vec![Override {
        product_id: Some(product(2)),
        category_id: None,
        rate: Rate::Percent(500_000),
    }];
    let terms = Terms { overrides, ..terms(Rate::Percent(100_000)) };
    let special = Line { product_id: Some(product(2)), ..line(1_000, 0) };
    let card = Line { is_gift_card: true, ..line(5_000, 0) };

    let target = terms.target(&[line(1_000, 0), special, card], 0, eur()).unwrap();

    let parts = vec![(1_000, 100), (1_000, 500), (0, 0)];
    assert_eq!(
        target,
        Target { gross_minor: 2_000, base_minor: 2_000, commission_minor: 600, parts }
    );
}

/// The same result by other means: products in 128 bits, grouping by sorting, rounding by doubling.
fn recounted(terms: &Terms, lines: &[(i64, i64, u128)], refunded_minor: i64) -> i64 {
    let whole: i64 = lines.iter().map(|(net, _, _)| net).sum();
    let returned: i64 = lines.iter().map(|(net, returned, _)| *returned.min(net)).sum();
    let refunded = refunded_minor.min(whole);
    let mut taken = vec![0; lines.len()];
    // Equal to assigning the largest remainder first, one penny at a time.
    let mut hand_out = |total: i64, weights: &[i64]| {
        let sum: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
        let mut places: Vec<(i128, usize)> = Vec::new();
        let mut left = total;
        for (place, weight) in weights.iter().enumerate() {
            if sum == 0 {
                continue;
            }
            let exact = i128::from(total) * i128::from(*weight);
            taken[place] += i64::try_from(exact / sum).unwrap();
            left -= i64::try_from(exact / sum).unwrap();
            places.push((-(exact % sum), place));
        }
        places.sort_unstable();
        for (_, place) in places.into_iter().take(usize::try_from(left).unwrap()) {
            taken[place] += 1;
        }
    };
    let first: Vec<i64> = lines.iter().map(|(net, returned, _)| *returned.min(net)).collect();
    let then: Vec<i64> = lines.iter().map(|(net, returned, _)| net - returned.min(net)).collect();
    hand_out(refunded.min(returned), &first);
    if refunded > returned {
        hand_out(refunded - returned, &then);
    }
    let mut by_rate: Vec<(i64, i64)> = Vec::new();
    for ((net, _, number), taken) in lines.iter().zip(&taken) {
        let own = terms.overrides.iter().find(|one| one.product_id == Some(product(*number)));
        let (Rate::Percent(rate) | Rate::Fixed(rate)) = own.map_or(terms.rate, |one| one.rate);
        by_rate.push((rate, net - taken));
    }
    by_rate.sort_unstable();
    let mut earned = 0;
    for rates in by_rate.chunk_by(|left, right| left.0 == right.0) {
        let base: i64 = rates.iter().map(|(_, base)| base).sum();
        let doubled = i128::from(base) * i128::from(rates[0].0) * 2 + 1_000_000;
        earned += i64::try_from(doubled / 2_000_000).unwrap();
    }
    terms.cap_minor.map_or(earned, |cap| earned.min(cap))
}

/// What happens to an order.
#[derive(Debug, Clone)]
enum Step {
    /// A line is added: its price and its product.
    Add(i64, u128),
    /// Thousandths of the remainder are refunded.
    Refund(i64),
    /// Thousandths of a line are returned and refunded.
    Return(usize, i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0_i64..50_000, 1_u128..5).prop_map(|(net, product)| Step::Add(net, product)),
        (0_i64..=1_000).prop_map(Step::Refund),
        (0_usize..8, 0_i64..=1_000).prop_map(|(place, share)| Step::Return(place, share)),
    ];
    prop::collection::vec(step, 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn entries_add_up_to_what_a_recount_gives_whatever_happens_to_the_order(
        first in 1_i64..50_000, steps in steps(), rate in 0_i64..=1_000_000, other in 0_i64..=1_000_000,
        cap in prop::option::of(0_i64..10_000), is_canceled: bool,
    ) {
        let overrides =
            vec![Override { product_id: Some(product(2)), category_id: None, rate: Rate::Percent(other) }];
        let terms = Terms { overrides, cap_minor: cap, ..terms(Rate::Percent(rate)) };
        let mut lines = vec![(first, 0, 1_u128)];
        let (mut refunded, mut entries) = (0, Vec::new());
        let mut follow = |lines: &[(i64, i64, u128)], refunded: i64| -> Result<(), TestCaseError> {
            let of_one = |(net, returned, number): &(i64, i64, u128)| Line {
                product_id: Some(product(*number)), ..line(*net, *returned)
            };
            let target = terms.target(&lines.iter().map(of_one).collect::<Vec<_>>(), refunded, eur()).unwrap();
            entries.push(target.commission_minor - entries.iter().sum::<i64>());
            prop_assert_eq!(entries.iter().sum::<i64>(), recounted(&terms, lines, refunded));
            prop_assert_eq!(target.parts.iter().map(|(_, part)| part).sum::<i64>(), target.commission_minor);
            prop_assert_eq!(target.parts.iter().map(|(base, _)| base).sum::<i64>(), target.base_minor);
            Ok(())
        };
        follow(&lines, refunded)?;
        for step in steps {
            let whole: i64 = lines.iter().map(|(net, _, _)| net).sum();
            match step {
                Step::Add(net, number) => lines.push((net, 0, number)),
                Step::Refund(share) => refunded += (whole - refunded) * share / 1_000,
                Step::Return(place, share) => {
                    let place = place % lines.len();
                    let part = ((lines[place].0 - lines[place].1) * share / 1_000).min(whole - refunded);
                    lines[place].1 += part;
                    refunded += part;
                }
            }
            follow(&lines, refunded)?;
        }
        if is_canceled {
            let whole: i64 = lines.iter().map(|(net, _, _)| net).sum();
            follow(&lines, whole)?;
            prop_assert_eq!(entries.iter().sum::<i64>(), 0);
        }
    }
}
