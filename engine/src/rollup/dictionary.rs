//! Dictionary encoding of keys as 32-bit numbers, for sets of keys.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::scalar::ScalarValue;

/// A numbering of keys, by which sets of different days can be merged.
///
/// Invariant: a key keeps its number for as long as a rollup uses it, and no other key of the same kind
/// has it.
pub trait KeyNumbers {
    /// Returns the number of a key of a source, or of a column that is no key. A new key gets a
    /// number; `None` if none is left.
    fn number(&mut self, of: &str, key: &ScalarValue) -> Option<u32>;
}

/// The numbers of keys, in memory. The caller stores them for as long as the rollups that use them.
///
/// Each source, or column that is no key, has numbers of its own. A number is never reused, since sets of
/// different days can be merged only if a key has the same number in all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(String, Vec<ScalarValue>)>", into = "Vec<(String, Vec<ScalarValue>)>")]
pub struct Dictionary {
    of: BTreeMap<String, BTreeMap<ScalarValue, u32>>,
}

impl Dictionary {
    /// Creates an empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of a key, if it has one.
    pub fn get(&self, of: &str, key: &ScalarValue) -> Option<u32> {
        self.of.get(of)?.get(key).copied()
    }

    /// Returns the number of keys of all sources and columns.
    pub fn len(&self) -> usize {
        self.of.values().map(BTreeMap::len).fold(0, usize::saturating_add)
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl KeyNumbers for Dictionary {
    fn number(&mut self, of: &str, key: &ScalarValue) -> Option<u32> {
        if let Some(number) = self.get(of, key) {
            return Some(number);
        }
        let keys = self.of.entry(of.to_owned()).or_default();
        let next = u32::try_from(keys.len()).ok()?;
        keys.insert(key.clone(), next);
        Some(next)
    }
}

/// The keys are listed in the order of their numbers.
impl From<Dictionary> for Vec<(String, Vec<ScalarValue>)> {
    fn from(dictionary: Dictionary) -> Self {
        let listed = |(of, keys): (String, BTreeMap<ScalarValue, u32>)| {
            let mut keys: Vec<(ScalarValue, u32)> = keys.into_iter().collect();
            keys.sort_unstable_by_key(|(_, number)| *number);
            (of, keys.into_iter().map(|(key, _)| key).collect())
        };
        dictionary.of.into_iter().map(listed).collect()
    }
}

impl TryFrom<Vec<(String, Vec<ScalarValue>)>> for Dictionary {
    type Error = &'static str;

    fn try_from(listed: Vec<(String, Vec<ScalarValue>)>) -> Result<Self, Self::Error> {
        let mut dictionary = Self::new();
        for (of, keys) in listed {
            let count = keys.len();
            let own: BTreeMap<ScalarValue, u32> = keys.into_iter().zip(0..).collect();
            if own.len() != count || dictionary.of.insert(of, own).is_some() {
                return Err("a key is there twice");
            }
        }
        Ok(dictionary)
    }
}
