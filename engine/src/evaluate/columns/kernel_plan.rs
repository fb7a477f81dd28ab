//! The kernels chosen for a program, and which of them are needed.

use super::chunk::Chunk;
use super::step::{OperandRef, Step};

/// The form of a value, and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KernelValue {
    pub(super) at: OperandRef,
    pub(super) kind: ValueForm,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ValueForm {
    /// Integers of one scale; `own` if scalar evaluation gives each value exactly that scale too.
    Ints {
        scale: u32,
        own: bool,
    },
    Decimals,
    Truths,
    /// Null in every row, with this code.
    Null(u8),
}

#[derive(Debug, Default)]
pub(super) struct KernelPlan {
    pub(super) constants: Vec<Chunk>,
    pub(super) steps: Vec<Step>,
    /// For each step, whether a result needs it.
    pub(super) needed: Vec<bool>,
    /// One for each result; `None` if it has no kernel.
    pub(super) results: Vec<Option<KernelValue>>,
}

/// Marks the steps that a result needs. Each step reads only chunks of earlier steps.
pub(super) fn needed(kernels: &KernelPlan) -> Vec<bool> {
    let mut needed = vec![false; kernels.steps.len()];
    let need = |needed: &mut Vec<bool>, at: OperandRef| {
        if let OperandRef::Register(index) = at
            && let Some(needed) = needed.get_mut(index)
        {
            *needed = true;
        }
    };
    for form in kernels.results.iter().flatten() {
        need(&mut needed, form.at);
    }
    for (index, step) in kernels.steps.iter().enumerate().rev() {
        if needed.get(index) == Some(&true) {
            step.reads().into_iter().for_each(|at| need(&mut needed, at));
        }
    }
    needed
}
