//! Tests of the progress of parcels, and of the order of stock movements.

use super::*;

fn one(number: &str, at: &str) -> Plan {
    planned(vec![invoice(number, at, &[(GLIDERS, 6, 255)])])
}

fn parcel_of(plan: &Plan) -> Parcel {
    parcel(plan.orders.first().unwrap(), calendar(true).ends())
}

#[test]
fn an_order_is_packed_sent_delivered_and_done_in_this_order() {
    let plan = one("540001", "2011-03-01T10:00:00Z");
    let parcel = parcel_of(&plan);
    let times = [parcel.packed_at, parcel.shipped_at, parcel.delivered_at, parcel.completed_at];
    let times: Vec<Timestamp> = times.into_iter().flatten().collect();

    assert_eq!(times.len(), 4);
    assert!(plan.orders.first().unwrap().at < *times.first().unwrap());
    assert!(times.is_sorted_by(|earlier, later| earlier < later), "{times:?}");
    assert_eq!(parcel, parcel_of(&plan), "the same every time");
}

#[test]
fn steps_after_the_end_of_the_history_have_not_happened() {
    assert_eq!(parcel_of(&one("581587", "2011-12-09T23:00:00Z")), Parcel::default());
    let lately = parcel_of(&one("580001", "2011-12-01T10:00:00Z"));
    assert!(lately.delivered_at.is_some() && lately.completed_at.is_none(), "{lately:?}");
}

#[test]
fn an_early_return_is_after_its_delivery() {
    let plan = planned(vec![
        invoice("581483", "2011-12-09T09:15:00Z", &[(GLIDERS, 80_995, 208)]),
        invoice("C581484", "2011-12-09T09:27:00Z", &[(GLIDERS, -80_995, 208)]),
    ]);
    let parcel = parcel_of(&plan);
    let back = plan.orders.first().unwrap().reversals.first().unwrap().at;
    assert!(parcel.delivered_at.is_some_and(|at| at < back), "{parcel:?}");
}

#[test]
fn a_parcel_abroad_takes_longer() {
    let days = |country: &str| {
        let abroad = Invoice {
            country: country.to_owned(),
            ..invoice("540001", "2011-03-01T10:00:00Z", &[(GLIDERS, 6, 255)])
        };
        let parcel = parcel_of(&planned(vec![abroad]));
        let (shipped, delivered) = (parcel.shipped_at.unwrap(), parcel.delivered_at.unwrap());
        (delivered.as_millis() - shipped.as_millis()) / (24 * 60 * 60 * 1_000)
    };
    assert!((1..=3).contains(&days("United Kingdom")));
    assert!((3..=6).contains(&days("Germany")));
    assert!((5..=12).contains(&days("Australia")));
}

#[test]
fn an_order_that_has_not_left_is_promised_its_goods() {
    let plan = planned(vec![
        invoice("540001", "2011-03-01T10:00:00Z", &[(GLIDERS, 6, 255)]),
        invoice("C540002", "2011-04-01T10:00:00Z", &[(GLIDERS, -6, 255)]),
        invoice("581587", "2011-12-09T23:00:00Z", &[(GLIDERS, 6, 255)]),
    ]);
    let ends = calendar(true).ends();
    let parcels: Vec<Parcel> = plan.orders.iter().map(|order| parcel(order, ends)).collect();
    let moves: Vec<Move> =
        moves(&plan, &[], &parcels, ends).into_iter().map(|(_, what)| what).collect();
    assert_eq!(moves, [Move::Pack(0), Move::TakeBack(0, 0), Move::Promise(1)]);
}
