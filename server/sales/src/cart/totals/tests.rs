//! Tests totals against examples and against a second implementation in decimals.

use proptest::prelude::*;
use rust_decimal::{Decimal, RoundingStrategy};

use super::{
    Adjustment, Amounts, Charge, ChargeTotals, MAX_ADJUSTMENTS, MAX_TAX_LINES, TotalsError, cart,
    charge, fair,
};

fn net(amount_minor: i64) -> Adjustment {
    Adjustment { amount_minor, is_tax_inclusive: false }
}

fn gross(amount_minor: i64) -> Adjustment {
    Adjustment { amount_minor, is_tax_inclusive: true }
}

fn line(unit_price_minor: i64, quantity: i64, rates_ppm: &[i64]) -> Charge {
    let rates_ppm = rates_ppm.to_vec();
    Charge { unit_price_minor, quantity, rates_ppm, ..Charge::default() }
}

#[test]
fn the_documented_example_comes_out_rounded_to_cents() {
    let shirt = Charge { adjustments: vec![net(260)], ..line(1_299, 2, &[72_500]) };
    let jacket = Charge { adjustments: vec![net(300)], ..line(1_499, 2, &[72_500]) };
    let shipping = charge(&line(995, 1, &[72_500])).unwrap();

    let items = [charge(&shirt).unwrap(), charge(&jacket).unwrap()];
    let totals = cart(items.map(|line| line.amounts), [shipping.amounts], []).unwrap();

    assert_eq!(totals.items.subtotal, 5_596);
    assert_eq!(totals.all.subtotal, 6_591);
    assert_eq!(totals.all.discount_subtotal, 560);
    assert_eq!(totals.items.tax_total, 170 + 196);
    assert_eq!(totals.shipping.total, 1_067);
    assert_eq!(totals.total, 6_591 - 560 + 170 + 196 + 72);
}

#[test]
fn a_gross_price_is_the_same_at_all_rates() {
    for rates in [vec![190_000], vec![72_500, 12_345], vec![1], vec![]] {
        let inclusive = Charge { is_tax_inclusive: true, ..line(1_001, 3, &rates) };
        let amounts = charge(&inclusive).unwrap().amounts;
        assert_eq!(amounts.total, 3_003, "{rates:?}");
        assert_eq!(amounts.subtotal + amounts.tax_total, 3_003, "{rates:?}");
    }
}

#[test]
fn a_discount_that_includes_tax_takes_exactly_its_amount_off_the_gross() {
    for is_tax_inclusive in [false, true] {
        let base = Charge { is_tax_inclusive, ..line(1_299, 3, &[72_500, 10_000]) };
        let before = charge(&base).unwrap().amounts.total;
        let after = charge(&Charge { adjustments: vec![gross(777)], ..base }).unwrap();
        assert_eq!(after.amounts.total, before - 777);
        assert_eq!(after.amounts.discount_total, 777);
        assert_eq!(after.adjustments[0].total, 777);
    }
}

#[test]
fn discounts_take_at_most_the_price() {
    let free = Charge { adjustments: vec![net(900), gross(900)], ..line(1_000, 1, &[72_500]) };
    let amounts = charge(&free).unwrap().amounts;
    assert_eq!((amounts.total, amounts.tax_total, amounts.discount_subtotal), (0, 0, 1_000));
}

#[test]
fn a_returned_piece_takes_its_share_of_every_amount() {
    let line = Charge { adjustments: vec![net(260)], ..line(1_299, 2, &[72_500]) };
    let whole = charge(&line).unwrap().amounts;
    let half = Amounts {
        subtotal: 1_299,
        discount_subtotal: 130,
        discount_tax_total: 9,
        discount_total: 139,
        tax_total: 85,
        total: 1_254,
        original_tax_total: 94,
        original_total: 1_393,
    };
    assert_eq!(whole.of_pieces(1, 2), Ok(half));
    assert_eq!(whole.of_pieces(2, 2), Ok(whole));
    let totals = cart([whole], [Amounts { total: 995, ..Amounts::default() }], [500]).unwrap();
    let left = totals.less_items(half).unwrap();
    assert_eq!((left.items, left.all.total, left.total), (half, 2_249, 1_749));
}

