//! Formulas over a record of single values, from a division to a sum of a thousand terms.

use std::fmt::Write;

use quotient::data::Record;
use quotient::file::load;
use quotient::syntax::Limits;
use quotient::{Engine, Formula};

use crate::{Failure, all_sound};

/// A formula with the declarations it needs and the values it is computed from.
#[derive(Debug, Clone)]
pub struct Workload {
    /// What reports call it.
    pub name: &'static str,
    /// The formula's text.
    pub text: String,
    /// An engine that knows its inputs.
    pub engine: Engine,
    /// The formula, checked.
    pub formula: Formula,
    /// A value for each input.
    pub record: Record,
}

/// The limits of formulas that people type stop the sum of a thousand terms.
pub const WIDE: Limits = Limits { max_bytes: 64 * 1024, max_tokens: 20_000, ..Limits::DEFAULT };

const SALES: &[(&str, &str, &str)] = &[
    ("revenue", "money(USD)", "125034.50"),
    ("refunds", "money(USD)", "3310.25"),
    ("discounts", "money(USD)", "1250.00"),
    ("shipping_income", "money(USD)", "4420.75"),
    ("cost_of_goods", "money(USD)", "61230.10"),
    ("shipping_cost", "money(USD)", "5120.40"),
    ("payment_fees", "money(USD)", "2310.95"),
    ("packaging", "money(USD)", "890.60"),
    ("orders", "count", "2411"),
    ("returned_orders", "count", "118"),
    ("target", "money(USD)", "50000"),
    ("tax_rate", "ratio", "0.19"),
];

const AVERAGE: &str = "(revenue - refunds) / orders";
const GUARDED: &str = "if(orders > 0, round((revenue - refunds - discounts) / orders, 2), 0)";
const TIERED: &str = "
    let net = revenue - refunds - discounts + shipping_income;
    let cost = cost_of_goods + shipping_cost + payment_fees + packaging;
    let profit = (net - cost) * (1 - tax_rate);
    case when orders - returned_orders <= 0 then 0
         when profit >= target * 1.5 then round(profit / (orders - returned_orders), 2)
         when profit >= target then round(profit * 0.95 / (orders - returned_orders), 2)
         else round(profit * 0.9 / orders, 2) end";

impl Workload {
    fn new(
        name: &'static str,
        text: String,
        inputs: &[(&str, &str, &str)],
    ) -> Result<Self, Failure> {
        let mut declarations = String::new();
        let mut record = Record::new();
        for (key, data_type, value) in inputs {
            writeln!(declarations, "input {key} {data_type}").ok();
            record.set(key, *value);
        }
        let loaded = load(name, &mut |_name| Ok(declarations.clone()));
        let (engine, findings) = Engine::from_loaded_with(&loaded, WIDE);
        let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
        all_sound(name, &findings)?;
        let formula = engine.compile(&text).map_err(|found| format!("{name}: {found:?}"))?;
        Ok(Self { name, text, engine, formula, record })
    }
}

/// From a division of two sums to a margin in tiers over twelve inputs.
pub fn single_values() -> Result<Vec<Workload>, Failure> {
    let formulas = [("w1 average", AVERAGE), ("w2 guarded", GUARDED), ("w3 tiered", TIERED)];
    formulas.into_iter().map(|(name, text)| Workload::new(name, text.to_owned(), SALES)).collect()
}

/// Sums of ten, a hundred and a thousand products over fifty inputs, each with its length.
pub fn sums() -> Result<Vec<(usize, Workload)>, Failure> {
    [10, 100, 1_000].into_iter().map(|terms| Ok((terms, sum(terms)?))).collect()
}

fn sum(terms: usize) -> Result<Workload, Failure> {
    let names: Vec<String> = (0..50).map(|index| format!("a{index}")).collect();
    let inputs: Vec<_> = names.iter().map(|name| (name.as_str(), "number", "12.25")).collect();
    let products: Vec<String> =
        names.iter().cycle().take(terms).map(|name| format!("{name} * 1.5")).collect();
    Workload::new("w4 sum", products.join(" + "), &inputs)
}
