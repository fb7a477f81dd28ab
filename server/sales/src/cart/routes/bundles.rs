//! `/store/carts/:id/line-item-bundles`.

use serde::{Deserialize, Deserializer};

use super::{CartRequest, CartResponse, update};
use crate::auth::Shop;
use crate::cart::changes::bundles::{self, Filling};
use crate::cart::contents::Cart;
use crate::cart::view::CartView;
use crate::database::Tx;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, request};
use crate::ids::{BundleItemId, BundleProductId, CartBundleId, CartId, CartLineId, VariantId};

/// A variant to add to a bundle, or whole sets of a bundle.
#[request]
#[schema(example = json!({
    "item_id": "bitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
}))]
pub(super) struct AddToBundleRequest {
    /// A line of the cart that the variant accompanies, or a slot of a bundle that it fills. Required without a
    /// `bundle_id`.
    #[schema(value_type = Option<String>, pattern = "^(cali|bitem)_[0-9A-HJKMNP-TV-Z]{26}$")]
    item_id: Option<BundlePlace>,
    /// The variant to add. Required without a `bundle_id`.
    variant_id: Option<VariantId>,
    /// The bundle to add whole sets of.
    bundle_id: Option<BundleProductId>,
    /// The sets. Defaults to 1.
    #[schema(minimum = 1, maximum = 1000)]
    quantity: Option<i64>,
    /// The variants that fill the slots. The other slots get their default variants.
    items: Option<Vec<FillingRequest>>,
}

/// A variant for a slot.
#[request]
pub(super) struct FillingRequest {
    item_id: BundleItemId,
    variant_id: VariantId,
}

/// What a variant is added to.
#[derive(Debug, Clone)]
pub(super) enum BundlePlace {
    Line(CartLineId),
    Slot(BundleItemId),
}

impl<'de> Deserialize<'de> for BundlePlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let slot = text.parse().map(Self::Slot);
        slot.or_else(|_no_slot| text.parse().map(Self::Line)).map_err(serde::de::Error::custom)
    }
}

#[derive(Debug)]
enum Addition {
    ToLine(CartLineId, VariantId),
    ToSlot(Filling),
    Sets(BundleProductId, i64, Vec<Filling>),
}

impl AddToBundleRequest {
    fn addition(self) -> Result<Addition, HttpError> {
        let Self { item_id, variant_id, bundle_id, quantity, items } = self;
        let required = |field: &str| {
            HttpError::invalid_data(format!("Invalid request: Field '{field}' is required"))
        };
        let Some(bundle_id) = bundle_id else {
            if quantity.is_some() || items.is_some() {
                return Err(required("bundle_id"));
            }
            let item_id = item_id.ok_or_else(|| required("item_id"))?;
            let variant_id = variant_id.ok_or_else(|| required("variant_id"))?;
            return Ok(match item_id {
                BundlePlace::Line(id) => Addition::ToLine(id, variant_id),
                BundlePlace::Slot(item_id) => Addition::ToSlot(Filling { item_id, variant_id }),
            });
        };
        if item_id.is_some() || variant_id.is_some() {
            let message =
                "`item_id` and `variant_id` are for a single variant, `bundle_id` for sets";
            return Err(HttpError::invalid_data(message));
        }
        let quantity = quantity.unwrap_or(1);
        if !(1..=MAX_SETS).contains(&quantity) {
            return Err(HttpError::invalid_data("`quantity` must be from 1 to 1000"));
        }
        let filling =
            |item: FillingRequest| Filling { item_id: item.item_id, variant_id: item.variant_id };
        let fillings = items.unwrap_or_default().into_iter().map(filling).collect();
        Ok(Addition::Sets(bundle_id, quantity, fillings))
    }
}

/// Limit: sets added at once.
const MAX_SETS: i64 = 1_000;

/// Adds a variant to a bundle, or whole sets of a bundle.
///
/// With a line as `item_id`, the variant goes with the line in its quantity. With a slot, it fills the slot in an instance
/// of the bundle where that is empty, or in a new one. With a `bundle_id`, whole sets are added, or nothing. The lines of
/// an instance have the same `bundle_id`, do not merge with others, and are removed together when it is deleted. Complete
/// sets have the bundle's price, by an adjustment with the code `BUNDLE` on each of their lines.
#[crate::http::operation(post, path = "/store/carts/{id}/line-item-bundles", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = AddToBundleRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn add_to_line_item_bundle(
    cart: CartRequest,
    Json(request): Json<AddToBundleRequest>,
) -> Result<Answer, HttpError> {
    let addition = request.addition()?;
    let extend = move |tx: &Tx<'_>, cart: &mut Cart| match &addition {
        Addition::ToLine(line, variant) => bundles::extend(tx, cart, line, variant),
        Addition::ToSlot(filling) => bundles::fill(tx, cart, filling),
        Addition::Sets(bundle, count, fillings) => {
            bundles::add_sets(tx, cart, bundle, *count, fillings)
        }
    };
    update(cart, extend).await
}

/// An instance of a bundle, or all instances of one.
#[derive(Debug, Clone)]
pub(super) enum BundleReference {
    Instance(CartBundleId),
    Bundle(BundleProductId),
}

impl<'de> Deserialize<'de> for BundleReference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bundle = text.parse().map(Self::Bundle);
        bundle.or_else(|_none| text.parse().map(Self::Instance)).map_err(serde::de::Error::custom)
    }
}

/// Removes a bundle and all its lines: one instance, or with the id of a bundle product all its instances.
#[crate::http::operation(delete, path = "/store/carts/{id}/line-item-bundles/{bundle_id}", tag = "Store carts",
    params(("id" = CartId, Path),
        ("bundle_id" = String, Path, description = "`cabun_…` for an instance, `bun_…` for all"), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn delete_line_item_bundle(
    OneRequest { caller: shop, db, id: (id, reference), fields }: OneRequest<
        Shop,
        (CartId, BundleReference),
        CartView,
    >,
) -> Result<Answer, HttpError> {
    let remove = move |_tx: &Tx<'_>, cart: &mut Cart| match &reference {
        BundleReference::Instance(id) => bundles::remove(cart, id),
        BundleReference::Bundle(id) => bundles::remove_all(cart, id),
    };
    update(OneRequest { caller: shop, db, id, fields }, remove).await
}
