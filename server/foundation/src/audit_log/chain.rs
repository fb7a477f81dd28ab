//! The chain: whether the audit log is what was written.

use super::queries;
use crate::database::{Error, Tx};

/// Limit: entries read at once.
pub(super) const PAGE_LEN: u32 = 1_000;

/// The last entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its place, which is how many entries there are.
    pub seq: i64,
    /// Its hash; empty if there is none.
    pub hash: String,
}

/// The first place where the audit log is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    /// An entry is not there.
    #[error("entry {0} of the audit log is missing")]
    Missing(i64),
    /// An entry is not what it was, or not behind the one it was written behind.
    #[error("entry {seq} of the audit log, {id}, is not what was written")]
    Changed {
        /// Its place.
        seq: i64,
        /// Its id.
        id: String,
    },
}

/// The last entry.
///
/// # Errors
/// [`Error`] if it cannot be read.
pub fn head(tx: &Tx<'_>) -> Result<Head, Error> {
    queries::head(tx)
}

/// Follows the chain from its first entry to its last: gives the last, or where it breaks.
///
/// # Errors
/// [`Error`] if it cannot be read.
pub fn verify(tx: &Tx<'_>) -> Result<Result<Head, Break>, Error> {
    let head = queries::head(tx)?;
    let mut last = Head { seq: 0, hash: String::new() };
    loop {
        let page = queries::after(tx, last.seq, PAGE_LEN)?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            let seq = last.seq.saturating_add(1);
            if entry.seq != seq {
                return Ok(Err(Break::Missing(seq)));
            }
            if entry.previous_hash != last.hash || entry.hashed() != entry.hash {
                return Ok(Err(Break::Changed { seq, id: entry.id.to_string() }));
            }
            last = Head { seq, hash: entry.hash };
        }
    }
    if last == head {
        return Ok(Ok(head));
    }
    Ok(Err(Break::Missing(last.seq.saturating_add(1))))
}
