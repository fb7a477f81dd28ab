//! Why rollups could not be written or read.

use quotient::sql::StoreError;

use crate::database::Error;

/// Why rollups could not be written or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RollupError {
    #[error(transparent)]
    Db(#[from] Error),
    #[error(transparent)]
    Cell(#[from] UnreadablePage),
    /// The rows do not match the schema.
    #[error("rows cannot be folded: {0}")]
    Rows(String),
}

impl From<StoreError> for RollupError {
    fn from(error: StoreError) -> Self {
        Self::Rows(error.to_string())
    }
}

impl From<RollupError> for Error {
    fn from(error: RollupError) -> Self {
        match error {
            RollupError::Db(error) => error,
            RollupError::Cell(error) => Self::Damaged(error.to_string()),
            RollupError::Rows(message) => Self::Damaged(message),
        }
    }
}

/// A page that cannot be decoded.
#[derive(Debug, thiserror::Error)]
#[error("a page of a rollup cannot be read: {0}")]
pub(crate) struct UnreadablePage(#[from] postcard::Error);
