//! The places that a zone covers, and the match with an address. Pure functions.

use serde::{Deserialize, Deserializer, Serialize};

use crate::http::{OptionalText, Text, ToSchema};
use crate::regions::bare_province;

/// A place that a service zone covers: a whole country, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum GeoZone {
    /// A country.
    Country {
        /// The two-letter code.
        #[schema(example = "gb")]
        country_code: String,
    },
    /// A province.
    Province {
        /// The two-letter country code.
        country_code: String,
        /// The province, with or without the country prefix.
        #[serde(deserialize_with = "name")]
        #[schema(value_type = Text<255>)]
        province_code: String,
    },
    /// A city.
    City {
        /// The two-letter country code.
        country_code: String,
        /// The province, with or without the country prefix.
        #[serde(deserialize_with = "name")]
        #[schema(value_type = Text<255>)]
        province_code: String,
        #[serde(deserialize_with = "name")]
        #[schema(value_type = Text<255>)]
        city: String,
    },
    /// Postal codes.
    Zip {
        /// The two-letter country code.
        country_code: String,
        /// The province, to cover only a part of it.
        #[serde(default, deserialize_with = "optional_name")]
        #[schema(value_type = Option<Text<255>>)]
        province_code: Option<String>,
        /// The city, to cover only a part of it.
        #[serde(default, deserialize_with = "optional_name")]
        #[schema(value_type = Option<Text<255>>)]
        city: Option<String>,
        postal_expression: PostalExpression,
    },
}

/// Reads a name in the form of those in addresses.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Text::<255>::deserialize(deserializer).map(String::from)
}

fn optional_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<Text<255>>::deserialize(deserializer)?.map(String::from))
}

/// The postal codes covered. Blanks and case are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum PostalExpression {
    /// A list of codes.
    In {
        #[schema(max_items = 1000, value_type = Vec<OptionalText<32>>)]
        values: Vec<String>,
    },
    /// All codes with one of these prefixes.
    Prefix {
        #[schema(max_items = 1000, value_type = Vec<OptionalText<32>>)]
        values: Vec<String>,
    },
}

/// The fields of an address that shipping uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// The two-letter country code.
    pub(super) country: &'a str,
    pub(super) province: Option<&'a str>,
    pub(super) city: Option<&'a str>,
    pub(super) postal_code: Option<&'a str>,
}

impl GeoZone {
    /// Returns the two-letter country code, in lower case.
    pub fn country(&self) -> String {
        match self {
            Self::Country { country_code }
            | Self::Province { country_code, .. }
            | Self::City { country_code, .. }
            | Self::Zip { country_code, .. } => country_code.to_ascii_lowercase(),
        }
    }

    pub(super) fn covers(&self, address: Address<'_>) -> bool {
        if !self.country().eq_ignore_ascii_case(address.country) {
            return false;
        }
        let is_province = |code: &str| {
            let bare = |text: &str| bare_province(text, address.country);
            address.province.is_some_and(|province| bare(province) == bare(code))
        };
        let is_city = |name: &str| address.city.is_some_and(|city| plain(city) == plain(name));
        match self {
            Self::Country { .. } => true,
            Self::Province { province_code, .. } => is_province(province_code),
            Self::City { province_code, city, .. } => is_province(province_code) && is_city(city),
            Self::Zip { province_code, city, postal_expression, .. } => {
                province_code.as_deref().is_none_or(is_province)
                    && city.as_deref().is_none_or(is_city)
                    && address.postal_code.is_some_and(|code| postal_expression.has(code))
            }
        }
    }
}

impl PostalExpression {
    /// Returns the codes or prefixes.
    pub(super) fn values(&self) -> &[String] {
        match self {
            Self::In { values } | Self::Prefix { values } => values,
        }
    }

    fn has(&self, code: &str) -> bool {
        let code = postal(code);
        match self {
            Self::In { values } => values.iter().any(|value| postal(value) == code),
            Self::Prefix { values } => values.iter().any(|value| code.starts_with(&postal(value))),
        }
    }
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase()
}

fn postal(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(json: &str) -> GeoZone {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_area_covers_the_places_inside_in_any_spelling() {
        let reno = Address {
            country: "us",
            province: Some("US-NV"),
            city: Some("Reno "),
            postal_code: Some("89501"),
        };
        for (json, expected) in [
            (r#"{"type":"country","country_code":"US"}"#, true),
            (r#"{"type":"country","country_code":"ca"}"#, false),
            (r#"{"type":"province","country_code":"us","province_code":"nv"}"#, true),
            (r#"{"type":"province","country_code":"us","province_code":"us-ca"}"#, false),
            (r#"{"type":"city","country_code":"us","province_code":"nv","city":"RENO"}"#, true),
            (r#"{"type":"city","country_code":"us","province_code":"nv","city":"Elko"}"#, false),
            (
                r#"{"type":"zip","country_code":"us","postal_expression":{"type":"in","values":["895 01"]}}"#,
                true,
            ),
            (
                r#"{"type":"zip","country_code":"us","postal_expression":{"type":"prefix","values":["894"]}}"#,
                false,
            ),
        ] {
            assert_eq!(zone(json).covers(reno), expected, "{json}");
        }
    }

    #[test]
    fn names_are_compared_in_one_normal_form() {
        let of = |city: &str| {
            serde_json::from_value::<GeoZone>(serde_json::json!({
                "type": "city", "country_code": "ch", "province_code": "zh", "city": city,
            }))
        };
        let (province, city) = (Some("zh"), Some("Zürich"));
        let address = Address { country: "ch", province, city, postal_code: None };
        assert!(of("Zu\u{308}rich ").unwrap().covers(address));
        assert!(of(&"a".repeat(256)).is_err());
    }

    #[test]
    fn a_part_of_a_country_does_not_cover_an_address_that_does_not_say_where_it_is() {
        let somewhere = Address { country: "us", province: None, city: None, postal_code: None };
        let nevada = zone(r#"{"type":"province","country_code":"us","province_code":"nv"}"#);
        assert!(!nevada.covers(somewhere));
    }
}
