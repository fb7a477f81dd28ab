//! Rows into cells: the same expressions over the same rows as the evaluator's, one contribution a
//! row.

use super::cells::Cells;
use super::definition::StateKind;
use super::derive::Definitions;
use super::dictionary::KeyNumbers;
use super::grid::Tuple;
use super::part::Part;
use super::shape::{Dates, Draft, Measure};
use super::slot::{Grain, day_number, slot_of};
use super::state::Contribution;
use crate::calendar::{Calendar, Period};
use crate::check::Typed;
use crate::diagnostics::Diagnostic;
use crate::evaluate::{ColumnValues, Context, Evaluator, Measure as Observed, NodeRef, Sources};
use crate::schema::Path;
use crate::types::{Reason, Value};

impl Definitions {
    /// The cells of all rows of the data.
    ///
    /// For one order that changed, the data is that order as it was, or as it became, with the rows
    /// it links to.
    pub(crate) fn fold(
        &self,
        context: Context<'_>,
        numbers: &mut dyn KeyNumbers,
    ) -> Result<Cells, Vec<Diagnostic>> {
        let formulas: Vec<&Typed> = self.formulas.iter().collect();
        let mut cells = Cells::new();
        for draft in self.drafts.values() {
            // Each definition is a computation of its own to the limit on steps.
            let context = Context { asked: &formulas, ..context };
            let mut evaluator = Evaluator::new(context, Sources::default());
            evaluator.request_frame(vec![Period::ALWAYS], jiff::Timestamp::MIN, None);
            fold_draft(draft, &mut evaluator, numbers, &mut cells);
            if !evaluator.log.findings.is_empty() {
                return Err(evaluator.log.findings);
            }
        }
        Ok(cells)
    }
}

/// The columns of a definition's rows.
struct Columns {
    dates: Vec<ColumnValues>,
    dimensions: Vec<ColumnValues>,
    currency: Option<ColumnValues>,
    /// For first and last: what tells rows of one instant apart.
    key: Option<ColumnValues>,
}

fn fold_draft(
    draft: &Draft,
    evaluator: &mut Evaluator<'_>,
    numbers: &mut dyn KeyNumbers,
    cells: &mut Cells,
) {
    let definition = &draft.definition;
    let grid = cells.grid_mut(definition);
    let date = match &draft.dates {
        Dates::Never => None,
        Dates::By(path) | Dates::Later(path, _) => Some(path),
    };
    let measure = match &draft.measure {
        Measure::Rows | Measure::Column(_) => Observed::Rows,
        Measure::Value(owner, id) => Observed::Value(NodeRef { owner: *owner, id: *id }),
        Measure::Truth(owner, id) => Observed::Truth(NodeRef { owner: *owner, id: *id }),
    };
    let nodes = draft.conditions.iter().map(|(owner, id)| NodeRef { owner: *owner, id: *id });
    let conditions: Vec<NodeRef> = nodes.collect();
    let rows = evaluator.observed_rows(draft.source, date, &conditions, measure);
    let gather = |path: &Path| evaluator.column(draft.source, path, &rows.rows);
    let mut measured = rows.value;
    if let Measure::Column(path) = &draft.measure {
        measured = Some(gather(path));
    }
    let columns = Columns {
        dates: match &draft.dates {
            Dates::Never => Vec::new(),
            Dates::By(path) => vec![gather(path)],
            Dates::Later(opened, closed) => vec![gather(opened), gather(closed)],
        },
        dimensions: draft.dimensions.iter().map(&gather).collect(),
        currency: draft.currency.as_ref().map(&gather),
        key: matches!(definition.kind, StateKind::First | StateKind::Last)
            .then(|| rows.key.as_ref().map(&gather))
            .flatten(),
    };
    let scale = measured.as_ref().and_then(ColumnValues::scale);
    grid.reach_scale(scale.unwrap_or(0));
    // Over other numbers the rows round on the way, which sums of squares do not.
    let is_lost = definition.kind == StateKind::Spread && scale.is_none();
    let calendar = evaluator.context.calendar;
    for index in 0..rows.rows.len() {
        let Some((slot, at)) = columns.place(definition.grain, index, calendar) else { continue };
        let value = measured.as_ref().map(|measured| measured.value(index));
        let value = if is_lost { Some(Value::missing(Reason::Overflow)) } else { value };
        let part = value.as_ref().map(Part::of).filter(|part| *part != Part::Null);
        let number = definition.keys_of.as_ref().zip(part);
        let number = number.and_then(|(of, part)| numbers.number(of, &part));
        // A row of an entity without its key counts as one without a key, not as no value.
        let is_own = definition.keys_of.as_ref() == Some(&definition.source);
        let is_blank = is_own && number.is_none() && definition.kind == StateKind::Keys;
        let key = columns.key.as_ref().map(|key| Part::of(&key.value(index)));
        let row = Contribution { value: value.filter(|_| !is_blank), number, place: at.zip(key) };
        grid.fold(slot, &columns.tuple(index), &row);
        if let Some(at) = at {
            grid.reach(at);
        }
    }
}

impl Columns {
    /// The slot of a row, and its instant where it has one; `None` for a row without its date.
    fn place(&self, grain: Grain, index: usize, calendar: &Calendar) -> Option<(i32, Option<i64>)> {
        let mut found: Option<(i32, Option<i64>)> = None;
        for date in &self.dates {
            let place = match date.value(index) {
                Value::DateTime(at) => {
                    let at = at.as_microsecond();
                    (slot_of(grain, at, calendar)?, Some(at))
                }
                Value::Date(day) => (day_number(day), None),
                _ => return None,
            };
            let is_later = found.is_none_or(|(slot, at)| (place.1, place.0) > (at, slot));
            found = if is_later { Some(place) } else { found };
        }
        if self.dates.is_empty() { Some((0, None)) } else { found }
    }

    fn tuple(&self, index: usize) -> Tuple {
        let parts = self.dimensions.iter().map(|column| Part::of(&column.value(index)));
        let currency = self.currency.as_ref().map(|codes| match codes.value(index) {
            Value::Text(code) => Part::Text(code.to_ascii_uppercase().into()),
            _ => Part::Null,
        });
        parts.chain(currency).collect()
    }
}
