//! The lists of products, and the statements that read them.

use rusqlite::named_params;
use rusqlite::types::Value;

use crate::catalog::ProductStatus;
use crate::catalog::view::Product;
use crate::catalog::view::product::StoreProduct;
use crate::database::Filtered as _;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Listable, Record, Table, Tx};
use crate::http::Listed;
use crate::ids::{self, ProductId, SalesChannelId};
use crate::metadata::Metadata;

const SEARCH: &[&str] = &[
    "p.title",
    "p.subtitle",
    "p.description",
    "exists (select 1 from product_variant v
              where v.product_id = p.id and v.deleted_at is null
                and v.title || char(10) || coalesce(v.sku, '') || char(10) || coalesce(v.barcode, '') || char(10)
                    || coalesce(v.ean, '') || char(10) || coalesce(v.upc, '') {})",
];

const CHANNEL: &str = "sales_channel_id";

/// The columns of both lists, between those that only one of them has.
const COLUMNS: &[Column] = &[
    Column::filter(
        "category_id",
        "exists (select 1 from product_category_product link
                          join product_category c on c.id = link.product_category_id
                  where link.product_id = p.id and link.product_category_id in ({})
                    and c.is_active = 1 and c.is_internal = 0 and c.deleted_at is null)",
        Kind::Link,
    ),
    Column::new("id", "p.id", Kind::Id),
    Column::new("title", "p.title", Kind::Text),
    Column::new("handle", "p.handle", Kind::Text),
    Column::filter("collection_id", "p.collection_id", Kind::Id),
    Column::filter("type_id", "p.type_id", Kind::Id),
    Column::filter(
        "tag_id",
        "exists (select 1 from product_tag_product link
                  where link.product_id = p.id and link.product_tag_id in ({}))",
        Kind::Link,
    ),
    Column::filter(
        CHANNEL,
        "exists (select 1 from product_sales_channel link
                  where link.product_id = p.id and link.sales_channel_id in ({}))",
        Kind::Link,
    ),
    Column::filter("is_giftcard", "p.is_giftcard", Kind::Boolean),
    Column::filter("external_id", "p.external_id", Kind::Id),
    Column::new("created_at", "p.created_at", Kind::Time),
    Column::new("updated_at", "p.updated_at", Kind::Time),
    Column::filter(
        "category_id",
        "exists (select 1 from product_category_product link
                  where link.product_id = p.id and link.product_category_id in ({}))",
        Kind::Link,
    ),
    Column::new("status", "p.status", ProductStatus::KIND),
    Column::filter("shipping_profile_id", "p.shipping_profile_id", Kind::Id),
];

/// The columns up to `updated_at`.
const STORE_COLUMNS: &[Column] = COLUMNS.split_at(12).0;

/// The columns from `id` on.
const ADMIN_COLUMNS: &[Column] = COLUMNS.split_at(1).1;

static STORE: Listing = Listing {
    columns: STORE_COLUMNS,
    extra: &["region_id", "country_code", "province", "cart_id"],
    ..ADMIN
};

static ADMIN: Listing = Listing {
    plural: "products",
    table: Product::FROM,
    tie_breaker: "p.id",
    columns: ADMIN_COLUMNS,
    search: SEARCH,
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

impl Listable for Product {
    const LISTING: &'static Listing = &ADMIN;
}

impl Listed for Product {
    const LISTING: &'static Listing = &ADMIN;
}

impl Listed for StoreProduct {
    const LISTING: &'static Listing = &STORE;
}

pub(crate) fn existing(query: ListQuery) -> ListQuery {
    query.narrow(Product::EXISTS, [])
}

/// Restricts a list to products visible in these channels.
pub(crate) fn visible(query: ListQuery, channels: &[SalesChannelId]) -> ListQuery {
    let channels = ids::list(channels);
    query.narrow(
        "p.deleted_at is null and p.status = 'published'
         and exists (select 1 from product_sales_channel seen
                      where seen.product_id = p.id
                        and seen.sales_channel_id in (select value from json_each(?)))",
        [Value::Text(channels)],
    )
}

/// Returns a channel of the query's conditions that is not one of these.
pub(crate) fn foreign_channel(query: &ListQuery, channels: &[SalesChannelId]) -> Option<String> {
    let alternatives = query.alternatives.iter().flatten().flatten();
    let conditions = query.conditions.iter().chain(alternatives);
    let of_channel = conditions.filter(|condition| condition.column.name == CHANNEL);
    of_channel.flat_map(|condition| &condition.values).find_map(|value| match value {
        Value::Text(id) if !channels.iter().any(|own| own.as_str() == id) => Some(id.clone()),
        Value::Text(_) | Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => None,
    })
}

pub(crate) fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<Product>, Error> {
    query.page(tx, Product::COLUMNS, Product::read)
}

/// Returns a text that changes with every change that affects lists; the store's time zone determines what a day is.
pub(crate) fn version(tx: &Tx<'_>) -> Result<String, Error> {
    tx.sql("select concat(version, (select time_zone from store)) from catalog_version")
        .one([], |row| row.get(0))
}

pub(crate) fn metadata(tx: &Tx<'_>, id: &ProductId) -> Result<Metadata, Error> {
    tx.sql("select metadata from product where id = :id")
        .one(named_params! { ":id": id }, |row| row.get(0))
}

pub fn is_visible(tx: &Tx<'_>, id: &ProductId, channels: &[SalesChannelId]) -> Result<bool, Error> {
    let channels = ids::list(channels);
    tx.sql(
        "select exists (select 1 from product p
                          join product_sales_channel link on link.product_id = p.id
                         where p.id = :id and p.status = 'published' and p.deleted_at is null
                           and link.sales_channel_id in (select value from json_each(:channels)))",
    )
    .one(named_params! { ":id": id, ":channels": channels }, |row| row.get(0))
}
