//! Nearest names for misspelt ones.

/// Returns the candidate closest to `wrong`, if any is close enough.
///
/// Letters swapped, dropped, added or changed count one each; a name may differ in a third of its
/// length. Case is ignored. Among equals the first wins, so pass candidates in a fixed order.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let allowed = wrong.chars().count().div_ceil(3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wrong, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
