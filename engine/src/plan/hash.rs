//! What identifies a formula, a plan or a slot, in this process and in any other.
//!
//! A hash is the SHA-256 of a text that says what is computed and nothing of how it was written:
//!
//! * of a formula, its canonical text: the tree printed in one way, so that blanks, comments, the
//!   case of names and brackets that change nothing do not count. Metrics are in it by their keys.
//! * of a slot, its text with the place, as a listing shows it: sources, fields and dimensions by
//!   name, every condition, every digit of a constant, the currency of an amount.
//! * of a plan, its listing: slots, instructions, types, known digits and results, with metrics
//!   written out, so that it changes when a metric below does.
//!
//! The kind of the thing stands before the text, so that no two kinds share a hash. The texts are
//! kept stable; a change of what they look like changes the hashes, as another language would.

use std::fmt::{Display, Formatter, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Plan, Slot};

/// The SHA-256 of what is computed; shown and written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// Of a text, as the kind of thing that it describes.
    pub(crate) fn of(kind: &str, text: &str) -> Self {
        let mut digest = Sha256::new();
        digest.update(kind.as_bytes());
        digest.update([0]);
        digest.update(text.as_bytes());
        Self(digest.finalize().into())
    }

    /// Of a formula, by its canonical text.
    pub(crate) fn of_formula(canonical: &str) -> Self {
        Self::of("formula", canonical)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Slot {
    /// What identifies the value and its place, whichever formula asks for it.
    pub fn hash(&self) -> Hash {
        Hash::of("slot", &self.to_string())
    }
}

impl Plan {
    /// What identifies what is computed, with all metrics written out.
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
