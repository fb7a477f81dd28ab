//! Instructions on integers: numbers with the scale that the plan expects.
//!
//! Scales are checked when the slots are filled. If a slot has another scale, or if a result does not
//! fit 64 bits or has fewer digits than later instructions expect, the program runs in decimals.

use super::Runner;
use super::cell::Cell;
use super::step::IntegerForm;
use crate::check::Comparison;
use crate::number::Small;
use crate::plan::operators;
use crate::plan::program::Operand;

impl Runner<'_> {
    /// Fills the cell of a slot, and counts the slots without the expected scale.
    #[inline]
    pub(super) fn give(&mut self, index: usize, given: Cell) {
        let Some(cell) = self.cells.get_mut(index) else { return };
        if let Some(scale) = self.plan.program.scale(Operand::new(index)) {
            let was_unexpected = usize::from(!has_digits(*cell, scale));
            let is_unexpected = usize::from(!has_digits(given, scale));
            self.unexpected =
                self.unexpected.saturating_sub(was_unexpected).saturating_add(is_unexpected);
        }
        *cell = given;
    }

    /// A sum, difference or product.
    #[inline]
    pub(super) fn exact(
        &mut self,
        to: Operand,
        (a, b): (Operand, Operand),
        form: IntegerForm,
        operation: impl FnOnce(i64, i64) -> Option<i64>,
    ) -> bool {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b))
            && let Some(result) = operation(x.mantissa(), y.mantissa())
            && let Some(result) = Small::new(result, form.scale())
            && let Some(slot) = self.cells.get_mut(to.index())
        {
            *slot = Cell::Small(result);
            return true;
        }
        false
    }

    #[inline]
    pub(super) fn compare_integers(
        &mut self,
        op: Comparison,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> bool {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b)) {
            let order = x.mantissa().cmp(&y.mantissa());
            self.write(to, Cell::Truth(operators::holds(op, order)));
            return true;
        }
        false
    }

    /// Stores a rounded result, unless it has fewer digits than later instructions expect, as zero and an
    /// exact quotient may have.
    #[inline]
    pub(super) fn rounded(
        &mut self,
        to: Operand,
        (a, b): (Operand, Operand),
        form: IntegerForm,
        operation: impl FnOnce(Small, Small) -> Option<Small>,
    ) -> bool {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b))
            && let Some(result) = operation(*x, *y)
            && (result.scale() == form.scale() || !form.is_counted_on())
        {
            self.write(to, Cell::Small(result));
            return true;
        }
        false
    }
}

fn has_digits(cell: Cell, scale: u32) -> bool {
    matches!(cell, Cell::Small(small) if small.scale() == scale)
}
