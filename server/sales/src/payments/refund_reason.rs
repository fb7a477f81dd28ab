//! Why money goes back: words that the store chooses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::RefundReasonId;
use crate::metadata::Metadata;

use super::PaymentError;
use super::queries::admin_refund_reasons as queries;

/// Why money goes back.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RefundReason {
    /// Its id.
    pub(super) id: RefundReasonId,
    /// Its words for people.
    #[schema(example = "Arrived late")]
    pub(super) label: String,
    /// Its word for programs.
    #[schema(example = "arrived_late")]
    pub(super) code: String,
    /// More about it.
    pub(super) description: Option<String>,
    /// The client's own data.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was last changed.
    pub(super) updated_at: Timestamp,
}

/// The reason, if there is one.
pub fn find(tx: &Tx<'_>, id: &RefundReasonId) -> Result<RefundReason, PaymentError> {
    queries::find(tx, id)?.ok_or_else(|| PaymentError::NoReason(id.clone()))
}

/// Writes a reason, new or changed; its code must be its own.
pub(super) fn put(tx: &Tx<'_>, reason: &RefundReason) -> Result<(), PaymentError> {
    queries::put(tx, reason).map_err(|error| {
        if matches!(error, Error::Duplicate(_)) {
            return PaymentError::DuplicateReason(reason.code.clone());
        }
        PaymentError::Db(error)
    })
}

/// Takes a reason away.
pub(super) fn delete(tx: &Tx<'_>, id: &RefundReasonId) -> Result<(), PaymentError> {
    if queries::delete(tx, id)? {
        return Ok(());
    }
    Err(PaymentError::NoReason(id.clone()))
}

/// The word for programs that is made from the words for people, as `arrived_late`.
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
