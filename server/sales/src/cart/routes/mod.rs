//! The store routes of carts.

mod bundles;
mod carts;
mod line_items;
mod requests;
mod shipping;
mod subscription_pricing;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::contents::Cart;
use super::error::CartError;
use super::load;
use super::refresh::{self, Taxes};
use super::view::CartView;
use crate::auth::Shop;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, One, OneRequest, Selection};
use crate::ids::CartId;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(carts::create_cart))
        .routes(routes!(carts::show_cart, carts::update_cart))
        .routes(routes!(carts::give_cart_to_customer))
        .routes(routes!(carts::compute_cart_taxes))
        .routes(routes!(line_items::add_line_item))
        .routes(routes!(line_items::update_line_item, line_items::delete_line_item))
        .routes(routes!(carts::add_cart_promotions, carts::remove_cart_promotions))
        .routes(routes!(carts::apply_store_credit, carts::remove_store_credit))
        .merge(checkout())
}

/// The routes of a cart's shipping, customer and bundles.
fn checkout() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(shipping::list_cart_shipping_options))
        .routes(routes!(shipping::calculate_shipping_option))
        .routes(routes!(shipping::choose_shipping_method))
        .routes(routes!(carts::batch_update_cart))
        .routes(routes!(bundles::add_to_line_item_bundle))
        .routes(routes!(bundles::delete_line_item_bundle))
        .routes(routes!(carts::link_subscription_customer))
        .routes(routes!(subscription_pricing::sync_subscription_pricing))
}

type CartRequest = OneRequest<Shop, CartId, CartView>;
type CartResponse = One<CartView>;

/// Changes a cart, and returns it with the selected fields.
async fn update(
    request: CartRequest,
    work: impl FnOnce(&Tx<'_>, &mut Cart) -> Result<(), CartError> + Send + 'static,
) -> Result<Answer, HttpError> {
    let OneRequest { caller: shop, db, id, fields } = request;
    let cart = change(&db, shop, id, work).await?;
    answer(&db, cart, &fields).await
}

/// Changes a cart in one transaction, so that concurrent changes are not lost.
async fn change(
    db: &Db,
    shop: Shop,
    id: CartId,
    work: impl FnOnce(&Tx<'_>, &mut Cart) -> Result<(), CartError> + Send + 'static,
) -> Result<Cart, CartError> {
    db.write(move |tx| {
        let before = load::load_to_change(tx, &id, &shop)?;
        let mut cart = before.clone();
        work(tx, &mut cart)?;
        refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)
    })
    .await
}

/// Returns the view of a cart. Its relations are loaded on a read connection.
async fn view(db: &Db, cart: Cart, selection: &Selection) -> Result<CartView, CartError> {
    let selection = selection.clone();
    db.read(move |tx| CartView::load(tx, &cart, &selection)).await
}

/// Returns the response `{cart}` with the selected fields.
async fn answer(db: &Db, cart: Cart, fields: &Fields<CartView>) -> Result<Answer, HttpError> {
    let view = view(db, cart, &fields.selection).await?;
    fields.answer(&view)
}
