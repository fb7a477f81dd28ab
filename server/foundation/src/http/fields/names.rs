//! Lists of names that are concatenated at compile time.

/// Returns the number of names in lists.
pub const fn count_names(mut lists: &[&[&str]]) -> usize {
    let mut count = 0_usize;
    while let [list, rest @ ..] = lists {
        count = count.saturating_add(list.len());
        lists = rest;
    }
    count
}

/// Concatenates lists of `N` names in total.
pub const fn join_names<const N: usize>(mut lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut places: &mut [&'static str] = &mut names;
    while let [list, rest @ ..] = lists {
        let (own, after) = places.split_at_mut(list.len());
        own.copy_from_slice(list);
        places = after;
        lists = rest;
    }
    names
}
