//! The SQL of tax rates and their rules.

use rusqlite::named_params;
use serde_json::json;

use crate::database::{Error, Tx, Word as _};
use crate::ids::TaxRateId;
use crate::taxes::rates::Reference;

/// Replaces the rules of a rate.
pub(crate) fn replace_rules(
    tx: &Tx<'_>,
    id: &TaxRateId,
    rules: &[(Reference, String)],
) -> Result<(), Error> {
    tx.sql("delete from tax_rate_rule where tax_rate_id = :id").run(named_params! { ":id": id })?;
    let rows: serde_json::Value = rules
        .iter()
        .map(|(reference, id)| json!({ "reference": reference.as_str(), "id": id }))
        .collect();
    tx.sql(
        "insert or ignore into tax_rate_rule (tax_rate_id, reference, reference_id)
         select :id, value ->> 'reference', value ->> 'id' from json_each(:rows)",
    )
    .run(named_params! { ":id": id, ":rows": rows.to_string() })
}

pub(crate) fn add_rule(
    tx: &Tx<'_>,
    id: &TaxRateId,
    reference: Reference,
    reference_id: &str,
) -> Result<(), Error> {
    tx.sql(
        "insert or ignore into tax_rate_rule (tax_rate_id, reference, reference_id)
         values (:id, :reference, :reference_id)",
    )
    .run(named_params! {
        ":id": id, ":reference": reference, ":reference_id": reference_id,
    })
}

/// Deletes a rule; returns whether it existed.
pub(crate) fn remove_rule(tx: &Tx<'_>, id: &TaxRateId, reference_id: &str) -> Result<bool, Error> {
    let count = tx
        .sql("delete from tax_rate_rule where tax_rate_id = :id and reference_id = :reference_id")
        .execute(named_params! { ":id": id, ":reference_id": reference_id })?;
    Ok(count > 0)
}
