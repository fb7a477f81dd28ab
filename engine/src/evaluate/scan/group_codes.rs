//! Dictionary-encoded grouping keys: the codes of several columns combined into one number for each row.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::columns::picked;
use super::vector::Vector;
use crate::data::{NO_CODE, NO_ROW};
use crate::evaluate::frames::{GroupValue, Groups};

/// One dictionary-encoded grouping key: a code for each row, and the value of each code. Null is 0.
pub(super) struct KeyCodes {
    codes: Vec<u32>,
    parts: Vec<GroupValue>,
}

/// Limit: places of a direct table of tuples; larger ones are sorted maps.
const DIRECT: usize = 4_000_000;

/// Limit: entries of a direct table per row, if there are more than [`PLACES`].
const PLACES_A_ROW: usize = 16;

/// Limit: entries of a direct table, however few the rows.
const PLACES: usize = 4_096;

/// Encodes row numbers.
pub(super) fn codes_of_rows(rows: &[u32]) -> KeyCodes {
    let count =
        rows.iter().filter(|row| **row != NO_ROW).max().map_or(0, |max| max.saturating_add(1));
    let parts = std::iter::once(GroupValue::Null).chain((0..count).map(GroupValue::Row)).collect();
    // The null row number wraps to code 0.
    let codes = rows.iter().map(|row| row.wrapping_add(1)).collect();
    KeyCodes { codes, parts }
}

/// Encodes values.
pub(super) fn codes_of_values(vector: &Vector, count: usize) -> KeyCodes {
    if let Vector::Codes { codes, entries } = vector {
        if entries.len() > codes.len().saturating_mul(2) {
            return codes_that_occur(codes, entries);
        }
        let texts = entries.iter().map(|text| GroupValue::Text(Arc::clone(text)));
        let parts = std::iter::once(GroupValue::Null).chain(texts).collect();
        let codes = codes.iter().map(|code| code.wrapping_add(1)).collect();
        return KeyCodes { codes, parts };
    }
    let mut known: BTreeMap<GroupValue, u32> = BTreeMap::from([(GroupValue::Null, 0)]);
    let mut parts = vec![GroupValue::Null];
    let codes = (0..count)
        .map(|index| {
            let part = GroupValue::of(&vector.value(index));
            let next = u32::try_from(parts.len()).unwrap_or(0);
            *known.entry(part).or_insert_with_key(|part| {
                parts.push(part.clone());
                next
            })
        })
        .collect();
    KeyCodes { codes, parts }
}

/// Encodes the few texts that occur of a large dictionary, in its order.
fn codes_that_occur(codes: &[u32], entries: &[Arc<str>]) -> KeyCodes {
    let mut occurring = codes.to_vec();
    occurring.sort_unstable();
    occurring.dedup();
    // The null code is the last.
    let _null = occurring.pop_if(|code| *code == NO_CODE);
    let text = |code: &u32| usize::try_from(*code).ok().and_then(|code| entries.get(code));
    let part =
        |code| text(code).map_or(GroupValue::Null, |text| GroupValue::Text(Arc::clone(text)));
    let parts = std::iter::once(GroupValue::Null).chain(occurring.iter().map(part)).collect();
    let own = |code: &u32| {
        let place = occurring.binary_search(code).ok().and_then(|place| place.checked_add(1));
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0)
    };
    KeyCodes { codes: codes.iter().map(own).collect(), parts }
}

/// The codes of several keys, combined into one number for each row.
pub(super) struct GroupCodes {
    /// For each row, its index into `tuples`.
    places: Vec<u32>,
    tuples: Tuples,
}

enum Tuples {
    /// One index for every combination of codes; division decodes it.
    Direct { keys: Vec<Vec<GroupValue>>, count: usize },
    /// Only the combinations that occur, if too many are possible.
    Listed(Vec<Vec<GroupValue>>),
}

