//! What a form asks for, and how the input is written into an API request.

mod codes;
mod moments;
mod options;
mod prices;
mod spec;

use serde_json::{Map, Value, json};

use crate::locale::Locale;
use crate::parameters::Parameters;
pub(super) use options::ProductOption;
use prices::amount;
pub(super) use spec::{
    CHANGE, FORM, Fixed, FormSpec, Place, Present, ROW, Then, creation, deletion, removal,
};

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// The place in the request, and in the present values.
    pub(super) pointer: &'static str,
    /// The place in the present values, if different.
    pub(super) shown_from: &'static str,
    pub(super) input: Input,
    pub(super) is_required: bool,
    /// Whether it is initially checked for a new record.
    pub(super) is_checked: bool,
    pub(super) hint: &'static str,
}

/// The input type of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input {
    Line,
    Email,
    Text,
    /// Comma-separated words.
    Words,
    /// Lines, each an object with one member of this name.
    Lines(&'static str),
    /// Lines, each a text; present ones have it as their `value`.
    Rows,
    /// A value for each of the product's options.
    Options,
    /// The SKU of a variant, whose id is sent.
    Sku,
    Amount,
    /// Prices without conditions, with one control per currency of the store.
    Prices,
    Count,
    /// A day, sent as its beginning in the store's time zone.
    Day,
    /// A date and time in the store's time zone.
    Moment,
    Yes,
    /// One of the store's currencies.
    Currency,
    /// A country, by its code.
    Country,
    /// Words of the API, each with its name.
    Choice(&'static [(&'static str, &'static str)]),
    /// Comma-separated country codes; a zone's other places stay.
    Places,
    /// The store's currencies as comma-separated codes, its own first.
    Currencies,
    /// Any number of records from an API list, with the path of the list and how they are sent.
    Several(&'static str, &'static str, Chosen),
    /// A record from an API list, with the path of the list and the place of its name.
    Record(&'static str, &'static str, &'static str),
}

/// How selected records are sent.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chosen {
    /// As ids, some of which have these names.
    Ids(&'static [(&'static str, &'static str)]),
    /// As one object each, with its id.
    Objects,
    /// As ids to add and ids to remove, some of which have these names.
    Changes(&'static [(&'static str, &'static str)]),
}

impl Chosen {
    /// Returns what a record of the list is called.
    pub(super) fn name_of(self, record: &Value) -> Option<&str> {
        let id = record.get("id")?.as_str()?;
        let names = match self {
            Self::Ids(names) | Self::Changes(names) => names,
            Self::Objects => &[],
        };
        let own = names.iter().find(|(own, _)| *own == id).map(|(_, name)| *name);
        let title = || record.get("name").or_else(|| record.get("value"))?.as_str();
        own.or_else(title).or(Some(id))
    }

    /// Returns what is sent for the selected ids.
    fn json(self, chosen: &[&str], present: &[&str]) -> Value {
        let without = |all: &[&str], others: &[&str]| -> Value {
            all.iter().filter(|id| !others.contains(id)).copied().collect()
        };
        match self {
            Self::Ids(_) => chosen.iter().copied().collect(),
            Self::Objects => chosen.iter().map(|id| json!({ "id": id })).collect(),
            Self::Changes(_) => {
                json!({ "add": without(chosen, present), "remove": without(present, chosen) })
            }
        }
    }
}

pub(super) const fn field(
    name: &'static str,
    label: &'static str,
    pointer: &'static str,
    input: Input,
) -> Field {
    Field {
        name,
        label,
        pointer,
        shown_from: "",
        input,
        is_required: false,
        is_checked: false,
        hint: "",
    }
}

impl Field {
    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    pub(super) const fn checked(self) -> Self {
        Self { is_checked: true, ..self }
    }

    pub(super) const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    pub(super) const fn shown_from(self, shown_from: &'static str) -> Self {
        Self { shown_from, ..self }
    }

    /// Returns the name and the label of the control for a currency.
    pub(super) fn in_currency(&self, code: &str) -> (String, String) {
        (format!("{}-{code}", self.name), format!("{} in {}", self.label, code.to_uppercase()))
    }

    /// Returns the place in the present values.
    const fn place(&self) -> &'static str {
        if self.shown_from.is_empty() { self.pointer } else { self.shown_from }
    }

    /// Returns the ids or words of a record.
    pub(super) fn items<'v>(&self, record: &'v Value) -> Vec<&'v str> {
        let all = record.pointer(self.place()).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(|own| own.get("id").unwrap_or(own).as_str()).collect()
    }

    /// Returns the kind of the control.
    pub(super) const fn control(&self) -> &'static str {
        match self.input {
            Input::Line
            | Input::Words
            | Input::Places
            | Input::Currencies
            | Input::Amount
            | Input::Prices
            | Input::Count
            | Input::Sku => "text",
            Input::Email => "email",
            Input::Text | Input::Lines(_) | Input::Rows => "textarea",
            Input::Day => "date",
            Input::Moment => "datetime-local",
            Input::Yes | Input::Several(..) => "checkbox",
            Input::Currency
            | Input::Country
            | Input::Choice(_)
            | Input::Record(..)
            | Input::Options => "select",
        }
    }

    /// Returns whether nothing is selected initially.
    pub(super) const fn begins_empty(&self) -> bool {
        matches!(self.input, Input::Country)
    }

    /// Returns the keyboard that small screens show.
    pub(super) const fn keyboard(&self) -> &'static str {
        if matches!(self.input, Input::Amount | Input::Prices) {
            "decimal"
        } else if matches!(self.input, Input::Count) {
            "numeric"
        } else {
            "text"
        }
    }

    /// Returns the present value in the control's format.
    pub(super) fn display(&self, record: &Value, (locale, zone): (Locale, &str)) -> String {
        let value = record.pointer(self.place()).unwrap_or(&Value::Null);
        let list = || value.as_array().into_iter().flatten();
        let lines = |member: &str| {
            list().filter_map(|own| own.get(member)?.as_str()).collect::<Vec<_>>().join("\n")
        };
        match self.input {
            // Countries are objects with their code.
            Input::Words => {
                let words = list().filter_map(|own| own.get("iso_2").unwrap_or(own).as_str());
                words.collect::<Vec<_>>().join(", ")
            }
            Input::Lines(member) => lines(member),
            Input::Rows => lines("value"),
            Input::Places => self.countries(record),
            Input::Currencies => self.currencies(record),
            Input::Options | Input::Sku | Input::Several(..) => String::new(),
            Input::Day | Input::Moment => self.moment(record, zone),
            Input::Line
            | Input::Email
            | Input::Text
            | Input::Amount
            | Input::Prices
            | Input::Count
            | Input::Yes
            | Input::Currency
            | Input::Country
            | Input::Choice(_)
            | Input::Record(..) => match value {
                Value::String(text) => text.clone(),
                Value::Number(number) if matches!(self.input, Input::Amount) => {
                    locale.localized(&number.to_string())
                }
                Value::Number(number) => number.to_string(),
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) | Value::Null | Value::Array(_) | Value::Object(_) => {
                    String::new()
                }
            },
        }
    }

    /// Returns what is sent for the input; nothing for an empty field of a new record.
    fn json(&self, typed: &Parameters, about: &About<'_>) -> Result<Option<Value>, String> {
        let text = typed.text(self.name);
        let is_many = matches!(self.input, Input::Prices | Input::Options | Input::Several(..));
        if text.is_empty() && !is_many && !matches!(self.input, Input::Yes) {
            if self.is_required {
                return Err(format!("{} is missing.", self.label));
            }
            let is_list =
                matches!(self.input, Input::Words | Input::Places | Input::Lines(_) | Input::Rows);
            let cleared = if is_list { Value::Array(Vec::new()) } else { Value::Null };
            return Ok(about.present.map(|_| cleared));
        }
        let parts =
            |separator: char| text.split(separator).map(str::trim).filter(|own| !own.is_empty());
        Ok(Some(match self.input {
            Input::Yes => Value::Bool(!text.is_empty()),
            Input::Prices => self.prices(typed, about)?,
            Input::Places => self.places(text, about),
            Input::Currencies => self.typed_currencies(text, about),
            Input::Several(_, _, chosen) => {
                let present = about.present.map(|record| self.items(record)).unwrap_or_default();
                chosen.json(&typed.all(self.name).collect::<Vec<_>>(), &present)
            }
            Input::Options => return self.options(typed, about),
            Input::Sku => {
                let missing = || format!("There is no variant with the {} {text}.", self.label);
                about.variant.map(Value::from).ok_or_else(missing)?
            }
            Input::Rows => parts('\n').map(Value::from).collect(),
            Input::Amount => amount(about.locale, self.label, text)?,
            Input::Count => {
                let number = text.parse::<u64>().map_err(|_other| {
                    format!("{} must be a whole number, such as 12.", self.label)
                })?;
                Value::from(number)
            }
            Input::Day | Input::Moment => Value::from(self.instant(text, about)?),
            Input::Words => parts(',').map(Value::from).collect(),
            Input::Lines(member) => parts('\n')
                .map(|line| Value::Object(Map::from_iter([(member.to_owned(), line.into())])))
                .collect(),
            Input::Line
            | Input::Email
            | Input::Text
            | Input::Currency
            | Input::Country
            | Input::Choice(_)
            | Input::Record(..) => Value::from(text),
        }))
    }
}

