//! Countries: their codes and names, compiled in.

use super::country_table::COUNTRIES;

/// A country of ISO 3166-1.
#[derive(Debug, PartialEq, Eq)]
pub struct Country {
    /// The two-letter code, lower case, as in addresses and regions.
    pub iso_2: &'static str,
    /// The three-letter code, lower case.
    pub iso_3: &'static str,
    /// The three-digit code.
    pub num_code: &'static str,
    pub display_name: &'static str,
}

impl Country {
    pub(super) const fn new(
        iso_2: &'static str,
        iso_3: &'static str,
        num_code: &'static str,
        display_name: &'static str,
    ) -> Self {
        Self { iso_2, iso_3, num_code, display_name }
    }

    /// Returns the country with a two-letter code, in any case.
    pub fn find(iso_2: &str) -> Option<&'static Self> {
        let iso_2 = iso_2.to_ascii_lowercase();
        let index = COUNTRIES.binary_search_by(|country| country.iso_2.cmp(&iso_2)).ok()?;
        COUNTRIES.get(index)
    }

    /// Returns the name in upper case, as on parcels.
    pub fn name(&self) -> String {
        self.display_name.to_uppercase()
    }
}

/// Returns a province in lower case and without its country prefix, such as `nv` for `US-NV`, so that two spellings can be
/// compared.
pub(crate) fn bare_province(province: &str, country: &str) -> String {
    let province = province.trim().to_lowercase();
    match province.split_once('-') {
        Some((prefix, bare)) if prefix.eq_ignore_ascii_case(country) => bare.to_owned(),
        Some(_) | None => province,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_is_found_by_its_two_letters_in_either_case() {
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.is_sorted_by(|left, right| left.iso_2 < right.iso_2));
        for country in COUNTRIES {
            assert_eq!(Country::find(country.iso_2), Some(country));
            assert_eq!(Country::find(&country.iso_2.to_uppercase()), Some(country));
            let sizes = (country.iso_2.len(), country.iso_3.len(), country.num_code.len());
            assert_eq!(sizes, (2, 3, 3), "{}", country.display_name);
        }
        assert_eq!(Country::find("us").map(Country::name).as_deref(), Some("UNITED STATES"));
        assert_eq!(Country::find("xx"), None);
    }
}
