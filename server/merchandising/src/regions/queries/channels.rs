//! The SQL of sales channels.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{self, ProductId, SalesChannelId};

/// Returns the oldest enabled channel.
pub(in crate::regions) fn oldest(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    tx.sql(
        "select id from sales_channel
          where deleted_at is null and is_disabled = 0
          order by created_at, id
          limit 1",
    )
    .first([], |row| row.get(0))
}

/// Returns the first of the ids that is not a product.
pub(in crate::regions) fn missing_product(
    tx: &Tx<'_>,
    products: &[ProductId],
) -> Result<Option<ProductId>, Error> {
    tx.sql(
        "select value from json_each(:products) sent
          where not exists (select 1 from product p where p.id = sent.value and p.deleted_at is null)
          limit 1",
    )
    .first(
        named_params! { ":products": ids::list(products.iter().map(ProductId::as_str)) },
        |row| row.get(0),
    )
}

pub(in crate::regions) fn add_products(
    tx: &Tx<'_>,
    channel: &SalesChannelId,
    products: &[ProductId],
) -> Result<(), Error> {
    tx.sql(
        "insert or ignore into product_sales_channel (sales_channel_id, product_id)
         select :channel, value from json_each(:products)",
    )
    .run(named_params! {
        ":channel": channel, ":products": ids::list(products.iter().map(ProductId::as_str)),
    })
}

pub(in crate::regions) fn remove_products(
    tx: &Tx<'_>,
    channel: &SalesChannelId,
    products: &[ProductId],
) -> Result<(), Error> {
    tx.sql(
        "delete from product_sales_channel
          where sales_channel_id = :channel
            and product_id in (select value from json_each(:products))",
    )
    .run(named_params! {
        ":channel": channel, ":products": ids::list(products.iter().map(ProductId::as_str)),
    })
}
