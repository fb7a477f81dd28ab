//! Comma-separated codes in forms: the countries of a zone, and the currencies of the store.

use serde_json::{Value, json};

use super::{About, Field};

impl Field {
    /// Returns the countries that a zone covers in full.
    pub(super) fn countries(&self, zone: &Value) -> String {
        let places = zone.pointer(self.pointer).and_then(Value::as_array).into_iter().flatten();
        let whole = places.filter(|place| is_country(place));
        let codes = whole.filter_map(|place| place.get("country_code")?.as_str());
        codes.collect::<Vec<_>>().join(", ")
    }

    /// Returns the typed countries, plus the present places that are parts of a country.
    pub(super) fn places(&self, text: &str, about: &About<'_>) -> Value {
        let present = about.present.and_then(|zone| zone.pointer(self.pointer)?.as_array());
        let parts = present.into_iter().flatten().filter(|place| !is_country(place)).map(as_sent);
        let countries = codes(text).map(|code| json!({ "type": "country", "country_code": code }));
        parts.chain(countries).collect()
    }

    /// Returns the store's currencies, its own first.
    pub(super) fn currencies(&self, store: &Value) -> String {
        let all = store.pointer(self.pointer).and_then(Value::as_array).into_iter().flatten();
        let mut codes: Vec<(bool, &str)> = all
            .filter_map(|own| {
                let code = own.get("currency_code")?.as_str()?;
                Some((own.get("is_default").and_then(Value::as_bool) != Some(true), code))
            })
            .collect();
        codes.sort_unstable();
        codes.iter().map(|(_, code)| *code).collect::<Vec<_>>().join(", ")
    }

    /// Returns the typed currencies, the first as the store's own; each keeps whether it includes taxes.
    pub(super) fn typed_currencies(&self, text: &str, about: &About<'_>) -> Value {
        let present = about.present.and_then(|store| store.pointer(self.pointer)?.as_array());
        let includes_taxes = |code: &str| {
            let mut all = present.into_iter().flatten();
            let own =
                all.find(|own| own.get("currency_code").and_then(Value::as_str) == Some(code));
            own.and_then(|own| own.get("is_tax_inclusive")?.as_bool()).unwrap_or(false)
        };
        let sent = codes(text).enumerate().map(|(place, code)| {
            let code = code.to_lowercase();
            json!({ "is_default": place == 0, "is_tax_inclusive": includes_taxes(&code), "currency_code": code })
        });
        sent.collect()
    }
}

fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|code| !code.is_empty())
}

fn is_country(place: &Value) -> bool {
    place.get("type").and_then(Value::as_str) == Some("country")
}

/// Returns a place without its id and empty members.
fn as_sent(place: &Value) -> Value {
    let members = place.as_object().into_iter().flatten();
    let own = members.filter(|(name, value)| *name != "id" && !value.is_null());
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}
