//! Statements on categories.

use rusqlite::named_params;

use crate::catalog::view::Category;
use crate::catalog::view::grouping::StoreCategory;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Listable, Record, Tx};
use crate::http::Listed;
use crate::ids::CategoryId;

const ADMIN_COLUMNS: &[Column] = &[
    Column::new("id", "c.id", Kind::Id),
    Column::new("name", "c.name", Kind::Text),
    Column::new("handle", "c.handle", Kind::Text),
    Column::filter("parent_category_id", "c.parent_category_id", Kind::Id),
    Column::new("rank", "c.rank", Kind::Integer),
    Column::new("created_at", "c.created_at", Kind::Time),
    Column::new("updated_at", "c.updated_at", Kind::Time),
    Column::filter("is_active", "c.is_active", Kind::Boolean),
    Column::filter("is_internal", "c.is_internal", Kind::Boolean),
];

/// The columns before `is_active`.
const STORE_COLUMNS: &[Column] = ADMIN_COLUMNS.split_at(7).0;

static STORE: Listing = Listing { columns: STORE_COLUMNS, ..ADMIN };

static ADMIN: Listing = Listing {
    plural: "product_categories",
    table: "product_category c",
    tie_breaker: "c.id",
    columns: ADMIN_COLUMNS,
    search: &["c.name", "c.description", "c.handle"],
    default_limit: 50,
    default_order: "id",
    extra: &["include_ancestors_tree", "include_descendants_tree"],
};

impl Listable for Category {
    const LISTING: &'static Listing = &ADMIN;
}

impl Listed for Category {
    const LISTING: &'static Listing = &ADMIN;
}

impl Listed for StoreCategory {
    const LISTING: &'static Listing = &STORE;
}

/// Restricts a list to categories visible to shoppers.
pub(crate) fn visible(query: ListQuery) -> ListQuery {
    query.narrow("c.is_active = 1 and c.is_internal = 0", [])
}

/// Returns these categories, given as a JSON array of ids, and their ancestors, up to the depth limit.
pub(crate) fn ancestors(tx: &Tx<'_>, ids: &str, depth: usize) -> Result<Vec<Category>, Error> {
    let sql = format!(
        "with recursive above (id, depth) as (
           select value, 0 from json_each(:ids)
           union
           select c.parent_category_id, above.depth + 1
             from above join product_category c on c.id = above.id
            where c.parent_category_id is not null and above.depth < :depth)
         select {} from product_category c
          where c.id in (select id from above) and c.deleted_at is null
          order by c.rank, c.id",
        Category::COLUMNS
    );
    select(tx, &sql, ids, depth)
}

/// Returns the descendants of these categories, given as a JSON array of ids, by rank, up to the depth limit, without
/// the categories themselves.
pub(crate) fn descendants(tx: &Tx<'_>, ids: &str, depth: usize) -> Result<Vec<Category>, Error> {
    let sql = format!(
        "with recursive below (id, depth) as (
           select value, 0 from json_each(:ids)
           union
           select c.id, below.depth + 1
             from below join product_category c on c.parent_category_id = below.id
            where c.deleted_at is null and below.depth < :depth)
         select {} from product_category c
          where c.id in (select id from below where depth > 0) and c.deleted_at is null
          order by c.rank, c.id
          limit 10000",
        Category::COLUMNS
    );
    select(tx, &sql, ids, depth)
}

fn select(tx: &Tx<'_>, sql: &str, ids: &str, depth: usize) -> Result<Vec<Category>, Error> {
    let depth = i64::try_from(depth).unwrap_or(i64::MAX);
    tx.sql(sql).all(named_params! { ":ids": ids, ":depth": depth }, Category::read)
}

pub(crate) fn sibling_count(tx: &Tx<'_>, parent: Option<&CategoryId>) -> Result<i64, Error> {
    tx.sql(
        "select count(*) from product_category
          where parent_category_id is :parent and deleted_at is null",
    )
    .one(named_params! { ":parent": parent }, |row| row.get(0))
}

/// Shifts the ranks of a parent's categories from a rank on.
pub(crate) fn shift_ranks(
    tx: &Tx<'_>,
    parent: Option<&CategoryId>,
    rank: i64,
    by: i64,
) -> Result<(), Error> {
    tx.sql(
        "update product_category set rank = rank + :by
          where parent_category_id is :parent and rank >= :rank and deleted_at is null",
    )
    .run(named_params! { ":parent": parent, ":rank": rank, ":by": by })
}
