//! Tests of reversals: what each one reverses of which order.

use super::*;

const EARLY: &str = "2011-03-01T10:00:00Z";
const LATE: &str = "2011-04-01T10:00:00Z";
const AFTER: &str = "2011-05-01T10:00:00Z";

/// The effect of one reversal: the index of each line with its pieces, and the refund.
type TakenPieces = (Vec<(usize, i64)>, i64);

/// Returns the reversals of each order.
fn taken(plan: &Plan) -> Vec<Vec<TakenPieces>> {
    let of = |order: &PlannedOrder| {
        let all = order.reversals.iter();
        all.map(|reversal| (reversal.returned.clone(), reversal.refund_minor)).collect()
    };
    plan.orders.iter().map(of).collect()
}

#[test]
fn a_cancellation_is_a_return_of_its_pieces_and_a_refund_with_tax() {
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 10, 255), (CAKESTAND, 2, 1_275)]),
        invoice("C540002", LATE, &[(CAKESTAND, -1, 1_275), (GLIDERS, -4, 255)]),
    ]);

    // 12.75 and 10.20, and a fifth of each.
    assert_eq!(taken(&plan), [vec![(vec![(1, 1), (0, 4)], 1_530 + 1_224)]]);
    let reversal = plan.orders.first().unwrap().reversals.first().unwrap();
    assert_eq!((reversal.number.as_str(), reversal.at), ("C540002", LATE.parse().unwrap()));
    assert_eq!((plan.accounts.returned.lines, plan.accounts.returned.mills), (2, -22_950));
}

#[test]
fn sales_before_a_tax_rise_are_refunded_with_the_tax_that_was_paid() {
    let plan = planned(vec![
        invoice("540001", "2010-12-20T10:00:00Z", &[(GLIDERS, 10, 200)]),
        invoice("C540002", LATE, &[(GLIDERS, -10, 200)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![(0, 10)], 2_350)]]);
}

#[test]
fn pieces_go_to_the_latest_order_at_their_price_and_then_to_earlier_ones() {
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 3, 200)]),
        invoice("540002", LATE, &[(GLIDERS, 2, 200)]),
        invoice("540003", LATE, &[(GLIDERS, 9, 300)]),
        invoice("C540004", AFTER, &[(GLIDERS, -4, 200)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![(0, 2)], 480)], vec![(vec![(0, 2)], 480)], vec![]]);
}

#[test]
fn pieces_that_were_dearer_are_refunded_at_what_the_cancellation_says() {
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 3, 200)]),
        invoice("C540002", LATE, &[(GLIDERS, -3, 150)]),
        invoice("540003", LATE, &[(GLIDERS, 3, 100)]),
        invoice("C540004", AFTER, &[(GLIDERS, -3, 150)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![(0, 3)], 540)], vec![]]);
    assert_eq!(plan.accounts.unmatched.lines, 1);
}

#[test]
fn a_return_of_items_never_sold_to_that_customer_is_left_out_entirely() {
    let foreign = Invoice { customer: Some(8), ..invoice("C540003", LATE, &[(GLIDERS, -1, 200)]) };
    let unknown = Invoice { customer: None, ..invoice("C540004", LATE, &[(GLIDERS, -1, 200)]) };
    let plan = planned(vec![
        invoice("C540001", EARLY, &[(GLIDERS, -1, 200)]),
        invoice("540002", LATE, &[(GLIDERS, 3, 200)]),
        foreign,
        unknown,
        invoice("C540005", AFTER, &[(GLIDERS, -4, 200), (CAKESTAND, -1, 1_275)]),
    ]);
    assert_eq!(taken(&plan), [vec![]]);
    assert_eq!((plan.accounts.unmatched.lines, plan.accounts.returned.lines), (5, 0));
}

#[test]
fn a_piece_comes_back_once() {
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 3, 200)]),
        invoice("C540002", LATE, &[(GLIDERS, -2, 200)]),
        invoice("C540003", AFTER, &[(GLIDERS, -2, 200)]),
        invoice("C540004", AFTER, &[(GLIDERS, -1, 200)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![(0, 2)], 480), (vec![(0, 1)], 240)]]);
    assert_eq!(plan.accounts.unmatched.lines, 1);
}

#[test]
fn postage_charges_and_discounts_are_refunded_and_nothing_comes_back() {
    let lines = [(GLIDERS, 10, 200), (POST, 1, 500), (MANUAL, 1, 300)];
    for (line, refunded) in [
        ((POST, -1, 400), Some(480)),
        ((POST, -1, 600), None),
        ((MANUAL, -1, 300), Some(360)),
        ((MANUAL, -1, 301), None),
        ((DISCOUNT_CODE, -1, 1_000), Some(1_200)),
        // More than half of what was paid.
        ((DISCOUNT_CODE, -1, 1_681), None),
        ((SAMPLES, -1, 100), None),
    ] {
        let plan =
            planned(vec![invoice("540001", EARLY, &lines), invoice("C540002", LATE, &[line])]);
        let expected: Vec<_> = refunded.into_iter().map(|amount| (vec![], amount)).collect();
        assert_eq!(taken(&plan), [expected], "{line:?}");
        let counted = (plan.accounts.refunded.lines, plan.accounts.unmatched.lines);
        assert_eq!(counted, if refunded.is_some() { (1, 0) } else { (0, 1) }, "{line:?}");
    }
}

#[test]
fn a_discount_leaves_the_postage_to_be_refunded() {
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 10, 200), (POST, 1, 500)]),
        invoice("C540002", LATE, &[(DISCOUNT_CODE, -1, 100), (POST, -1, 500)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![], 120 + 600)]]);
}

#[test]
fn tax_that_was_rounded_up_part_by_part_is_never_refunded_beyond_the_payment() {
    // Two pieces at 1.03 cost 2.47 with tax; each alone would refund 1.24.
    let plan = planned(vec![
        invoice("540001", EARLY, &[(GLIDERS, 2, 103)]),
        invoice("C540002", LATE, &[(GLIDERS, -1, 103)]),
        invoice("C540003", AFTER, &[(GLIDERS, -1, 103)]),
    ]);
    assert_eq!(taken(&plan), [vec![(vec![(0, 1)], 124), (vec![(0, 1)], 123)]]);
}
