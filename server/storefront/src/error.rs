//! Errors of content and their HTTP statuses.

use std::fmt::Display;

use axum::http::StatusCode;
use rusqlite::types::FromSql;
use serde_json::json;
use thiserror::Error;

use crate::auth::RandomError;
use crate::catalog::CatalogError;
use crate::database::{self, Missing, Table, Tx, first_missing_of_new};
use crate::http::{HttpError, Refusal};
use crate::metadata::MetadataError;
use crate::regions::RegionError;

/// An error of content, of settings or of what visitors did.
#[derive(Debug, Error, HttpError)]
pub(crate) enum ContentError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error("{what} {value} is taken")]
    #[http(conflict)]
    Taken { what: &'static str, value: String },
    #[error("there are {max} {what}, which is the limit")]
    #[http(not_allowed)]
    TooMany { what: &'static str, max: u32 },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Region(#[from] RegionError),
}

/// Checks that a store has room for another record, of which it has at most `max`.
pub(crate) fn check_room<T: Table>(
    tx: &Tx<'_>,
    what: &'static str,
    max: u32,
) -> Result<(), ContentError> {
    if T::count(tx)? >= max { Err(ContentError::TooMany { what, max }) } else { Ok(()) }
}

/// Checks with one statement that the rows to which a request refers, such as a campaign, exist. References that are
/// unchanged are not checked.
pub(crate) fn must_exist<'i, I: AsRef<str> + Display + PartialEq + FromSql + 'i>(
    tx: &Tx<'_>,
    table: &'static str,
    what: &'static str,
    ids: impl IntoIterator<Item = &'i I>,
    before: impl IntoIterator<Item = &'i I>,
) -> Result<(), ContentError> {
    match first_missing_of_new(tx, table, ids, before)? {
        Some(id) => Err(Refusal::invalid(format!("{what} with id: {id} does not exist")).into()),
        None => Ok(()),
    }
}

/// Returns an error of the server as routes answer it that programs of others call: `{error, message}`.
pub(crate) fn with_message(error: HttpError) -> HttpError {
    error.reshaped(
        &[StatusCode::INTERNAL_SERVER_ERROR],
        |error| json!({ "error": "server_error", "message": error.message() }),
    )
}
