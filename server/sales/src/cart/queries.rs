//! The SQL of carts: the same number of statements for one line as for fifty.

use rusqlite::named_params;
use serde::Serialize;

use super::contents::{Cart, CreditLine, Line, ShippingMethod};
use super::import::ImportedCart;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{self, CartId};

/// Returns the cart without its lines, methods, credit lines and totals.
pub(crate) fn find_cart(tx: &Tx<'_>, id: &CartId) -> Result<Option<Cart>, Error> {
    tx.sql(
        "select id, region_id, sales_channel_id, customer_id, currency, email, locale,
                shipping_address, billing_address, promo_codes, completed_at, metadata,
                created_at, updated_at,
                exists (select 1 from customer where customer.id = cart.customer_id and has_account = 1)
                  as has_account,
                exists (select 1 from cart_completion where cart_id = cart.id and state = 'claimed')
                  as is_being_completed
           from cart
          where id = :id",
    )
    .first(named_params! { ":id": id }, Cart::from_row)
}

/// Inserts a new cart, without its lines.
pub(crate) fn insert_cart(tx: &Tx<'_>, cart: &Cart) -> Result<(), Error> {
    tx.insert("cart", named_params! {
        ":id": cart.id, ":region_id": cart.region_id, ":sales_channel_id": cart.sales_channel_id,
        ":customer_id": cart.customer_id, ":currency": cart.currency, ":email": cart.email,
        ":locale": cart.locale, ":shipping_address": cart.shipping_address.as_ref().map(Stored),
        ":billing_address": cart.billing_address.as_ref().map(Stored),
        ":promo_codes": Stored(&cart.promo_codes), ":metadata": cart.metadata.as_ref().map(Stored),
        ":created_at": tx.now(), ":updated_at": tx.now(),
    })
}

/// Inserts an imported cart, without its lines.
pub(crate) fn insert_imported(tx: &Tx<'_>, cart: &ImportedCart) -> Result<(), Error> {
    tx.sql(
        "insert into cart (id, region_id, sales_channel_id, customer_id, currency, email, completed_at, created_at,
                           updated_at)
         values (:id, :region_id, :sales_channel_id, :customer_id, :currency,
                 (select email from customer where id = :customer_id), :completed_at, :now,
                 coalesce(:completed_at, :now))",
    )
    .run(named_params! {
        ":id": cart.id,
        ":region_id": cart.region_id,
        ":sales_channel_id": cart.sales_channel_id,
        ":customer_id": cart.customer_id,
        ":currency": cart.currency,
        ":completed_at": cart.completed_at,
        ":now": tx.now(),
    })
}

/// Updates the columns that may change before the cart is completed.
pub(crate) fn update_cart(tx: &Tx<'_>, cart: &Cart) -> Result<(), Error> {
    tx.sql(
        "update cart
            set region_id = :region_id, sales_channel_id = :sales_channel_id, customer_id = :customer_id,
                currency = :currency, email = :email, locale = :locale,
                shipping_address = :shipping_address, billing_address = :billing_address,
                promo_codes = :promo_codes, metadata = :metadata, updated_at = :now, emptied_at = null
          where id = :id and completed_at is null",
    )
    .run(named_params! {
        ":id": cart.id,
        ":region_id": cart.region_id,
        ":sales_channel_id": cart.sales_channel_id,
        ":customer_id": cart.customer_id,
        ":currency": cart.currency,
        ":email": cart.email,
        ":locale": cart.locale,
        ":shipping_address": cart.shipping_address.as_ref().map(Stored),
        ":billing_address": cart.billing_address.as_ref().map(Stored),
        ":promo_codes": Stored(&cart.promo_codes),
        ":metadata": cart.metadata.as_ref().map(Stored),
        ":now": tx.now(),
    })
}

