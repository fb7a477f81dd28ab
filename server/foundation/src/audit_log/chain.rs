//! Verifies the hash chain of the audit log.

use super::queries;
use crate::database::{Error, Tx};

/// Limit: entries read at once.
pub(super) const PAGE_LEN: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The position of the entry, which is also the number of entries.
    pub seq: i64,
    /// The entry's hash; empty if there is no entry.
    pub hash: String,
}

/// The first position at which the chain is broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    #[error("entry {0} of the audit log is missing")]
    Missing(i64),
    /// An entry that was changed, or does not follow its original predecessor.
    #[error("entry {seq} of the audit log, {id}, is not what was written")]
    Changed { seq: i64, id: String },
}

/// Verifies the chain from the first entry to the last, and returns the last entry or the first break.
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
