//! The forms of values that kernels read and write.

/// The form of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Ints,
    Decimals,
    Truths,
}
