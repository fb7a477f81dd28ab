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
        self.compared_periods(call, operand, (window, frame), operators::growth)
    }

    pub(super) fn change(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Series {
        let env = self.context.environment();
        self.compared_periods(call, operand, (window, frame), |current, earlier| {
            operators::arithmetic(Arithmetic::Subtract, current, earlier, &env)
        })
    }

    /// An operator over the operand without and with the window.
    fn compared_periods(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        (window, frame): (Window, FrameId),
        operator: impl Fn(&Value, &Value) -> Value,
    ) -> Series {
        if let Some(value) = self.recorded_call(call, frame) {
            return self.frames.constant(frame, &value);
        }
        let current = self.series(operand, frame);
        // A record may give the earlier value under the text of the window.
        let earlier = match self.recorded_window(operand, window, frame) {
            Some(value) => self.frames.constant(frame, &value),
            None if self.lacks_other_periods(call, operand, window, frame) => {
                return self.frames.missing(frame, Reason::MissingInput);
            }
            None => self.in_window(operand, window, frame),
        };
        let pairs = current.iter().zip(earlier.iter());
        Rc::new(pairs.map(|(current, earlier)| operator(current, earlier)).collect())
    }
}
