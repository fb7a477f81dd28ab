//! The SQL of shipping profiles and types of options.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{ShippingOptionTypeId, ShippingProfileId};
use crate::shipping::{NewOptionType, NewProfile};

pub(in crate::shipping) fn insert(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
    new: &NewProfile,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into shipping_profile (id, name, type, metadata, created_at, updated_at)
         values (:id, :name, :kind, :metadata, :now, :now)",
    )?
    .execute(named_params! {
        ":id": id, ":name": new.name, ":kind": new.kind, ":metadata": new.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::shipping) fn is_profile(tx: &Tx<'_>, id: &ShippingProfileId) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from shipping_profile where id = :id and deleted_at is null")?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}

pub(in crate::shipping) fn insert_type(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
    new: &NewOptionType,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into shipping_option_type (id, label, description, code, created_at, updated_at)
         values (:id, :label, :description, :code, :now, :now)",
    )?
    .execute(named_params! {
        ":id": id, ":label": new.label, ":description": new.description, ":code": new.code,
        ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::shipping) fn is_type(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from shipping_option_type where id = :id")?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}
