//! `/admin/metrics/boards`.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::{Board, MAX_BOARDS, queries};
use crate::auth::AdminReader;
use crate::database::{Db, Tx};
use crate::http::{HttpError, Json, Path, Text, ToSchema, request};
use crate::state::AppState;

/// Limit: tiles of one board.
const MAX_TILES: usize = 60;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_boards)).routes(routes!(set_board, delete_board))
}

/// The boards that the caller sees.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BoardsResponse {
    /// The caller's boards, then those that others share.
    boards: Vec<Board>,
    /// Their number.
    count: usize,
}

/// A board.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BoardResponse {
    board: Board,
}

/// A board that was deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BoardDeletedResponse {
    /// The name.
    id: String,
    /// Always `board`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// The contents of a board.
#[request]
#[schema(example = json!({ "tiles": ["standard:net_sales", "aov"], "is_shared": true }))]
pub(super) struct SetBoardRequest {
    /// Keys of metrics, and of the dashboard's cards with `standard:` before them, in order.
    #[schema(max_items = 60)]
    tiles: Vec<Text<80>>,
    /// Whether others see it; for users who edit metrics.
    #[serde(default)]
    is_shared: bool,
}

/// List boards: the caller's own, and those that others share
#[crate::http::operation(get, path = "/admin/metrics/boards", tag = "Admin metrics",
    responses((status = 200, description = "The boards", body = BoardsResponse)))]
pub(super) async fn list_boards(
    admin: AdminReader,
    State(db): State<Db>,
) -> Result<Json<BoardsResponse>, HttpError> {
    let reader = admin.actor_id().to_owned();
    let read = move |tx: &Tx<'_>| queries::visible(tx, &reader).map_err(HttpError::from);
    let boards = db.read(read).await?;
    Ok(Json(BoardsResponse { count: boards.len(), boards }))
}

/// Create or replace one of the caller's boards
#[crate::http::operation(put, path = "/admin/metrics/boards/{name}", tag = "Admin metrics",
    params(("name" = Text<64>, Path, description = "The board's name")), request_body = SetBoardRequest,
    responses((status = 200, description = "The board", body = BoardResponse)))]
pub(super) async fn set_board(
    admin: AdminReader,
    State(db): State<Db>,
    Path(name): Path<Text<64>>,
    Json(request): Json<SetBoardRequest>,
) -> Result<Json<BoardResponse>, HttpError> {
    if request.is_shared && !admin.may_edit_metrics() {
        return Err(HttpError::forbidden());
    }
    if request.tiles.len() > MAX_TILES {
        return Err(HttpError::invalid_data(format!("A board has at most {MAX_TILES} tiles")));
    }
    let (owner_id, name) = (admin.actor_id().to_owned(), String::from(name));
    let mut tiles: Vec<String> = Vec::new();
    for tile in request.tiles.into_iter().map(String::from) {
        if !tiles.contains(&tile) {
            tiles.push(tile);
        }
    }
    let write = move |tx: &Tx<'_>| {
        if queries::others(tx, &owner_id, &name)? >= MAX_BOARDS {
            let message = format!("You have {MAX_BOARDS} boards: delete one first");
            return Err(HttpError::not_allowed(message));
        }
        let (is_shared, updated_at) = (request.is_shared, tx.now());
        let board = Board { name, owner_id, is_own: true, is_shared, tiles, updated_at };
        queries::put(tx, &board)?;
        Ok(BoardResponse { board })
    };
    db.write(write).await.map(Json)
}

/// Delete one of the caller's boards
#[crate::http::operation(delete, path = "/admin/metrics/boards/{name}", tag = "Admin metrics",
    params(("name" = Text<64>, Path, description = "The board's name")),
    responses((status = 200, description = "The board is deleted", body = BoardDeletedResponse),
        (status = 404, description = "The caller has no such board", body = crate::http::ErrorBody)))]
pub(super) async fn delete_board(
    admin: AdminReader,
    State(db): State<Db>,
    Path(name): Path<Text<64>>,
) -> Result<Json<BoardDeletedResponse>, HttpError> {
    let (owner, name) = (admin.actor_id().to_owned(), String::from(name));
    let write = move |tx: &Tx<'_>| {
        if !queries::delete(tx, &owner, &name)? {
            return Err(HttpError::not_found(format!("Board with name: {name} was not found")));
        }
        Ok(BoardDeletedResponse { id: name, object: "board", deleted: true })
    };
    db.write(write).await.map(Json)
}
