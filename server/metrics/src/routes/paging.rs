//! Pages of rows that are read as a whole.

use crate::MetricError;

/// The default number of rows on a page.
pub(crate) const DEFAULT_PAGE_LEN: u32 = 20;
/// Limit: rows on a page.
const MAX_PAGE_LEN: u32 = 200;
/// Limit: rows before a page.
const MAX_PAGE_START: u32 = 10_000_000;

/// Rejects pages beyond the limits.
pub(crate) fn check_page(limit: Option<u32>, offset: u32) -> Result<(), MetricError> {
    if limit.is_some_and(|limit| limit > MAX_PAGE_LEN) || offset > MAX_PAGE_START {
        let sentence =
            format!("Field 'limit' is at most {MAX_PAGE_LEN}, 'offset' {MAX_PAGE_START}");
        return Err(MetricError::Range(sentence));
    }
    Ok(())
}

pub(crate) fn page<T>(rows: &[T], (limit, offset): (u32, u32)) -> &[T] {
    let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let rest = rows.get(count(offset)..).unwrap_or_default();
    rest.get(..count(limit)).unwrap_or(rest)
}
