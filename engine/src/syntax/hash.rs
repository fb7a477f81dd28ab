//! The hash by which two formulas are told to say the same.

use sha2::{Digest, Sha256};

use super::{Expr, canonical};

/// The SHA-256 of a formula's canonical text, in hexadecimal digits: equal for formulas that differ
/// in blanks, comments, needless brackets and the case of names alone.
pub fn hash(expr: &Expr) -> String {
    hash_of_canonical(&canonical(expr))
}

/// The same for a text that is canonical already.
pub(crate) fn hash_of_canonical(text: &str) -> String {
    let bytes: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
