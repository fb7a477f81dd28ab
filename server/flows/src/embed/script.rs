//! The script that shows a flow on a page.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

pub(super) const SCRIPT: &str = include_str!("embed.js");

/// The hash of the script, which names this version of it.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let digest = hex::encode(Sha256::digest(SCRIPT.as_bytes()));
    digest.chars().take(16).collect()
});
