//! `/admin/shipping-options/{id}/rules/batch`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;

use super::requests::ShippingOptionRuleRequest;
use crate::auth::AdminWriter;
use crate::database::{Db, Table, Tx};
use crate::http::{HttpError, Json, Path, Text, ToSchema, request};
use crate::ids::{ShippingOptionId, ShippingOptionRuleId};
use crate::shipping::changes::{check_rule, check_rule_count, check_rules};
use crate::shipping::conditions::Operator;
use crate::shipping::model::{ShippingOption, ShippingOptionRule};
use crate::shipping::queries;
use crate::shipping::{NewRule, ShippingError};

/// Rules of an option to create, change and delete together.
#[request]
#[schema(example = json!({ "create": [{ "attribute": "enabled_in_store", "operator": "eq", "value": "true" }] }))]
pub(super) struct ChangeShippingOptionRulesRequest {
    #[serde(default)]
    #[schema(max_items = 50)]
    create: Vec<ShippingOptionRuleRequest>,
    #[serde(default)]
    #[schema(max_items = 50)]
    update: Vec<UpdateShippingOptionRuleRequest>,
    #[serde(default)]
    #[schema(max_items = 50)]
    delete: Vec<ShippingOptionRuleId>,
}

/// The new contents of a rule.
#[request]
pub(super) struct UpdateShippingOptionRuleRequest {
    id: ShippingOptionRuleId,
    /// `enabled_in_store`, `is_return`, or `item_total` in major units.
    attribute: Text<64>,
    operator: Operator,
    /// A text, a number, a boolean, or a list of them if the operator takes several.
    value: Value,
}

/// The result of changing several rules.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingOptionRulesChangedResponse {
    created: Vec<ShippingOptionRule>,
    updated: Vec<ShippingOptionRule>,
    deleted: DeletedRules,
}

/// Deleted rules.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeletedRules {
    ids: Vec<ShippingOptionRuleId>,
    /// Always `shipping_option_rule`.
    #[schema(example = "shipping_option_rule")]
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Creates, changes and deletes rules of an option, all or none.
#[crate::http::operation(post, path = "/admin/shipping-options/{id}/rules/batch", tag = "Admin shipping",
    params(("id" = ShippingOptionId, Path)), request_body = ChangeShippingOptionRulesRequest,
    responses((status = 200, description = "The result", body = ShippingOptionRulesChangedResponse)))]
pub(super) async fn change_shipping_option_rules(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionId>,
    Json(request): Json<ChangeShippingOptionRulesRequest>,
) -> Result<Json<ShippingOptionRulesChangedResponse>, HttpError> {
    Ok(Json(db.write(move |tx| request.apply(tx, &id)).await?))
}

impl ChangeShippingOptionRulesRequest {
    fn apply(
        self,
        tx: &Tx<'_>,
        id: &ShippingOptionId,
    ) -> Result<ShippingOptionRulesChangedResponse, ShippingError> {
        ShippingOption::require::<ShippingError>(tx, id)?;
        let made = self.create.into_iter().map(ShippingOptionRuleRequest::into_rule);
        let made: Vec<NewRule> = made.collect();
        check_rules(&made)?;
        let before: Vec<_> =
            queries::rules_of(tx, &[id.as_str()])?.into_iter().map(|rule| rule.id).collect();
        let mut changed = Vec::new();
        for UpdateShippingOptionRuleRequest { id: rule_id, attribute, operator, value } in
            self.update
        {
            let rule = ShippingOptionRuleRequest { attribute, operator, value }.into_rule();
            check_rule(&rule)?;
            if !queries::update_rule(tx, id, &rule_id, &rule)? {
                return Err(ShippingError::not_found("Shipping option rule", &rule_id));
            }
            changed.push(rule_id);
        }
        for rule_id in &self.delete {
            if !queries::delete_rule(tx, id, rule_id)? {
                return Err(ShippingError::not_found("Shipping option rule", rule_id));
            }
        }
        queries::insert_rules(tx, id, &made)?;
        let after = queries::rules_of(tx, &[id.as_str()])?;
        check_rule_count(after.len())?;
        let (stayed, created): (Vec<_>, Vec<_>) =
            after.into_iter().partition(|rule| before.contains(&rule.id));
        let updated = stayed.into_iter().filter(|rule| changed.contains(&rule.id)).collect();
        let object = "shipping_option_rule";
        let deleted = DeletedRules { ids: self.delete, object, deleted: true };
        Ok(ShippingOptionRulesChangedResponse { created, updated, deleted })
    }
}
