//! How long tests may take.

/// How many rounds a long test goes: `short` in a run by hand, `full` where `QUOTIENT_FULL_TESTS` is set, as in `.ci/run`.
pub fn rounds(short: usize, full: usize) -> usize {
    if std::env::var_os("QUOTIENT_FULL_TESTS").is_some() { full } else { short }
}
