//! Tests of availability and allotment, by tables and by random stock.

use proptest::prelude::*;

use super::{Availability, Level, Policy, Requirement, StockError, allot, available, check};

fn level(location: &'static str, stocked: i64, reserved: i64) -> Level<&'static str> {
    Level { location, stocked, reserved }
}

fn item(required: i64, levels: &[(i64, i64)]) -> Requirement<&'static str> {
    let levels = levels.iter().map(|(stocked, reserved)| level("here", *stocked, *reserved));
    Requirement { required, levels: levels.collect() }
}

fn taken(
    quantity: i64,
    levels: &[Level<&'static str>],
    backorder: bool,
) -> Vec<(&'static str, i64)> {
    let allotments = allot(quantity, levels, backorder).unwrap();
    allotments.into_iter().map(|part| (part.location, part.quantity)).collect()
}

#[test]
fn a_variant_is_available_as_often_as_its_scarcest_item_allows() {
    for (items, expected) in [
        (vec![item(1, &[(10, 3)])], 7),
        (vec![item(2, &[(10, 3), (4, 0)])], 5),
        (vec![item(1, &[(10, 0)]), item(3, &[(8, 0)])], 2),
        (vec![item(1, &[(1, 5), (2, 0)])], 2),
        (vec![item(1, &[])], 0),
        (vec![], 0),
    ] {
        assert_eq!(
            available(Policy::Counted, &items),
            Ok(Availability::Pieces(expected)),
            "{items:?}"
        );
    }
    assert_eq!(available::<&str>(Policy::Uncounted, &[]), Ok(Availability::Unlimited));
    assert!(available(Policy::Counted, &[item(0, &[(1, 0)])]).is_err());
}

#[test]
fn only_counted_stock_without_backorders_can_run_out() {
    let items = [item(1, &[(2, 0)])];
    assert_eq!(check(Policy::of(true, false), &items, 2), Ok(()));
    let missing = StockError::Insufficient { requested: 3, available: 2 };
    assert_eq!(check(Policy::of(true, false), &items, 3), Err(missing));
    assert_eq!(check(Policy::of(true, true), &items, 3), Ok(()));
    assert_eq!(check(Policy::of(false, false), &items, 3), Ok(()));
    assert_eq!(
        check(Policy::of(false, true), &items, 0),
        Err(StockError::Impossible { quantity: 0 })
    );
}

#[test]
fn one_location_is_preferred_and_else_the_fullest_give_first() {
    let levels = [level("a", 3, 0), level("b", 9, 1), level("c", 5, 0)];
    assert_eq!(taken(3, &levels, false), [("a", 3)]);
    assert_eq!(taken(5, &levels, false), [("b", 5)]);
    assert_eq!(taken(10, &levels, false), [("b", 8), ("c", 2)]);
    assert_eq!(taken(16, &levels, false), [("a", 3), ("b", 8), ("c", 5)]);
    assert_eq!(taken(20, &levels, true), [("a", 7), ("b", 8), ("c", 5)]);
    let missing = StockError::Insufficient { requested: 17, available: 16 };
    assert_eq!(allot(17, &levels, false), Err(missing));
    assert!(allot::<&str>(1, &[], true).is_err());
    assert!(allot(0, &levels, true).is_err());
}

proptest! {
    #[test]
    fn every_piece_gets_a_place_and_no_place_gives_more_than_it_has(
        stock in prop::collection::vec((0_i64..20, 0_i64..25), 1..6), quantity in 1_i64..60,
    ) {
        let levels: Vec<_> = (0..).zip(&stock)
            .map(|(location, (stocked, reserved))| Level { location, stocked: *stocked, reserved: *reserved })
            .collect();
        let free = |level: &Level<usize>| (level.stocked - level.reserved).max(0);
        let all: i64 = levels.iter().map(free).sum();
        match allot(quantity, &levels, false) {
            Ok(parts) => {
                prop_assert_eq!(parts.iter().map(|part| part.quantity).sum::<i64>(), quantity);
                for part in parts {
                    prop_assert!(part.quantity > 0 && part.quantity <= free(&levels[part.location]));
                }
            }
            Err(error) => prop_assert_eq!(
                error, StockError::Insufficient { requested: quantity, available: all },
            ),
        }
        prop_assert_eq!(allot(quantity, &levels, false).is_ok(), all >= quantity);
        let parts = allot(quantity, &levels, true).unwrap();
        prop_assert_eq!(parts.iter().map(|part| part.quantity).sum::<i64>(), quantity);
    }
}
