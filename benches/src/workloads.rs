//! The workloads: four formulas in the syntax of each contestant, with the values of their inputs.

use std::fmt::Write;
use std::str::FromStr;

use quotient::data::Record;
use quotient::file::load;
use quotient::plan::Plan;
use quotient::syntax::Limits;
use quotient::{Engine, Formula, Inputs, Request, Runner};
use rust_decimal::Decimal;

use crate::{Failure, all_sound, native};

/// A formula in the syntax of each contestant. Where a language has no `round(x, 2)` that takes
/// ties away from zero, the text expresses it as is usual in that language.
#[derive(Debug, Clone)]
pub struct Texts {
    /// The engine's formula language.
    pub quotient: String,
    /// zen-expression.
    pub zen: String,
    /// Common Expression Language, with numbers as doubles.
    pub cel: String,
    /// rhai, where literals with a point are decimals.
    pub rhai: String,
    /// The formula for fasteval, whose `&&` and `||` return one of their operands.
    pub fasteval: String,
    /// exmex, with the operators that [`crate::peers::exmex`] adds.
    pub exmex: String,
}

/// A formula as a Rust function of the values of its inputs, in their order.
pub type Native<T> = fn(&[T]) -> T;

/// A formula with the values of its inputs, and the same work in Rust.
#[derive(Debug, Clone)]
pub struct Workload {
    /// The name in reports.
    pub name: &'static str,
    /// The formula.
    pub texts: Texts,
    /// Each input with its declared type and its value.
    pub inputs: Vec<Input>,
    /// The same in Rust with decimals.
    pub native_decimal: Native<Decimal>,
    /// The same in Rust with floats.
    pub native_float: Native<f64>,
}

/// An input of a formula.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name in formulas.
    pub name: String,
    /// The type, as declared in formula files.
    pub data_type: &'static str,
    /// Its value.
    pub value: Decimal,
}

/// The engine's side of a workload.
#[derive(Debug, Clone)]
pub struct Ready {
    /// An engine that declares the inputs.
    pub engine: Engine,
    /// The formula, checked.
    pub formula: Formula,
    /// A value for each input.
    pub record: Record,
}

/// Limits for the sum of a thousand terms, which exceeds the default ones.
pub const WIDE: Limits = Limits { max_bytes: 64 * 1024, max_tokens: 20_000, ..Limits::DEFAULT };

const SALES: &[(&str, &str, &str)] = &[
    ("revenue", "money(USD)", "125034.50"),
    ("refunds", "money(USD)", "3310.25"),
    ("orders", "count", "2411"),
    ("discounts", "money(USD)", "1250.00"),
    ("shipping_income", "money(USD)", "4420.75"),
    ("cost_of_goods", "money(USD)", "61230.10"),
    ("shipping_cost", "money(USD)", "5120.40"),
    ("payment_fees", "money(USD)", "2310.95"),
    ("packaging", "money(USD)", "890.60"),
    ("returned_orders", "count", "118"),
    ("target", "money(USD)", "50000.00"),
    ("tax_rate", "ratio", "0.19"),
];

/// W1, the average order.
pub const AVERAGE: &str = "(revenue - refunds) / orders";
/// W2, the average order guarded and rounded.
pub const GUARDED: &str = "if(orders > 0, round((revenue - refunds - discounts) / orders, 2), 0)";
const MARGIN: &str = "(revenue - refunds - discounts + shipping_income - cost_of_goods \
    - shipping_cost - payment_fees - packaging)";

impl Workload {
    fn over(
        name: &'static str,
        inputs: usize,
        texts: Texts,
        native_decimal: Native<Decimal>,
        native_float: Native<f64>,
    ) -> Result<Self, Failure> {
        let inputs = SALES.iter().take(inputs).map(|(name, data_type, value)| {
            Ok(Input { name: (*name).to_owned(), data_type, value: Decimal::from_str(value)? })
        });
        let inputs = inputs.collect::<Result<_, Failure>>()?;
        Ok(Self { name, texts, inputs, native_decimal, native_float })
    }

    /// Creates an engine that declares the inputs, and checks the formula.
    pub fn ready(&self) -> Result<Ready, Failure> {
        let (name, mut declarations) = (self.name, String::new());
        let mut record = Record::new();
        for Input { name, data_type, value } in &self.inputs {
            writeln!(declarations, "input {name} {data_type}")?;
            record.set(name, *value);
        }
        let loaded = load(name, &mut |_name| Ok(declarations.clone()));
        let (engine, findings) = Engine::from_loaded_with(&loaded, WIDE);
        let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
        all_sound(name, &findings)?;
        let formula = engine.compile(&self.texts.quotient);
        let formula = formula.map_err(|found| format!("{name}: {found:?}"))?;
        Ok(Ready { engine, formula, record })
    }
}

impl Ready {
    /// Returns the answer to a request over the record.
    pub fn answer(&self, workload: &Workload) -> Result<Decimal, Failure> {
        let (inputs, request) = (Inputs::record(&self.record), Request::default());
        let answers = self.engine.evaluate(&[&self.formula], inputs, &request);
        let answers = answers.map_err(|found| format!("{}: {found:?}", workload.name))?;
        let answer = answers.first().and_then(|answer| answer.value.as_number());
        answer.ok_or_else(|| format!("{} has no value", workload.name).into())
    }

