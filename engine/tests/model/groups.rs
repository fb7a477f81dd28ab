//! The groups of a formula: those of the rows in its periods. The condition of an aggregate narrows its value, not
//! its groups.

use std::collections::BTreeSet;

use super::rows::Row;
use super::scope::{Group, Scope};
use super::tree::{Quantity, Rows, Source, Test, TextField};

impl<'a> Scope<'a> {
    /// The groups by these words.
    pub(crate) fn groups(&self, quantity: &'a Quantity, words: &[TextField]) -> BTreeSet<Group> {
        let of = |inner: &'a Quantity| self.groups(inner, words);
        match quantity {
            Quantity::Binary(_, left, right) | Quantity::Default(left, right) => {
                &of(left) | &of(right)
            }
            Quantity::If(test, then, other) => {
                let tested = match test {
                    Test::Compare(left, _, right) => &of(left) | &of(right),
                    Test::IsNull(inner) => of(inner),
                };
                &tested | &(&of(then) | &of(other))
            }
            Quantity::Window(window, inner) => self.under(*window).groups(inner, words),
            Quantity::Growth(inner, window) | Quantity::Change(inner, window) => {
                &of(inner) | &self.under(*window).groups(inner, words)
            }
            Quantity::Scoped(inner, condition) => self.narrowed(condition).groups(inner, words),
            Quantity::Negated(inner)
            | Quantity::Rounded(inner, _)
            | Quantity::Convert(inner, _)
            | Quantity::Total(inner, _)
            | Quantity::Share(inner)
            | Quantity::Rank(inner)
            | Quantity::PerUnit(_, _, inner) => of(inner),
            Quantity::PerWord { of: inner, word, known_only, .. } => {
                let all = inner
                    .rows()
                    .filter(|rows| self.knows(rows))
                    .map(|rows| self.meant(rows.source, rows.by_order));
                let mut all = all.unwrap_or_default();
                all.retain(|row| !known_only || row.word(*word).is_some());
                by(all, words)
            }
            // Unknown data has no rows.
            Quantity::Opening(_) if self.known_before().is_err() => BTreeSet::new(),
            Quantity::Opening(_) => by(self.states(self.opening_day()), words),
            Quantity::Closing(_) if self.begun().and(self.covered(Source::Stock)).is_err() => {
                BTreeSet::new()
            }
            Quantity::Closing(_) => by(self.states(self.closing_day()), words),
            _ => {
                let rows = quantity.rows().filter(|rows| self.knows(rows));
                let rows = rows.map(|rows| self.meant(rows.source, rows.by_order));
                by(rows.unwrap_or_default(), words)
            }
        }
    }
}

impl Scope<'_> {
    /// Whether any of the rows in the period are known.
    fn knows(&self, rows: &Rows) -> bool {
        self.begun().and(self.covered(rows.source)).is_ok()
    }
}

fn by(rows: Vec<Row<'_>>, words: &[TextField]) -> BTreeSet<Group> {
    let group = |row: Row<'_>| words.iter().map(|word| (*word, row.word(*word))).collect();
    rows.into_iter().map(group).collect()
}
