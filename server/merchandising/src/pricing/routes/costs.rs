//! The unit costs of a variant: `/admin/products/{id}/variants/{variant_id}/costs`.

use axum::extract::State;
use serde::Serialize;

use crate::auth::{AdminReader, AdminWriter};
use crate::clock::Timestamp;
use crate::database::{Db, Missing, Tx};
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::ids::{ProductId, VariantId};
use crate::money::{Currency, Major};
use crate::pricing::cost::CostView;
use crate::pricing::queries::costs;
use crate::pricing::{PricingError, UnitCost, set_unit_cost};

/// A unit cost to set.
#[request]
#[schema(example = json!({ "currency_code": "usd", "amount": 5.2 }))]
pub(crate) struct CostRequest {
    currency_code: Currency,
    /// For one piece, in major units.
    amount: Major,
    /// The start of its validity; defaults to now.
    valid_from: Option<Timestamp>,
}

/// The history of a variant's cost.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CostListResponse {
    /// The costs, latest first.
    costs: Vec<CostView>,
    count: usize,
}

/// Show the history of a variant's cost
#[crate::http::operation(get, path = "/admin/products/{id}/variants/{variant_id}/costs", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant")),
    responses((status = 200, description = "The history, latest first", body = CostListResponse)))]
pub(crate) async fn list_costs(
    State(db): State<Db>,
    _admin: AdminReader,
    Path((id, variant_id)): Path<(ProductId, VariantId)>,
) -> Result<Json<CostListResponse>, HttpError> {
    let answer = db.read(move |tx| {
        require(tx, &id, &variant_id)?;
        history(tx, &variant_id)
    });
    Ok(Json(answer.await?))
}

/// Set the unit cost of a variant
///
/// Adds to the history; a cost with the same start is replaced.
#[crate::http::operation(post, path = "/admin/products/{id}/variants/{variant_id}/costs", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant")),
    request_body = CostRequest,
    responses((status = 200, description = "The history, latest first", body = CostListResponse)))]
pub(crate) async fn create_cost(
    State(db): State<Db>,
    admin: AdminWriter,
    Path((id, variant_id)): Path<(ProductId, VariantId)>,
    Json(request): Json<CostRequest>,
) -> Result<Json<CostListResponse>, HttpError> {
    let CostRequest { currency_code, amount, valid_from } = request;
    let amount_minor = amount.minor(currency_code).map_err(PricingError::from)?;
    let created_by = Some(admin.actor_id().to_owned());
    let answer = db.write(move |tx| {
        require(tx, &id, &variant_id)?;
        let cost = UnitCost {
            variant_id: variant_id.clone(),
            currency: currency_code,
            amount_minor,
            valid_from: valid_from.unwrap_or_else(|| tx.now()),
            created_by,
        };
        set_unit_cost(tx, &cost)?;
        history(tx, &variant_id)
    });
    Ok(Json(answer.await?))
}

fn require(tx: &Tx<'_>, id: &ProductId, variant_id: &VariantId) -> Result<(), PricingError> {
    if costs::variant_exists(tx, id, variant_id)? {
        return Ok(());
    }
    Err(Missing::new("Product variant", variant_id).into())
}

fn history(tx: &Tx<'_>, variant_id: &VariantId) -> Result<CostListResponse, PricingError> {
    let costs = costs::history(tx, variant_id)?;
    Ok(CostListResponse { count: costs.len(), costs })
}
