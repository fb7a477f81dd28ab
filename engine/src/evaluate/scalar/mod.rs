//! Runs a program over single values, one per slot.
//!
//! A [`Runner`] owns everything that a run needs. Further runs look up no names, clone nothing and, for
//! numbers and conditions, allocate nothing. The origin of a null is traced on demand.
//!
//! There are two sequences of steps. If every slot has the scale that the plan expects, the first one
//! is tried, which computes in plain integers. If a slot has another scale, or a result does not fit,
//! the second one computes in numbers that carry their scale: in 64 bits where they fit, otherwise in
//! decimals. The results are the same to the last digit.

mod cell;
mod integers;
mod origin;
mod run;
mod step;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::calendar::Calendar;
use crate::data::{Record, RecordValue};
use crate::evaluate::record_values::read;
use crate::plan::slot::Content;
use crate::plan::{Plan, SlotKind};
use crate::types::{Missing, Reason, Value};
use cell::Cell;
use step::Step;

/// A plan with storage for its values, which can be run any number of times.
///
/// ```
/// use quotient::schema::{Input, Schema};
/// use quotient::types::{CurrencyOf, Currency, Type, Unit};
/// use quotient::{Engine, Request, Runner};
///
/// let money = Type::Quantity(Unit::money(CurrencyOf::Fixed(Currency::USD)));
/// let input = |name: &str, ty| Input { name: name.into(), description: None, ty };
/// let mut schema = Schema::default();
/// schema.inputs = vec![input("net_sales", money), input("orders", Type::Quantity(Unit::count("orders")))];
///
/// let engine = Engine::new(schema);
/// let aov = engine.compile("net_sales / orders").expect("a formula that checks");
/// let plan = engine.plan(&[&aov]).expect("a plan of one division");
/// assert_eq!(plan.to_string(), "\
/// s0: money(USD) in i64·10^-2 = net_sales
/// s1: count(orders) in i64 = orders
/// r0: money(USD) = s0 / s1
/// result: money(USD) = r0
/// ");
///
/// let mut runner = engine.runner(&plan, &Request::default()).expect("a zone that exists");
/// for (sales, orders) in [(125_000, 400), (99_900, 333)] {
///     runner.set_number(0, quotient::number::from_scaled(sales, 2).expect("a small number"));
///     runner.set_number(1, orders.into());
///     runner.run();
///     assert_eq!(runner.number(0).map(|aov| aov.to_string()).as_deref(), Some(if orders == 400 { "3.125" } else { "3.00" }));
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Runner<'p> {
    plan: &'p Plan,
    /// The instructions on numbers of any scale.
    steps: Box<[Step]>,
    /// The same instructions, on integers as far as the plan allows; empty if it never does.
    integers: Box<[Step]>,
    /// The number of slots whose scale differs from the one the plan expects.
    unexpected: usize,
    calendar: Calendar,
    now: Timestamp,
    /// Constants, slots and registers.
    cells: Vec<Cell>,
    /// Values that do not fit in a cell, at the same indices.
    kept: Vec<Value>,
    arguments: Vec<Value>,
}

impl<'p> Runner<'p> {
    pub(crate) fn new(plan: &'p Plan, calendar: Calendar, now: Timestamp) -> Self {
        let program = &plan.program;
        let width = program.width();
        let code = program.code.iter().enumerate();
        let steps: Box<[Step]> = code.map(|(index, of)| Step::of(index, of)).collect();
        let integers = step::on_integers(program, &steps);
        let mut runner = Self {
            plan,
            steps,
            integers,
            unexpected: program.slots_with_digits(),
            calendar,
            now,
            cells: vec![Cell::Missing(Reason::MissingInput); width],
            kept: vec![Value::missing(Reason::MissingInput); width],
            arguments: Vec::new(),
        };
        for (index, value) in program.constants.iter().enumerate() {
            runner.put(index, value.clone());
        }
        runner.clear();
        runner
    }

    /// The plan that the runner runs.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Resets every slot to a missing input, except the present and literal periods.
    pub fn clear(&mut self) {
        for (index, slot) in self.plan.program.slots.iter().enumerate() {
            let value = match &slot.content {
                Content::Now => Value::DateTime(self.now),
                Content::Today => Value::Date(self.calendar.date_of(self.now)),
                Content::Literal(literal) => {
                    let period = self.calendar.resolve(*literal);
                    period.map_or(Value::missing(Reason::Domain), Value::period)
                }
                _ => Value::missing(Reason::MissingInput),
            };
            self.set(index, value);
        }
    }

    /// Fills a slot. The value should have the slot's type; otherwise everything that uses it is null.
    pub fn set(&mut self, slot: usize, value: Value) {
        if slot < self.plan.program.slots.len() {
            let index = self.plan.program.slot(slot).index();
            self.give(index, Cell::of_value(&value));
            self.keep(index, value);
        }
    }

    /// Fills every input from a record; an input that is not in the record becomes a missing input.
    ///
    /// Returns the names whose values do not have the slot's type; these are missing inputs too.
    pub fn bind(&mut self, record: &Record) -> Vec<String> {
        let plan = self.plan;
        let mut unread = Vec::new();
        for (index, slot) in plan.program.slots.iter().enumerate() {
            let Some(name) = slot.name().filter(|_| slot.kind() == SlotKind::Input) else {
                continue;
            };
            let given = record.get(name).filter(|given| **given != RecordValue::Null);
            let value = given.and_then(|given| read(given, slot.ty(), &self.calendar, None));
            if given.is_some() && value.is_none() {
                unread.push(name.to_owned());
            }
            self.set(index, value.unwrap_or(Value::missing(Reason::MissingInput)));
        }
        unread
    }

    /// Fills all slots, in their order.
    pub fn fill(&mut self, values: &[Value]) {
        for (slot, value) in values.iter().enumerate() {
            self.set(slot, value.clone());
        }
    }

    /// Fills a slot with a number.
    #[inline]
    pub fn set_number(&mut self, slot: usize, number: Decimal) {
        if slot < self.plan.program.slots.len() {
            self.give(self.plan.program.slot(slot).index(), Cell::of_number(number));
        }
    }

    /// The value of a formula, by its index in the plan; a null carries its origin.
    pub fn value(&self, formula: usize) -> Value {
        let Some(operand) = self.plan.program.results.get(formula) else {
            return Value::missing(Reason::MissingInput);
        };
        match self.at(*operand) {
            Value::Missing(Missing { reason, .. }) => {
                Value::Missing(Missing { reason, origin: self.origin(formula) })
            }
            value => value,
        }
    }

    /// The numeric result of a formula; `None` for nulls and values of other types.
    #[inline]
    pub fn number(&self, formula: usize) -> Option<Decimal> {
        let operand = self.plan.program.results.get(formula)?;
        self.cells.get(operand.index())?.number()
    }

    fn put(&mut self, index: usize, value: Value) {
        if let Some(cell) = self.cells.get_mut(index) {
            *cell = Cell::of_value(&value);
        }
        self.keep(index, value);
    }

    fn keep(&mut self, index: usize, value: Value) {
        if !matches!(value, Value::Number(_) | Value::Bool(_))
            && let Some(kept) = self.kept.get_mut(index)
        {
            *kept = value;
        }
    }
}
