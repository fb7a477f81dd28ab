//! Pages of lists: where one is, and the links to the next.

use super::figures::grouped;
use super::visit::Visit;

/// Where a page lies in a list.
#[derive(Debug, Clone)]
pub(super) struct Paging {
    /// The rows that are shown, such as `1–50 of 240`.
    pub(super) shown: String,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    pub(super) is_empty: bool,
}

impl Paging {
    /// Returns the paging of a list by its offset, its limit and the count of its rows.
    pub(super) fn of(visit: &Visit, (offset, limit, count): (u64, u64, u64)) -> Self {
        let end = offset.saturating_add(limit);
        let link = |offset: u64| {
            let offset = if offset == 0 { String::new() } else { offset.to_string() };
            visit.address_with(&[("offset", &offset), ("done", "")])
        };
        let text = |number: u64| grouped(&number.to_string());
        let first = offset.saturating_add(1).min(count);
        Self {
            shown: format!("{}–{} of {}", text(first), text(end.min(count)), text(count)),
            previous: (offset > 0).then(|| link(offset.saturating_sub(limit))),
            next: (end < count).then(|| link(end)),
            is_empty: count == 0,
        }
    }
}
