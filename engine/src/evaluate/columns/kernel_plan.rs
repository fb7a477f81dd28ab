//! The kernels that were found for a program, and which of them are needed.

use super::chunk::Chunk;
use super::step::{At, Step};

/// What stands somewhere, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KernelValue {
    pub(super) at: At,
    pub(super) kind: ValueForm,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ValueForm {
    /// Integers of one scale; `own` where each value has just that scale in scalar evaluation too.
    Ints {
        scale: u32,
        own: bool,
    },
    Decimals,
    Truths,
    /// Null everywhere, with this code.
    Null(u8),
}

/// The kernels of a program.
#[derive(Debug, Default)]
pub(super) struct KernelPlan {
    pub(super) constants: Vec<Chunk>,
    pub(super) steps: Vec<Step>,
    /// Whether a result needs the step, for each.
    pub(super) needed: Vec<bool>,
    /// A result each; none where it has no kernel.
    pub(super) results: Vec<Option<KernelValue>>,
}

/// Which steps lead to a result: each reads only chunks of steps before it.
pub(super) fn needed(kernels: &KernelPlan) -> Vec<bool> {
    let mut needed = vec![false; kernels.steps.len()];
    let need = |needed: &mut Vec<bool>, at: At| {
        if let At::Register(index) = at
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
