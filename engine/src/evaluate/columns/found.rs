//! The kernels that were found for a program, and which of them are needed.

use super::lane::Lane;
use super::step::{At, Step};

/// What stands somewhere, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    pub(super) at: At,
    pub(super) kind: FormKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FormKind {
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
pub(super) struct Kernels {
    pub(super) constants: Vec<Lane>,
    pub(super) steps: Vec<Step>,
    /// Whether a result needs the step, for each.
    pub(super) needed: Vec<bool>,
    /// A result each; none where it has no kernel.
    pub(super) results: Vec<Option<Form>>,
}

/// Which steps lead to a result: each reads only lanes of steps before it.
pub(super) fn needed(kernels: &Kernels) -> Vec<bool> {
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
