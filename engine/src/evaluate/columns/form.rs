//! The forms of values that kernels read and write.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Ints,
    Decimals,
    Truths,
}
