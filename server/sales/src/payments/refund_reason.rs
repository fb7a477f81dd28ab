//! Refund reasons, which the store defines.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::RefundReasonId;
use crate::metadata::Metadata;

use super::PaymentError;

/// A reason for a refund.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "refund_reason r", soft_delete)]
#[record(list(plural = "refund_reasons", usual, search = ["r.label", "r.code", "r.description"]))]
#[resource(name = "refund reason", error = PaymentError)]
pub struct RefundReason {
    pub(super) id: RefundReasonId,
    /// The display name.
    #[schema(example = "Arrived late")]
    #[column(filter, order)]
    pub(super) label: String,
    /// The machine-readable name.
    #[schema(example = "arrived_late")]
    #[column(filter, order)]
    pub(super) code: String,
    #[column(filter, order)]
    pub(super) description: Option<String>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// Inserts or updates a reason; its code must be unique.
pub(super) fn put(tx: &Tx<'_>, reason: &RefundReason) -> Result<(), PaymentError> {
    reason
        .put(tx)
        .map_err(|error| error.or_taken(|| PaymentError::DuplicateReason(reason.code.clone())))
}

/// Derives a machine-readable name from a label, such as `arrived_late`.
pub(super) fn code_of(label: &str) -> String {
    let words: Vec<String> = label
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { label.to_owned() } else { words.join("_") }
}

#[cfg(test)]
mod tests {
    use super::code_of;

    #[test]
    fn a_code_is_made_from_the_words() {
        assert_eq!(code_of("Arrived late!"), "arrived_late");
        assert_eq!(code_of("--"), "--");
    }
}
