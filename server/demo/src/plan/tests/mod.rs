//! Tests of the plan: small shops with a few invoices, and the first thousands of real ones.

mod data;
mod orders;
mod reversals;
mod steps;

use super::*;
use crate::source::SourceProduct;

const NOW: &str = "2026-11-21T10:00:00Z";

/// The products of the small shops: code and description.
const PRODUCTS: &[(&str, &str)] = &[
    ("84077", "WORLD WAR 2 GLIDERS"),
    ("22423", "REGENCY CAKESTAND"),
    ("POST", "POSTAGE"),
    ("M", "Manual"),
    ("D", "Discount"),
    ("S", "SAMPLES"),
    ("B", "Adjust bad debt"),
];
const GLIDERS: usize = 0;
const CAKESTAND: usize = 1;
const POST: usize = 2;
const MANUAL: usize = 3;
const DISCOUNT_CODE: usize = 4;
const SAMPLES: usize = 5;
const BAD_DEBT: usize = 6;

/// Returns an invoice of customer 7 in Britain: number, time, and product, pieces and pence of each line.
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
fn invoice(number: &str, at: &str, lines: &[(usize, i64, i64)]) -> Invoice {
    let line = |(product, quantity, pence): &(usize, i64, i64)| SourceLine {
        product: *product,
        quantity: *quantity,
        price_mills: pence * 10,
    };
    Invoice {
        number: number.to_owned(),
        at: at.parse().unwrap(),
        customer: Some(7),
        country: "United Kingdom".to_owned(),
        lines: lines.iter().map(line).collect(),
    }
}

fn calendar(keep_dates: bool) -> Calendar {
    Calendar::new("UTC", NOW.parse().unwrap(), keep_dates).unwrap()
}

/// Plans a shop with the data's own dates.
fn planned(invoices: Vec<Invoice>) -> Plan {
    planned_on(invoices, &calendar(true))
}

fn planned_on(invoices: Vec<Invoice>, calendar: &Calendar) -> Plan {
    let product = |(code, text): &(&str, &str)| SourceProduct {
        code: (*code).to_owned(),
        description: (*text).to_owned(),
    };
    let products = PRODUCTS.iter().map(product).collect();
    let source = Source { products, invoices, is_whole: true };
    let goods = Goods::read(&source, usize::MAX).unwrap();
    plan(&source, &goods, calendar).unwrap()
}
