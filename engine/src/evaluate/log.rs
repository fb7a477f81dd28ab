//! The log of an evaluation: findings, input names, and work done.

use std::collections::BTreeSet;

use crate::calendar::TimeUnit;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::Limits;

/// The finding that more values would be held than are allowed.
pub(crate) fn too_much_memory(message: String, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E707, span, message)
        .help("ask for a shorter range, fewer groups or coarser buckets")
}

/// The findings and counters of one evaluation. A finding rejects the whole request.
#[derive(Debug)]
pub(crate) struct EvaluationLog<'a> {
    limits: &'a Limits,
    steps: u64,
    pub(crate) findings: Vec<Diagnostic>,
    /// Names missing from the record.
    pub(crate) missing_inputs: BTreeSet<String>,
    /// Names read from the record.
    pub(crate) used_inputs: BTreeSet<String>,
}

impl<'a> EvaluationLog<'a> {
    pub(crate) const fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            steps: 0,
            findings: Vec::new(),
            missing_inputs: BTreeSet::new(),
            used_inputs: BTreeSet::new(),
        }
    }

    /// Adds a finding, ignoring duplicates.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Counts work. Past the limit it reports a finding and computation stops.
    pub(crate) fn step(&mut self, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let before = self.steps;
        self.steps = self.steps.saturating_add(count).saturating_add(1);
        let limit = self.limits.max_steps;
        if before <= limit && self.steps > limit {
            self.too_much_work(format!("the computation takes more than {limit} steps"));
        }
    }

    /// Reports that there are too many frames, and computation stops.
    pub(crate) fn too_many_frames(&mut self) {
        if !self.is_exhausted() {
            self.steps = u64::MAX;
            let limit = self.limits.max_periods;
            self.too_much_work(format!("the computation holds more than {limit} periods"));
        }
    }

    fn too_much_work(&mut self, message: String) {
        self.findings.push(
            Diagnostic::new(Code::E706, Span::default(), message)
                .help("ask for a shorter range, fewer groups or coarser buckets"),
        );
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps > self.limits.max_steps
    }

    /// Whether a frame with this many cells may be computed; reports a finding if not.
    pub(crate) fn admits(&mut self, cells: usize, span: Span) -> bool {
        let limit = self.limits.max_cells;
        if cells <= limit {
            return true;
        }
        if !self.findings.iter().any(|finding| finding.code == Code::E707) {
            let message = format!("{cells} values at once, {limit} are allowed");
            self.findings.push(too_much_memory(message, span));
        }
        false
    }

    /// Reports a period with more buckets than the limit.
    pub(crate) fn too_many_buckets(&mut self, unit: TimeUnit, span: Span) {
        let limit = self.limits.max_buckets;
        let message = format!("the period has more than {limit} {}s", unit.name());
        self.report(
            Diagnostic::new(Code::E707, span, message)
                .help("ask for a shorter period or a longer unit"),
        );
    }
}
