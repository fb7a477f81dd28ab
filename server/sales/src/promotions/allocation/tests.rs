//! Tests of allocation, by tables and by random carts.

use proptest::prelude::*;

use super::{
    Allocation, BudgetLeft, BudgetType, BuyGet, DiscountedItem, Method, Spread, Target, TargetKind,
    Value, allocate,
};
use crate::cart::totals::{Adjustment, Charge, charge};
use crate::ids::CampaignId;
use crate::promotions::rules::{Facts, Operator, Rule};

fn target(name: &str, unit_minor: i64, quantity: i64) -> Target {
    Target {
        facts: Facts::default().with("product.id", name),
        quantity,
        subtotal_minor: unit_minor * quantity,
        original_total_minor: unit_minor * quantity,
        is_discountable: true,
    }
}

fn method(value: Value, spread: Spread) -> Method {
    Method {
        value,
        target: TargetKind::Items,
        spread,
        is_tax_inclusive: false,
        max_quantity: None,
        target_rules: vec![],
        buy_get: None,
        budget: None,
    }
}

fn only(name: &str) -> Vec<Rule> {
    vec![Rule::new("items.product.id", Operator::Eq, vec![name.to_owned()]).unwrap()]
}

/// Returns the discount of each line, by all promotions together.
fn off(promotions: &[Method], lines: &[Target]) -> Vec<i64> {
    let taken = allocate(promotions, lines, &[]).unwrap();
    let on = |line| {
        taken.iter().filter(move |part: &&Allocation| part.place == DiscountedItem::Line(line))
    };
    (0..lines.len()).map(|line| on(line).map(|part| part.amount_minor).sum()).collect()
}

const TEN_PERCENT: Value = Value::Percentage(100_000);

#[test]
fn a_percentage_across_is_rounded_once_and_split_exactly() {
    let lines = [target("shirt", 1_299, 2), target("jacket", 1_499, 2)];
    assert_eq!(off(&[method(TEN_PERCENT, Spread::Across)], &lines), [260, 300]);
    let thirds = [target("a", 5, 1), target("b", 5, 1), target("c", 5, 1)];
    assert_eq!(off(&[method(TEN_PERCENT, Spread::Across)], &thirds), [1, 1, 0]);
}

#[test]
fn a_percentage_is_from_nothing_to_all() {
    for (percent, expected) in [
        ("10", Some(TEN_PERCENT)),
        ("100", Some(Value::Percentage(1_000_000))),
        ("100.01", None),
        ("-1", None),
    ] {
        assert_eq!(Value::percent(percent.parse().unwrap()), expected, "{percent}");
    }
}

#[test]
fn a_fixed_amount_is_allocated_as_requested_and_never_exceeds_the_price() {
    let lines = [target("a", 1_000, 3), target("b", 500, 2)];
    let limited =
        |spread, max| Method { max_quantity: Some(max), ..method(Value::Fixed(300), spread) };
    for (promotion, expected) in [
        (method(Value::Fixed(100), Spread::Across), [75, 25]),
        (method(Value::Fixed(9_000), Spread::Across), [3_000, 1_000]),
        (method(Value::Fixed(300), Spread::Each), [300, 300]),
        (limited(Spread::Each, 2), [600, 600]),
        (limited(Spread::Each, 9), [900, 600]),
        (method(Value::Fixed(700), Spread::Each), [700, 500]),
        (method(Value::Fixed(300), Spread::Once), [0, 300]),
        (limited(Spread::Once, 3), [300, 600]),
        (limited(Spread::Once, 0), [0, 0]),
        (method(TEN_PERCENT, Spread::Each), [300, 100]),
        (Method { max_quantity: Some(1), ..method(TEN_PERCENT, Spread::Each) }, [100, 50]),
    ] {
        assert_eq!(off(std::slice::from_ref(&promotion), &lines), expected, "{promotion:?}");
    }
}

#[test]
fn only_targets_that_meet_the_rules_and_may_be_discounted_are_touched() {
    let fixed = Target { is_discountable: false, ..target("b", 1_000, 1) };
    let lines = [target("a", 1_000, 1), fixed, target("c", 1_000, 1), target("d", 0, 1)];
    let aimed = Method { target_rules: only("c"), ..method(TEN_PERCENT, Spread::Across) };
    assert_eq!(off(&[aimed], &lines), [0, 0, 100, 0]);
    assert_eq!(off(&[method(TEN_PERCENT, Spread::Across)], &lines), [100, 0, 100, 0]);
    let order = Method {
        target: TargetKind::Order,
        target_rules: only("c"),
        ..method(Value::Fixed(10), Spread::Each)
    };
    assert_eq!(off(&[order], &lines), [5, 0, 5, 0]);
}

