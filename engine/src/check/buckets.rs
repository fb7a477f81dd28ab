//! Functions over the buckets of a request, and the positions without buckets to compare.

use super::aggregates::unliteral;
use super::checker::{Callee, Checker, Outcome, Scope, Whole};
use super::typed::{Arithmetic, BucketWindow, Kind, Level, NodeId, TypedNode, Window, descend};
use crate::diagnostics::{Code, Diagnostic};
use crate::functions::BucketForm;
use crate::source::Span;
use crate::syntax::ExprId;
use crate::types::{Type, Unit};

impl Checker<'_> {
    pub(super) fn over_buckets(
        &mut self,
        callee: Callee<'_>,
        form: BucketForm,
        whole: Whole,
    ) -> Outcome {
        let bound = self.bind(callee)?;
        let inner = self.check((*bound.first()?)?, Scope::Whole(whole))?;
        let count = bound.get(1).copied().flatten();
        match form {
            BucketForm::Previous => {
                let count = self.bucket_count(callee, count)?;
                let ty = self.ty(inner).clone();
                Some(self.of_buckets(callee.span, ty, BucketWindow::Previous(count), inner))
            }
            BucketForm::MovingAverage => {
                self.require_number(callee, inner)?;
                let count = self.bucket_count(callee, count)?;
                let ty = unliteral(self.ty(inner).clone());
                Some(self.of_buckets(callee.span, ty, BucketWindow::Average(count), inner))
            }
            BucketForm::RunningShare => {
                self.require_number(callee, inner)?;
                self.refuse_buckets_under(callee.spec.name, inner)?;
                Some(self.running_share(callee.span, inner))
            }
        }
    }

    pub(super) fn of_buckets(
        &mut self,
        span: Span,
        ty: Type,
        window: BucketWindow,
        inner: NodeId,
    ) -> NodeId {
        self.is_over_buckets = true;
        self.add(span, ty, Level::Aggregate, Kind::OverBuckets(window, inner))
    }

    fn bucket_count(&mut self, callee: Callee<'_>, count: Option<ExprId>) -> Option<usize> {
        let Some(count) = count else { return Some(1) };
        let count = self.whole_number(callee, count)?;
        Some(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// `running(x) / overall(x)`
    fn running_share(&mut self, span: Span, inner: NodeId) -> NodeId {
        self.knows_request_end = true;
        let (place, ty) = (self.span(inner), self.ty(inner).clone());
        let mut windowed =
            |window| self.add(place, ty.clone(), Level::Aggregate, Kind::Window(window, inner));
        let (so_far, whole) = (windowed(Window::Running), windowed(Window::Overall));
        let quotient = Kind::Arithmetic(Arithmetic::Divide, so_far, whole);
        self.add(span, Type::Quantity(Unit::PERCENT), Level::Aggregate, quotient)
    }

    /// Rejects a comparison of buckets under a window whose periods are not the earlier buckets.
    pub(super) fn refuse_buckets_under(&mut self, window: &str, inner: NodeId) -> Option<()> {
        let message = format!("the periods under `{window}` are not a series of buckets");
        let help = format!("use `{window}` inside the function that compares the buckets");
        self.refuse_buckets(inner, &message, &help)
    }

    /// Rejects comparisons of buckets below a node.
    pub(super) fn refuse_buckets(
        &mut self,
        below: NodeId,
        message: &str,
        help: &str,
    ) -> Option<()> {
        let Some(place) = self.bucket_window_below(below) else { return Some(()) };
        self.refuse(Diagnostic::new(Code::E405, place, message).help(help))
    }

    /// Returns the position of the first comparison of buckets below a node, if there is one.
    fn bucket_window_below(&self, below: NodeId) -> Option<Span> {
        if !self.is_over_buckets {
            return None;
        }
        let compares_buckets = |node: &&TypedNode| match &node.kind {
            Kind::OverBuckets(..) => true,
            Kind::Metric(metric) => {
                let checked = self.metrics().checked(*metric);
                checked.is_some_and(|checked| checked.typed.is_over_buckets)
            }
            _ => false,
        };
        descend(&self.nodes, below).find(compares_buckets).map(|node| node.span)
    }
}
