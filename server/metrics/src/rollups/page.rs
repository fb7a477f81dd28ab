//! Pages: the partial aggregates of one bucket for a range of keys, one definition after the other.
//!
//! Each database row costs a header and a look-up, and a partial aggregate of a product has thirty bytes; so many share
//! a row. Those of one definition are adjacent, and a reader that needs one definition skips the others.

use quotient::rollup::{AggregateKind, PartialAggregate, Retraction};
use serde::{Deserialize, Serialize};

use super::error::RollupError;
use super::error::UnreadablePage;
use super::queries::tables::{self as queries, PageAddress};
use super::table::RollupTable;
use crate::database::Tx;

/// Partial aggregates by the indexes of their definition and of their key, sorted.
#[derive(Debug, Default)]
pub(super) struct Page(Vec<(u8, Vec<(u8, PartialAggregate)>)>);

/// The stored partial aggregates of one definition, for the keys whose bits are set.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Column<'b> {
    pub(super) place: u8,
    keys: u32,
    partials: &'b [u8],
}

impl Column<'_> {
    pub(super) fn keys(&self) -> impl Iterator<Item = u8> + use<> {
        let keys = self.keys;
        (0..u32::BITS)
            .zip(0_u8..)
            .filter(move |(bit, _)| keys.checked_shr(*bit).is_some_and(|rest| rest & 1 == 1))
            .map(|(_, key)| key)
    }

    pub(super) fn partials(
        &self,
    ) -> impl Iterator<Item = Result<(u8, PartialAggregate), UnreadablePage>> {
        let mut rest = self.partials;
        self.keys().map(move |key| {
            let (partial, after) = postcard::take_from_bytes(rest)?;
            rest = after;
            Ok((key, partial))
        })
    }
}

pub(super) fn columns(bytes: &[u8]) -> Result<Vec<Column<'_>>, UnreadablePage> {
    Ok(postcard::from_bytes(bytes)?)
}

/// Changes a page, which need not exist yet.
pub(super) fn change<T>(
    tx: &Tx<'_>,
    place: PageAddress,
    change: impl FnOnce(&mut Page) -> T,
) -> Result<T, RollupError> {
    let stored = queries::page_at(tx, place)?;
    let mut page = stored.as_deref().map(Page::read).transpose()?.unwrap_or_default();
    let outcome = change(&mut page);
    let written = page.written()?;
    if written.is_some() || stored.is_some() {
        queries::put_page(tx, place, written.as_deref())?;
    }
    Ok(outcome)
}

impl Page {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, UnreadablePage> {
        let own =
            |column: Column<'_>| Ok((column.place, column.partials().collect::<Result<_, _>>()?));
        Ok(Self(columns(bytes)?.into_iter().map(own).collect::<Result<_, UnreadablePage>>()?))
    }

    /// Serializes the page; none if it is empty.
    pub(super) fn written(&self) -> Result<Option<Vec<u8>>, UnreadablePage> {
        let mut written = Vec::with_capacity(self.0.len());
        for (place, partials) in &self.0 {
            let (mut keys, mut bytes) = (0_u32, Vec::new());
            for (key, partial) in partials.iter().filter(|(_, partial)| !partial.is_empty()) {
                keys |= 1_u32.checked_shl(u32::from(*key)).unwrap_or(0);
                bytes = postcard::to_extend(partial, bytes)?;
            }
            if keys != 0 {
                written.push((*place, keys, bytes));
            }
        }
        if written.is_empty() {
            return Ok(None);
        }
        let columns: Vec<Column<'_>> = written
            .iter()
            .map(|(place, keys, partials)| Column { place: *place, keys: *keys, partials })
            .collect();
        Ok(Some(postcard::to_allocvec(&columns)?))
    }

    fn partial(
        &mut self,
        (place, key): (u8, u8),
        kind: AggregateKind,
    ) -> Option<&mut PartialAggregate> {
        let (_, partials) = own(&mut self.0, place, Vec::new)?;
        own(partials, key, || PartialAggregate::empty(kind)).map(|(_, partial)| partial)
    }