#[test]
fn a_shipping_promotion_touches_shipping_methods_alone() {
    let free = Method {
        target: TargetKind::ShippingMethods,
        ..method(Value::Percentage(1_000_000), Spread::Each)
    };
    let taken = allocate(&[free], &[target("a", 1_000, 1)], &[target("post", 995, 1)]).unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!((taken[0].place, taken[0].amount_minor), (DiscountedItem::ShippingMethod(0), 995));
}

#[test]
fn an_earlier_promotion_lowers_what_a_later_one_starts_from() {
    let half = method(Value::Percentage(500_000), Spread::Across);
    let lines = [target("a", 1_000, 1)];
    assert_eq!(off(&[half.clone(), half.clone()], &lines), [750]);
    assert_eq!(off(&[method(Value::Fixed(800), Spread::Across), half], &lines), [900]);
}

#[test]
fn a_promotion_that_would_overdraw_its_budget_is_dropped_whole() {
    let lines = [target("a", 1_000, 1)];
    for (left, expected) in [(300, 300), (299, 0), (-1, 0)] {
        let promotion = of_campaign(&CampaignId::new(), BudgetType::Spend, left, 300);
        assert_eq!(off(&[promotion], &lines), [expected], "{left}");
    }
}

/// Returns a promotion of a campaign with remaining budget.
fn of_campaign(campaign_id: &CampaignId, kind: BudgetType, left: i64, amount_minor: i64) -> Method {
    let budget = Some(BudgetLeft { campaign_id: campaign_id.clone(), kind, left });
    Method { budget, ..method(Value::Fixed(amount_minor), Spread::Across) }
}

#[test]
fn the_promotions_of_a_campaign_share_its_budget() {
    let (summer, winter) = (CampaignId::new(), CampaignId::new());
    let lines = [target("a", 1_000, 1)];
    for (kind, left, expected) in [
        (BudgetType::Spend, 600, 600),
        (BudgetType::Spend, 500, 300),
        (BudgetType::Usage, 2, 600),
        (BudgetType::Usage, 1, 300),
    ] {
        let one = |campaign| of_campaign(campaign, kind, left, 300);
        assert_eq!(off(&[one(&summer), one(&summer)], &lines), [expected], "{kind:?} {left}");
        assert_eq!(off(&[one(&summer), one(&winter)], &lines), [600], "{kind:?} {left}");
    }
    // What does not fit leaves its share to the next, and a promotion that discounts nothing is not
    // used.
    let spend = |amount| of_campaign(&summer, BudgetType::Spend, 500, amount);
    assert_eq!(off(&[spend(300), spend(201), spend(200)], &lines), [500]);
    let aimed = |name| Method {
        target_rules: only(name),
        ..of_campaign(&summer, BudgetType::Usage, 1, 300)
    };
    assert_eq!(off(&[aimed("b"), aimed("a")], &lines), [300]);
}

#[test]
fn pieces_are_given_for_pieces_bought_and_none_is_both() {
    let promotion = |buy: &str, get: &str, counts: (i64, i64), max_quantity| Method {
        target_rules: only(get),
        max_quantity,
        buy_get: Some(BuyGet {
            buy_rules: only(buy),
            buy_quantity: counts.0,
            get_quantity: counts.1,
        }),
        ..method(Value::Percentage(1_000_000), Spread::Each)
    };
    let lines = |a, b| [target("a", 1_000, a), target("b", 400, b)];
    for (promotion, lines, expected) in [
        (promotion("a", "b", (2, 1), None), lines(2, 1), [0, 400]),
        (promotion("a", "b", (2, 1), None), lines(1, 1), [0, 0]),
        (promotion("a", "b", (2, 1), None), lines(5, 9), [0, 800]),
        (promotion("a", "b", (2, 1), Some(1)), lines(5, 9), [0, 400]),
        (promotion("a", "b", (1, 3), None), lines(1, 2), [0, 800]),
        (promotion("a", "a", (2, 1), None), lines(3, 0), [1_000, 0]),
        (promotion("a", "a", (2, 1), None), lines(2, 0), [0, 0]),
        (promotion("a", "a", (1, 1), None), lines(5, 0), [2_000, 0]),
    ] {
        assert_eq!(off(std::slice::from_ref(&promotion), &lines), expected, "{promotion:?}");
    }
}

