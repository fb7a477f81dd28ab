//! The same expression in another period, and the difference between two periods.

use std::rc::Rc;

use super::evaluator::Evaluator;
use crate::check::{Arithmetic, Window};
use crate::evaluate::frames::{FrameId, Series};
use crate::plan::{NodeRef, operators};
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    pub(super) fn window(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Series {
        if let Some(value) = self.recorded_call(call, frame) {
            return self.frames.constant(frame, &value);
        }
        if self.lacks_other_periods(call, operand, window, frame) {
            return self.frames.missing(frame, Reason::MissingInput);
        }
        self.in_window(operand, window, frame)
    }

    /// The operand in the frame of a window.
    fn in_window(&mut self, operand: NodeRef, window: Window, frame: FrameId) -> Series {
        match self.frames.window(window, frame) {
            Some(moved) => self.series(operand, moved),
            None => self.frames.missing(frame, Reason::NoCoverage),
        }
    }

    pub(super) fn growth(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Series {
        match self.both_periods(call, operand, window, frame) {
            Some(periods) => periods.compare(operators::growth),
            None => self.recorded_or_missing(call, frame),
        }
    }

    pub(super) fn change(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Series {
        let Some(periods) = self.both_periods(call, operand, window, frame) else {
            return self.recorded_or_missing(call, frame);
        };
        let env = self.context.environment();
        periods.compare(|current, earlier| {
            operators::arithmetic(Arithmetic::Subtract, current, earlier, &env)
        })
    }

    /// The operand with and without the window; `None` where a record gives or lacks the answer
    /// itself.
    fn both_periods(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Option<BothPeriods> {
        if self.recorded_call(call, frame).is_some() {
            return None;
        }
        let current = self.series(operand, frame);
        // A record may give the earlier value under the text of the window.
        if let Some(value) = self.recorded_window(operand, window, frame) {
            let earlier = self.frames.constant(frame, &value);
            return Some(BothPeriods { current, earlier });
        }
        if self.lacks_other_periods(call, operand, window, frame) {
            return None;
        }
        let earlier = self.in_window(operand, window, frame);
        Some(BothPeriods { current, earlier })
    }

    fn recorded_or_missing(&mut self, call: NodeRef, frame: FrameId) -> Series {
        let value = self.recorded_call(call, frame);
        self.frames.constant(frame, &value.unwrap_or(Value::missing(Reason::MissingInput)))
    }
}

struct BothPeriods {
    current: Series,
    earlier: Series,
}

impl BothPeriods {
    fn compare(&self, operator: impl Fn(&Value, &Value) -> Value) -> Series {
        let pairs = self.current.iter().zip(self.earlier.iter());
        Rc::new(pairs.map(|(current, earlier)| operator(current, earlier)).collect())
    }
}
