//! Scaling of long tests.

/// Returns the size of a long test, such as its number of rounds: `short` by default, `full` if `QUOTIENT_FULL_TESTS` is set,
/// as for the long tests of `.ci/run`.
pub fn rounds<T>(short: T, full: T) -> T {
    if std::env::var_os("QUOTIENT_FULL_TESTS").is_some() { full } else { short }
}
