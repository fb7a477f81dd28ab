//! Statements on single options.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{OptionId, ProductId};

/// Returns the option of a product with a title.
pub(in crate::catalog) fn titled(
    tx: &Tx<'_>,
    product: &ProductId,
    title: &str,
) -> Result<Option<OptionId>, Error> {
    let mut statement = tx.prepare_cached(
        "select id from product_option where product_id = :product and title = :title",
    )?;
    let params = named_params! { ":product": product, ":title": title };
    let mut rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.next().transpose()?)
}