impl GroupCodes {
    pub(super) fn new(coded: Vec<KeyCodes>) -> Self {
        let rows = coded.first().map_or(0, |key| key.codes.len());
        let sizes = coded.iter().map(|key| u32::try_from(key.parts.len()).ok());
        let limit = rows.saturating_mul(PLACES_A_ROW).clamp(PLACES, DIRECT);
        let count = coded.iter().try_fold(1_usize, |count, key| count.checked_mul(key.parts.len()));
        let sizes: Option<Vec<u32>> = sizes.collect();
        let (Some(count), Some(sizes)) = (count.filter(|count| *count <= limit), sizes) else {
            return Self::listed(&coded, rows);
        };
        let mut keys = Vec::with_capacity(coded.len());
        let mut places: Vec<u32> = Vec::new();
        for (key, size) in coded.into_iter().zip(sizes) {
            if keys.is_empty() {
                places = key.codes;
            } else {
                for (place, code) in places.iter_mut().zip(key.codes) {
                    *place = place.wrapping_mul(size).wrapping_add(code);
                }
            }
            keys.push(key.parts);
        }
        Self { places, tuples: Tuples::Direct { keys, count } }
    }

    fn listed(coded: &[KeyCodes], rows: usize) -> Self {
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let mut tuples: Vec<Vec<GroupValue>> = Vec::new();
        let place = |row: usize| {
            let key: Vec<u32> =
                coded.iter().filter_map(|key| key.codes.get(row).copied()).collect();
            let next = u32::try_from(tuples.len()).unwrap_or(NO_ROW);
            *known.entry(key).or_insert_with_key(|key| {
                let parts = coded.iter().zip(key);
                tuples.push(parts.map(|(key, code)| part(&key.parts, *code)).collect());
                next
            })
        };
        Self { places: (0..rows).map(place).collect(), tuples: Tuples::Listed(tuples) }
    }

    /// The tuples that occur in the rows. They are sorted if the dictionaries of the columns are.
    pub(super) fn tuples(self) -> Vec<Vec<GroupValue>> {
        let (keys, count) = match self.tuples {
            Tuples::Listed(tuples) => return tuples,
            Tuples::Direct { keys, count } => (keys, count),
        };
        let seen = seen(&self.places, count);
        (0_u32..)
            .zip(seen)
            .filter(|(_, seen)| *seen)
            .map(|(place, _)| tuple(&keys, place))
            .collect()
    }

    /// For each row, its index among the groups.
    pub(super) fn places(self, groups: &Groups) -> Vec<u32> {
        let mut next = 0;
        let mut find = |tuple: &[GroupValue]| {
            let found = groups.find_near(tuple, next);
            next = found.map_or(next, |found| found.saturating_add(1));
            found.and_then(|found| u32::try_from(found).ok()).unwrap_or(NO_ROW)
        };
        let found: Vec<u32> = match &self.tuples {
            Tuples::Listed(tuples) => tuples.iter().map(|tuple| find(tuple)).collect(),
            Tuples::Direct { keys, count } => (0_u32..)
                .zip(seen(&self.places, *count))
                .map(|(place, seen)| if seen { find(&tuple(keys, place)) } else { NO_ROW })
                .collect(),
        };
        picked(&found, &self.places, NO_ROW)
    }
}

/// Whether each index occurs in a row.
fn seen(places: &[u32], count: usize) -> Vec<bool> {
    let mut seen = vec![false; count];
    for place in places {
        if let Some(slot) = usize::try_from(*place).ok().and_then(|place| seen.get_mut(place)) {
            *slot = true;
        }
    }
    seen
}

/// The tuple at an index of a direct table.
fn tuple(keys: &[Vec<GroupValue>], place: u32) -> Vec<GroupValue> {
    let mut rest = place;
    let mut tuple: Vec<GroupValue> = Vec::with_capacity(keys.len());
    for parts in keys.iter().rev() {
        let size = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        tuple.push(part(parts, rest.checked_rem(size).unwrap_or(0)));
        rest = rest.checked_div(size).unwrap_or(0);
    }
    tuple.reverse();
    tuple
}

fn part(parts: &[GroupValue], code: u32) -> GroupValue {
    let found = usize::try_from(code).ok().and_then(|code| parts.get(code));
    found.cloned().unwrap_or(GroupValue::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_of_a_large_dictionary_have_few_codes() {
        let entries = (0..100).map(|number| Arc::from(format!("{number:02}"))).collect();
        let vector = Vector::Codes { codes: vec![70, NO_CODE, 3, 70], entries };
        let KeyCodes { codes, parts } = codes_of_values(&vector, 4);
        let text = |text: &str| GroupValue::Text(Arc::from(text));
        assert_eq!(parts, [GroupValue::Null, text("03"), text("70")]);
        assert_eq!(codes, [2, 0, 1, 2]);
    }
}
