//! Conditions of tiers: formulas over the orders of one customer.
//!
//! Invariant: only checked formulas are stored. If a condition cannot be evaluated later, it is false, and the error is
//! logged.

use jiff::tz::TimeZone;
use quotient::data::{Data, Rates};
use quotient::diagnostics::Diagnostic;
use quotient::types::Value;
use quotient::{Engine, Inputs, Request, file};

use crate::clock::Timestamp;
use crate::http::Refusal;
use crate::money::Currency;

/// The names in formulas, which have the same meaning as in metrics.
const ORDERS: &str = "
source orders event
    key id text
    date created_at datetime
    field sales_channel text
    field region text
    field country text
    field promo_code text
    /// The amount due, regardless of the means of payment.
    field total money
    /// Goods after discounts, without tax.
    field subtotal money
    field tax_total money
    field discount_total money
    /// Without tax.
    field shipping_total money
    /// The refunded amount.
    field refunded money
    field quantity count
";

/// The columns of [`ORDERS`], in the order of the rows.
pub(super) const COLUMNS: [&str; 13] = [
    "id",
    "created_at",
    "sales_channel",
    "region",
    "country",
    "promo_code",
    "total",
    "subtotal",
    "tax_total",
    "discount_total",
    "shipping_total",
    "refunded",
    "quantity",
];

/// An order as text cells.
pub(super) type OrderRow = [String; COLUMNS.len()];

/// What conditions can name, in one currency.
#[derive(Debug)]
pub(super) struct Conditions {
    engine: Engine,
    time_zone: TimeZone,
}

impl Conditions {
    pub(super) fn new(currency: Currency, time_zone: &str) -> Self {
        let text =
            format!("store\n    currency {}\n    timezone {time_zone}\n{ORDERS}", currency.upper());
        let (engine, _none) =
            Engine::from_loaded(&file::load("orders", &mut |_name| Ok(text.clone())));
        Self { engine, time_zone: TimeZone::get(time_zone).unwrap_or(TimeZone::UTC) }
    }

    /// Checks a condition; returns its canonical text.
    pub(super) fn check(&self, text: &str) -> Result<String, Refusal> {
        let checked = self.engine.validate_condition(text);
        if let Some(formula) = checked.formula {
            return Ok(formula.canonical().to_owned());
        }
        let finding = checked.diagnostics.into_iter().find(Diagnostic::is_error);
        let (message, help) = finding.map_or_else(Default::default, |finding| {
            (finding.message, finding.help.map(|help| format!("; {help}")))
        });
        Err(Refusal::invalid(format!("`condition`: {message}{}", help.unwrap_or_default())))
    }

    /// Returns whether a condition holds for a customer's orders. Windows end today.
    pub(super) fn holds(&self, text: &str, orders: &[OrderRow], now: Timestamp) -> bool {
        self.evaluate(text, orders, now).unwrap_or_else(|reason| {
            tracing::error!(condition = text, reason, "the condition of a tier fails");
            false
        })
    }

    fn evaluate(&self, text: &str, orders: &[OrderRow], now: Timestamp) -> Result<bool, String> {
        let data = self.data(orders)?;
        let formula = self.engine.compiled(text).map_err(|found| format!("{found:?}"))?;
        let day = |at: Timestamp| at.to_jiff().to_zoned(self.time_zone.clone()).date();
        let first = orders.iter().filter_map(|[_id, at, ..]| at.parse().ok()).min();
        let request = Request {
            period: Some((day(first.unwrap_or(now)), day(now))),
            // A window excludes its end, so the present must be later for an order of this instant
            // to be included.
            now: now.plus_ms(1).to_jiff(),
            ..Request::default()
        };
        let answers = self
            .engine
            .evaluate(&[&formula], Inputs::data(&data), &request)
            .map_err(|found| format!("{found:?}"))?;
        Ok(answers.first().is_some_and(|answer| answer.value == Value::Bool(true)))
    }

    fn data(&self, orders: &[OrderRow]) -> Result<Data, String> {
        let mut table = self.engine.table("orders", &COLUMNS).map_err(|error| error.to_string())?;
        for order in orders {
            table.push(order).map_err(|error| error.to_string())?;
        }
        let data = self.engine.data(vec![table.finish()], Rates::new());
        data.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_262_400_000);

    fn order(id: &str, at: &str, total: &str, refunded: &str) -> OrderRow {
        let cells =
            [id, at, "Web", "Britain", "gb", "", total, total, "0", "0", "0", refunded, "1"];
        cells.map(str::to_owned)
    }

    fn euros() -> Conditions {
        Conditions::new(Currency::from_code("eur").unwrap(), "Europe/Berlin")
    }

    #[test]
    fn a_condition_counts_the_orders_of_its_window() {
        let orders = [
            order("order_1", "2025-10-01T12:00:00Z", "300.00", "0"),
            order("order_2", "2026-02-01T12:00:00Z", "260.00", "0"),
            order("order_3", "2026-11-01T12:00:00Z", "250.00", "20.00"),
        ];
        for (condition, expected) in [
            ("trailing(sum(orders.total), 12 months) >= 500 EUR", true),
            ("trailing(sum(orders.total), 12 months) > 510 EUR", false),
            ("trailing(sum(orders.total - orders.refunded), 12 months) >= 500 EUR", false),
            ("sum(orders.total) = 810 EUR", true),
            ("count(orders) >= 3 and count(orders where country = 'fr') = 0", true),
            ("trailing(count(orders), 30 days) >= 2", false),
        ] {
            let text = euros().check(condition).unwrap();
            assert_eq!(euros().evaluate(&text, &orders, NOW), Ok(expected), "{condition}");
        }
    }

    #[test]
    fn a_customer_without_orders_meets_no_minimum() {
        for condition in ["count(orders) >= 1", "trailing(sum(orders.total), 12 months) >= 1 EUR"] {
            assert_eq!(euros().evaluate(condition, &[], NOW), Ok(false), "{condition}");
        }
    }

    #[test]
    fn other_formulas_are_refused_with_the_expected_form() {
        for (text, expected) in [
            ("sum(orders.totl) >= 500 EUR", "total"),
            ("sum(orders.total) >= 500", "EUR"),
            ("sum(orders.total)", "true or false"),
            ("", "condition"),
        ] {
            let error = euros().check(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
