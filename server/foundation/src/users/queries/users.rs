//! Admins.

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::auth::Email;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::UserId;
use crate::users::user::User;

/// What admins can ask of the list.
pub(in crate::users) static USERS: Listing = Listing {
    plural: "users",
    table: "user u",
    id: "u.id",
    columns: &[
        Column::new("id", "u.id", Kind::Id),
        Column::new("email", "u.email", Kind::Text),
        Column::new("first_name", "u.first_name", Kind::Text),
        Column::new("last_name", "u.last_name", Kind::Text),
        Column::filter("role", "u.role", Kind::Word(&["admin", "analyst", "viewer"])),
        Column::new("created_at", "u.created_at", Kind::Time),
        Column::new("updated_at", "u.updated_at", Kind::Time),
    ],
    search: &["u.email", "u.first_name", "u.last_name"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

const COLUMNS: &str = "u.id, u.first_name, u.last_name, u.email, u.avatar_url, u.role, u.metadata, u.created_at, \
                       u.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: row.get(0)?,
        first_name: row.get(1)?,
        last_name: row.get(2)?,
        email: row.get(3)?,
        avatar_url: row.get(4)?,
        role: row.get(5)?,
        metadata: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
        deleted_at: None,
    })
}

/// A page of admins, and how many there are.
pub(in crate::users) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<User>, u64), Error> {
    let query = query.narrow("u.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(in crate::users) fn find(tx: &Tx<'_>, id: &UserId) -> Result<Option<User>, Error> {
    let sql = format!("select {COLUMNS} from user u where u.id = :id and u.deleted_at is null");
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, read).optional()?)
}

pub(in crate::users) fn exist(tx: &Tx<'_>) -> Result<bool, Error> {
    Ok(tx.prepare_cached("select 1 from user where deleted_at is null limit 1")?.exists([])?)
}

pub(in crate::users) fn has_email(tx: &Tx<'_>, email: &Email) -> Result<bool, Error> {
    let sql = "select 1 from user where email = :email and deleted_at is null";
    Ok(tx.prepare_cached(sql)?.exists(named_params! { ":email": email })?)
}

/// Whether somebody else may do everything.
pub(in crate::users) fn has_other_admin(tx: &Tx<'_>, id: &UserId) -> Result<bool, Error> {
    let sql =
        "select 1 from user where role = 'admin' and deleted_at is null and id <> :id limit 1";
    Ok(tx.prepare_cached(sql)?.exists(named_params! { ":id": id })?)
}

pub(in crate::users) fn insert(tx: &Tx<'_>, user: &User) -> Result<(), Error> {
    let sql = "insert into user (id, email, first_name, last_name, avatar_url, role, metadata, created_at, updated_at)
               values (:id, :email, :first_name, :last_name, :avatar_url, :role, :metadata, :now, :now)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": user.id,
        ":email": user.email,
        ":first_name": user.first_name,
        ":last_name": user.last_name,
        ":avatar_url": user.avatar_url,
        ":role": user.role,
        ":metadata": user.metadata,
        ":now": user.created_at,
    })?;
    Ok(())
}

pub(in crate::users) fn update(tx: &Tx<'_>, user: &User) -> Result<(), Error> {
    let sql = "update user set first_name = :first_name, last_name = :last_name, avatar_url = :avatar_url,
                      role = :role, metadata = :metadata, updated_at = :now
                where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": user.id,
        ":first_name": user.first_name,
        ":last_name": user.last_name,
        ":avatar_url": user.avatar_url,
        ":role": user.role,
        ":metadata": user.metadata,
        ":now": user.updated_at,
    })?;
    Ok(())
}

pub(in crate::users) fn delete(tx: &Tx<'_>, id: &UserId) -> Result<(), Error> {
    let sql = "update user set deleted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}
