//! The stamp of the metrics: it changes with every change of a metric or placeholder.

use rusqlite::named_params;
use ulid::Ulid;

use crate::database::{self, Tx};
use crate::registry::Stamp;

pub(crate) fn read(tx: &Tx<'_>) -> Result<Stamp, database::Error> {
    tx.sql("select m.stamp, s.default_currency, s.time_zone from metric_stamp m left join store s limit 1")
        .one([], |row| {
            let currency: Option<String> = row.get(1)?;
            let zone: Option<String> = row.get(2)?;
            Ok(Stamp {
                edit: row.get(0)?,
                currency: currency.unwrap_or_else(|| "usd".to_owned()),
                zone: zone.unwrap_or_else(|| "UTC".to_owned()),
            })
        })
}

/// Sets a new stamp, different from all earlier and later ones. So does the deletion of a user, whose metrics pass to an
/// admin.
pub(crate) fn renew(tx: &Tx<'_>) -> Result<(), database::Error> {
    tx.sql("update metric_stamp set stamp = :stamp")
        .run(named_params! { ":stamp": Ulid::generate().to_string() })
}
