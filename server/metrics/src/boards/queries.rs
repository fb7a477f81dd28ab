//! Queries for boards.

use rusqlite::named_params;

use super::{Board, MAX_BOARDS};
use crate::database::{self, FromRow as _, Stored, Tx};

/// Limit: shared boards of others that are listed.
const MAX_SHARED: i64 = 200;

/// Returns the boards that a person sees, their own first.
pub(crate) fn visible(tx: &Tx<'_>, reader: &str) -> Result<Vec<Board>, database::Error> {
    let mut boards = own(tx, reader)?;
    let others: Vec<Board> = tx
        .sql(
            "select name, owner_id, owner_id = :reader as is_own, is_shared, tiles, updated_at
               from board indexed by board_by_name
              where is_shared = 1 and owner_id <> :reader order by name limit :limit",
        )
        .all(named_params! { ":reader": reader, ":limit": MAX_SHARED }, Board::from_row)?;
    boards.extend(others);
    Ok(boards)
}

fn own(tx: &Tx<'_>, owner: &str) -> Result<Vec<Board>, database::Error> {
    tx.sql(
        "select name, owner_id, true as is_own, is_shared, tiles, updated_at
           from board where owner_id = :owner order by name limit :limit",
    )
    .all(named_params! { ":owner": owner, ":limit": MAX_BOARDS }, Board::from_row)
}

/// Returns how many boards a person has, other than one.
pub(super) fn others(tx: &Tx<'_>, owner: &str, name: &str) -> Result<i64, database::Error> {
    tx.sql("select count(*) from board where owner_id = :owner and name <> :name")
        .one(named_params! { ":owner": owner, ":name": name }, |row| row.get(0))
}

pub(super) fn put(tx: &Tx<'_>, board: &Board) -> Result<(), database::Error> {
    tx.put(
        "board",
        &["owner_id", "name"],
        &[],
        named_params! {
            ":owner_id": board.owner_id, ":name": board.name, ":tiles": Stored(&board.tiles),
            ":is_shared": board.is_shared, ":updated_at": board.updated_at,
        },
    )
}

/// Deletes a board; returns whether there was one.
pub(super) fn delete(tx: &Tx<'_>, owner: &str, name: &str) -> Result<bool, database::Error> {
    let deleted = tx
        .sql("delete from board where owner_id = :owner and name = :name")
        .execute(named_params! { ":owner": owner, ":name": name })?;
    Ok(deleted > 0)
}
