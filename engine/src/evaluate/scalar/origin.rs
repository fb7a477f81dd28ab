//! Finds the origin of a null by following it back through the program.

use super::Runner;
use crate::number;
use crate::plan::origins::{Part, PartId, Trace};
use crate::plan::program::OperandSource;
use crate::types::Origin;

impl Runner<'_> {
    /// The origin of a formula's null.
    pub(super) fn origin(&self, formula: usize) -> Option<Origin> {
        let mut at = self.plan.origins.results.get(formula).copied()?;
        loop {
            let part = self.part(at)?;
            let Some(next) = self.came_from(part) else {
                let here = Origin { metric: part.metric, span: part.span };
                return Some(self.own_origin(part).unwrap_or(here));
            };
            // A plan that was read back may be malformed; parts must refer to earlier parts only.
            if next >= at {
                return None;
            }
            at = next;
        }
    }

    fn part(&self, id: PartId) -> Option<&Part> {
        self.plan.origins.parts.get(id)
    }

    /// The origin of the null in a slot, if its provider recorded one.
    fn own_origin(&self, part: &Part) -> Option<Origin> {
        let operand = part.value?;
        match self.plan.program.referred(operand)? {
            OperandSource::Slot(..) => self.kept.get(operand.index())?.as_missing()?.origin,
            OperandSource::Constant(_) | OperandSource::Register(_) => None,
        }
    }

    /// The part from which this part's null came; `None` if it arose here.
    fn came_from(&self, part: &Part) -> Option<PartId> {
        match &part.trace {
            Trace::Here(_) => None,
            Trace::From(inner) => Some(*inner),
            Trace::Operands(operands) => {
                operands.iter().copied().find(|operand| self.is_missing(*operand))
            }
            Trace::Quotient(top, bottom) => {
                [*top, *bottom].into_iter().find(|operand| self.is_missing(*operand))
            }
            Trace::Otherwise(_, otherwise) => Some(*otherwise),
            Trace::Choice(branches, otherwise) => self.chosen(branches, *otherwise),
        }
    }

    /// The value that a choice selected.
    fn chosen(&self, branches: &[(PartId, PartId)], otherwise: Option<PartId>) -> Option<PartId> {
        let holds = |when: PartId| {
            let operand = self.part(when).and_then(|part| part.value);
            operand.is_some_and(|operand| self.cell(operand).is_true())
        };
        let taken = branches.iter().find(|(when, _)| holds(*when));
        taken.map(|(_, then)| *then).or(otherwise)
    }

    /// Whether a part is null, even if the program has no register for it: a quotient may be rounded
    /// immediately.
    fn is_missing(&self, id: PartId) -> bool {
        let mut at = id;
        loop {
            let Some(part) = self.part(at) else { return false };
            if let Some(operand) = part.value {
                return self.cell(operand).is_missing();
            }
            let next = match &part.trace {
                Trace::From(inner) | Trace::Otherwise(_, inner) => *inner,
                Trace::Choice(branches, otherwise) => {
                    let Some(taken) = self.chosen(branches, *otherwise) else { return false };
                    taken
                }
                Trace::Quotient(top, bottom) => return !self.divides(*top, *bottom),
                Trace::Here(_) | Trace::Operands(_) => return false,
            };
            if next >= at {
                return false;
            }
            at = next;
        }
    }

    /// Whether a division without a register has a numeric result.
    fn divides(&self, top: PartId, bottom: PartId) -> bool {
        let number = |part: PartId| self.cell(self.part(part)?.value?).number();
        let sides = number(top).zip(number(bottom));
        sides.is_some_and(|(top, bottom)| number::divide(top, bottom).is_ok())
    }
}
