//! `/admin/promotions/:id/rules`, `…/target-rules` and `…/buy-rules`.

use axum::extract::State;
use serde::Serialize;

use super::requests::{OneOrMore, RuleRequest};
use super::views::{RuleView, rules_of};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::database::Missing;
use crate::http::{HttpError, Json, Patch, Path, Text, ToSchema, request};
use crate::ids::{PromotionId, PromotionRuleId};
use crate::promotions::promotion::{Promotion, RuleKind, StoredRule};
use crate::promotions::rules::{self, Operator, Rule};
use crate::promotions::write::RuleChanges;
use crate::promotions::{PromotionError, write};

/// Rules of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RuleListResponse {
    rules: Vec<RuleView>,
}

/// Rules of one kind to add, change and remove.
#[request]
#[schema(example = json!({
    "create": [{ "attribute": "customer.groups.id", "operator": "in", "values": ["cusgroup_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }],
}))]
pub(super) struct ChangeRulesRequest {
    #[serde(default)]
    create: Vec<RuleRequest>,
    #[serde(default)]
    update: Vec<UpdateRuleRequest>,
    #[serde(default)]
    delete: Vec<PromotionRuleId>,
}

/// The fields of a rule to change.
#[request]
pub(super) struct UpdateRuleRequest {
    id: PromotionRuleId,
    attribute: Option<Text<100>>,
    operator: Option<Operator>,
    values: Option<OneOrMore>,
    description: Patch<Text<1000>>,
}

/// Rules of one kind that were added, changed and removed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RuleChangesResponse {
    /// The rules that were added.
    created: Vec<RuleView>,
    /// The rules that were changed.
    updated: Vec<RuleView>,
    /// The rules that were removed.
    deleted: DeletedRulesView,
}

/// Rules that were removed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeletedRulesView {
    ids: Vec<PromotionRuleId>,
    /// Always `promotion-rule`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

impl ChangeRulesRequest {
    fn into_changes(
        self,
        promotion: &Promotion,
        kind: RuleKind,
    ) -> Result<RuleChanges, PromotionError> {
        let created = self.create.into_iter().map(|rule| rule.into_rule(kind));
        let updated = self.update.into_iter().map(|rule| rule.apply(promotion));
        Ok(RuleChanges {
            created: created.collect::<Result<_, _>>()?,
            updated: updated.collect::<Result<_, _>>()?,
            deleted: self.delete,
        })
    }
}

impl UpdateRuleRequest {
    fn apply(self, promotion: &Promotion) -> Result<StoredRule, PromotionError> {
        let stored = promotion.rules.iter().find(|rule| rule.id == self.id);
        let stored =
            stored.ok_or_else(|| PromotionError::from(Missing::new("Promotion rule", &self.id)))?;
        let attribute = self.attribute.as_ref().map(Text::as_str);
        let values = self.values.map(OneOrMore::into_texts);
        let rule = Rule::new(
            attribute.unwrap_or_else(|| stored.rule.attribute()),
            self.operator.unwrap_or_else(|| stored.rule.operator()),
            values.unwrap_or_else(|| stored.rule.values().to_vec()),
        )?;
        rules::check_attribute(&rule, stored.kind)?;
        let description = match self.description.sent() {
            Some(description) => description.map(String::from),
            None => stored.description.clone(),
        };
        Ok(StoredRule { id: self.id, kind: stored.kind, rule, description })
    }
}

/// Lists the rules of one kind.
#[crate::http::operation(get, path = "/admin/promotions/{id}/{rule_type}", tag = "Admin promotions",
    params(("id" = PromotionId, Path), ("rule_type" = inline(RuleKind), Path)),
    responses((status = 200, description = "The rules", body = RuleListResponse)))]
pub(super) async fn list_promotion_rules(
    _admin: AdminReader,
    State(db): State<Db>,
    Path((id, kind)): Path<(PromotionId, RuleKind)>,
) -> Result<Json<RuleListResponse>, HttpError> {
    let promotion = db.read(move |tx| Promotion::whole(tx, &id)).await?;
    Ok(Json(RuleListResponse { rules: rules_of(&promotion, kind) }))
}

/// Adds, changes and removes rules of one kind, all or none.
#[crate::http::operation(post, path = "/admin/promotions/{id}/{rule_type}/batch", tag = "Admin promotions",
    params(("id" = PromotionId, Path), ("rule_type" = inline(RuleKind), Path)), request_body = ChangeRulesRequest,
    responses((status = 200, description = "What changed", body = RuleChangesResponse)))]
pub(super) async fn change_promotion_rules(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path((id, kind)): Path<(PromotionId, RuleKind)>,
    Json(request): Json<ChangeRulesRequest>,
) -> Result<Json<RuleChangesResponse>, HttpError> {
    let changes = db
        .write(move |tx| {
            let promotion = Promotion::whole(tx, &id)?;
            let changes = request.into_changes(&promotion, kind)?;
            write::change_rules(tx, &promotion, kind, &changes)?;
            Ok::<_, PromotionError>(changes)
        })
        .await?;
    Ok(Json(RuleChangesResponse {
        created: changes.created.iter().map(RuleView::new).collect(),
        updated: changes.updated.iter().map(RuleView::new).collect(),
        deleted: DeletedRulesView { ids: changes.deleted, object: "promotion-rule", deleted: true },
    }))
}
