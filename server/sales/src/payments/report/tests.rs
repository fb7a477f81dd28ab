//! Tests of the join of reports: neither the order of events nor their repetition matters.

use super::{Report, ReportedState};
use crate::clock::Timestamp;
use crate::ids::PaymentSessionId;

fn report(state: ReportedState, at_s: i64, event: &str, amounts: (i64, i64)) -> Report {
    Report {
        session_id: PaymentSessionId::seeded(0, 1),
        intent_id: Some("pi_1".to_owned()),
        state,
        received_minor: amounts.0,
        refunded_minor: amounts.1,
        is_disputed: false,
        decided_at_s: at_s,
        event_id: event.to_owned(),
        updated_at: Timestamp::from_millis(0),
    }
}

fn joined(reports: &[Report]) -> Report {
    let mut reports = reports.iter().cloned();
    let first = reports.next().unwrap();
    reports.fold(first, Report::join)
}

/// Returns all permutations of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let last = count.saturating_sub(1);
    orders(last)
        .into_iter()
        .flat_map(|order| {
            (0..=order.len()).map(move |place| {
                let mut order = order.clone();
                order.insert(place, last);
                order
            })
        })
        .collect()
}

#[test]
fn every_order_of_events_ends_in_one_report() {
    let events = [
        report(ReportedState::RequiresAction, 10, "evt_a", (0, 0)),
        report(ReportedState::Failed, 11, "evt_b", (0, 0)),
        report(ReportedState::Authorized, 12, "evt_c", (0, 0)),
        report(ReportedState::Captured, 13, "evt_d", (1_000, 0)),
        report(ReportedState::Captured, 20, "evt_e", (1_000, 300)),
        report(ReportedState::Canceled, 99, "evt_f", (0, 0)),
    ];
    let expected = report(ReportedState::Captured, 20, "evt_e", (1_000, 300));
    for order in orders(events.len()) {
        let mut arrived: Vec<Report> = order.iter().map(|place| events[*place].clone()).collect();
        arrived.extend(arrived.clone());
        assert_eq!(joined(&arrived), expected, "{order:?}");
    }
}

#[test]
fn of_two_states_with_one_rank_the_later_event_decides_and_then_the_larger_id() {
    let failed = |at_s, event| report(ReportedState::Failed, at_s, event, (0, 0));
    let requires = |at_s, event| report(ReportedState::RequiresAction, at_s, event, (0, 0));
    for (one, other, expected) in [
        (failed(10, "evt_b"), requires(11, "evt_a"), ReportedState::RequiresAction),
        (failed(12, "evt_a"), requires(11, "evt_b"), ReportedState::Failed),
        (failed(10, "evt_b"), requires(10, "evt_a"), ReportedState::Failed),
        (failed(10, "evt_a"), requires(10, "evt_b"), ReportedState::RequiresAction),
    ] {
        assert_eq!(joined(&[one.clone(), other.clone()]).state, expected);
        assert_eq!(joined(&[other, one]).state, expected);
    }
}

#[test]
fn amounts_are_the_largest_that_were_seen_and_are_never_added_up() {
    let events = [
        report(ReportedState::Captured, 10, "evt_a", (700, 0)),
        report(ReportedState::Captured, 12, "evt_c", (1_000, 400)),
        report(ReportedState::Captured, 11, "evt_b", (1_000, 100)),
    ];
    let joined = joined(&events);
    assert_eq!((joined.received_minor, joined.refunded_minor), (1_000, 400));
}
