//! The views of currencies.

use rusqlite::types::Value;
use serde::Serialize;

use super::currency_names::NAMES;
use crate::database::Pattern;
use crate::database::listing::{Column, Condition, Kind, ListQuery, Listing, Operator};
use crate::http::{Listed, Resource, ToSchema};
use crate::money::Currency;

/// A currency.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "currency", id = Currency)]
pub(crate) struct CurrencyView {
    pub code: Currency,
    #[schema(example = "£")]
    pub(crate) symbol: &'static str,
    /// The symbol in the currency's own countries.
    #[schema(example = "£")]
    pub(crate) symbol_native: &'static str,
    #[schema(example = "British Pound")]
    pub name: &'static str,
    /// The decimal places.
    #[schema(example = 2)]
    pub(crate) decimal_digits: u32,
    /// The smallest cash amount in minor units, if it is more than one; otherwise 0.
    pub(crate) rounding: u32,
}

impl From<Currency> for CurrencyView {
    fn from(code: Currency) -> Self {
        let symbol = code.symbol();
        Self {
            code,
            symbol,
            symbol_native: symbol,
            name: name(code),
            decimal_digits: code.digits(),
            rounding: 0,
        }
    }
}

/// Returns the name of a currency; its code if it has no name.
fn name(currency: Currency) -> &'static str {
    let code = currency.upper();
    let found = NAMES.binary_search_by(|(listed, _)| (*listed).cmp(code)).ok();
    found.and_then(|index| NAMES.get(index)).map_or(code, |(_, name)| name)
}

impl Listed for CurrencyView {
    const LISTING: &'static Listing = &CURRENCIES;
}

/// The list of currencies, which are compiled in, not in a table.
static CURRENCIES: Listing = Listing {
    plural: "currencies",
    table: "",
    tie_breaker: "code",
    columns: &[
        Column::new("code", "code", Kind::LowerCase),
        Column::order("name", "name", Kind::Text),
    ],
    search: &["code", "name"],
    default_limit: 50,
    default_order: "code",
    extra: &[],
};

/// Returns a page of the currencies and the total number.
pub(super) fn page(query: &ListQuery) -> (Vec<CurrencyView>, u64) {
    let search = query.search.as_deref().map(str::to_lowercase);
    let mut found: Vec<CurrencyView> = Currency::all()
        .map(CurrencyView::from)
        .filter(|view| {
            let code = view.code.to_string();
            let is_found = search
                .as_deref()
                .is_none_or(|text| code.contains(text) || view.name.to_lowercase().contains(text));
            let holds = |condition: &Condition| holds(condition, &code);
            is_found
                && query.conditions.iter().all(holds)
                && query
                    .alternatives
                    .iter()
                    .all(|one_of| one_of.iter().any(|all| all.iter().all(holds)))
        })
        .collect();
    if query.order.name == "name" {
        found.sort_by_key(|view| view.name);
    }
    if query.is_descending {
        found.reverse();
    }
    let count = found.len().try_into().unwrap_or(u64::MAX);
    let (skipped, taken) = (usize::try_from(query.offset), usize::try_from(query.limit));
    let page = found.into_iter().skip(skipped.unwrap_or(usize::MAX)).take(taken.unwrap_or(0));
    (page.collect(), count)
}

fn holds(condition: &Condition, code: &str) -> bool {
    let texts = || condition.values.iter().filter_map(text);
    let is_any = |matches: fn(&str, &str) -> bool| texts().any(|value| matches(code, value));
    match condition.operator {
        Operator::AnyOf => is_any(|code, value| code == value),
        Operator::NoneOf => !is_any(|code, value| code == value),
        Operator::Greater => is_any(|code, value| code > value),
        Operator::GreaterOrEqual => is_any(|code, value| code >= value),
        Operator::Less => is_any(|code, value| code < value),
        Operator::LessOrEqual => is_any(|code, value| code <= value),
        Operator::Like => {
            is_any(|code, pattern| Pattern::new(pattern, None).matches(code.as_bytes()))
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_has_a_name() {
        for currency in Currency::all() {
            assert_ne!(name(currency), currency.upper());
        }
        assert_eq!(name(Currency::from_code("usd").unwrap()), "US Dollar");
    }

    #[test]
    fn a_pattern_fits_whole_codes_in_either_case() {
        let patterns = [
            ("gbp", true),
            ("G%", true),
            ("%p", true),
            ("_b_", true),
            ("g", false),
            ("%z%", false),
            (&"%".repeat(8_000), true),
        ];
        for (pattern, expected) in patterns {
            let column = CURRENCIES.columns.first().unwrap();
            let values = vec![Value::Text(pattern.to_owned())];
            let condition = Condition { column, operator: Operator::Like, values };
            assert_eq!(holds(&condition, "gbp"), expected, "{pattern}");
        }
    }
}