#[test]
fn given_pieces_come_first_whatever_the_order() {
    let given = Method {
        target_rules: only("a"),
        buy_get: Some(BuyGet { buy_rules: only("a"), buy_quantity: 1, get_quantity: 1 }),
        ..method(Value::Percentage(1_000_000), Spread::Each)
    };
    let half = method(Value::Percentage(500_000), Spread::Across);
    let taken = allocate(&[half, given], &[target("a", 1_000, 2)], &[]).unwrap();
    let parts: Vec<_> = taken.iter().map(|part| (part.promotion, part.amount_minor)).collect();
    assert_eq!(parts, [(1, 1_000), (0, 500)]);
}

#[test]
fn amounts_that_do_not_fit_are_an_error() {
    let lines = [target("a", i64::MAX, 1), target("b", i64::MAX, 1)];
    assert!(allocate(&[method(TEN_PERCENT, Spread::Across)], &lines, &[]).is_err());
    let negative = [target("a", -1, 1)];
    assert!(allocate(&[], &negative, &[]).is_err());
}

fn any_method() -> impl Strategy<Value = Method> {
    let value = prop_oneof![
        (0_i64..=1_000_000).prop_map(Value::Percentage),
        (0_i64..5_000).prop_map(Value::Fixed),
    ];
    let spread = prop_oneof![Just(Spread::Across), Just(Spread::Each), Just(Spread::Once)];
    let buy_get =
        prop::option::of((1_i64..4, 1_i64..4).prop_map(|(buy_quantity, get_quantity)| BuyGet {
            buy_rules: vec![],
            buy_quantity,
            get_quantity,
        }));
    (value, spread, any::<bool>(), prop::option::of(0_i64..5), buy_get).prop_map(
        |(value, spread, is_tax_inclusive, max_quantity, buy_get)| Method {
            is_tax_inclusive,
            max_quantity,
            buy_get,
            ..method(value, spread)
        },
    )
}

proptest! {
    #[test]
    fn no_line_is_ever_lowered_below_zero_and_across_adds_up_exactly(
        promotions in prop::collection::vec(any_method(), 0..5),
        prices in prop::collection::vec((0_i64..3_000, 0_i64..6, 0_i64..300_000), 1..5),
        is_price_tax_inclusive in any::<bool>(),
    ) {
        let charges: Vec<_> = prices.iter().map(|(unit_price_minor, quantity, rate)| Charge {
            unit_price_minor: *unit_price_minor,
            quantity: *quantity,
            is_tax_inclusive: is_price_tax_inclusive,
            rates_ppm: vec![*rate],
            adjustments: vec![],
        }).collect();
        let lines: Vec<_> = charges.iter().map(|line| {
            let amounts = charge(line).unwrap().amounts;
            Target {
                facts: Facts::default(),
                quantity: line.quantity,
                subtotal_minor: amounts.subtotal,
                original_total_minor: amounts.original_total,
                is_discountable: true,
            }
        }).collect();
        let taken = allocate(&promotions, &lines, &[]).unwrap();
        for (index, line) in lines.iter().enumerate() {
            let of = |inclusive: bool| taken.iter()
                .filter(|part| part.place == DiscountedItem::Line(index) && part.is_tax_inclusive == inclusive)
                .map(|part| part.amount_minor).sum::<i64>();
            prop_assert!(of(false) <= line.subtotal_minor && of(true) <= line.original_total_minor);
            let adjustments = taken.iter().filter(|part| part.place == DiscountedItem::Line(index))
                .map(|part| Adjustment { amount_minor: part.amount_minor, is_tax_inclusive: part.is_tax_inclusive })
                .collect();
            let totals = charge(&Charge { adjustments, ..charges[index].clone() }).unwrap();
            prop_assert!(totals.amounts.total >= 0);
        }
        if let Some(first) = promotions.first().filter(|first| {
            first.buy_get.is_none() && first.spread == Spread::Across && promotions.len() == 1
        }) {
            let base: i64 = lines.iter().filter(|line| line.quantity > 0).map(|line| {
                if first.is_tax_inclusive { line.original_total_minor } else { line.subtotal_minor }
            }).sum();
            let expected = match first.value {
                Value::Fixed(amount) => amount.min(base),
                Value::Percentage(share) => (base * share * 2 + 1_000_000) / 2_000_000,
            };
            prop_assert_eq!(taken.iter().map(|part| part.amount_minor).sum::<i64>(), expected);
        }
    }
}