/// Returns carts with contents that are not orders and have not changed since a time, after a given cart, oldest
/// first.
pub(crate) fn untouched(
    tx: &Tx<'_>,
    before: Timestamp,
    (after, after_id): &(Timestamp, String),
    limit: u32,
) -> Result<Vec<(Timestamp, String)>, Error> {
    tx.sql(
        "select updated_at, id from cart
          where completed_at is null and emptied_at is null and updated_at < :before
            and (updated_at, id) > (:after, :after_id)
          order by updated_at, id limit :limit",
    )
    .all(
        named_params! { ":before": before, ":after": after, ":after_id": after_id, ":limit": limit },
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Deletes the contents of those of the given carts that have not changed since a time, belong to no account and
/// have no payment.
pub(crate) fn empty(tx: &Tx<'_>, before: Timestamp, cart_ids: &str) -> Result<(), Error> {
    let emptied: Vec<CartId> = tx
        .sql(
            "update cart
                set email = null, shipping_address = null, billing_address = null, promo_codes = '[]',
                    -- Metrics read the visit.
                    metadata = case when metadata -> '$.session_id' is not null
                                    then json_object('session_id', metadata -> '$.session_id') end,
                    emptied_at = :now
              where id in (select value from json_each(:ids))
                and completed_at is null and emptied_at is null and updated_at < :before
                and not exists (select 1 from customer where customer.id = cart.customer_id and has_account = 1)
                and not exists (select 1 from cart_completion where cart_id = cart.id)
                and not exists (select 1 from payment_collection c
                                  join payment_session s on s.payment_collection_id = c.id
                                 where c.cart_id = cart.id
                                   and (s.authorized_at is not null or s.status in ('authorized', 'captured')))
              returning id",
        )
        .all(
            named_params! { ":now": tx.now(), ":before": before, ":ids": cart_ids },
            |row| row.get(0),
        )?;
    let emptied = ids::list(&emptied);
    for statement in [
        "delete from cart_line where cart_id in (select value from json_each(:ids))",
        "delete from cart_shipping_method where cart_id in (select value from json_each(:ids))",
        "delete from cart_credit_line where cart_id in (select value from json_each(:ids))",
        "update payment_session
            set data = json_object('id', data ->> '$.id', 'status', data ->> '$.status'), context = '{}', metadata = null
          where payment_collection_id in
                (select id from payment_collection where cart_id in (select value from json_each(:ids)))",
    ] {
        tx.sql(statement).run(named_params! { ":ids": emptied })?;
    }
    Ok(())
}

/// The table of one kind of part, and its immutable columns, besides the key.
#[derive(Debug)]
pub(crate) struct PartTable {
    name: &'static str,
    fixed: &'static [&'static str],
}

pub(crate) const LINES: PartTable =
    PartTable { name: "cart_line", fixed: &["position", "variant_id", "product_id"] };

pub(crate) const SHIPPING_METHODS: PartTable = PartTable {
    name: "cart_shipping_method",
    fixed: &["shipping_option_id", "shipping_profile_id"],
};

pub(crate) const CREDIT_LINES: PartTable =
    PartTable { name: "cart_credit_line", fixed: &["reference", "reference_id"] };

/// Returns the lines of a cart in the order they were added, without totals.
pub(crate) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, Line::from_row)
}

/// Returns the shipping methods of a cart, without totals.
pub(crate) fn shipping_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<ShippingMethod>, Error> {
    tx.sql("select * from cart_shipping_method where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, ShippingMethod::from_row)
}

pub(crate) fn credit_lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<CreditLine>, Error> {
    tx.sql("select * from cart_credit_line where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, CreditLine::from_row)
}

/// Deletes the removed parts, by their ids, and writes those that are new or changed.
pub(crate) fn write_parts<T: FromRow + Serialize>(
    tx: &Tx<'_>,
    cart_id: &CartId,
    PartTable { name, fixed }: &PartTable,
    (gone, changed): (Vec<impl Serialize>, Vec<&T>),
) -> Result<(), Error> {
    if !gone.is_empty() {
        let sql = format!(
            "delete from {name} where cart_id = :cart_id and id in (select value from json_each(:ids))"
        );
        tx.sql(&sql).run(named_params! { ":cart_id": cart_id, ":ids": Stored(gone) })?;
    }
    if !changed.is_empty() {
        let cart = named_params! { ":cart_id": cart_id };
        let mut columns = T::columns();
        columns.retain(|column| !matches!(*column, "created_at" | "updated_at"));
        tx.put_rows(name, (&["cart_id", "id"], fixed), cart, (&columns, Stored(changed)))?;
    }
    Ok(())
}
