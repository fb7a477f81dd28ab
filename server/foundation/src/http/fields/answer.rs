//! Responses with only the requested fields.

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::Selection;
use crate::http::HttpError;
use crate::http::json::{self, WrittenJson};

#[derive(Debug)]
pub struct Answer {
    json: WrittenJson,
    replay: Option<ReplayBody>,
}

/// The body to store for replays of a response that contains a secret; an extension of the response.
#[derive(Debug, Clone)]
pub struct ReplayBody(pub Bytes);

impl Answer {
    /// Serializes an object.
    pub fn of(object: &impl Serialize) -> Result<Self, HttpError> {
        Ok(Self { json: WrittenJson::of(object)?, replay: None })
    }

    /// Returns the response to a request that creates a secret: sent now, with `replay` stored for repeated requests.
    #[must_use]
    pub fn once(self, replay: Self) -> Self {
        Self { json: self.json, replay: Some(ReplayBody(replay.json.0.into())) }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = self.json.into_response();
        if let Some(replay) = self.replay {
            response.extensions_mut().insert(replay);
        }
        response
    }
}

impl Selection {
    /// Returns `{name: resource}` with the selected fields.
    pub fn answer(&self, name: &str, resource: &impl Serialize) -> Result<Answer, HttpError> {
        Answer::of(&Member { name, value: self.of(resource) })
    }

    /// Returns the resource with the selected fields, to embed it in a larger response.
    pub fn value(&self, resource: &impl Serialize) -> Result<Value, HttpError> {
        json::to_value(&self.of(resource)).map_err(HttpError::unexpected)
    }
}

struct Member<'n, T> {
    name: &'n str,
    value: T,
}

impl<T: Serialize> Serialize for Member<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.name, &self.value)])
    }
}
