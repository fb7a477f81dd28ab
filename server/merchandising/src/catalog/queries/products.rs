//! Products: what their lists can be asked for, and reading them.

use rusqlite::types::Value;
use rusqlite::{Row, named_params};

use crate::catalog::ProductStatus;
use crate::catalog::view::{Collection, Product, ProductType};
use crate::database::Filtered as _;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, ProductId, SalesChannelId};

/// Behind `from`, for lists: what is joined is one row each, so that it does not change the count.
const TABLE: &str = "product p
    left join product_type ty on ty.id = p.type_id and ty.deleted_at is null
    left join product_collection co on co.id = p.collection_id and co.deleted_at is null";

/// What is read of a product.
const COLUMNS: &str = "p.id, p.title, p.subtitle, p.status, p.external_id, p.description, p.handle, p.is_giftcard,
    p.discountable, p.thumbnail, p.collection_id, p.type_id, p.shipping_profile_id, p.weight, p.length, p.height,
    p.width, p.hs_code, p.origin_country, p.mid_code, p.material, p.created_at, p.updated_at, p.metadata,
    ty.id, ty.value, ty.metadata, ty.created_at, ty.updated_at,
    co.id, co.title, co.handle, co.external_id, co.metadata, co.created_at, co.updated_at";

const SEARCH: &[&str] = &[
    "p.title",
    "p.subtitle",
    "p.description",
    "exists (select 1 from product_variant v
              where v.product_id = p.id and v.deleted_at is null
                and v.title || char(10) || coalesce(v.sku, '') || char(10) || coalesce(v.barcode, '') || char(10)
                    || coalesce(v.ean, '') || char(10) || coalesce(v.upc, '') {})",
];

const ID: Column = Column::new("id", "p.id", Kind::Id);
const TITLE: Column = Column::new("title", "p.title", Kind::Text);
const HANDLE: Column = Column::new("handle", "p.handle", Kind::Text);
const COLLECTION: Column = Column::filter("collection_id", "p.collection_id", Kind::Id);
const TYPE: Column = Column::filter("type_id", "p.type_id", Kind::Id);
const CATEGORY: Column = Column::filter(
    "category_id",
    "exists (select 1 from product_category_product link
              where link.product_id = p.id and link.product_category_id in ({}))",
    Kind::Link,
);
const TAG: Column = Column::filter(
    "tag_id",
    "exists (select 1 from product_tag_product link
              where link.product_id = p.id and link.product_tag_id in ({}))",
    Kind::Link,
);
const CHANNEL: Column = Column::filter(
    "sales_channel_id",
    "exists (select 1 from product_sales_channel link
              where link.product_id = p.id and link.sales_channel_id in ({}))",
    Kind::Link,
);
const GIFTCARD: Column = Column::filter("is_giftcard", "p.is_giftcard", Kind::Boolean);
const EXTERNAL: Column = Column::filter("external_id", "p.external_id", Kind::Id);
const CREATED: Column = Column::new("created_at", "p.created_at", Kind::Time);
const UPDATED: Column = Column::new("updated_at", "p.updated_at", Kind::Time);

/// What shoppers can ask for.
pub(in crate::catalog) static STORE: Listing = Listing {
    plural: "products",
    table: TABLE,
    id: "p.id",
    columns: &[
        ID, TITLE, HANDLE, COLLECTION, TYPE, CATEGORY, TAG, CHANNEL, GIFTCARD, EXTERNAL, CREATED,
        UPDATED,
    ],
    search: SEARCH,
    default_limit: 50,
    default_order: "id",
    extra: &["region_id", "country_code", "province", "cart_id"],
};

