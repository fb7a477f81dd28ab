//! `/store/carts/:id/sync-subscription-pricing`.

use serde::Serialize;
use serde_json::{Value, json};

use super::{CartRequest, view};
use crate::cart::changes::items::{self, PlanChoice};
use crate::cart::contents::{Cart, Line};
use crate::cart::error::CartError;
use crate::cart::load;
use crate::cart::refresh::{self, Taxes};
use crate::cart::view::CartView;
use crate::http::{Fields, HttpError, Json, OneRequest, Patch, Refusal, ToSchema, request};
use crate::ids::{CartId, CartLineId, SubscriptionPlanId};
use crate::money::Amount;

/// The plans of lines to set and to remove.
#[request]
#[schema(example = json!({ "items": [
    { "item_id": "cali_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "plan_id": "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE" },
] }))]
pub(super) struct SyncSubscriptionPricingRequest {
    /// Absent to only refresh the prices of the lines that have a plan.
    #[schema(max_items = 200)]
    items: Option<Vec<ItemPlanRequest>>,
}

/// The plan of a line.
#[request]
pub(super) struct ItemPlanRequest {
    item_id: CartLineId,
    /// A plan of the line's product; null to buy the line once.
    #[schema(value_type = Option<SubscriptionPlanId>, required)]
    plan_id: Patch<SubscriptionPlanId>,
}

/// The cart, and what changed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SyncSubscriptionPricingResponse {
    cart: CartView,
    /// The lines whose plan changed, and lines with a plan whose price changed.
    changed: Vec<ChangedItem>,
}

/// A line whose plan or price changed.
#[derive(Debug, Serialize, ToSchema)]
struct ChangedItem {
    item_id: CartLineId,
    plan_id: Option<SubscriptionPlanId>,
    unit_price_before: Amount,
    unit_price: Amount,
}

impl ItemPlanRequest {
    fn into_choice(self) -> Result<PlanChoice, Refusal> {
        let missing = || Refusal::invalid("`items.plan_id` is required; null removes the plan");
        Ok((self.item_id, self.plan_id.sent().ok_or_else(missing)?))
    }
}

/// Sets the plans of lines, and refreshes the prices of those that have one.
///
/// A line with a plan is a subscription to its product. It has the plan's price as long as the plan is offered.
/// A plan that does not belong to the line's product is a 400, and then nothing changes.
#[crate::http::operation(post, path = "/store/carts/{id}/sync-subscription-pricing", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = SyncSubscriptionPricingRequest,
    responses((status = 200, description = "The cart, and what changed", body = SyncSubscriptionPricingResponse)))]
pub(super) async fn sync_subscription_pricing(
    OneRequest { caller: shop, db, id, fields }: CartRequest,
    Json(request): Json<SyncSubscriptionPricingRequest>,
) -> Result<Json<Value>, HttpError> {
    let choices = request.items.unwrap_or_default().into_iter().map(ItemPlanRequest::into_choice);
    let choices: Vec<PlanChoice> = choices.collect::<Result<_, _>>()?;
    let (before, cart) = db
        .write(move |tx| {
            let before = load::load_to_change(tx, &id, &shop)?;
            let mut cart = before.clone();
            items::set_plans(tx, &mut cart, &choices)?;
            let cart = refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)?;
            Ok::<_, CartError>((before, cart))
        })
        .await?;
    let changed = changed_items(&before, &cart);
    let view = view(&db, cart, &fields.selection).await?;
    Ok(Json(json!({ "cart": fields.selection.value(&view)?, "changed": changed })))
}

fn changed_items(before: &Cart, cart: &Cart) -> Vec<ChangedItem> {
    let changed = |line: &Line| {
        let old = before.lines.iter().find(|old| old.id == line.id)?;
        let is_changed = old.plan_id != line.plan_id
            || (line.plan_id.is_some() && old.unit_price_minor != line.unit_price_minor);
        is_changed.then(|| ChangedItem {
            item_id: line.id.clone(),
            plan_id: line.plan_id.clone(),
            unit_price_before: cart.currency.amount(old.unit_price_minor),
            unit_price: cart.currency.amount(line.unit_price_minor),
        })
    };
    cart.lines.iter().filter_map(changed).collect()
}