#[test]
fn credit_lowers_only_the_amount_to_pay() {
    let amounts = charge(&line(1_000, 1, &[])).unwrap().amounts;
    let totals = cart([amounts], [], [300, -50]).unwrap();
    assert_eq!((totals.all.total, totals.credit_line_total, totals.total), (1_000, 250, 750));
}

#[test]
fn a_discount_is_split_by_weight_and_what_no_weight_claims_goes_to_the_first() {
    assert_eq!(fair(5, vec![2, 3]), Ok(vec![2, 3]));
    assert_eq!(fair(6, vec![1, 2]), Ok(vec![2, 4]));
    assert_eq!(fair(1, vec![0, 0, 0]), Ok(vec![1, 0, 0]));
    assert_eq!(fair(0, vec![]), Ok(vec![]));
}

#[test]
fn taxes_and_discounts_are_accepted_up_to_their_limits() {
    let taxed = |count| charge(&line(100, 1, &vec![1_000; count])).is_ok();
    assert_eq!([taxed(MAX_TAX_LINES), taxed(MAX_TAX_LINES + 1)], [true, false]);
    let discounted =
        |count| charge(&Charge { adjustments: vec![net(1); count], ..line(100, 10, &[]) }).is_ok();
    assert_eq!([discounted(MAX_ADJUSTMENTS), discounted(MAX_ADJUSTMENTS + 1)], [true, false]);
}

#[test]
fn numbers_out_of_range_are_refused_and_never_wrap() {
    for bad in [
        line(i64::MAX, 2, &[]),
        line(i64::MAX, 1, &[72_500]),
        line(-1, 1, &[]),
        line(1, -1, &[]),
        line(1, 1, &[-1]),
        line(1, 1, &[10_000_001]),
        line(1, 1, &[0; 11]),
        Charge { adjustments: vec![net(-1)], ..line(1, 1, &[]) },
        Charge { adjustments: vec![net(0); 201], ..line(1, 1, &[]) },
    ] {
        assert!(charge(&bad).is_err(), "{bad:?}");
    }
    let huge = Amounts { total: i64::MAX, ..Amounts::default() };
    assert!(matches!(cart([huge, huge], [], []), Err(TotalsError::OutOfRange(_))));
}

/// Computes the same totals from the formulas in decimals, rounded where amounts are.
fn second_opinion(line: &Charge) -> Amounts {
    let rate = |ppm: &i64| Decimal::new(*ppm, 6);
    let whole = Decimal::ONE + line.rates_ppm.iter().map(rate).sum::<Decimal>();
    let cents =
        |value: Decimal| value.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    let added_to =
        |net: Decimal| line.rates_ppm.iter().map(|r| cents(net * rate(r))).sum::<Decimal>();
    let inside = |gross: Decimal| {
        line.rates_ppm.iter().map(|r| cents(gross * rate(r) / whole)).sum::<Decimal>()
    };
    let off = |inclusive: bool| -> Decimal {
        let all = line.adjustments.iter();
        all.filter(|a| a.is_tax_inclusive == inclusive).map(|a| Decimal::from(a.amount_minor)).sum()
    };
    let price = Decimal::from(line.unit_price_minor * line.quantity);
    let (subtotal, original_tax) = if line.is_tax_inclusive {
        (price - inside(price), inside(price))
    } else {
        (price, added_to(price))
    };
    let (mut left, mut tax) = (subtotal, original_tax);
    for inclusive in [line.is_tax_inclusive, !line.is_tax_inclusive] {
        if off(inclusive).is_zero() {
            continue;
        }
        if inclusive {
            let gross = (left + tax - off(true)).max(Decimal::ZERO);
            tax = inside(gross);
            left = gross - tax;
        } else {
            left = (left - off(false)).max(Decimal::ZERO);
            tax = added_to(left);
        }
    }
    let minor = |value: Decimal| i64::try_from(value).unwrap();
    Amounts {
        subtotal: minor(subtotal),
        discount_subtotal: minor(subtotal - left),
        discount_tax_total: minor(original_tax - tax),
        discount_total: minor(subtotal - left + original_tax - tax),
        tax_total: minor(tax),
        total: minor(left + tax),
        original_tax_total: minor(original_tax),
        original_total: minor(subtotal + original_tax),
    }
}

