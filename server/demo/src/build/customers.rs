//! Customers, created at their first order.

use std::collections::BTreeMap;

use super::Buyer;
use crate::DemoError;
use crate::customers::{self, ImportedCustomer};
use crate::database::Tx;
use crate::ids::{CustomerAddressId, CustomerId};
use crate::people::{CountryEntry, Person};
use crate::plan::{Plan, PlannedOrder};
use crate::seed::Seed;

/// The customers created so far.
#[derive(Debug, Default)]
pub(super) struct Customers {
    by_number: BTreeMap<u32, Buyer>,
    guest_count: u64,
}

impl Customers {
    /// Returns the number of customers.
    pub(super) fn count(&self) -> u64 {
        let numbered = u64::try_from(self.by_number.len()).unwrap_or(u64::MAX);
        self.guest_count.saturating_add(numbered)
    }

    /// Returns the customer of the `index`th order, creating them at their first order.
    pub(super) fn of(
        &mut self,
        tx: &Tx<'_>,
        plan: &Plan,
        (index, order): (u64, &PlannedOrder),
    ) -> Result<Buyer, DemoError> {
        let Some(number) = order.customer else {
            self.guest_count = self.guest_count.saturating_add(1);
            let person = Person::guest(&order.number, order.place);
            return make(tx, Seed::of("guest id", index), person, order.place);
        };
        if let Some(buyer) = self.by_number.get(&number) {
            return Ok(buyer.clone());
        }
        let (place, is_wholesale) =
            plan.customers.get(&number).map_or((order.place, order.is_wholesale), |customer| {
                (customer.place, customer.is_wholesale)
            });
        let person = Person::customer(number, is_wholesale, place);
        let buyer = make(tx, Seed::of("customer id", number.into()), person, place)?;
        self.by_number.insert(number, buyer.clone());
        Ok(buyer)
    }

    /// Adds the wholesalers to a group.
    pub(super) fn group(&self, tx: &Tx<'_>, plan: &Plan) -> Result<(), DemoError> {
        let of_wholesale = self.by_number.iter().filter(|(number, _)| {
            plan.customers.get(number).is_some_and(|customer| customer.is_wholesale)
        });
        let ids: Vec<CustomerId> = of_wholesale.map(|(_, buyer)| buyer.id.clone()).collect();
        Ok(customers::import_group(tx, "Wholesale", &ids)?)
    }
}

fn make(
    tx: &Tx<'_>,
    mut seed: Seed,
    person: Person,
    place: &CountryEntry,
) -> Result<Buyer, DemoError> {
    let at_ms = tx.now().as_millis();
    let id = CustomerId::seeded(at_ms, seed.id());
    let some = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
    let imported = ImportedCustomer {
        id: id.clone(),
        address_id: CustomerAddressId::seeded(at_ms, seed.id()),
        email: person.email.parse()?,
        has_account: person.has_account,
        company: person.company.clone(),
        first_name: person.first_name.to_owned(),
        last_name: person.last_name.to_owned(),
        street: person.street.clone(),
        city: some(person.city),
        postal_code: some(person.postal_code),
        country: place.country.map(str::to_owned),
    };
    customers::import(tx, imported)?;
    Ok(Buyer { id, person })
}