/// What admins can ask for.
pub(in crate::catalog) static ADMIN: Listing = Listing {
    plural: "products",
    table: TABLE,
    id: "p.id",
    columns: &[
        ID,
        TITLE,
        HANDLE,
        COLLECTION,
        TYPE,
        CATEGORY,
        TAG,
        CHANNEL,
        GIFTCARD,
        EXTERNAL,
        CREATED,
        UPDATED,
        Column::new("status", "p.status", ProductStatus::KIND),
        Column::filter("shipping_profile_id", "p.shipping_profile_id", Kind::Id),
    ],
    search: SEARCH,
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// A list of what is there.
pub(in crate::catalog) fn existing(query: ListQuery) -> ListQuery {
    query.narrow("p.deleted_at is null", [])
}

/// A list of what shoppers of these channels see.
pub(in crate::catalog) fn visible(query: ListQuery, channels: &[SalesChannelId]) -> ListQuery {
    let channels = ids::list(channels.iter().map(SalesChannelId::as_str));
    query.narrow(
        "p.deleted_at is null and p.status = 'published'
         and exists (select 1 from product_sales_channel seen
                      where seen.product_id = p.id
                        and seen.sales_channel_id in (select value from json_each(?)))",
        [Value::Text(channels)],
    )
}

/// A channel that is asked for and is none of these.
pub(in crate::catalog) fn foreign_channel(
    query: &ListQuery,
    channels: &[SalesChannelId],
) -> Option<String> {
    let asked = query.conditions.iter().filter(|condition| condition.column.name == CHANNEL.name);
    asked.flat_map(|condition| &condition.values).find_map(|value| match value {
        Value::Text(id) if !channels.iter().any(|own| own.as_str() == id) => Some(id.clone()),
        Value::Text(_) | Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => None,
    })
}

/// The products of the page.
pub(in crate::catalog) fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<Product>, Error> {
    Ok(query.page(tx, COLUMNS, read)?)
}

/// A number that grows with every change of what lists hold.
pub(in crate::catalog) fn version(tx: &Tx<'_>) -> Result<i64, Error> {
    Ok(tx.prepare_cached("select version from catalog_version")?.query_row([], |row| row.get(0))?)
}

/// A product that is there.
pub(in crate::catalog) fn find(tx: &Tx<'_>, id: &ProductId) -> Result<Option<Product>, Error> {
    let sql = format!("select {COLUMNS} from {TABLE} where p.id = :id and p.deleted_at is null");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read).transpose()?)
}

/// The products, of those given as a JSON array of ids, that are there.
pub(in crate::catalog) fn find_all(tx: &Tx<'_>, ids: &str) -> Result<Vec<Product>, Error> {
    let sql = format!(
        "select {COLUMNS} from {TABLE}
          where p.id in (select value from json_each(:ids)) and p.deleted_at is null order by p.id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":ids": ids }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether shoppers of these channels see a product.
pub(in crate::catalog) fn is_visible(
    tx: &Tx<'_>,
    id: &ProductId,
    channels: &[SalesChannelId],
) -> Result<bool, Error> {
    let channels = ids::list(channels.iter().map(SalesChannelId::as_str));
    Ok(tx
        .prepare_cached(
            "select exists (select 1 from product p
                              join product_sales_channel link on link.product_id = p.id
                             where p.id = :id and p.status = 'published' and p.deleted_at is null
                               and link.sales_channel_id in (select value from json_each(:channels)))",
        )?
        .query_row(named_params! { ":id": id, ":channels": channels }, |row| row.get(0))?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Product> {
    Ok(Product {
        id: row.get(0)?,
        title: row.get(1)?,
        subtitle: row.get(2)?,
        status: row.get(3)?,
        external_id: row.get(4)?,
        description: row.get(5)?,
        handle: row.get(6)?,
        is_giftcard: row.get(7)?,
        discountable: row.get(8)?,
        thumbnail: row.get(9)?,
        collection_id: row.get(10)?,
        type_id: row.get(11)?,
        shipping_profile_id: row.get(12)?,
        weight: row.get(13)?,
        length: row.get(14)?,
        height: row.get(15)?,
        width: row.get(16)?,
        hs_code: row.get(17)?,
        origin_country: row.get(18)?,
        mid_code: row.get(19)?,
        material: row.get(20)?,
        created_at: row.get(21)?,
        updated_at: row.get(22)?,
        deleted_at: None,
        metadata: row.get(23)?,
        product_type: read_type(row)?,
        collection: read_collection(row)?,
        options: Vec::new(),
        tags: Vec::new(),
        images: Vec::new(),
        variants: Vec::new(),
        categories: Vec::new(),
        sales_channels: Vec::new(),
    })
}

fn read_type(row: &Row<'_>) -> rusqlite::Result<Option<ProductType>> {
    let Some(id) = row.get(24)? else { return Ok(None) };
    Ok(Some(ProductType {
        id,
        value: row.get(25)?,
        metadata: row.get(26)?,
        created_at: row.get(27)?,
        updated_at: row.get(28)?,
        deleted_at: None,
    }))
}

fn read_collection(row: &Row<'_>) -> rusqlite::Result<Option<Collection>> {
    let Some(id) = row.get(29)? else { return Ok(None) };
    Ok(Some(Collection {
        id,
        title: row.get(30)?,
        handle: row.get(31)?,
        external_id: row.get(32)?,
        metadata: row.get(33)?,
        created_at: row.get(34)?,
        updated_at: row.get(35)?,
        deleted_at: None,
    }))
}
