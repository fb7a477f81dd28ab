//! The SQL of stock locations.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::inventory::StockLocation;

pub(crate) fn set_address(tx: &Tx<'_>, location: &StockLocation) -> Result<(), Error> {
    let address = &location.address;
    tx.sql(
        "update stock_location
            set address_1 = :address_1, address_2 = :address_2, company = :company, city = :city,
                province = :province, postal_code = :postal_code, country = :country, phone = :phone
          where id = :id",
    )
    .run(named_params! {
        ":id": location.id, ":address_1": address.address_1, ":address_2": address.address_2,
        ":company": address.company, ":city": address.city, ":province": address.province,
        ":postal_code": address.postal_code, ":country": address.country_code,
        ":phone": address.phone,
    })
}
