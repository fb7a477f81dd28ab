//! The exchange rates of a fixture store.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a fixture that cannot be read fails the test"
)]

use quotient::data::Rates;
use quotient::file::Loaded;
use quotient::types::Currency;

use crate::stores::fixtures;

/// The exchange rates that a formula file names, if any.
pub(crate) fn rates(loaded: &Loaded) -> Rates {
    let mut rates = Rates::new();
    let Some(file) = &loaded.rates else { return rates };
    let mut reader = csv::Reader::from_path(fixtures().join(file)).expect(file);
    for record in reader.records() {
        let record = record.expect("a line");
        let cells: Vec<&str> = record.iter().collect();
        let [day, currency, rate] = cells.as_slice() else { panic!("{file}: {cells:?}") };
        let currency = Currency::from_code(currency).expect("a currency");
        let rate = quotient::number::parse(rate).expect("a number");
        rates.set(day.parse().expect("a day"), currency, rate).expect("a rate above zero");
    }
    rates
}
