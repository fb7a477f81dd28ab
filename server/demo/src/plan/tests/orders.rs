//! Tests of orders: which invoices become orders, with which customer, destination and tax.

use super::*;
use crate::people::RegionKind;

const SPRING: &str = "2011-03-01T10:00:00Z";

fn from(country: &str) -> Invoice {
    Invoice { country: country.to_owned(), ..invoice("540001", SPRING, &[(GLIDERS, 10, 255)]) }
}

fn lines_and_mills(account: Account) -> (u64, i64) {
    (account.lines, account.mills)
}

#[test]
fn an_invoice_is_an_order_if_it_is_worth_anything() {
    let plan = planned(vec![
        invoice("540001", SPRING, &[(GLIDERS, 10, 255), (CAKESTAND, 1, 1_275)]),
        invoice("540002", SPRING, &[(GLIDERS, -4, 0)]),
        invoice("540003", SPRING, &[(CAKESTAND, 2, 0)]),
        invoice("A540004", SPRING, &[(BAD_DEBT, 1, -1_106_206)]),
    ]);

    let numbers: Vec<&str> = plan.orders.iter().map(|order| order.number.as_str()).collect();
    assert_eq!(numbers, ["540001"]);
    assert_eq!(lines_and_mills(plan.accounts.sold), (2, 38_250));
    assert_eq!(lines_and_mills(plan.accounts.write_offs), (2, 0));
    assert_eq!(lines_and_mills(plan.accounts.bad_debts), (1, -11_062_060));
    assert_eq!(plan.accounts.line_count(), 5);
}

#[test]
fn postage_is_the_shipping_cost_and_non_products_are_charged_by_hand() {
    let lines = [(GLIDERS, 10, 255), (POST, 2, 1_800), (MANUAL, 1, 500), (SAMPLES, 1, 120)];
    let plan = planned(vec![
        invoice("540001", SPRING, &lines),
        invoice("540002", SPRING, &[(GLIDERS, 1, 255)]),
    ]);

    let [sent, free] = plan.orders.as_slice() else { panic!("{:?}", plan.orders) };
    assert_eq!((sent.shipping, free.shipping), (("Postage", 3_600), ("Free delivery", 0)));
    let goods: Vec<bool> = sent.lines.iter().map(|line| line.good.is_some()).collect();
    assert_eq!(goods, [true, false, false]);
    assert_eq!(lines_and_mills(plan.accounts.postage), (1, 36_000));
    assert_eq!(lines_and_mills(plan.accounts.charged), (2, 6_200));
}

#[test]
fn every_country_of_the_data_has_its_region() {
    for (country, code, region) in [
        ("United Kingdom", Some("gb"), RegionKind::Britain),
        ("Channel Islands", Some("je"), RegionKind::Britain),
        ("EIRE", Some("ie"), RegionKind::Europe),
        ("European Community", None, RegionKind::Europe),
        ("USA", Some("us"), RegionKind::World),
        ("Unspecified", None, RegionKind::World),
        ("Atlantis", None, RegionKind::World),
    ] {
        let plan = planned(vec![from(country)]);
        let place = plan.orders.first().unwrap().place;
        assert_eq!((place.country, place.region), (code, region), "{country}");
    }
}

#[test]
fn british_tax_is_levied_at_home_at_the_rate_of_the_datas_day() {
    let at = |at: &str, country: &str| {
        let mut invoice = from(country);
        invoice.at = at.parse().unwrap();
        let plan = planned_on(vec![invoice], &calendar(false));
        plan.orders.first().unwrap().vat_ppm()
    };
    assert_eq!(at("2010-12-23T16:00:00Z", "United Kingdom"), Some(175_000));
    assert_eq!(at("2011-01-04T00:00:00Z", "United Kingdom"), Some(200_000));
    for abroad in ["Channel Islands", "Germany", "USA", "Unspecified"] {
        assert_eq!(at(SPRING, abroad), None, "{abroad}");
    }
}

#[test]
fn who_orders_many_pieces_on_average_is_a_wholesaler_in_all_orders() {
    let of = |customer, number, quantity| Invoice {
        customer,
        ..invoice(number, SPRING, &[(GLIDERS, quantity, 255)])
    };
    let plan = planned(vec![
        of(Some(1), "540001", 1),
        of(Some(1), "540002", 499),
        of(Some(2), "540003", 249),
        of(None, "540004", 5_000),
    ]);

    let wholesale: Vec<bool> = plan.orders.iter().map(|order| order.is_wholesale).collect();
    assert_eq!(wholesale, [true, true, false, false]);
    assert_eq!(plan.customers.keys().collect::<Vec<_>>(), [&1, &2]);
}

#[test]
fn a_customer_lives_at_the_address_of_the_last_order() {
    let later = Invoice {
        country: "France".to_owned(),
        ..invoice("540002", "2011-04-01T10:00:00Z", &[(GLIDERS, 1, 255)])
    };
    let plan = planned(vec![from("Germany"), later]);

    let customer = plan.customers.get(&7).unwrap();
    assert_eq!(customer.place.country, Some("fr"));
}

#[test]
fn days_move_as_a_whole_so_that_the_last_one_is_yesterday_or_stay() {
    let invoices = vec![
        invoice("536365", "2010-12-01T08:26:00Z", &[(GLIDERS, 6, 255)]),
        invoice("581587", "2011-12-09T12:50:00Z", &[(GLIDERS, 6, 255)]),
    ];
    let days = |keep_dates| {
        let plan = planned_on(invoices.clone(), &calendar(keep_dates));
        plan.orders.iter().map(|order| order.at.to_string()).collect::<Vec<_>>()
    };

    assert_eq!(days(false), ["2025-11-12T08:26:00.000Z", "2026-11-20T12:50:00.000Z"]);
    assert_eq!(days(true), ["2010-12-01T08:26:00.000Z", "2011-12-09T12:50:00.000Z"]);
}
