//! Atoms whose values come from elsewhere than rows in memory.

use std::cell::RefCell;

use rust_decimal::Decimal;

use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::Context;
use crate::evaluate::frame::{GroupKey, Part};
use crate::evaluate::supply::{Asking, Extent, Supplied, Supply};
use crate::file::load;
use crate::schema::{Path, SourceId};
use crate::source::Span;
use crate::types::Value;
use crate::{Answers, Engine, Inputs, Request};

const FILE: &str = "
source orders event
    date at datetime
    field total money
    field country text
    covers @2026-01-01 to @2026-01-02
source visits event
    date at datetime
    field country text

dimension country
    orders.country
    visits.country
";

/// Gives the number of questions so far for every cell of `orders`; knows nothing of `visits`.
#[derive(Debug, Default)]
struct Counting {
    asked: RefCell<Vec<String>>,
    fails: bool,
}

impl Counting {
    fn note(&self, what: String) -> Decimal {
        self.asked.borrow_mut().push(what);
        Decimal::from(self.asked.borrow().len())
    }
}

impl Supply for Counting {
    fn cells(&self, asking: &mut Asking<'_, '_>) -> Supplied<Vec<Value>> {
        if self.fails {
            return Err(Diagnostic::new(Code::E706, Span::default(), "no answer"));
        }
        if asking.atom.source != SourceId(0) {
            return Ok(None);
        }
        let (owner, atom, frame) = (asking.owner, asking.atom, asking.frame);
        let conditions = asking.evaluator().atom_conditions((owner, atom), frame);
        let constants: Vec<Value> = conditions
            .iter()
            .map(|condition| asking.evaluator().row_constant(*condition, atom.source, (frame, 0)))
            .collect();
        let standing = asking.evaluator().standing_conditions((owner, atom), frame).len();
        let fraction = asking.fraction();
        let by_row = asking.is_by_row();
        let number = self.note(format!(
            "{:?} standing {standing} conditions {} {constants:?} at {fraction:?} by row {by_row}",
            asking.atom.function,
            conditions.len(),
        ));
        Ok(Some(vec![Value::Number(number); asking.cell_count()]))
    }

    fn groups(&self, asking: &mut Asking<'_, '_>, keys: &[GroupKey]) -> Supplied<Vec<Vec<Part>>> {
        self.note(format!("groups by {}", keys.len()));
        let tuples = vec![vec![Part::Text("DE".into())], vec![Part::Null], vec![Part::Null]];
        Ok((asking.atom.source == SourceId(0)).then_some(tuples))
    }

    fn extent(&self, _: &Context<'_>, source: SourceId, _: &Path) -> Supplied<Extent> {
        self.note(format!("extent of {}", source.0));
        Ok(Some(Some((1_767_225_600_000_000, 1_767_398_400_000_000))))
    }
}

fn engine() -> Engine {
    let loaded = load("shop", &mut |_| Ok(FILE.to_owned()));
    Engine::from_loaded(&loaded).0
}

fn evaluate(
    supply: &Counting,
    formula: &str,
    request: &Request,
) -> Result<Answers, Vec<Diagnostic>> {
    let engine = engine();
    let formula = engine.compile(formula)?;
    let inputs = Inputs { supply: Some(supply), ..Inputs::default() };
    engine.evaluate(&[&formula], inputs, request)
}

#[test]
fn an_atom_is_asked_of_the_supply_once_for_each_frame() {
    let supply = Counting::default();
    let answers = evaluate(
        &supply,
        "sum(orders.total) / sum(orders.total) * count(orders where 1 = 2)",
        &Request::default(),
    );
    assert_eq!(answers.unwrap().first().unwrap().formatted, "3");
    assert_eq!(
        supply.asked.borrow().as_slice(),
        [
            "extent of 1",
            "Sum standing 0 conditions 0 [] at None by row false",
            "Count standing 0 conditions 1 [Bool(false)] at None by row false",
        ]
    );
}

#[test]
fn groups_come_from_the_supply() {
    let supply = Counting::default();
    let request = Request { group_by: vec!["country".to_owned()], ..Request::default() };
    let answers = evaluate(&supply, "percentile(orders.total, 90%)", &request).unwrap();
    assert_eq!(
        answers.groups,
        [[Value::missing(crate::types::Reason::NullValue)], [Value::text("DE")]]
    );
    assert_eq!(
        supply.asked.borrow().last().unwrap(),
        "Percentile standing 0 conditions 0 [] at Some(0.90) by row false"
    );
}

#[test]
fn what_the_supply_does_not_know_is_asked_of_rows() {
    let supply = Counting::default();
    let answers = evaluate(&supply, "count(visits) + 1", &Request::default()).unwrap();
    assert_eq!(answers.missing_inputs, ["visits"]);
}

#[test]
fn a_supply_that_fails_refuses_the_request() {
    let supply = Counting { fails: true, ..Counting::default() };
    let found =
        evaluate(&supply, "sum(orders.total) / count(orders)", &Request::default()).unwrap_err();
    assert_eq!(found.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(), ["no answer"]);
    assert!(supply.rates().is_none());
}
