//! `/admin/promotions`.

use axum::extract::State;

use super::requests::{CreatePromotionRequest, UpdatePromotionRequest};
use super::views::PromotionView;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{
    Answer, Deleted, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, Path,
};
use crate::ids::PromotionId;
use crate::promotions::promotion::{self, Promotion};
use crate::promotions::{PromotionError, queries, write};

type PromotionResponse = One<PromotionView>;
type PromotionListResponse = Page<PromotionView>;
type PromotionDeletedResponse = Deleted<PromotionView>;

/// Lists promotions.
#[crate::http::operation(get, path = "/admin/promotions", tag = "Admin promotions", params(ListRequest<PromotionView>),
    responses((status = 200, description = "A page", body = PromotionListResponse)))]
pub(super) async fn list_promotions(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<PromotionView>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, _| {
        let (mut promotions, count) = queries::page(tx, query)?;
        promotion::complete(tx, &mut promotions)?;
        let views: Vec<_> = promotions.iter().map(PromotionView::new).collect();
        Ok::<_, PromotionError>((views, count))
    })
    .await
}

/// Creates a promotion.
///
/// Cart rules may use `region_id`, `currency_code`, `sales_channel_id`, `customer.id`, `customer.groups.id`, `email`,
/// `shipping_address.country_code`, `shipping_address.province`, `subtotal` and `item_quantity`. `customer.id` and
/// `customer.groups.id` are those of an account or of a draft order's customer; `email` is what anybody typed. Target and
/// buy rules may use `items.product.id`, `items.product.type_id`, `items.product.collection_id`,
/// `items.product.categories.id`, `items.product.tags.id`, `items.variant_id`, `items.sku` and `items.unit_price`, and
/// `shipping_methods.shipping_option_id` and `shipping_methods.name`. A cart rule may also use the attributes of lines;
/// it sees those of all lines.
#[crate::http::operation(post, path = "/admin/promotions", tag = "Admin promotions", params(Fields<PromotionView>),
    request_body = CreatePromotionRequest,
    responses((status = 200, description = "The promotion", body = PromotionResponse)))]
pub(super) async fn create_promotion(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<PromotionView>,
    Json(request): Json<CreatePromotionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let promotion = request.into_promotion(tx.now())?;
            write::put(tx, &promotion)?;
            Ok::<_, PromotionError>(PromotionView::new(&Promotion::require(tx, &promotion.id)?))
        })
        .await
}

/// Returns a promotion.
#[crate::http::operation(get, path = "/admin/promotions/{id}", tag = "Admin promotions",
    params(("id" = PromotionId, Path), Fields<PromotionView>),
    responses((status = 200, description = "The promotion", body = PromotionResponse)))]
pub(super) async fn show_promotion(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, PromotionId, PromotionView>,
) -> Result<Answer, HttpError> {
    let promotion = db.read(move |tx| Promotion::require(tx, &id)).await?;
    fields.answer(&PromotionView::new(&promotion))
}

/// Updates a promotion. Its rules have their own routes.
#[crate::http::operation(post, path = "/admin/promotions/{id}", tag = "Admin promotions",
    params(("id" = PromotionId, Path), Fields<PromotionView>), request_body = UpdatePromotionRequest,
    responses((status = 200, description = "The promotion", body = PromotionResponse)))]
pub(super) async fn update_promotion(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, PromotionId, PromotionView>,
    Json(request): Json<UpdatePromotionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let mut promotion = Promotion::require(tx, &id)?;
            request.apply(&mut promotion)?;
            write::put(tx, &promotion)?;
            Ok::<_, PromotionError>(PromotionView::new(&Promotion::require(tx, &id)?))
        })
        .await
}

/// Deletes a promotion. Orders that used it keep their discount.
#[crate::http::operation(delete, path = "/admin/promotions/{id}", tag = "Admin promotions",
    params(("id" = PromotionId, Path)),
    responses((status = 200, description = "It is deleted", body = PromotionDeletedResponse)))]
pub(super) async fn delete_promotion(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<PromotionId>,
) -> Result<Json<PromotionDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| write::delete(tx, &deleted_id)).await?;
    Ok(Json(Deleted::new(id)))
}
