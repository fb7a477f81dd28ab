//! `/admin/tax-rates/{id}/rules`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;

use super::views::TaxRateView;
use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{Fields, HttpError, Json, Path, ToSchema};
use crate::ids::TaxRateId;
use crate::resource::View;
use crate::taxes::rows;

/// Confirms that a rule is deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRateRuleDeletedResponse {
    /// The id of the rule, which is the id of the resource that it named.
    id: String,
    /// Always `tax_rate_rule`.
    #[schema(example = "tax_rate_rule")]
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// The rate after the deletion.
    #[schema(value_type = TaxRateView)]
    parent: Value,
}

/// Removes a resource from a rate.
#[crate::http::operation(delete, path = "/admin/tax-rates/{id}/rules/{rule_id}", tag = "Admin taxes",
    params(("id" = TaxRateId, Path), ("rule_id" = String, Path), Fields<TaxRateView>),
    responses((status = 200, description = "Deleted", body = TaxRateRuleDeletedResponse)))]
pub(super) async fn delete_tax_rate_rule(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path((id, rule_id)): Path<(TaxRateId, String)>,
    fields: Fields<TaxRateView>,
) -> Result<Json<TaxRateRuleDeletedResponse>, HttpError> {
    let (selection, reference_id) = (fields.selection.clone(), rule_id.clone());
    let parent = db
        .write(move |tx| {
            rows::remove_rule(tx, &id, &reference_id)?;
            TaxRateView::show(tx, &id, &selection)
        })
        .await?;
    let parent = fields.selection.value(&parent)?;
    let object = "tax_rate_rule";
    Ok(Json(TaxRateRuleDeletedResponse { id: rule_id, object, deleted: true, parent }))
}
