//! Boards: which tiles a person sees, and in which order.

use axum::http::Method;
use serde::Deserialize;
use serde_json::json;

use crate::client::{Failure, segment};
use crate::form::Form;
use crate::page::{PageResult, go};
use crate::parameters::Parameters;
use crate::visit::Visit;

/// The board of people who have not named one.
const OWN: &str = "overview";

/// The tiles of people who have chosen none.
const STANDARD: &[&str] = &[
    "standard:total_sales",
    "standard:net_sales",
    "standard:orders",
    "standard:average_order_value",
    "standard:units",
    "standard:returns",
    "standard:new_customers",
    "standard:returning_rate",
];

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Board {
    pub(super) name: String,
    pub(super) tiles: Vec<String>,
    pub(super) is_shared: bool,
    /// Whether the person may change it.
    pub(super) is_own: bool,
    /// The other boards visible to the person.
    #[serde(skip)]
    pub(super) others: Vec<String>,
}

/// Returns the board with a name; defaults to the person's own. Shows the standard tiles if it cannot be read.
pub(super) async fn shown(visit: &Visit, name: &str) -> Board {
    chosen(read(visit).await.unwrap_or_default(), name)
}

/// Reads the boards visible to the person.
async fn read(visit: &Visit) -> Result<Vec<Board>, Failure> {
    visit.api.get_at("/admin/metrics/boards", "/boards").await
}

/// Chooses the board with a name; defaults to the standard tiles.
fn chosen(boards: Vec<Board>, name: &str) -> Board {
    let name = if name.is_empty() { OWN } else { name };
    let fallback = || Board {
        name: name.to_owned(),
        tiles: STANDARD.iter().map(|key| (*key).to_owned()).collect(),
        is_shared: false,
        is_own: true,
        others: Vec::new(),
    };
    let named = |board: &&Board| board.name == name;
    let chosen = boards.iter().filter(named).max_by_key(|board| board.is_own);
    let mut board = chosen.cloned().unwrap_or_else(fallback);
    let mut others: Vec<String> = boards.into_iter().map(|board| board.name).collect();
    others.push(OWN.to_owned());
    others.sort();
    others.dedup();
    others.retain(|other| *other != board.name);
    board.others = others;
    board
}

/// Moves, adds or removes a tile of a board, or shares the board.
pub(crate) async fn change_board(visit: Visit, Form(fields): Form) -> PageResult {
    let path = fields.text("name");
    let name = if path.is_empty() { OWN } else { path };
    // Not the standard tiles if it cannot be read: they would replace the person's own.
    let mut board = chosen(read(&visit).await?, name);
    let key = fields.text("key");
    match fields.text("action") {
        "add" => {
            if !key.is_empty() && !board.tiles.iter().any(|own| own == key) {
                board.tiles.push(key.to_owned());
            }
        }
        "remove" => board.tiles.retain(|own| own != key),
        "earlier" => moved(&mut board.tiles, key, true),
        "later" => moved(&mut board.tiles, key, false),
        "share" => board.is_shared = true,
        "unshare" => board.is_shared = false,
        _ => return Err(visit.missing()),
    }
    let target = format!("/admin/metrics/boards/{}", segment(name));
    let body = json!({ "tiles": board.tiles, "is_shared": board.is_shared });
    match visit.api.send(Method::PUT, &target, Some(&body)).await {
        Ok(_) => go(&back_to(&fields, name)),
        Err(failure) => Err(failure.permitted()?.into()),
    }
}

/// Returns the page on which the change was made: the overview with its range, or a metric.
fn back_to(fields: &Parameters, name: &str) -> String {
    let back = fields.text("back");
    if back.starts_with("/app/") {
        return back.to_owned();
    }
    let board = if name == OWN { "" } else { name };
    let query = back.strip_prefix("/app?").unwrap_or_default();
    let query = Parameters::parse(query.as_bytes());
    query.with("/app", &[("board", board)])
}

/// Moves a key one place.
fn moved(tiles: &mut [String], key: &str, is_earlier: bool) {
    let Some(index) = tiles.iter().position(|own| own == key) else { return };
    let other = if is_earlier { index.checked_sub(1) } else { index.checked_add(1) };
    if let Some(other) = other.filter(|other| *other < tiles.len()) {
        tiles.swap(index, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_moves_by_one_place_and_not_beyond_the_ends() {
        let mut tiles = ["a", "b", "c"].map(str::to_owned);
        for (key, is_earlier, expected) in
            [("b", true, "bac"), ("b", true, "bac"), ("b", false, "abc"), ("c", false, "abc")]
        {
            moved(&mut tiles, key, is_earlier);
            assert_eq!(tiles.concat(), expected);
        }
    }
}
