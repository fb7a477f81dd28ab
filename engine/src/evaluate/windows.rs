//! The same expression in another period, for each of several keys, or without its groups.

use std::rc::Rc;

use super::evaluator::{Cells, Evaluator};
use super::frame::{End, Filter, Frame, Owner};
use crate::calendar::{Calendar, Period};
use crate::check::{Arithmetic, NodeId, Window};
use crate::schema::SourceId;
use crate::types::{Currency, Reason, Value};

impl Evaluator<'_> {
    /// The period of a bucket under a window; none where it leaves the range of instants.
    fn moved(
        &self,
        window: Window,
        period: Period,
        request_start: jiff::Timestamp,
    ) -> Option<Period> {
        let calendar = self.context.calendar;
        match window {
            Window::Previous { periods, clip } => calendar.previous(period, periods, clip),
            Window::Shift(span) => calendar.shift(period, span),
            Window::Trailing { span, with_current } => {
                calendar.trailing(period, span, with_current)
            }
            Window::ToDate(unit) => calendar.to_date(period, unit),
            Window::During(literal) => {
                calendar.resolve(literal).map(|period| period.seen_at(self.context.now))
            }
            Window::Lifetime => Some(Calendar::lifetime(period)),
            Window::Running => Some(Calendar::running(request_start, period)),
            Window::Opening | Window::Closing => Some(period),
        }
    }

    /// The frame under a window.
    pub(crate) fn window_frame(&mut self, window: Window, frame: usize) -> Option<usize> {
        let outer = self.frame(frame)?.clone();
        let buckets: Option<Vec<Period>> = outer
            .buckets
            .iter()
            .map(|bucket| self.moved(window, *bucket, outer.request_start))
            .collect();
        let state = match window {
            Window::Opening => Some(End::Start),
            Window::Closing => Some(End::AsOf),
            Window::Previous { .. }
            | Window::Shift(_)
            | Window::Trailing { .. }
            | Window::ToDate(_)
            | Window::During(_)
            | Window::Lifetime
            | Window::Running => outer.state,
        };
        let shifted = outer.shifted || !matches!(window, Window::Opening | Window::Closing);
        Some(self.intern(Frame { buckets: buckets?, state, shifted, ..outer }))
    }

    pub(super) fn window(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        if let Some(value) = self.recorded_call(owner, id, frame) {
            return self.same(frame, &value);
        }
        if self.lacks_other_periods(owner, (id, inner), window, frame) {
            return self.same(frame, &Value::missing(Reason::MissingInput));
        }
        match self.window_frame(window, frame) {
            Some(moved) => self.cells(owner, inner, moved),
            None => self.same(frame, &Value::missing(Reason::NoCoverage)),
        }
    }

    pub(super) fn growth(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        let Some((current, earlier)) = self.both_periods(owner, (id, inner), window, frame) else {
            return self.recorded_or_missing(owner, id, frame);
        };
        let grown = current
            .iter()
            .zip(earlier.iter())
            .map(|(current, earlier)| super::operators::growth(current, earlier));
        Rc::new(grown.collect())
    }

    pub(super) fn change(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        let Some((current, earlier)) = self.both_periods(owner, (id, inner), window, frame) else {
            return self.recorded_or_missing(owner, id, frame);
        };
        let env = self.environment();
        let changed = current.iter().zip(earlier.iter()).map(|(current, earlier)| {
            super::operators::arithmetic(Arithmetic::Subtract, current, earlier, &env)
        });
        Rc::new(changed.collect())
    }

    /// The values now and under the window; `None` where a record gives or lacks the answer itself.
    fn both_periods(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Option<(Cells, Cells)> {
        if self.recorded_call(owner, id, frame).is_some() {
            return None;
        }
        let current = self.cells(owner, inner, frame);
        // A record may give the earlier value under the window's own spelling.
        if let Some(value) = self.recorded_window(owner, inner, window, frame) {
            let earlier = self.same(frame, &value);
            return Some((current, earlier));
        }
        if self.lacks_other_periods(owner, (id, inner), window, frame) {
            return None;
        }
        let earlier = match self.window_frame(window, frame) {
            Some(moved) => self.cells(owner, inner, moved),
            None => self.same(frame, &Value::missing(Reason::NoCoverage)),
        };
        Some((current, earlier))
    }

    fn recorded_or_missing(&mut self, owner: Owner, id: NodeId, frame: usize) -> Cells {
        let value = self.recorded_call(owner, id, frame);
        self.same(frame, &value.unwrap_or(Value::missing(Reason::MissingInput)))
    }

    /// `(x where c)`
    pub(super) fn scoped(
        &mut self,
        owner: Owner,
        value: NodeId,
        conditions: &[(SourceId, NodeId)],
        frame: usize,
    ) -> Cells {
        let inner = self.scoped_frame(owner, conditions, frame);
        self.cells(owner, value, inner)
    }

    /// The frame under a filter.
    pub(crate) fn scoped_frame(
        &mut self,
        owner: Owner,
        conditions: &[(SourceId, NodeId)],
        frame: usize,
    ) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        let mut filters = outer.filters.clone();
        filters.push(Filter { owner, conditions: conditions.to_vec() });
        self.intern(Frame { filters, ..outer })
    }

    /// The frame under a conversion. Where every amount is converted already, an inner conversion
    /// adds nothing: its result would be an amount in another currency among the others.
    pub(crate) fn converted_frame(&mut self, to: Currency, frame: usize) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        if outer.currency.is_some() {
            return frame;
        }
        self.intern(Frame { currency: Some(to), ..outer })
    }
}
