//! Statements on the rules of promotions.

use rusqlite::types::Type;
use rusqlite::{Row, named_params};
use serde_json::{Value, json};

use crate::database::{Error, Stored, Tx};
use crate::ids::PromotionId;
use crate::promotions::promotion::StoredRule;
use crate::promotions::rules::Rule;

/// Returns the rules of several promotions, each with the promotion's id.
pub(crate) fn of(
    tx: &Tx<'_>,
    promotion_ids: &str,
) -> Result<Vec<(PromotionId, StoredRule)>, Error> {
    tx.sql(
        "select promotion_id, id, kind, attribute, operator, values_json, description
           from promotion_rule
          where promotion_id in (select value from json_each(:ids))
          order by promotion_id, id",
    )
    .all(named_params! { ":ids": promotion_ids }, |row| Ok((row.get("promotion_id")?, read(row)?)))
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredRule> {
    let broken = |error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error)
    };
    let attribute: String = row.get("attribute")?;
    let values: String = row.get("values_json")?;
    let values = serde_json::from_str(&values).map_err(|error| broken(error.into()))?;
    let rule = Rule::new(&attribute, row.get("operator")?, values);
    Ok(StoredRule {
        id: row.get("id")?,
        kind: row.get("kind")?,
        rule: rule.map_err(|error| broken(error.into()))?,
        description: row.get("description")?,
    })
}

pub(crate) fn put(
    tx: &Tx<'_>,
    promotion_id: &PromotionId,
    rules: &[StoredRule],
) -> Result<(), Error> {
    let written = |stored: &StoredRule| {
        json!({
            "id": stored.id, "kind": stored.kind.as_str(), "attribute": stored.rule.attribute(),
            "operator": stored.rule.operator().as_str(), "values": stored.rule.values(),
            "description": stored.description,
        })
    };
    let rules: Vec<Value> = rules.iter().map(written).collect();
    tx.sql(
        "insert into promotion_rule (id, promotion_id, kind, attribute, operator, values_json, description)
         select value ->> 'id', :promotion_id, value ->> 'kind', value ->> 'attribute', value ->> 'operator',
                value ->> 'values', value ->> 'description'
           from json_each(:rules) where true
         on conflict (id) do update
            set attribute = excluded.attribute, operator = excluded.operator,
                values_json = excluded.values_json, description = excluded.description",
    )
    .run(named_params! { ":promotion_id": promotion_id, ":rules": Stored(rules) })
}

/// Deletes rules of a promotion; returns their number.
pub(crate) fn delete(tx: &Tx<'_>, promotion_id: &PromotionId, ids: &str) -> Result<usize, Error> {
    tx.sql(
        "delete from promotion_rule
          where promotion_id = :promotion_id and id in (select value from json_each(:ids))",
    )
    .execute(named_params! { ":promotion_id": promotion_id, ":ids": ids })
}
