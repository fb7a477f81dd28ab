//! The customers of the demo store: the data has only numbers and countries, so names and addresses are made up.
//!
//! E-mail addresses are in `example.com`, which is reserved, and no account has a password.

mod names;
mod places;

pub(super) use places::{CountryEntry, PLACES, RegionKind, place};

use super::seed::Seed;

/// One in this many customers has no account.
const WITHOUT_ACCOUNT_ONE_OF: i64 = 3;

/// A customer of the demo store.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    /// The company, of wholesale customers.
    pub(super) company: Option<String>,
    pub(super) email: String,
    pub(super) has_account: bool,
    /// Street and number.
    pub(super) street: String,
    pub(super) city: &'static str,
    pub(super) postal_code: &'static str,
}

impl Person {
    /// Returns the customer with a number in the data.
    pub(super) fn customer(number: u32, is_company: bool, place: &CountryEntry) -> Self {
        let mut seed = Seed::of("customer", number.into());
        let has_account = seed.between(1, WITHOUT_ACCOUNT_ONE_OF) > 1;
        Self::new(seed, (&number.to_string(), has_account), is_company, place)
    }

    /// Returns the guest of an invoice without a customer number.
    pub(super) fn guest(invoice: &str, place: &CountryEntry) -> Self {
        let seed = Seed::of_text("guest", invoice);
        Self::new(seed, (&format!("guest{invoice}"), false), false, place)
    }

    fn new(mut seed: Seed, account: (&str, bool), is_company: bool, place: &CountryEntry) -> Self {
        let (mark, has_account) = account;
        let one_of = |names: &'static str| {
            let names: Vec<&str> = names.split(", ").collect();
            seed.pick(&names).copied().unwrap_or_default()
        };
        let [first_name, last_name, trade, street] =
            [names::FIRST, names::LAST, names::TRADES, names::STREETS].map(one_of);
        let (city, postal_code) = seed.pick(place.cities).copied().unwrap_or(("", ""));
        let mail = |name: &str| name.to_ascii_lowercase().replace('\'', "");
        Self {
            first_name,
            last_name,
            company: is_company.then(|| format!("{last_name} {trade}")),
            email: format!("{}.{}.{mark}@example.com", mail(first_name), mail(last_name)),
            has_account,
            street: format!("{} {street}", seed.between(1, 180)),
            city,
            postal_code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_customer_is_the_same_every_time_and_has_an_address_of_their_own() {
        let britain = place("United Kingdom");
        let (one, again) =
            (Person::customer(17_850, true, britain), Person::customer(17_850, true, britain));

        assert_eq!(one.email, again.email);
        assert!(one.email.ends_with(".17850@example.com"));
        assert!(one.company.is_some());
        assert_ne!(one.email, Person::customer(17_851, true, britain).email);
        assert!(!Person::guest("536365", britain).has_account);
    }
}
