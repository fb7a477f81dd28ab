//! The SQL of shipping options and their rules.

use rusqlite::named_params;
use serde_json::{Value, json};

use crate::database::{Error, Tx};
use crate::ids::{PriceSetId, ShippingOptionId, ShippingOptionRuleId};
use crate::shipping::{NewOption, NewRule};

pub(in crate::shipping) fn insert(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    price_set_id: &PriceSetId,
    new: &NewOption,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into shipping_option
           (id, name, price_type, service_zone_id, shipping_profile_id, provider_id, type_id, price_set_id,
            data, metadata, created_at, updated_at)
         values
           (:id, :name, 'flat', :zone, :profile, :provider, :type_id, :price_set, :data, :metadata, :now, :now)",
    )?
    .execute(named_params! {
        ":id": id, ":name": new.name, ":zone": new.service_zone_id, ":profile": new.shipping_profile_id,
        ":provider": new.provider_id, ":type_id": new.type_id, ":price_set": price_set_id,
        ":data": new.data, ":metadata": new.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::shipping) fn insert_rules(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    rules: &[NewRule],
) -> Result<(), Error> {
    let rows: Value = rules
        .iter()
        .map(|rule| {
            json!({
                "id": ShippingOptionRuleId::new(), "attribute": rule.attribute,
                "operator": rule.operator.word(), "value": rule.value().to_string(),
            })
        })
        .collect();
    tx.prepare_cached(
        "insert into shipping_option_rule (id, shipping_option_id, attribute, operator, values_json)
         select value ->> 'id', :option, value ->> 'attribute', value ->> 'operator', value ->> 'value'
           from json_each(:rows)",
    )?
    .execute(named_params! { ":option": option, ":rows": rows.to_string() })?;
    Ok(())
}
