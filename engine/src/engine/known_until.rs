//! Up to when the data of a formula is known.

use jiff::Timestamp;

use super::evaluation::Run;
use super::formula::Formula;
use crate::evaluate::{Context, FrameId};

impl Run<'_, '_> {
    /// Returns the frame for a formula. It ends at the earliest end of coverage among the sources that
    /// the formula reads, so that all of its parts cover the same time.
    pub(crate) fn known_frame(&mut self, formula: &Formula, frame: FrameId) -> FrameId {
        let until = known_until(&self.evaluator.context, formula);
        self.evaluator.frames.known_until(until, frame)
    }

    /// Returns the frame for several formulas that are computed as one: up to when all are known.
    pub(crate) fn common_frame(&mut self, formulas: &[&Formula], frame: FrameId) -> FrameId {
        let context = &self.evaluator.context;
        let until = formulas.iter().map(|formula| known_until(context, formula)).min();
        self.evaluator.frames.known_until(until.unwrap_or(Timestamp::MAX), frame)
    }
}

/// Returns the earliest end of coverage among the sources of a formula; the end of time if no source
/// has a coverage.
fn known_until(context: &Context<'_>, formula: &Formula) -> Timestamp {
    if !context.schema.sources.iter().any(|source| source.coverage.is_some()) {
        return Timestamp::MAX;
    }
    let end = |source| {
        let coverage = context.schema.source_at(source)?.coverage?;
        if !context.is_store(source) {
            return None;
        }
        context.calendar.start_of_day(coverage.last.tomorrow().ok()?)
    };
    // The rows of a derived source come from those of another.
    let derived = |source| Some(context.schema.source_at(source)?.derived_from.as_ref()?.0);
    let sources = formula.checked.sources.iter().copied();
    let ends = sources.flat_map(|source| [Some(source), derived(source)]).flatten().filter_map(end);
    ends.min().unwrap_or(Timestamp::MAX)
}