    /// Creates a runner of a plan with the values of the record in its slots.
    pub fn runner<'p>(&self, plan: &'p Plan, workload: &Workload) -> Result<Runner<'p>, Failure> {
        let runner = self.engine.runner(plan, &Request::default());
        let mut runner = runner.map_err(|found| format!("{}: {found:?}", workload.name))?;
        for (index, slot) in plan.inputs() {
            let input = workload.inputs.iter().find(|input| Some(&*input.name) == slot.name());
            let input = input.ok_or_else(|| format!("{}: a slot of no input", workload.name))?;
            runner.set_number(index, input.value);
        }
        Ok(runner)
    }
}

/// Returns W1 to W3: from a division of two sums to a tiered margin over twelve inputs.
pub fn single_values() -> Result<Vec<Workload>, Failure> {
    Ok(vec![average()?, guarded()?, tiered()?])
}

/// Returns all four workloads.
pub fn all() -> Result<Vec<Workload>, Failure> {
    Ok(vec![average()?, guarded()?, tiered()?, sum(1_000)])
}

/// Returns W1.
pub fn average() -> Result<Workload, Failure> {
    everywhere(AVERAGE)
}

/// Returns W1 at a declared scale, in a text that few of the others can parse.
pub fn average_rounded() -> Result<Workload, Failure> {
    everywhere("round((revenue - refunds) / orders, 2)")
}

/// Creates a workload with a text that means the same in every language.
fn everywhere(text: &str) -> Result<Workload, Failure> {
    let text = || text.to_owned();
    let texts = Texts {
        quotient: text(),
        zen: text(),
        cel: text(),
        rhai: text(),
        fasteval: text(),
        exmex: text(),
    };
    Workload::over("W1", 3, texts, native::average, native::average_float)
}

fn guarded() -> Result<Workload, Failure> {
    let quotient = "(revenue - refunds - discounts) / orders";
    let texts = Texts {
        quotient: GUARDED.to_owned(),
        zen: format!("orders > 0 ? round({quotient}, 2) : 0"),
        cel: format!("orders > 0.0 ? math.round({quotient} * 100.0) / 100.0 : 0.0"),
        rhai: format!("if orders > 0 {{ round_half_up({quotient}, 2) }} else {{ 0 }}"),
        fasteval: format!("(orders > 0 && round(0.01, {quotient})) || 0"),
        exmex: format!("((orders > 0) then round2({quotient})) otherwise 0"),
    };
    Workload::over("W2", 4, texts, native::guarded, native::guarded_float)
}

fn tiered() -> Result<Workload, Failure> {
    let kept = "(orders - returned_orders)";
    let average = |rest: &str, tier: &str| format!("{MARGIN} * {rest} * {tier} / {kept}");
    let quotient = average(
        "(1 - tax_rate)",
        "if(revenue >= target * 2, 1.05, if(revenue >= target, 1, 0.95))",
    );
    let zen =
        average("(1 - tax_rate)", "(revenue >= target * 2 ? 1.05 : revenue >= target ? 1 : 0.95)");
    let cel = average(
        "(1.0 - tax_rate)",
        "(revenue >= target * 2.0 ? 1.05 : revenue >= target ? 1.0 : 0.95)",
    );
    let rhai = average(
        "(1 - tax_rate)",
        "(if revenue >= target * 2 { 1.05 } else if revenue >= target { 1 } else { 0.95 })",
    );
    let fasteval = average(
        "(1 - tax_rate)",
        "((revenue >= target * 2 && 1.05) || (revenue >= target && 1) || 0.95)",
    );
    let exmex = average(
        "(1 - tax_rate)",
        "(((revenue >= target * 2) then 1.05) otherwise (((revenue >= target) then 1) otherwise 0.95))",
    );
    let texts = Texts {
        quotient: format!("if(orders > returned_orders, round({quotient}, 2), 0)"),
        zen: format!("orders > returned_orders ? round({zen}, 2) : 0"),
        cel: format!("orders > returned_orders ? math.round({cel} * 100.0) / 100.0 : 0.0"),
        rhai: format!("if orders > returned_orders {{ round_half_up({rhai}, 2) }} else {{ 0 }}"),
        fasteval: format!("(orders > returned_orders && round(0.01, {fasteval})) || 0"),
        exmex: format!("((orders > returned_orders) then round2({exmex})) otherwise 0"),
    };
    Workload::over("W3", 12, texts, native::tiered, native::tiered_float)
}

/// Returns W4: a sum of this many products over fifty inputs.
pub fn sum(terms: usize) -> Workload {
    let names: Vec<String> = (0..50).map(|index| format!("a{index}")).collect();
    let inputs = names.iter().map(|name| Input {
        name: name.clone(),
        data_type: "number",
        value: Decimal::new(1225, 2),
    });
    let inputs = inputs.collect();
    let products: Vec<String> =
        names.iter().cycle().take(terms).map(|name| format!("{name} * 1.5")).collect();
    let text = products.join(" + ");
    let texts = Texts {
        quotient: text.clone(),
        zen: text.clone(),
        cel: text.clone(),
        rhai: text.clone(),
        fasteval: text.clone(),
        exmex: text,
    };
    Workload {
        name: "W4",
        texts,
        inputs,
        native_decimal: native::sum,
        native_float: native::sum_float,
    }
}

/// Returns W4 with ten, a hundred and a thousand terms.
pub fn sums() -> Vec<(usize, Workload)> {
    [10, 100, 1_000].into_iter().map(|terms| (terms, sum(terms))).collect()
}
