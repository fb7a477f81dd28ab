//! Statements on the cart row.

use rusqlite::{Row, named_params};

use super::columns::{json, json_or_null, text, text_or_null};
use crate::cart::contents::{Address, Cart, Metadata};
use crate::cart::import::ImportedCart;
use crate::clock::Timestamp;
use crate::database::{Error, Named, Tx};
use crate::ids::{CartId, CustomerId, RegionId, SalesChannelId};
use crate::money::Currency;

/// A cart without its lines, methods and credit lines.
#[derive(Debug)]
pub(in crate::cart) struct CartRow {
    pub(in crate::cart) region_id: Option<RegionId>,
    pub(in crate::cart) sales_channel_id: Option<SalesChannelId>,
    pub(in crate::cart) customer_id: Option<CustomerId>,
    pub(in crate::cart) has_account: bool,
    pub(in crate::cart) currency: Currency,
    pub(in crate::cart) email: Option<String>,
    pub(in crate::cart) locale: Option<String>,
    pub(in crate::cart) shipping_address: Option<Address>,
    pub(in crate::cart) billing_address: Option<Address>,
    pub(in crate::cart) promo_codes: Vec<String>,
    pub(in crate::cart) completed_at: Option<Timestamp>,
    pub(in crate::cart) is_being_completed: bool,
    pub(in crate::cart) metadata: Option<Metadata>,
    pub(in crate::cart) created_at: Timestamp,
    pub(in crate::cart) updated_at: Timestamp,
}

impl CartRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let row = &Named::of(row);
        Ok(Self {
            region_id: row.get("region_id")?,
            sales_channel_id: row.get("sales_channel_id")?,
            customer_id: row.get("customer_id")?,
            has_account: row.get("has_account")?,
            currency: row.get("currency")?,
            email: row.get("email")?,
            locale: row.get("locale")?,
            shipping_address: json_or_null(row, "shipping_address")?,
            billing_address: json_or_null(row, "billing_address")?,
            promo_codes: json(row, "promo_codes")?,
            completed_at: row.get("completed_at")?,
            is_being_completed: row.get("is_being_completed")?,
            metadata: json_or_null(row, "metadata")?,
            created_at: row.get("created_at")?,
            updated_at: row.get("updated_at")?,
        })
    }
}

/// Returns the cart, whether its customer has an account, and whether its completion is in progress.
pub(in crate::cart) fn find_cart(tx: &Tx<'_>, id: &CartId) -> Result<Option<CartRow>, Error> {
    tx.sql(
        "select region_id, sales_channel_id, customer_id, currency, email, locale,
                shipping_address, billing_address, promo_codes, completed_at, metadata,
                created_at, updated_at,
                exists (select 1 from customer where customer.id = cart.customer_id and has_account = 1)
                  as has_account,
                exists (select 1 from cart_completion where cart_id = cart.id and state = 'claimed')
                  as is_being_completed
           from cart
          where id = :id",
    )
    .first(named_params! { ":id": id }, CartRow::read)
}

/// Inserts a new cart, without its lines.
pub(in crate::cart) fn insert_cart(tx: &Tx<'_>, cart: &Cart) -> Result<(), Error> {
    tx.sql(
        "insert into cart (id, region_id, sales_channel_id, customer_id, currency, email, locale,
                           shipping_address, billing_address, promo_codes, metadata, created_at, updated_at)
         values (:id, :region_id, :sales_channel_id, :customer_id, :currency, :email, :locale,
                 :shipping_address, :billing_address, :promo_codes, :metadata, :now, :now)",
    )
    .run(named_params! {
        ":id": cart.id,
        ":region_id": cart.region_id,
        ":sales_channel_id": cart.sales_channel_id,
        ":customer_id": cart.customer_id,
        ":currency": cart.currency,
        ":email": cart.email,
        ":locale": cart.locale,
        ":shipping_address": text_or_null(cart.shipping_address.as_ref())?,
        ":billing_address": text_or_null(cart.billing_address.as_ref())?,
        ":promo_codes": text(&cart.promo_codes)?,
        ":metadata": text_or_null(cart.metadata.as_ref())?,
        ":now": tx.now(),
    })
}

/// Inserts an imported cart, without its lines.
pub(in crate::cart) fn insert_imported(tx: &Tx<'_>, cart: &ImportedCart) -> Result<(), Error> {
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
pub(in crate::cart) fn update_cart(tx: &Tx<'_>, cart: &Cart) -> Result<(), Error> {
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
        ":shipping_address": text_or_null(cart.shipping_address.as_ref())?,
        ":billing_address": text_or_null(cart.billing_address.as_ref())?,
        ":promo_codes": text(&cart.promo_codes)?,
        ":metadata": text_or_null(cart.metadata.as_ref())?,
        ":now": tx.now(),
    })
}
