//! An answer that holds only what was asked for.

use std::collections::BTreeMap;

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use super::Selection;
use crate::http::{HttpError, json};

/// A JSON answer, written already.
#[derive(Debug)]
pub struct Answer(Vec<u8>);

impl Answer {
    /// Writes an object.
    ///
    /// # Errors
    /// 500 when a member cannot be written as JSON.
    pub(crate) fn of(object: &impl Serialize) -> Result<Self, HttpError> {
        serde_json::to_vec(object).map(Self).map_err(HttpError::unexpected)
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
        Answer::of(&BTreeMap::from([(name, self.of(resource))]))
    }

    /// The resource with what was asked for, to be put into a larger answer.
    ///
    /// # Errors
    /// 500 when it cannot be written as JSON.
    pub fn value(&self, resource: &impl Serialize) -> Result<Value, HttpError> {
        serde_json::to_value(self.of(resource)).map_err(HttpError::unexpected)
    }
}