    pub(super) fn add(&mut self, at: (u8, u8), kind: AggregateKind, partial: &PartialAggregate) {
        if let Some(own) = self.partial(at, kind) {
            own.merge(kind, partial);
        }
    }

    pub(super) fn subtract(
        &mut self,
        at: (u8, u8),
        kind: AggregateKind,
        partial: &PartialAggregate,
    ) -> Retraction {
        self.partial(at, kind).map_or(Retraction::Rebuild, |own| own.subtract(kind, partial))
    }

    pub(super) fn merge(&mut self, table: &RollupTable, other: &Self) {
        for (place, key, partial) in other.partials() {
            let definition = table.definitions.get(usize::from(place));
            if let Some(kind) = definition.map(|definition| definition.kind) {
                self.add((place, key), kind, partial);
            }
        }
    }

    /// Returns the partial aggregates with the indexes of their definition and of their key.
    pub(super) fn partials(&self) -> impl Iterator<Item = (u8, u8, &PartialAggregate)> {
        self.0.iter().flat_map(|(place, partials)| {
            partials.iter().map(move |(key, partial)| (*place, *key, partial))
        })
    }
}

/// Returns the entry at a place in a sorted list, inserting it if missing.
fn own<T>(all: &mut Vec<(u8, T)>, place: u8, new: impl FnOnce() -> T) -> Option<&mut (u8, T)> {
    let at = match all.binary_search_by_key(&place, |(place, _)| *place) {
        Ok(at) => at,
        Err(at) => {
            all.insert(at, (place, new()));
            at
        }
    };
    all.get_mut(at)
}

#[cfg(test)]
pub(super) mod tests {
    use quotient::rollup::AggregateInput;
    use quotient::types::Value;

    use super::*;

    pub(in crate::rollups) fn sum(number: i64) -> PartialAggregate {
        let mut partial = PartialAggregate::empty(AggregateKind::SumCount);
        let value = Some(Value::Number(number.into()));
        partial.fold(
            AggregateKind::SumCount,
            &AggregateInput { value, key_number: None, position: None },
        );
        partial
    }

    #[test]
    fn a_page_is_read_as_it_was_written_and_one_definition_without_the_others() {
        let mut page = Page::default();
        for (place, key, number) in [(0, 0, 5), (0, 31, 7), (3, 31, 9), (3, 2, 1)] {
            page.add((place, key), AggregateKind::SumCount, &sum(number));
        }
        // Empty partial aggregates are not stored.
        assert_eq!(page.subtract((3, 2), AggregateKind::SumCount, &sum(1)), Retraction::Exact);

        let written = page.written().unwrap().unwrap();

        let read = Page::read(&written).unwrap();
        let all: Vec<_> =
            read.partials().map(|(place, key, partial)| (place, key, partial.clone())).collect();
        assert_eq!(all, [(0, 0, sum(5)), (0, 31, sum(7)), (3, 31, sum(9))]);
        let columns = columns(&written).unwrap();
        let own = columns.iter().find(|column| column.place == 3).unwrap();
        let own: Vec<_> = own.partials().collect::<Result<_, _>>().unwrap();
        assert_eq!(own, [(31, sum(9))]);
    }

    #[test]
    fn an_empty_page_is_not_stored_and_half_a_row_is_refused() {
        let mut page = Page::default();
        page.add((0, 4), AggregateKind::SumCount, &sum(5));
        let written = page.written().unwrap().unwrap();
        assert_eq!(page.subtract((0, 4), AggregateKind::SumCount, &sum(5)), Retraction::Exact);

        assert_eq!(page.written().unwrap(), None);
        for len in 1..written.len() {
            assert!(Page::read(written.get(..len).unwrap()).is_err(), "{len} bytes");
        }
    }
}
