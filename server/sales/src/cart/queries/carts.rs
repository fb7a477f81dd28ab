//! Statements on the cart row.

use rusqlite::named_params;

use crate::cart::contents::Cart;
use crate::cart::import::ImportedCart;
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::CartId;

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
                promo_codes = :promo_codes, metadata = :metadata, updated_at = :now
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
