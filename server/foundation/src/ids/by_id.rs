//! Values by id, and rows by the id of their parent.

use std::collections::BTreeMap;
use std::mem;

/// Values by id. The index has the same type whatever the values are, because a `BTreeMap` of each type of values takes
/// long to compile.
#[derive(Debug, Clone)]
pub struct ById<T> {
    index: Index,
    /// Each at the position that the index has for its id.
    values: Vec<T>,
}

#[derive(Debug, Clone, Default)]
struct Index(BTreeMap<String, usize>);

impl Index {
    fn get(&self, id: &str) -> Option<usize> {
        self.0.get(id).copied()
    }

    /// Returns the position of an id: that after all others if the id is new.
    fn get_or_add(&mut self, id: &str) -> usize {
        self.get(id).unwrap_or_else(|| {
            let position = self.0.len();
            self.0.insert(id.to_owned(), position);
            position
        })
    }
}

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self { index: Index::default(), values: Vec::new() }
    }
}

impl<T> ById<T> {
    pub fn get(&self, id: impl AsRef<str>) -> Option<&T> {
        self.values.get(self.index.get(id.as_ref())?)
    }

    pub fn get_mut(&mut self, id: impl AsRef<str>) -> Option<&mut T> {
        self.values.get_mut(self.index.get(id.as_ref())?)
    }

    pub fn insert(&mut self, id: impl AsRef<str>, value: T) {
        let position = self.index.get_or_add(id.as_ref());
        match self.values.get_mut(position) {
            Some(existing) => *existing = value,
            None => self.values.push(value),
        }
    }

    /// Returns the value of an id and leaves the default in its place.
    pub fn take(&mut self, id: impl AsRef<str>) -> T
    where
        T: Default,
    {
        self.get_mut(id).map(mem::take).unwrap_or_default()
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut()
    }
}

impl<T> ById<Vec<T>> {
    /// Groups rows by the ids before them, each group in the order of its rows.
    pub fn grouped<I: AsRef<str>>(rows: impl IntoIterator<Item = (I, T)>) -> Self {
        let mut groups = Self::default();
        for (id, row) in rows {
            groups.push(id, row);
        }
        groups
    }

    /// Groups rows by one of their fields, each group in the order of its rows.
    pub fn grouped_by<I: AsRef<str>>(
        rows: impl IntoIterator<Item = T>,
        id: impl Fn(&T) -> &I,
    ) -> Self {
        let mut groups = Self::default();
        for row in rows {
            let position = groups.index.get_or_add(id(&row).as_ref());
            groups.push_at(position, row);
        }
        groups
    }

    pub fn push(&mut self, id: impl AsRef<str>, row: T) {
        let position = self.index.get_or_add(id.as_ref());
        self.push_at(position, row);
    }

    /// Returns the rows of an id; none if it has no group.
    pub fn group(&self, id: impl AsRef<str>) -> &[T] {
        self.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    fn push_at(&mut self, position: usize, row: T) {
        match self.values.get_mut(position) {
            Some(group) => group.push(row),
            None => self.values.push(vec![row]),
        }
    }
}

impl<I: AsRef<str>, T> FromIterator<(I, T)> for ById<T> {
    fn from_iter<P: IntoIterator<Item = (I, T)>>(pairs: P) -> Self {
        let mut by_id = Self::default();
        for (id, value) in pairs {
            by_id.insert(id, value);
        }
        by_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_an_id_counts() {
        let mut by_id: ById<i64> = [("a", 1), ("b", 2), ("a", 3)].into_iter().collect();
        assert_eq!((by_id.get("a"), by_id.get("b"), by_id.get("c")), (Some(&3), Some(&2), None));
        by_id.insert("b", 4);
        by_id.insert("c", 5);
        for value in by_id.values_mut() {
            *value = value.saturating_mul(10);
        }
        assert_eq!(
            (by_id.get("a"), by_id.get("b"), by_id.get("c")),
            (Some(&30), Some(&40), Some(&50))
        );
    }

    #[test]
    fn a_value_is_taken_once() {
        let mut by_id: ById<i64> = [("a", 1)].into_iter().collect();
        assert_eq!((by_id.take("a"), by_id.take("a"), by_id.take("b")), (1, 0, 0));
    }

    #[test]
    fn groups_keep_the_order_of_their_rows() {
        let mut groups = ById::grouped([("b", 1), ("a", 2), ("b", 3)]);
        groups.push("c", 4);
        groups.push("a", 5);
        assert_eq!(
            (groups.group("a"), groups.group("b"), groups.group("c")),
            (&[2, 5][..], &[1, 3][..], &[4][..])
        );
        assert!(groups.group("d").is_empty());
        assert_eq!((groups.take("b"), groups.group("b")), (vec![1, 3], &[][..]));

        let rows = [("b", 1), ("a", 2), ("b", 3)];
        let groups = ById::grouped_by(rows, |(parent, _)| parent);
        assert_eq!(
            (groups.group("a"), groups.group("b")),
            (&[("a", 2)][..], &[("b", 1), ("b", 3)][..])
        );
    }
}
