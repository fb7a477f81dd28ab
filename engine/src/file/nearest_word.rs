//! Nearest names for misspelt words of any length.

use crate::diagnostics::nearest;

/// Limit: a longer word is hardly a typing error, and comparing it takes long.
const LONGEST_BYTES: usize = 64;

/// Returns the known name nearest to a misspelt one, if near enough.
pub(super) fn nearest_word<'k>(
    wrong: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let short = |text: &str| (1..=LONGEST_BYTES).contains(&text.len());
    short(wrong).then(|| nearest(wrong, known.into_iter().filter(|name| short(name)))).flatten()
}
