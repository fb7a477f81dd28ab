//! Did you mean, for texts of any length.

use crate::diagnostics::nearest;

/// Limit: a longer word is no slip of the pen, and comparing it takes long.
const LONGEST_BYTES: usize = 64;

/// The known name that a misspelt one is nearest to, if it is near enough.
pub(super) fn slip<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let short = |text: &str| (1..=LONGEST_BYTES).contains(&text.len());
    short(wrong).then(|| nearest(wrong, known.into_iter().filter(|name| short(name)))).flatten()
}
