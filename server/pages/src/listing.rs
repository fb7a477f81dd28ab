//! Pages of lists: where one is, the links to the next, and the heads of columns that sort them.

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

/// The head of a column.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) name: &'static str,
    pub(super) is_number: bool,
    /// Whether only screen readers say it.
    pub(super) is_unseen: bool,
    /// The address that sorts by it, or turns the order round.
    pub(super) address: Option<String>,
    /// How the list is sorted by it, as browsers are told.
    pub(super) sorted: Option<&'static str>,
}

/// How a list is sorted by a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sorting {
    /// The field of the API's `order`.
    pub(super) field: &'static str,
    /// Whether the greatest comes first at first: of moments the newest.
    pub(super) is_falling: bool,
    /// The order of a list whose address names none.
    pub(super) default: &'static str,
}

impl Head {
    /// Returns the head of a column that the list is not sorted by.
    pub(super) const fn plain(name: &'static str, is_number: bool) -> Self {
        Self { name, is_number, is_unseen: false, address: None, sorted: None }
    }

    /// Adds the link that sorts by the column.
    pub(super) fn sorting(self, visit: &Visit, by: Sorting) -> Self {
        let asked = visit.parameters.text("order");
        let own = if asked.is_empty() { by.default } else { asked };
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
