//! A file with a line for every movement of money that a real provider would have made.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use crate::payments::provider::Request;

/// Appends the kind, the idempotency key, the amount in minor units and the currency, separated by tabs. A key that
/// occurs twice is one movement.
pub(super) fn append(path: &Path, kind: &str, request: &Request<'_>) -> io::Result<()> {
    let Request { idempotency_key, amount_minor, currency, .. } = request;
    let line = format!("{kind}\t{idempotency_key}\t{amount_minor}\t{currency}\n");
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}
