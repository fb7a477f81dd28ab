//! Scaling of long tests.

/// Returns the number of rounds of a long test: `short` by default, `full` if `QUOTIENT_FULL_TESTS` is set, as in
/// `.ci/run`.
pub fn rounds(short: usize, full: usize) -> usize {
    if std::env::var_os("QUOTIENT_FULL_TESTS").is_some() { full } else { short }
}
