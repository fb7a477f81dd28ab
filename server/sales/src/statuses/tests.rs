//! Tables of the statuses and their edges.

use super::{
    Collected, CollectionStatus, FulfillmentStage, FulfillmentStatus, LineProgress, OrderStatus,
    PaymentStatus, ReturnStatus, SessionStatus, collection_status, fulfillment_status,
    payment_status,
};

fn collected(amounts: [i64; 4], status: CollectionStatus) -> Collected {
    let [amount, authorized, captured, refunded] = amounts;
    Collected { amount, authorized, captured, refunded, status }
}

#[test]
fn the_payment_status_follows_from_the_amounts() {
    use CollectionStatus::{Authorized, Awaiting, Canceled, Completed, NotPaid};
    for (amounts, status, expected) in [
        ([100, 100, 100, 100], Completed, PaymentStatus::Refunded),
        ([100, 100, 100, 1], Completed, PaymentStatus::PartiallyRefunded),
        ([100, 100, 60, 60], Completed, PaymentStatus::Refunded),
        ([100, 100, 100, 0], Completed, PaymentStatus::Captured),
        ([100, 100, 99, 0], Completed, PaymentStatus::Captured),
        ([100, 100, 98, 0], Completed, PaymentStatus::PartiallyCaptured),
        ([0, 0, 0, 0], NotPaid, PaymentStatus::Captured),
        ([100, 100, 0, 0], Authorized, PaymentStatus::Authorized),
        ([100, 99, 0, 0], Authorized, PaymentStatus::PartiallyAuthorized),
        ([100, 0, 0, 0], Canceled, PaymentStatus::Canceled),
        ([100, 100, 0, 0], Canceled, PaymentStatus::Canceled),
        ([100, 0, 0, 0], Awaiting, PaymentStatus::Awaiting),
        ([100, 0, 0, 0], NotPaid, PaymentStatus::NotPaid),
    ] {
        assert_eq!(payment_status(&[collected(amounts, status)]), Ok(expected), "{amounts:?}");
    }
    assert_eq!(payment_status(&[]), Ok(PaymentStatus::NotPaid));
    let huge = collected([i64::MAX; 4], Completed);
    assert!(payment_status(&[huge, huge]).is_err());
}

#[test]
fn a_collection_follows_from_its_amounts() {
    for (amounts, has_session, expected) in [
        ((100, 100, 100), true, CollectionStatus::Completed),
        ((0, 0, 0), false, CollectionStatus::Completed),
        ((100, 100, 1), true, CollectionStatus::PartiallyCaptured),
        ((100, 100, 0), true, CollectionStatus::Authorized),
        ((100, 1, 0), true, CollectionStatus::PartiallyAuthorized),
        ((100, 0, 0), true, CollectionStatus::Awaiting),
        ((100, 0, 0), false, CollectionStatus::NotPaid),
    ] {
        let (amount, authorized, captured) = amounts;
        assert_eq!(collection_status(amount, authorized, captured, has_session), expected);
    }
}

#[test]
fn the_fulfillment_status_is_the_furthest_stage_and_full_when_nothing_waits() {
    use FulfillmentStage::{Canceled, Delivered, Packed, Shipped};
    let all = LineProgress { quantity: 2, fulfilled_quantity: 2 };
    let half = LineProgress { quantity: 2, fulfilled_quantity: 1 };
    for (stages, line, expected) in [
        (vec![], half, FulfillmentStatus::NotFulfilled),
        (vec![Canceled], half, FulfillmentStatus::Canceled),
        (vec![Packed], half, FulfillmentStatus::PartiallyFulfilled),
        (vec![Packed, Canceled], all, FulfillmentStatus::Fulfilled),
        (vec![Packed, Shipped], all, FulfillmentStatus::PartiallyShipped),
        (vec![Shipped], half, FulfillmentStatus::PartiallyShipped),
        (vec![Shipped, Shipped], all, FulfillmentStatus::Shipped),
        (vec![Delivered, Packed], all, FulfillmentStatus::PartiallyDelivered),
        (vec![Delivered, Delivered], all, FulfillmentStatus::Delivered),
    ] {
        assert_eq!(fulfillment_status(&stages, &[all, line]), expected, "{stages:?} {line:?}");
    }
}