fn any_charge() -> impl Strategy<Value = Charge> {
    let adjustment = (0_i64..3_000, any::<bool>())
        .prop_map(|(amount_minor, is_tax_inclusive)| Adjustment { amount_minor, is_tax_inclusive });
    (
        0_i64..20_000,
        0_i64..20,
        any::<bool>(),
        prop::collection::vec(0_i64..300_000, 0..4),
        prop::collection::vec(adjustment, 0..4),
    )
        .prop_map(|(unit_price_minor, quantity, is_tax_inclusive, rates_ppm, adjustments)| {
            Charge { unit_price_minor, quantity, is_tax_inclusive, rates_ppm, adjustments }
        })
}

fn sums(a: &Amounts) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.total, a.subtotal - a.discount_subtotal + a.tax_total);
    prop_assert_eq!(a.original_total, a.subtotal + a.original_tax_total);
    prop_assert_eq!(a.discount_tax_total, a.original_tax_total - a.tax_total);
    prop_assert_eq!(a.discount_total, a.discount_subtotal + a.discount_tax_total);
    prop_assert_eq!(a.original_total - a.discount_total, a.total);
    prop_assert!(a.total >= 0 && a.tax_total >= 0);
    Ok(())
}

fn identities(totals: &ChargeTotals) -> Result<(), TestCaseError> {
    let a = totals.amounts;
    sums(&a)?;
    prop_assert_eq!(totals.tax_lines.iter().map(|line| line.total).sum::<i64>(), a.tax_total);
    let before = totals.tax_lines.iter().map(|line| line.subtotal).sum::<i64>();
    prop_assert_eq!(before, a.original_tax_total);
    if !totals.adjustments.is_empty() {
        let taken = totals.adjustments.iter().map(|part| part.subtotal).sum::<i64>();
        prop_assert_eq!(taken, a.discount_subtotal);
        let taken = totals.adjustments.iter().map(|part| part.total).sum::<i64>();
        prop_assert_eq!(taken, a.discount_total);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_line_agrees_with_a_second_implementation_and_every_identity_holds(line in any_charge()) {
        let totals = charge(&line).unwrap();
        prop_assert_eq!(totals.amounts, second_opinion(&line));
        identities(&totals)?;
    }

    #[test]
    fn returned_and_remaining_parts_of_a_line_add_up(line in any_charge(), pieces in 0_i64..20) {
        let whole = charge(&line).unwrap().amounts;
        let returned = whole.of_pieces(pieces.min(line.quantity), line.quantity).unwrap();
        let left = whole.minus(returned).unwrap();
        prop_assert_eq!(left.plus(returned), Ok(whole));
        for part in [returned, left] {
            sums(&part)?;
            prop_assert!(whole.tax_total > 0 || part.tax_total == 0);
            prop_assert!(whole.discount_total > 0 || part.discount_total == 0);
        }
    }

    #[test]
    fn a_cart_is_the_sum_of_its_lines_and_methods(
        items in prop::collection::vec(any_charge(), 0..6),
        shipping in prop::collection::vec(any_charge(), 0..3),
        credit in 0_i64..5_000,
    ) {
        let amounts = |charges: &[Charge]| -> Vec<Amounts> {
            charges.iter().map(|line| charge(line).unwrap().amounts).collect()
        };
        let (items, shipping) = (amounts(&items), amounts(&shipping));
        let totals = cart(items.clone(), shipping.clone(), [credit]).unwrap();
        let of_items = items.iter().map(|line| line.total).sum::<i64>();
        let of_shipping = shipping.iter().map(|line| line.total).sum::<i64>();
        prop_assert_eq!(totals.items.total, of_items);
        prop_assert_eq!(totals.shipping.total, of_shipping);
        prop_assert_eq!(totals.total, of_items + of_shipping - credit);
        let all = totals.all;
        prop_assert_eq!(totals.total, all.subtotal - all.discount_subtotal + all.tax_total - credit);
        prop_assert_eq!(all.original_total, totals.items.original_total + totals.shipping.original_total);
    }
}
