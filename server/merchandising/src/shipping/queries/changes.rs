//! The SQL that changes and deletes what shipping is made of.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{
    FulfillmentSetId, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId, ShippingOptionTypeId,
    ShippingProfileId,
};
use crate::shipping::stored::{ServiceZone, ShippingOptionType, ShippingProfile};
use crate::shipping::{NewOption, NewRule};

pub(in crate::shipping) fn update_profile(
    tx: &Tx<'_>,
    profile: &ShippingProfile,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update shipping_profile
            set name = :name, type = :kind, metadata = :metadata, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": profile.id, ":name": profile.name, ":kind": profile.kind,
        ":metadata": profile.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

/// Whether a product or an option has the profile.
pub(in crate::shipping) fn is_profile_used(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
) -> Result<bool, Error> {
    let found = tx
        .prepare_cached(
            "select 1 from shipping_option where shipping_profile_id = :id and deleted_at is null
              union all
             select 1 from product where shipping_profile_id = :id and deleted_at is null
              limit 1",
        )?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}

pub(in crate::shipping) fn delete_profile(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update shipping_profile set deleted_at = :now, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::shipping) fn update_type(
    tx: &Tx<'_>,
    option_type: &ShippingOptionType,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update shipping_option_type
            set label = :label, description = :description, code = :code, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": option_type.id, ":label": option_type.label, ":code": option_type.code,
        ":description": option_type.description, ":now": tx.now(),
    })?;
    Ok(())
}

/// Whether an option is of the type.
pub(in crate::shipping) fn is_type_used(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from shipping_option where type_id = :id limit 1")?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}

pub(in crate::shipping) fn delete_type(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
) -> Result<(), Error> {
    tx.prepare_cached("delete from shipping_option_type where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

pub(in crate::shipping) fn delete_set(tx: &Tx<'_>, id: &FulfillmentSetId) -> Result<(), Error> {
    tx.prepare_cached("delete from fulfillment_set where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

pub(in crate::shipping) fn update_zone(tx: &Tx<'_>, zone: &ServiceZone) -> Result<(), Error> {
    tx.prepare_cached(
        "update service_zone set name = :name, metadata = :metadata, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": zone.id, ":name": zone.name, ":metadata": zone.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::shipping) fn delete_zone(tx: &Tx<'_>, id: &ServiceZoneId) -> Result<(), Error> {
    tx.prepare_cached("delete from service_zone where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

pub(in crate::shipping) fn delete_places(tx: &Tx<'_>, zone: &ServiceZoneId) -> Result<(), Error> {
    tx.prepare_cached("delete from geo_zone where service_zone_id = :zone")?
        .execute(named_params! { ":zone": zone })?;
    Ok(())
}

pub(in crate::shipping) fn update_option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    wished: &NewOption,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update shipping_option
            set name = :name, service_zone_id = :zone, shipping_profile_id = :profile,
                provider_id = :provider, type_id = :type_id, data = :data, metadata = :metadata,
                updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": id, ":name": wished.name, ":zone": wished.service_zone_id,
        ":profile": wished.shipping_profile_id, ":provider": wished.provider_id,
        ":type_id": wished.type_id, ":data": wished.data, ":metadata": wished.metadata,
        ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::shipping) fn delete_option(tx: &Tx<'_>, id: &ShippingOptionId) -> Result<(), Error> {
    tx.prepare_cached(
        "update shipping_option set deleted_at = :now, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::shipping) fn delete_rules(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
) -> Result<(), Error> {
    tx.prepare_cached("delete from shipping_option_rule where shipping_option_id = :option")?
        .execute(named_params! { ":option": option })?;
    Ok(())
}

/// Changes a rule of an option; tells whether there is one.
pub(in crate::shipping) fn update_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
    rule: &NewRule,
) -> Result<bool, Error> {
    let count = tx
        .prepare_cached(
            "update shipping_option_rule
                set attribute = :attribute, operator = :operator, values_json = :value
              where id = :id and shipping_option_id = :option",
        )?
        .execute(named_params! {
            ":id": id, ":option": option, ":attribute": rule.attribute,
            ":operator": rule.operator.word(), ":value": rule.value().to_string(),
        })?;
    Ok(count > 0)
}

/// Deletes a rule of an option; tells whether there was one.
pub(in crate::shipping) fn delete_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
) -> Result<bool, Error> {
    let count = tx
        .prepare_cached(
            "delete from shipping_option_rule where id = :id and shipping_option_id = :option",
        )?
        .execute(named_params! { ":id": id, ":option": option })?;
    Ok(count > 0)
}
