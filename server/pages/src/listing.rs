//! Paged lists: the position, links to the next pages, and column headings that sort.

use super::visit::Visit;

/// The position of a page in a list.
#[derive(Debug, Clone)]
pub(super) struct Paging {
    /// The rows shown, such as `1–50 of 240`.
    pub(super) shown: String,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    pub(super) is_empty: bool,
}

impl Paging {
    /// Returns the paging of a list from its offset, limit and row count.
    pub(super) fn of(visit: &Visit, (offset, limit, count): (u64, u64, u64)) -> Self {
        let end = offset.saturating_add(limit);
        let link = |offset: u64| {
            let offset = if offset == 0 { String::new() } else { offset.to_string() };
            visit.address_with(&[("offset", &offset), ("done", "")])
        };
        let text = |number: u64| visit.store.locale.number(&number.to_string());
        let first = offset.saturating_add(1).min(count);
        Self {
            shown: format!("{}–{} of {}", text(first), text(end.min(count)), text(count)),
            previous: (offset > 0).then(|| link(offset.saturating_sub(limit))),
            next: (end < count).then(|| link(end)),
            is_empty: count == 0,
        }
    }
}

/// The heading of a column.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) name: &'static str,
    pub(super) is_number: bool,
    /// Whether it is only for screen readers.
    pub(super) is_unseen: bool,
    /// The URL that sorts by it, or reverses the order.
    pub(super) address: Option<String>,
    /// The list's sort direction by this column, as browsers are told.
    pub(super) sorted: Option<&'static str>,
}

/// How a list is sorted by a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sorting {
    /// The field for the API's `order`.
    pub(super) field: &'static str,
    /// Whether the first click sorts in descending order: newest first for times.
    pub(super) is_falling: bool,
    /// The order of a list without one in the URL.
    pub(super) default: &'static str,
}

impl Head {
    /// Returns the heading of a column that cannot be sorted by.
    pub(super) const fn plain(name: &'static str, is_number: bool) -> Self {
        Self { name, is_number, is_unseen: false, address: None, sorted: None }
    }

    /// Adds the link that sorts by the column.
    pub(super) fn sorting(self, visit: &Visit, by: Sorting) -> Self {
        let requested = visit.parameters.text("order");
        let own = if requested.is_empty() { by.default } else { requested };
        let falling = format!("-{}", by.field);
        let sorted = match own {
            own if own == by.field => Some("ascending"),
            own if own == falling => Some("descending"),
            _ => None,
        };
        let falls_next = sorted.map_or(by.is_falling, |sorted| sorted == "ascending");
        let next = if falls_next { &*falling } else { by.field };
        let address = visit.address_with(&[("order", next), ("offset", ""), ("done", "")]);
        Self { address: Some(address), sorted, ..self }
    }
}
