//! The SQL of the rules of shipping options.

use rusqlite::named_params;
use serde_json::{Value, json};

use crate::database::Word as _;
use crate::database::{Error, Tx};
use crate::ids::{ShippingOptionId, ShippingOptionRuleId};
use crate::shipping::NewRule;

pub(crate) fn insert_rules(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    rules: &[NewRule],
) -> Result<(), Error> {
    let rows: Value = rules
        .iter()
        .map(|rule| {
            json!({
                "id": ShippingOptionRuleId::new(), "attribute": rule.attribute,
                "operator": rule.operator.as_str(), "value": rule.value().to_string(),
            })
        })
        .collect();
    tx.sql(
        "insert into shipping_option_rule (id, shipping_option_id, attribute, operator, values_json)
         select value ->> 'id', :option, value ->> 'attribute', value ->> 'operator', value ->> 'value'
           from json_each(:rows)",
    )
    .run(named_params! { ":option": option, ":rows": rows.to_string() })
}