/// Returns all edges of a kind of status, as `from > to` words.
fn edges<S: Copy>(all: &[S], word: fn(S) -> &'static str, may: fn(S, S) -> bool) -> Vec<String> {
    let pairs = all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to)));
    pairs
        .filter(|(from, to)| may(*from, *to))
        .map(|(from, to)| format!("{} > {}", word(from), word(to)))
        .collect()
}

#[test]
fn orders_move_along_their_edges_alone() {
    let found = edges(OrderStatus::ALL, OrderStatus::as_str, OrderStatus::may_become);
    let expected = [
        "pending > completed",
        "pending > canceled",
        "pending > requires_action",
        "completed > archived",
        "draft > pending",
        "draft > canceled",
        "canceled > archived",
        "requires_action > pending",
        "requires_action > completed",
        "requires_action > canceled",
    ];
    assert_eq!(found, expected);
}

#[test]
fn fulfilments_and_returns_move_along_their_edges_alone() {
    let found =
        edges(FulfillmentStage::ALL, FulfillmentStage::as_str, FulfillmentStage::may_become);
    let expected =
        ["packed > shipped", "packed > delivered", "packed > canceled", "shipped > delivered"];
    assert_eq!(found, expected);
    let found = edges(ReturnStatus::ALL, ReturnStatus::as_str, ReturnStatus::may_become);
    let expected = [
        "open > requested",
        "open > canceled",
        "requested > partially_received",
        "requested > received",
        "requested > canceled",
        "partially_received > received",
    ];
    assert_eq!(found, expected);
}

#[test]
fn captured_and_canceled_are_final_states() {
    for to in SessionStatus::ALL {
        assert!(!SessionStatus::Captured.may_become(*to), "{to:?}");
        assert!(!SessionStatus::Canceled.may_become(*to), "{to:?}");
    }
    for to in CollectionStatus::ALL {
        assert!(!CollectionStatus::Completed.may_become(*to), "{to:?}");
        assert!(!CollectionStatus::Canceled.may_become(*to), "{to:?}");
    }
    assert!(SessionStatus::Error.may_become(SessionStatus::Authorized));
    assert!(!SessionStatus::Authorized.may_become(SessionStatus::Pending));
    assert!(CollectionStatus::Failed.may_become(CollectionStatus::Completed));
    assert!(!CollectionStatus::PartiallyCaptured.may_become(CollectionStatus::Awaiting));
}

/// Checks the statuses of one kind, their words, parsing and edges.
fn check<S: Copy + PartialEq + std::fmt::Debug>(
    all: &[S],
    word: fn(S) -> &'static str,
    parse: fn(&str) -> Option<S>,
    may: fn(S, S) -> bool,
) {
    for state in all {
        assert_eq!(parse(word(*state)), Some(*state));
        assert!(!may(*state, *state), "{state:?}");
    }
    assert_eq!(parse("banana"), None);
}

#[test]
fn every_state_has_its_own_word_and_staying_is_not_a_transition() {
    macro_rules! check_all {
        ($($name:ident),*) => {
            $(check($name::ALL, $name::as_str, $name::parse, $name::may_become);)*
        };
    }
    check_all!(OrderStatus, CollectionStatus, SessionStatus, FulfillmentStage, ReturnStatus);
    check(PaymentStatus::ALL, PaymentStatus::as_str, PaymentStatus::parse, |_, _| false);
    check(FulfillmentStatus::ALL, FulfillmentStatus::as_str, FulfillmentStatus::parse, |_, _| {
        false
    });
}
