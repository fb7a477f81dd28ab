//! The route that the router matched. The layers are around one service that runs it, instead of around every route.

use std::convert::Infallible;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tower::ServiceExt as _;

use crate::http::HttpError;

#[derive(Clone)]
struct MatchedRoute(Next);

/// Sends a request through the layers to its route.
pub(super) async fn enter(
    State(layers): State<Router>,
    mut request: Request,
    route: Next,
) -> Result<Response, Infallible> {
    request.extensions_mut().insert(MatchedRoute(route));
    layers.oneshot(request).await
}

/// Runs the route of a request that has passed the layers.
pub(super) async fn run(mut request: Request) -> Result<Response, HttpError> {
    let matched: Option<MatchedRoute> = request.extensions_mut().remove();
    let MatchedRoute(route) =
        matched.ok_or_else(|| HttpError::unexpected("a request without its route"))?;
    Ok(route.run(request).await)
}
