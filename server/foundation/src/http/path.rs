//! Path parameters, typed, and requests about one resource.

use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::{Fields, HttpError, Resource};
use crate::database::Db;

/// Path parameters. One that cannot be parsed identifies nothing, so the response is 404 and not
/// 400.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

#[expect(clippy::disallowed_types, reason = "the only place that wraps it")]
impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|rejection| HttpError::not_found(reason(&rejection)))
    }
}

/// Returns why a path identifies nothing: what its type says about an id of another kind.
fn reason(rejection: &PathRejection) -> String {
    if let PathRejection::FailedToDeserializePathParams(failure) = rejection
        && let ErrorKind::Message(message) | ErrorKind::DeserializeError { message, .. } =
            failure.kind()
    {
        return format!("Not found: {message}");
    }
    "Not found".to_owned()
}

/// The parts of a request about one resource: the admitted caller, the id in the path, and the fields to return.
#[derive(Debug)]
pub struct OneRequest<Caller, Id, R> {
    pub caller: Caller,
    pub db: Db,
    pub id: Id,
    pub fields: Fields<R>,
}

impl<Caller, Id, R, S> FromRequestParts<S> for OneRequest<Caller, Id, R>
where
    Caller: FromRequestParts<S, Rejection = HttpError> + Send,
    Db: FromRef<S>,
    Id: DeserializeOwned + Send,
    R: Resource,
    S: Send + Sync,
{
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(id) = Path::from_request_parts(parts, state).await?;
        let fields = Fields::from_request_parts(parts, state).await?;
        Ok(Self { caller, db: Db::from_ref(state), id, fields })
    }
}
