//! `/admin/promotions`.

use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreatePromotionRequest, UpdatePromotionRequest};
use super::views::PromotionView;
use crate::database::Table as _;
use crate::promotions::promotion::Promotion;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<PromotionView, _>::at("/admin/promotions", "Admin promotions")
        .list()
        .create(CreatePromotionRequest::create)
        .taken("The code is taken")
        .note(
            "Cart rules may use `region_id`, `currency_code`, `sales_channel_id`, `customer.id`, `customer.groups.id`, `email`, \
             `shipping_address.country_code`, `shipping_address.province`, `subtotal` and `item_quantity`. `customer.id` and \
             `customer.groups.id` are those of an account or of a draft order's customer; `email` is what anybody typed. Target and \
             buy rules may use `items.product.id`, `items.product.type_id`, `items.product.collection_id`, \
             `items.product.categories.id`, `items.product.tags.id`, `items.variant_id`, `items.sku` and `items.unit_price`, and \
             `shipping_methods.shipping_option_id` and `shipping_methods.name`. A cart rule may also use the attributes of lines; \
             it sees those of all lines.",
        )
        .show()
        .update(UpdatePromotionRequest::update)
        .taken("The code is taken")
        .note("Its rules have their own routes.")
        .delete(Promotion::remove)
        .note("Orders that used it keep their discount.")
        .router()
}
