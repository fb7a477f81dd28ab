//! SHA-256 as hexadecimal digits.

use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 of bytes, as 64 lower-case hexadecimal digits.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes))
}
