//! Distinct keys and repeated keys, as bitmaps.

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::Retraction;

/// The exact set of keys.
///
/// A bitmap does not count occurrences, so subtracting a key needs the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DistinctSet {
    #[serde(with = "super::set_encoding")]
    seen: RoaringBitmap,
    /// The number of rows without a key, where each row should have one.
    keyless: u64,
}

impl DistinctSet {
    /// Adds a key.
    pub fn fold(&mut self, key: u32) {
        self.seen.insert(key);
    }

    /// Counts a row that should have had a key.
    pub fn fold_keyless(&mut self) {
        self.keyless = self.keyless.saturating_add(1);
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.seen |= &other.seen;
        self.keyless = self.keyless.saturating_add(other.keyless);
    }

    /// Subtracts another set, which is exact only if the two share no key.
    pub fn subtract(&self, other: &Self) -> Retraction {
        if self.seen.is_disjoint(&other.seen) && other.keyless == 0 {
            Retraction::Exact
        } else {
            Retraction::Rebuild
        }
    }

    /// Returns whether it contains no rows.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.keyless == 0
    }

    /// Returns the keys.
    pub const fn seen(&self) -> &RoaringBitmap {
        &self.seen
    }

    /// Returns whether every row had a key, so that the keys stand for the rows.
    pub const fn is_complete(&self) -> bool {
        self.keyless == 0
    }
}

/// The set of keys that occur, and of those that occur twice or more.
///
/// The pair merges exactly: a key is repeated if it is repeated in either part, or occurs in both.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RepeatSet {
    #[serde(with = "super::set_encoding")]
    seen: RoaringBitmap,
    #[serde(with = "super::set_encoding")]
    repeated: RoaringBitmap,
}

impl RepeatSet {
    /// Adds a row with this key.
    pub fn fold(&mut self, key: u32) {
        if !self.seen.insert(key) {
            self.repeated.insert(key);
        }
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.repeated |= &other.repeated;
        self.repeated |= &self.seen & &other.seen;
        self.seen |= &other.seen;
    }

    /// Subtracts another: exact where all of its keys occur once, in it and here.
    pub fn subtract(&mut self, other: &Self) -> Retraction {
        let once = other.repeated.is_empty() && self.repeated.is_disjoint(&other.seen);
        if once && other.seen.is_subset(&self.seen) {
            self.seen = without(&self.seen, &other.seen);
            return Retraction::Exact;
        }
        Retraction::Rebuild
    }

    /// Returns whether it contains no rows.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Returns the keys that occur.
    pub const fn seen(&self) -> &RoaringBitmap {
        &self.seen
    }

    /// Returns the keys that occur twice or more.
    pub const fn repeated(&self) -> &RoaringBitmap {
        &self.repeated
    }
}

/// Returns the keys of one set that are not in another.
#[expect(clippy::arithmetic_side_effects, reason = "the difference of sets overflows nothing")]
pub(in crate::rollup) fn without(keys: &RoaringBitmap, others: &RoaringBitmap) -> RoaringBitmap {
    keys - others
}
