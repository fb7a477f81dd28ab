//! Atoms whose values do not come from rows in memory.

use std::cell::RefCell;

use rust_decimal::Decimal;

use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{
    AggregateRequest, BucketRef, Context, DataSource, Extent, GroupKey, GroupValue, SourceAnswer,
};
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

/// Returns the number of requests so far for every cell of `orders`; declines `visits`.
#[derive(Debug, Default)]
struct Counting {
    requests: RefCell<Vec<String>>,
    fails: bool,
}

impl Counting {
    fn note(&self, what: String) -> Decimal {
        self.requests.borrow_mut().push(what);
        Decimal::from(self.requests.borrow().len())
    }
}

impl DataSource for Counting {
    fn cells(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>> {
        if self.fails {
            return Err(Diagnostic::new(Code::E706, Span::default(), "no answer"));
        }
        if request.atom.source != SourceId(0) {
            return Ok(None);
        }
        let (owner, atom, frame) = (request.owner, request.atom, request.frame);
        let conditions = request.evaluation.conditions(owner, atom, frame);
        let at = BucketRef { frame, bucket: 0 };
        let constants: Vec<Value> = conditions
            .iter()
            .map(|condition| request.evaluation.row_constant(*condition, atom.source, at))
            .collect();
        let place = request.place();
        let standing = place.map_or(0, |place| place.standing_conditions(owner, atom).len());
        let fraction = request.fraction();
        let by_row = request.is_by_row();
        let number = self.note(format!(
            "{:?} standing {standing} conditions {} {constants:?} at {fraction:?} by row {by_row}",
            request.atom.function,
            conditions.len(),
        ));
        Ok(Some(vec![Value::Number(number); request.cell_count()]))
    }

    fn groups(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> SourceAnswer<Vec<Vec<GroupValue>>> {
        self.note(format!("groups by {}", keys.len()));
        let tuples = vec![
            vec![GroupValue::Text("DE".into())],
            vec![GroupValue::Null],
            vec![GroupValue::Null],
        ];
        Ok((request.atom.source == SourceId(0)).then_some(tuples))
    }

    fn extent(&self, _: &Context<'_>, source: SourceId, _: &Path) -> SourceAnswer<Extent> {
        self.note(format!("extent of {}", source.0));
        Ok(Some(Some((1_767_225_600_000_000, 1_767_398_400_000_000))))
    }
}

fn engine() -> Engine {
    let loaded = load("shop", &mut |_| Ok(FILE.to_owned()));
    Engine::from_loaded(&loaded).0
}

fn evaluate(
    source: &Counting,
    formula: &str,
    request: &Request,
) -> Result<Answers, Vec<Diagnostic>> {
    let engine = engine();
    let formula = engine.compile(formula)?;
    let inputs = Inputs { data_source: Some(source), ..Inputs::default() };
    engine.evaluate(&[&formula], inputs, request)
}

#[test]
fn an_atom_is_requested_from_the_supply_once_for_each_frame() {
    let source = Counting::default();
    let answers = evaluate(
        &source,
        "sum(orders.total) / sum(orders.total) * count(orders where 1 = 2)",
        &Request::default(),
    );
    assert_eq!(answers.unwrap().first().unwrap().formatted, "3");
    assert_eq!(
        source.requests.borrow().as_slice(),
        [
            "extent of 1",
            "Sum standing 0 conditions 0 [] at None by row false",
            "Count standing 0 conditions 1 [Bool(false)] at None by row false",
        ]
    );
}

#[test]
fn groups_come_from_the_data_source() {
    let source = Counting::default();
    let request = Request { group_by: vec!["country".to_owned()], ..Request::default() };
    let answers = evaluate(&source, "percentile(orders.total, 90%)", &request).unwrap();
    assert_eq!(
        answers.groups,
        [[Value::missing(crate::types::Reason::NullValue)], [Value::text("DE")]]
    );
    assert_eq!(
        source.requests.borrow().last().unwrap(),
        "Percentile standing 0 conditions 0 [] at Some(0.90) by row false"
    );
}

#[test]
fn names_unknown_to_the_supply_are_read_from_rows() {
    let source = Counting::default();
    let answers = evaluate(&source, "count(visits) + 1", &Request::default()).unwrap();
    assert_eq!(answers.missing_inputs, ["visits"]);
}

#[test]
fn a_supply_that_fails_refuses_the_request() {
    let source = Counting { fails: true, ..Counting::default() };
    let found =
        evaluate(&source, "sum(orders.total) / count(orders)", &Request::default()).unwrap_err();
    assert_eq!(found.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(), ["no answer"]);
    assert!(source.rates().is_none());
}
