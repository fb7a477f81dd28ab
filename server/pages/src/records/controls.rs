//! The controls of a form: one per field, or one per currency, option or word.

use serde_json::Value;

use super::fields::{Field, Input, ProductOption};
use super::rows_of;
use super::subject::{Subject, read_options};
use crate::client::Failure;
use crate::parameters::Parameters;
use crate::range::{self, Choice};
use crate::regions::COUNTRIES;
use crate::visit::Visit;

#[derive(Debug)]
pub(super) struct Control {
    pub(super) field: &'static Field,
    pub(super) name: String,
    pub(super) label: String,
    /// The value that a check box sends.
    pub(super) word: String,
    pub(super) value: String,
    pub(super) choices: Vec<Choice>,
}

/// The record as stored, and the input.
type Values<'a> = (Option<&'a Value>, Option<&'a Parameters>);

impl Control {
    fn of(field: &'static Field, (name, label): (String, String), value: String) -> Self {
        Self { field, name, label, word: "yes".to_owned(), value, choices: Vec::new() }
    }
}

/// Returns the controls with the present values, or with the input.
pub(super) async fn of(
    visit: &Visit,
    subject: Subject<'_>,
    values: Values<'_>,
) -> Result<Vec<Control>, Failure> {
    let options = read_options(visit, subject).await?;
    let mut controls = Vec::new();
    for field in subject.form.fields {
        if let Input::Prices = field.input {
            controls.extend(currencies(visit).iter().map(|code| price(visit, field, code, values)));
        } else if let Input::Options = field.input {
            controls.extend(options.iter().map(|own| of_option(field, own, values)));
        } else if let Input::Several(path, plural, chosen) = field.input {
            let answer = visit.api.get::<Value>(path).await?;
            let rows = rows_of(&answer, plural);
            let names: Vec<_> = rows
                .iter()
                .filter_map(|row| Some((row.get("id")?.as_str()?, chosen.name_of(row)?)))
                .collect();
            // The record's present value stays, even if the list does not contain it.
            let own = values.0.map(|record| field.items(record)).unwrap_or_default();
            let others = own.iter().filter(|own| names.iter().all(|(id, _)| id != *own));
            let others = others.map(|own| (*own, *own));
            let all = names.iter().copied().chain(others);
            controls.extend(all.map(|name| of_word(field, name, values)));
        } else {
            controls.push(single(visit, field, values).await?);
        }
    }
    Ok(controls)
}

async fn single(
    visit: &Visit,
    field: &'static Field,
    (present, sent): Values<'_>,
) -> Result<Control, Failure> {
    let value = sent.map_or_else(
        || first_value(visit, field, present),
        |typed| typed.raw(field.name).to_owned(),
    );
    let mut choices = choices(visit, field, &value).await?;
    let own = present.and_then(|record| unlisted(visit, field, record, (&choices, &value)));
    choices.extend(own);
    let names = (field.name.to_owned(), field.label.to_owned());
    Ok(Control { choices, ..Control::of(field, names, value) })
}

/// Returns an option for the record's present value if the other options lack it, such as a currency that the store has
/// removed: otherwise a browser would select another one.
fn unlisted(
    visit: &Visit,
    field: &'static Field,
    record: &Value,
    (others, value): (&[Choice], &str),
) -> Option<Choice> {
    let word = field.display(record, (visit.store.locale, &visit.store.time_zone));
    if field.control() != "select" || word.is_empty() || others.iter().any(|own| own.word == word) {
        return None;
    }
    let name = if let Input::Record(_, _, place) = field.input {
        let place = format!("{}{place}", field.pointer.trim_end_matches("_id"));
        record.pointer(&place).and_then(Value::as_str).map(str::to_owned)
    } else {
        matches!(field.input, Input::Currency).then(|| word.to_uppercase())
    };
    let is_chosen = word == value;
    Some(Choice { name: name.unwrap_or_else(|| word.clone()), word, is_chosen })
}

/// Returns the control for the price in a currency.
fn price(visit: &Visit, field: &'static Field, code: &str, (present, sent): Values<'_>) -> Control {
    let names = field.in_currency(code);
    let value = sent.map_or_else(
        || {
            let price = |record| field.price_in(record, code, visit.store.locale);
            present.map(price).unwrap_or_default()
        },
        |typed| typed.raw(&names.0).to_owned(),
    );
    Control::of(field, names, value)
}

/// Returns the control for one of several words.
fn of_word(
    field: &'static Field,
    (word, name): (&str, &str),
    (present, sent): Values<'_>,
) -> Control {
    let has = match (sent, present) {
        (Some(typed), _) => typed.all(field.name).any(|own| own == word),
        (None, Some(record)) => field.items(record).contains(&word),
        (None, None) => field.is_checked,
    };
    let label = format!("{} {name}", field.label);
    let value = if has { word.to_owned() } else { String::new() };
    Control { word: word.to_owned(), ..Control::of(field, (field.name.to_owned(), label), value) }
}

/// Returns the control for an option of a product.
fn of_option(
    field: &'static Field,
    option: &ProductOption,
    (present, sent): Values<'_>,
) -> Control {
    let name = field.of_option(option);
    let value = sent.map_or_else(
        || present.map(|variant| option.chosen(variant)).unwrap_or_default(),
        |typed| typed.raw(&name).to_owned(),
    );
    let choice = |own: &str| Choice::of((own, own), &value);
    let choices = option.values.iter().map(|own| choice(&own.value)).collect();
    Control { choices, ..Control::of(field, (name, option.title.clone()), value) }
}

/// Returns the initial value of a field.
fn first_value(visit: &Visit, field: &'static Field, present: Option<&Value>) -> String {
    if let Some(record) = present {
        return field.display(record, (visit.store.locale, &visit.store.time_zone));
    }
    // The URL may contain it, such as the version to revert to.
    let named = visit.parameters.text(field.name);
    if !named.is_empty() {
        named.to_owned()
    } else if matches!(field.input, Input::Currency) {
        visit.store.default_currency_code.clone()
    } else if field.is_checked {
        "yes".to_owned()
    } else {
        String::new()
    }
}

async fn choices(
    visit: &Visit,
    field: &'static Field,
    value: &str,
) -> Result<Vec<Choice>, Failure> {
    let choice = |word: &str, name: &str| Choice::of((word, name), value);
    if let Input::Choice(all) = field.input {
        return Ok(range::choices(all, value));
    }
    if matches!(field.input, Input::Currency) {
        let codes = currencies(visit);
        return Ok(codes.iter().map(|code| choice(code, &code.to_uppercase())).collect());
    }
    if let Input::Country = field.input {
        let mut all: Vec<Choice> =
            COUNTRIES.iter().map(|own| choice(own.iso_2, own.display_name)).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        return Ok(all);
    }
    let Input::Record(path, plural, name) = field.input else { return Ok(Vec::new()) };
    let answer = visit.api.get::<Value>(path).await?;
    let text =
        |row: &Value, place: &str| row.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let rows = rows_of(&answer, plural).into_iter();
    Ok(rows.filter_map(|row| Some(choice(&text(&row, "/id")?, &text(&row, name)?))).collect())
}

/// Returns the store's currencies, its own first.
pub(super) fn currencies(visit: &Visit) -> Vec<String> {
    let own = visit.store.default_currency_code.to_lowercase();
    let all = visit.store.supported_currencies.iter().map(|own| own.currency_code.to_lowercase());
    let others: Vec<String> = all.filter(|code| *code != own).collect();
    std::iter::once(own).chain(others).collect()
}
