//! Keys as 32-bit numbers, for sets of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::part::Part;

/// Who numbers keys, so that sets of different days can be merged.
///
/// Invariant: a key keeps its number for as long as there are cells that use it, and no other key of
/// the same kind has it.
pub trait KeyNumbers {
    /// The number of a key of some kind: a source, or a column that is no key. A key that is not
    /// known gets a number; `None` if there is none left.
    fn number(&mut self, of: &str, key: &Part) -> Option<u32>;
}

/// The numbers of keys, kept by the caller for as long as the cells that use them.
///
/// A number is never given twice and never taken back: sets of different days can be merged only
/// if a key has the same number in all of them. Keys are told apart by what they are keys of: a
/// source, or a column that is no key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(String, Vec<Part>)>", into = "Vec<(String, Vec<Part>)>")]
pub struct Dictionary {
    of: BTreeMap<String, BTreeMap<Part, u32>>,
}

impl Dictionary {
    /// A dictionary without keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a key that has one.
    pub fn known(&self, of: &str, key: &Part) -> Option<u32> {
        self.of.get(of)?.get(key).copied()
    }

    /// How many keys it knows, over everything that keys are of.
    pub fn len(&self) -> usize {
        self.of.values().map(BTreeMap::len).fold(0, usize::saturating_add)
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl KeyNumbers for Dictionary {
    fn number(&mut self, of: &str, key: &Part) -> Option<u32> {
        if let Some(number) = self.known(of, key) {
            return Some(number);
        }
        let keys = self.of.entry(of.to_owned()).or_default();
        let next = u32::try_from(keys.len()).ok()?;
        keys.insert(key.clone(), next);
        Some(next)
    }
}

/// Keys in the order of their numbers.
impl From<Dictionary> for Vec<(String, Vec<Part>)> {
    fn from(dictionary: Dictionary) -> Self {
        let listed = |(of, keys): (String, BTreeMap<Part, u32>)| {
            let mut keys: Vec<(Part, u32)> = keys.into_iter().collect();
            keys.sort_unstable_by_key(|(_, number)| *number);
            (of, keys.into_iter().map(|(key, _)| key).collect())
        };
        dictionary.of.into_iter().map(listed).collect()
    }
}

impl TryFrom<Vec<(String, Vec<Part>)>> for Dictionary {
    type Error = &'static str;

    fn try_from(listed: Vec<(String, Vec<Part>)>) -> Result<Self, Self::Error> {
        let mut dictionary = Self::new();
        for (of, keys) in listed {
            let count = keys.len();
            let own: BTreeMap<Part, u32> = keys.into_iter().zip(0..).collect();
            if own.len() != count || dictionary.of.insert(of, own).is_some() {
                return Err("a key is there twice");
            }
        }
        Ok(dictionary)
    }
}
