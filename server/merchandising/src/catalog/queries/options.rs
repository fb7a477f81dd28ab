//! Statements on single options.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{OptionId, ProductId};

/// Returns the option of a product with a title.
pub(crate) fn titled(
    tx: &Tx<'_>,
    product: &ProductId,
    title: &str,
) -> Result<Option<OptionId>, Error> {
    let params = named_params! { ":product": product, ":title": title };
    tx.sql("select id from product_option where product_id = :product and title = :title")
        .first(params, |row| row.get(0))
}
