//! Different keys, and keys that came again, as bitmaps.

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::Undone;

/// Which keys there are, exactly.
///
/// A bitmap forgets how often a key came, so taking one out needs the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Keys {
    #[serde(with = "super::set")]
    seen: RoaringBitmap,
    /// Rows without a key, where each row should have one.
    keyless: u64,
}

impl Keys {
    /// Adds a key.
    pub fn fold(&mut self, key: u32) {
        self.seen.insert(key);
    }

    /// Notes a row that should have had a key.
    pub fn fold_keyless(&mut self) {
        self.keyless = self.keyless.saturating_add(1);
    }

    /// Whether the state is as before the key was folded: only if it is not in it.
    pub fn undo(&self, key: u32) -> Undone {
        if self.seen.contains(key) { Undone::Rebuild } else { Undone::Exactly }
    }

    /// Adds everything of another.
    pub fn merge(&mut self, other: &Self) {
        self.seen |= &other.seen;
        self.keyless = self.keyless.saturating_add(other.keyless);
    }

    /// Whether the state is as before the other was merged: only if they share no key.
    pub fn take_out(&self, other: &Self) -> Undone {
        if self.seen.is_disjoint(&other.seen) && other.keyless == 0 {
            Undone::Exactly
        } else {
            Undone::Rebuild
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.keyless == 0
    }

    /// The keys.
    pub const fn seen(&self) -> &RoaringBitmap {
        &self.seen
    }

    /// Whether every row had a key, so that the keys stand for the rows.
    pub const fn is_complete(&self) -> bool {
        self.keyless == 0
    }
}

/// Which keys came at all, and which came twice or more.
///
/// The pair merges exactly: a key came again if it came again in either part, or came in both.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    #[serde(with = "super::set")]
    seen: RoaringBitmap,
    #[serde(with = "super::set")]
    again: RoaringBitmap,
}

impl Repeats {
    /// Adds a row with this key.
    pub fn fold(&mut self, key: u32) {
        if !self.seen.insert(key) {
            self.again.insert(key);
        }
    }

    /// Takes a row with this key out again: exact for a key that came once.
    pub fn undo(&mut self, key: u32) -> Undone {
        if self.again.contains(key) || !self.seen.remove(key) {
            return Undone::Rebuild;
        }
        Undone::Exactly
    }

    /// Adds everything of another.
    pub fn merge(&mut self, other: &Self) {
        self.again |= &other.again;
        self.again |= &self.seen & &other.seen;
        self.seen |= &other.seen;
    }

    /// Takes everything of another out: exact where all of its keys came once, in it and here.
    pub fn take_out(&mut self, other: &Self) -> Undone {
        let once = other.again.is_empty() && self.again.is_disjoint(&other.seen);
        if once && other.seen.is_subset(&self.seen) {
            self.seen = without(&self.seen, &other.seen);
            return Undone::Exactly;
        }
        Undone::Rebuild
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Keys that came at all.
    pub const fn seen(&self) -> &RoaringBitmap {
        &self.seen
    }

    /// Keys that came twice or more.
    pub const fn again(&self) -> &RoaringBitmap {
        &self.again
    }
}

/// The keys of one set that are not in another.
#[expect(clippy::arithmetic_side_effects, reason = "the difference of sets overflows nothing")]
pub(in crate::states) fn without(keys: &RoaringBitmap, others: &RoaringBitmap) -> RoaringBitmap {
    keys - others
}
