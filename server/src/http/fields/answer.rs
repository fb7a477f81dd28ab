//! An answer that holds only what was asked for.

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Selection;
use crate::http::{HttpError, json};

/// A JSON answer, written already.
#[derive(Debug)]
pub struct Answer(Vec<u8>);

impl Answer {
    /// Writes an object of these members.
    ///
    /// # Errors
    /// 500 when a member cannot be written as JSON.
    pub(crate) fn of(members: Map<String, Value>) -> Result<Self, HttpError> {
        serde_json::to_vec(&Value::Object(members)).map(Self).map_err(HttpError::unexpected)
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        json::json_bytes(self.0)
    }
}

impl Selection {
    /// `{name: resource}` with what was asked for.
    ///
    /// # Errors
    /// 500 when the resource cannot be written as JSON.
    pub fn answer(&self, name: &str, resource: &impl Serialize) -> Result<Answer, HttpError> {
        let value = self.value(resource)?;
        Answer::of([(name.to_owned(), value)].into_iter().collect())
    }

    /// The resource with what was asked for, to be put into a larger answer.
    ///
    /// # Errors
    /// 500 when it cannot be written as JSON.
    pub fn value(&self, resource: &impl Serialize) -> Result<Value, HttpError> {
        let value = serde_json::to_value(resource).map_err(HttpError::unexpected)?;
        Ok(self.project(value))
    }
}
