//! How a database answers: by a statement of its own for the aggregates that it computes as the engine does, otherwise by
//! streaming their rows.

use super::database::{Database, Execution, OUT_OF_RANGE};
use super::select::AtomRef;
use super::term::{CompileFailure, Compiled, SEVERAL_CURRENCIES};
use super::{finding, ranked, select, stream};
use crate::check::{AggregateFunction, Atom};
use crate::data::{Rates, Versions};
use crate::evaluate::{
    AggregateRequest, Context, DataSource, Evaluation, Evaluator, Extent, FrameId, GroupKey,
    GroupValue, NodeRef, Owner, SourceAnswer, Sources,
};
use crate::schema::{Path, SourceId};
use crate::types::{CurrencyOf, Type, Value};

impl DataSource for Database<'_> {
    fn cells(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>> {
        if request.is_by_row() {
            return Ok(None);
        }
        if request.cell_count() == 0 {
            return Ok(Some(Vec::new()));
        }
        let before = self.ran.borrow().len();
        let found = self.compute(request);
        let ran = self.ran.borrow();
        request
            .note(ran.get(before..).unwrap_or_default().iter().map(ToString::to_string).collect());
        found
    }

    fn groups(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> SourceAnswer<Vec<Vec<GroupValue>>> {
        if keys.iter().any(|key| matches!(key, GroupKey::RowOf(_))) {
            return Ok(None);
        }
        let (site, frame) = (site_of(request), request.frame);
        let AtomRef { owner, atom, .. } = site;
        let evaluation = &mut *request.evaluation;
        let found = select::groups(self, evaluation, (owner, atom), (frame, keys));
        let Err(CompileFailure::Stream(reason)) = found else { return halted(found) };
        self.streaming(evaluation, site, reason);
        halted(stream::groups(self, evaluation, (owner, atom), (frame, keys)))
    }

    fn extent(&self, context: &Context<'_>, source: SourceId, date: &Path) -> SourceAnswer<Extent> {
        let mut evaluation = Evaluator::new(*context, Sources::default());
        halted(select::extent(self, &mut evaluation, source, date))
    }

    fn rates(&self) -> Option<&Rates> {
        Some(&self.rates)
    }

    fn versions(&self) -> Option<&Versions> {
        self.versions.as_ref()
    }
}

impl Database<'_> {
    /// Computes the answers of atoms that share a statement.
    fn pushed(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        sites: &[AtomRef<'_>],
        frame: FrameId,
    ) -> Compiled<Vec<Vec<Value>>> {
        let found = select::cells(self, evaluation, sites, frame, false);
        let in_halves = self.dialect.words().sums_in_halves();
        if found == Err(CompileFailure::Stream(OUT_OF_RANGE)) && in_halves {
            return select::cells(self, evaluation, sites, frame, true);
        }
        found
    }

    fn answer(&self, request: &mut AggregateRequest<'_, '_>) -> Compiled<Vec<Value>> {
        let (site, frame) = (site_of(request), request.frame);
        let evaluation = &mut *request.evaluation;
        converted(evaluation, (site.owner, site.atom), frame)?;
        if is_ranked(site.atom.function) {
            return ranked::cells(self, evaluation, site, frame);
        }
        let beside = self.beside(evaluation, site, frame);
        let sites: Vec<AtomRef<'_>> = std::iter::once(site).chain(beside).collect();
        let mut found = match self.pushed(evaluation, &sites, frame) {
            Err(CompileFailure::Stream(_)) if sites.len() > 1 => {
                self.pushed(evaluation, &[site], frame)?
            }
            found => found?,
        };
        let others = found.split_off(found.len().min(1));
        for (site, cells) in sites.iter().skip(1).zip(others) {
            let node = NodeRef { owner: site.owner, id: site.id };
            evaluation.keep_cells(node, frame, cells);
        }
        Ok(found.pop().unwrap_or_default())
    }

    /// Computes the cells of an atom by statements, or over streamed rows.
    fn compute(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>> {
        let found = self.answer(request);
        let Err(CompileFailure::Stream(reason)) = found else { return halted(found) };
        let (site, frame) = (site_of(request), request.frame);
        let evaluation = &mut *request.evaluation;
        self.streaming(evaluation, site, reason);
        halted(stream::cells(self, evaluation, site, frame))
    }

    /// Records that rows are streamed.
    fn streaming(&self, evaluation: &dyn Evaluation<'_>, site: AtomRef<'_>, reason: &'static str) {
        let source = evaluation.context().schema.source_at(site.atom.source);
        let source = source.map_or_else(String::new, |source| source.name.clone());
        let node = evaluation.node(site.owner, site.id);
        let own = node.filter(|_| matches!(site.owner, Owner::Formula(_)));
        let at = own.map(|node| node.span);
        self.note(Execution::Streamed { source, at, reason });
    }

    /// Returns the other atoms required in this frame that can share the statement.
    fn beside<'a>(
        &self,
        evaluation: &mut dyn Evaluation<'a>,
        site: AtomRef<'_>,
        frame: FrameId,
    ) -> Vec<AtomRef<'a>> {
        let mut found = Vec::new();
        let node = NodeRef { owner: site.owner, id: site.id };
        for (NodeRef { owner, id }, atom) in evaluation.required_beside(node, frame) {
            let other = AtomRef { owner, id, atom };
            let alike = atom.source == site.atom.source
                && atom.date == site.atom.date
                && !is_ranked(atom.function);
            let fits = alike
                && converted(evaluation, (other.owner, other.atom), frame).is_ok()
                && select::compiles(self, evaluation, other, frame);
            if fits {
                found.push(other);
            }
        }
        found
    }
}

/// Returns the aggregate that a request asks for.
const fn site_of<'e>(request: &AggregateRequest<'e, '_>) -> AtomRef<'e> {
    AtomRef { owner: request.owner, id: request.id, atom: request.atom }
}

const fn is_ranked(function: AggregateFunction) -> bool {
    matches!(
        function,
        AggregateFunction::Percentile
            | AggregateFunction::First
            | AggregateFunction::Last
            | AggregateFunction::Mode
    )
}

/// Refuses pushdown of amounts converted row by row; they are computed in memory.
pub(super) fn converted(
    evaluation: &dyn Evaluation<'_>,
    (owner, atom): (Owner, &Atom),
    frame: FrameId,
) -> Compiled<()> {
    let counts =
        matches!(atom.function, AggregateFunction::Count | AggregateFunction::CountDistinct);
    let value = atom.value.filter(|_| !counts);
    let ty = value.and_then(|value| evaluation.node(owner, value)).map(|node| &node.ty);
    let Some(Type::Quantity(unit)) = ty else { return Ok(()) };
    let target = evaluation.frame(frame).and_then(|place| place.currency);
    match (unit.money, unit.currency, target) {
        (1, CurrencyOf::Mixed, _) => Err(SEVERAL_CURRENCIES),
        (1, CurrencyOf::Fixed(own), Some(target)) if own != target => {
            Err(CompileFailure::Stream("amounts converted row by row"))
        }
        _ => Ok(()),
    }
}

/// Returns the answer; a compile failure becomes a finding.
fn halted<T>(result: Compiled<T>) -> SourceAnswer<T> {
    result.map(Some).map_err(|halt| match halt {
        CompileFailure::Fail(finding) => *finding,
        CompileFailure::Stream(reason) => {
            finding(&format!("{reason} cannot be brought from the database"))
        }
    })
}
