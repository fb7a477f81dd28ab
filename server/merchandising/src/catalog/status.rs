//! How far a product is.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How far a product is; shoppers see what is published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProductStatus {
    /// Being written.
    #[default]
    Draft,
    /// Waiting for approval.
    Proposed,
    /// For sale.
    Published,
    /// Not approved.
    Rejected,
}

impl ProductStatus {
    /// The words of all of them.
    pub(crate) const WORDS: &'static [&'static str] =
        &["draft", "proposed", "published", "rejected"];

    /// The word it is stored and sent as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Proposed => "proposed",
            Self::Published => "published",
            Self::Rejected => "rejected",
        }
    }
}

impl ToSql for ProductStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.word().into())
    }
}

impl FromSql for ProductStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "draft" => Ok(Self::Draft),
            "proposed" => Ok(Self::Proposed),
            "published" => Ok(Self::Published),
            "rejected" => Ok(Self::Rejected),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}