/// The subject of a form.
pub(super) struct About<'a> {
    pub(super) id: &'a str,
    /// The record's row.
    pub(super) of: &'a str,
    /// The options of the product.
    pub(super) options: &'a [ProductOption],
    /// The id of the variant with the typed SKU.
    pub(super) variant: Option<&'a str>,
    pub(super) currencies: &'a [String],
    pub(super) locale: Locale,
    /// The store's time zone.
    pub(super) zone: &'a str,
    /// The present record, for a form that changes it.
    pub(super) present: Option<&'a Value>,
}

impl FormSpec {
    /// Returns the request for the input, or what is wrong with it.
    pub(super) fn body(&self, typed: &Parameters, about: &About<'_>) -> Result<Value, String> {
        let mut body = Value::Object(Map::new());
        for (pointer, fixed) in self.fixed {
            let value = match fixed {
                Fixed::Text(text) => (*text).into(),
                Fixed::Id => about.id.into(),
                Fixed::Of => about.of.into(),
                Fixed::Present(place) => {
                    about.present.and_then(|own| own.pointer(place)).cloned().unwrap_or_default()
                }
            };
            put(&mut body, pointer, value);
        }
        for field in self.fields {
            if let Some(value) = field.json(typed, about)? {
                put(&mut body, field.pointer, value);
            }
        }
        Ok(body)
    }

    /// Returns the label of the field sent at a place, in the API's notation: `variants[0].title`.
    pub(super) fn label_of(&self, path: &str) -> Option<&'static str> {
        let pointer = format!("/{}", path.replace("].", "/").replace(['[', '.'], "/"));
        let pointer = pointer.trim_end_matches(']');
        let own = self.fields.iter().find(|field| pointer.starts_with(field.pointer));
        own.map(|field| field.label)
    }
}

/// Sets the value at a place, creating the objects and lists on the way.
fn put(body: &mut Value, pointer: &str, value: Value) {
    let mut at = body;
    for segment in pointer.split('/').skip(1) {
        if let Ok(index) = segment.parse::<usize>() {
            if !at.is_array() {
                *at = Value::Array(Vec::new());
            }
            let Value::Array(list) = at else { return };
            while list.len() <= index {
                list.push(Value::Null);
            }
            let Some(own) = list.get_mut(index) else { return };
            at = own;
        } else {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            let Value::Object(members) = at else { return };
            at = members.entry(segment).or_insert(Value::Null);
        }
    }
    *at = value;
}

#[cfg(test)]
mod tests;
