//! Hashes that identify what is computed: a formula, a slot, a plan, a metric's definition or a rollup, the same in every
//! process.
//!
//! A hash is the SHA-256 of a text that describes what is computed, however it was written:
//!
//! * of a formula, its canonical text: the tree printed in one way, so that whitespace, comments, the
//!   case of names and redundant brackets do not matter. It refers to metrics by their keys.
//! * of a slot, its text with the place, as in a listing: sources, fields and dimensions by name,
//!   every condition, every digit of a constant, the currency of an amount.
//! * of a plan, its listing: slots, instructions, types, known digits and results, with metrics
//!   expanded, so that it changes when a metric it depends on changes.
//! * of a metric's definition and of a rollup, a text of its own.
//!
//! The first three are prefixed with their kind, so that no two kinds share a hash. The texts are kept stable: a
//! change of their form changes all hashes, as a change of the language would.

use std::fmt::{Display, Formatter, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Plan, Slot};

/// The SHA-256 of what is computed; displayed and serialized as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// Hashes a text, prefixed with the kind of thing that it describes.
    pub(crate) fn of(kind: &str, text: &str) -> Self {
        let mut digest = Sha256::new();
        digest.update(kind.as_bytes());
        digest.update([0]);
        digest.update(text.as_bytes());
        Self(digest.finalize().into())
    }

    /// Hashes a text alone.
    pub(crate) fn of_text(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Hashes a formula by its canonical text.
    pub(crate) fn of_formula(canonical: &str) -> Self {
        Self::of("formula", canonical)
    }

    /// Returns the bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Slot {
    /// Returns the hash of the value and its place, the same in every formula.
    pub fn hash(&self) -> Hash {
        Hash::of("slot", &self.to_string())
    }
}

impl Plan {
    /// Returns the hash of what is computed, with all metrics expanded.
    pub fn hash(&self) -> Hash {
        Hash::of("plan", &self.to_string())
    }
}

impl Display for Hash {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        let mut text = Self::with_capacity(64);
        write!(text, "{hash}").ok();
        text
    }
}

impl FromStr for Hash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not 64 hexadecimal digits");
        let mut bytes = [0_u8; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            let start = index.saturating_mul(2);
            let digits = text.get(start..start.saturating_add(2)).ok_or_else(wrong)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_not_hexadecimal| wrong())?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Hash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
