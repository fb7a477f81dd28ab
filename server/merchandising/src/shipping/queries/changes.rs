//! The SQL that updates and deletes the parts of shipping.

use rusqlite::named_params;

use crate::database::Word as _;
use crate::database::{Error, Tx};
use crate::ids::{
    self, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId, ShippingOptionTypeId,
    ShippingProfileId,
};
use crate::shipping::NewRule;

/// Returns whether a product or an option uses the profile.
pub(crate) fn is_profile_used(tx: &Tx<'_>, id: &ShippingProfileId) -> Result<bool, Error> {
    tx.sql(
        "select 1 from shipping_option where shipping_profile_id = :id and deleted_at is null
          union all
         select 1 from product where shipping_profile_id = :id and deleted_at is null
          limit 1",
    )
    .exists(named_params! { ":id": id })
}

/// Returns whether an option uses the type.
pub(crate) fn is_type_used(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<bool, Error> {
    tx.sql("select 1 from shipping_option where type_id = :id and deleted_at is null limit 1")
        .exists(named_params! { ":id": id })
}

/// Takes a type away from the deleted options that had it.
pub(crate) fn forget_type(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<(), Error> {
    tx.sql(
        "update shipping_option set type_id = null where type_id = :id and deleted_at is not null",
    )
    .run(named_params! { ":id": id })
}

/// Takes the options of zones away from the methods of carts, which are dropped when their carts are next computed.
pub(crate) fn forget_options(tx: &Tx<'_>, zones: &[ServiceZoneId]) -> Result<(), Error> {
    tx.sql(
        "update cart_shipping_method set shipping_option_id = null
          where shipping_option_id in (select id from shipping_option
                where service_zone_id in (select value from json_each(:zones)))",
    )
    .run(named_params! { ":zones": ids::list(zones) })
}

pub(crate) fn delete_places(tx: &Tx<'_>, zone: &ServiceZoneId) -> Result<(), Error> {
    tx.sql("delete from geo_zone where service_zone_id = :zone")
        .run(named_params! { ":zone": zone })
}

pub(crate) fn delete_rules(tx: &Tx<'_>, option: &ShippingOptionId) -> Result<(), Error> {
    tx.sql("delete from shipping_option_rule where shipping_option_id = :option")
        .run(named_params! { ":option": option })
}

/// Updates a rule of an option; returns whether it exists.
pub(crate) fn update_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
    rule: &NewRule,
) -> Result<bool, Error> {
    let count = tx
        .sql(
            "update shipping_option_rule
                set attribute = :attribute, operator = :operator, values_json = :value
              where id = :id and shipping_option_id = :option",
        )
        .execute(named_params! {
            ":id": id, ":option": option, ":attribute": rule.attribute,
            ":operator": rule.operator.as_str(), ":value": rule.value().to_string(),
        })?;
    Ok(count > 0)
}

/// Deletes a rule of an option; returns whether it existed.
pub(crate) fn delete_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
) -> Result<bool, Error> {
    let count = tx
        .sql("delete from shipping_option_rule where id = :id and shipping_option_id = :option")
        .execute(named_params! { ":id": id, ":option": option })?;
    Ok(count > 0)
}
