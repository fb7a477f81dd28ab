//! Prices in the store's currencies, as forms ask for them.

use serde_json::{Map, Value, json};

use super::{About, Field};
use crate::locale::Locale;
use crate::parameters::Parameters;

impl Field {
    /// Returns the typed prices, plus the present ones without a control: those with conditions, and those in a currency that
    /// the store has removed.
    pub(super) fn prices(&self, typed: &Parameters, about: &About<'_>) -> Result<Value, String> {
        let present = about.present.and_then(|record| record.pointer(self.pointer)?.as_array());
        let all = || present.into_iter().flatten();
        let has_control =
            |price: &&Value| about.currencies.iter().any(|code| is_plain_in(price, code));
        let unseen = all().filter(|price| !has_control(price));
        let mut prices: Vec<Value> = unseen.map(without_empty).collect();
        for code in about.currencies {
            let (name, label) = self.in_currency(code);
            let text = typed.text(&name);
            if !text.is_empty() {
                let amount = amount(about.locale, &label, text)?;
                // With its id, a price is changed instead of replaced.
                let before = all().find(|price| is_plain_in(price, code));
                let mut price =
                    before.map_or_else(|| json!({ "currency_code": code }), without_empty);
                if let Some(members) = price.as_object_mut() {
                    members.insert("amount".to_owned(), amount);
                }
                prices.push(price);
            }
        }
        Ok(Value::Array(prices))
    }

    /// Returns the present price in a currency.
    pub(crate) fn price_in(&self, record: &Value, code: &str, locale: Locale) -> String {
        let mut all = record.pointer(self.pointer).and_then(Value::as_array).into_iter().flatten();
        let own = all.find(|price| is_plain_in(price, code));
        let amount = own.and_then(|price| price.get("amount")).map(Value::to_string);
        amount.map_or_else(String::new, |amount| locale.localized(&amount))
    }
}

pub(super) fn amount(locale: Locale, label: &str, text: &str) -> Result<Value, String> {
    let refusal = || format!("{label} must be a number, such as {}.", locale.example());
    locale.typed(text).map(Value::Number).ok_or_else(refusal)
}

/// Returns whether a price in a currency applies to any quantity and to everybody.
fn is_plain_in(price: &Value, code: &str) -> bool {
    let is_in = price.get("currency_code").and_then(Value::as_str) == Some(code);
    let is_set = |name: &str| price.get(name).is_some_and(|value| !value.is_null());
    let has_rules =
        price.get("rules").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
    let has_conditions =
        price.get("price_rules").and_then(Value::as_array).is_some_and(|own| !own.is_empty());
    is_in && !is_set("min_quantity") && !is_set("max_quantity") && !has_rules && !has_conditions
}

/// Returns the non-empty members of a price.
fn without_empty(price: &Value) -> Value {
    let members =
        ["id", "title", "amount", "currency_code", "min_quantity", "max_quantity", "rules"];
    let own = members.into_iter().filter_map(|name| {
        let value = price.get(name).filter(|value| !value.is_null())?;
        Some((name.to_owned(), value.clone()))
    });
    let mut own: Map<String, Value> = own.collect();
    // Shipping prices have conditions in responses, and rules in requests.
    if let Some(conditions) = price.get("price_rules").and_then(Value::as_array) {
        let member = |condition: &Value, name: &str| condition.get(name).cloned();
        let rule = |condition: &Value| {
            let names = ["attribute", "operator", "value"].into_iter();
            let rule = names.filter_map(|name| Some((name.to_owned(), member(condition, name)?)));
            Value::Object(rule.collect())
        };
        own.insert("rules".to_owned(), conditions.iter().map(rule).collect());
    }
    own.into()
}
