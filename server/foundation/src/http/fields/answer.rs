//! An answer that holds only what was asked for.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use super::Selection;
use crate::http::{HttpError, json};

/// A JSON answer, written already.
#[derive(Debug)]
pub struct Answer {
    bytes: Vec<u8>,
    kept: Option<ReplayBody>,
}

/// What may be kept of an answer that shows a secret; an extension of the response.
#[derive(Debug, Clone)]
pub struct ReplayBody(pub Bytes);

impl Answer {
    /// Writes an object.
    ///
    /// # Errors
    /// 500 when a member cannot be written as JSON.
    pub fn of(object: &impl Serialize) -> Result<Self, HttpError> {
        let bytes = serde_json::to_vec(object).map_err(HttpError::unexpected)?;
        Ok(Self { bytes, kept: None })
    }

    /// The answer of a request that makes a secret: shown now, and as `kept` when the request is sent again.
    #[must_use]
    pub fn once(self, kept: Self) -> Self {
        Self { bytes: self.bytes, kept: Some(ReplayBody(kept.bytes.into())) }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = json::json_bytes(self.bytes);
        if let Some(kept) = self.kept {
            response.extensions_mut().insert(kept);
        }
        response
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
