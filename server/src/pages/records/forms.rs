//! Shows the forms of records, and takes what was typed.

use askama::Template;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::asked::{read_options, read_variant};
use super::fields::{About, Field, FormSpec, Input, Place, ProductOption, Then};
use super::kinds::{self, Kind};
use super::{AnswerPage, rows_of};
use crate::http::Path;
use crate::pages::client::{Failure, segment, target};
use crate::pages::form::Form;
use crate::pages::page::{Frame, PageError, PageResult, Section, go, respond, show};
use crate::pages::parameters::Parameters;
use crate::pages::range::Choice;
use crate::pages::visit::Visit;
use crate::pages::{Pages, REFUSED};

/// The word in the address of the file with all that is known of a record.
const EXPORT: &str = "export";

#[derive(Debug, Template)]
#[template(path = "records/form.html")]
struct FormPage {
    frame: Frame,
    form: &'static FormSpec,
    controls: Vec<Control>,
    refusal: Option<String>,
    address: String,
    /// The page that it leads back to, and its name.
    back: (String, String),
}

/// A control of a form.
#[derive(Debug)]
struct Control {
    field: &'static Field,
    name: String,
    label: String,
    value: String,
    choices: Vec<Choice>,
}

/// A form about a record, or about a new one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    kind: &'static Kind,
    pub(super) form: &'static FormSpec,
    /// The record; empty for a new one.
    id: &'a str,
    /// The row of the record.
    of: &'a str,
}

impl Subject<'_> {
    /// Returns a route of the API about it.
    pub(super) fn route(&self, path: &str) -> String {
        path.replace("{id}", &segment(self.id)).replace("{of}", &segment(self.of))
    }

    /// Returns the page that the form leads back to.
    fn page(&self) -> String {
        let list = format!("/app/{}", self.kind.name);
        if self.id.is_empty() { list } else { format!("{list}/{}", segment(self.id)) }
    }

    fn address(&self) -> String {
        target(&format!("{}/{}", self.page(), self.form.word), &[("of", self.of)])
    }
}

/// Returns the form with which a new record begins, if a word names it.
pub(super) fn of_list(kind: &'static Kind, word: &str) -> Option<&'static FormSpec> {
    kind.forms.iter().find(|form| form.place == Place::List && form.word == word)
}

fn of_record(kind: &'static Kind, word: &str) -> Option<&'static FormSpec> {
    kind.forms.iter().find(|form| form.place != Place::List && form.word == word)
}

/// Shows the form of a new record.
pub(super) async fn show_new(
    pages: &Pages,
    visit: &Visit,
    (kind, form): (&'static Kind, &'static FormSpec),
) -> PageResult {
    show_empty(pages, visit, Subject { kind, form, id: "", of: "" }).await
}

/// Makes a record of what was typed.
pub(super) async fn take_new(
    pages: &Pages,
    visit: &Visit,
    (kind, form): (&'static Kind, &'static FormSpec),
    typed: &Parameters,
) -> PageResult {
    take(pages, visit, Subject { kind, form, id: "", of: "" }, typed).await
}

/// Shows a form of a record, or sends the file with all that is known of it.
pub(in crate::pages) async fn show_form(
    visit: Visit,
    State(pages): State<Pages>,
    Path((name, id, word)): Path<(String, String, String)>,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| PageError::missing(&visit))?;
    if let Some(export) = kind.export.filter(|_| word == EXPORT) {
        return send_export(&pages, &visit, export, &id).await;
    }
    let form = of_record(kind, &word).ok_or_else(|| PageError::missing(&visit))?;
    let of = visit.parameters.text("of");
    show_empty(&pages, &visit, Subject { kind, form, id: &id, of }).await
}

/// Changes a record as was typed.
pub(in crate::pages) async fn take_form(
    visit: Visit,
    State(pages): State<Pages>,
    Path((name, id, word)): Path<(String, String, String)>,
    Form(typed): Form,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| PageError::missing(&visit))?;
    let form = of_record(kind, &word).ok_or_else(|| PageError::missing(&visit))?;
    let of = visit.parameters.text("of");
    take(&pages, &visit, Subject { kind, form, id: &id, of }, &typed).await
}

async fn show_empty(pages: &Pages, visit: &Visit, subject: Subject<'_>) -> PageResult {
    if !visit.runs_store() {
        return Err(PageError::forbidden());
    }
    let present = read_present(pages, visit, subject).await.map_err(PageError::failed)?;
    let page = page(pages, visit, subject, (present.as_ref(), None)).await?;
    show(&page)
}

/// Reads the record as it is, if the form changes it.
async fn read_present(
    pages: &Pages,
    visit: &Visit,
    subject: Subject<'_>,
) -> Result<Option<Value>, Failure> {
    let Some((path, pointer)) = subject.form.present else { return Ok(None) };
    let answer = pages.client.get::<Value>(&visit.origin, &subject.route(path)).await?;
    let found = answer.pointer(pointer).cloned().unwrap_or_default();
    let is_own = |row: &Value| row.get("id").and_then(Value::as_str) == Some(subject.of);
    // A form of a row finds it among all of them.
    let Value::Array(rows) = found else { return Ok(Some(found)) };
    Ok(Some(rows.into_iter().find(is_own).unwrap_or_default()))
}

/// Returns the form with the present values, or with what was typed and why it was refused.
async fn page(
    pages: &Pages,
    visit: &Visit,
    subject: Subject<'_>,
    (present, typed): (Option<&Value>, Option<(&Parameters, String)>),
) -> Result<FormPage, PageError> {
    let options = read_options(pages, visit, subject).await.map_err(PageError::failed)?;
    let mut controls = Vec::new();
    let sent = typed.as_ref().map(|(typed, _)| *typed);
    for field in subject.form.fields {
        if let Input::Prices = field.input {
            for code in currencies(visit) {
                let (name, label) = field.in_currency(&code);
                let value = sent.map_or_else(
                    || present.map(|record| field.price_in(record, &code)).unwrap_or_default(),
                    |typed| typed.raw(&name).to_owned(),
                );
                controls.push(Control { field, name, label, value, choices: Vec::new() });
            }
            continue;
        }
        if let Input::Options = field.input {
            controls.extend(options.iter().map(|own| of_option(field, own, (present, sent))));
            continue;
        }
        let value = sent.map_or_else(
            || first_value(visit, field, present),
            |typed| typed.raw(field.name).to_owned(),
        );
        let choices = choices(pages, visit, field, &value).await.map_err(PageError::failed)?;
        let (name, label) = (field.name.to_owned(), field.label.to_owned());
        controls.push(Control { field, name, label, value, choices });
    }
    let title = if subject.id.is_empty() { subject.kind.title } else { subject.kind.noun };
    Ok(FormPage {
        frame: Frame::of(visit, subject.kind.section, subject.form.label),
        form: subject.form,
        controls,
        refusal: typed.map(|(_, refusal)| refusal),
        address: subject.address(),
        back: (subject.page(), title.to_owned()),
    })
}

/// Returns the control for an option of a product.
fn of_option(
    field: &'static Field,
    option: &ProductOption,
    (present, sent): (Option<&Value>, Option<&Parameters>),
) -> Control {
    let name = field.of_option(option);
    let value = sent.map_or_else(
        || present.map(|variant| option.chosen(variant)).unwrap_or_default(),
        |typed| typed.raw(&name).to_owned(),
    );
    let choice =
        |own: &str| Choice { word: own.to_owned(), name: own.to_owned(), is_chosen: own == value };
    let choices = option.values.iter().map(|own| choice(&own.value)).collect();
    Control { field, name, label: option.title.clone(), value, choices }
}

/// Returns what a field shows before anything is typed.
fn first_value(visit: &Visit, field: &'static Field, present: Option<&Value>) -> String {
    if let Some(record) = present {
        return field.shown(record, |at| day_of(visit, at));
    }
    // The address may name what the form is about, such as the version to go back to.
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
    pages: &Pages,
    visit: &Visit,
    field: &'static Field,
    value: &str,
) -> Result<Vec<Choice>, Failure> {
    let choice = |word: &str, name: &str| Choice {
        word: word.to_owned(),
        name: name.to_owned(),
        is_chosen: word == value,
    };
    if let Input::Choice(all) = field.input {
        return Ok(all.iter().map(|(word, name)| choice(word, name)).collect());
    }
    if matches!(field.input, Input::Currency) {
        let codes = currencies(visit);
        return Ok(codes.iter().map(|code| choice(code, &code.to_uppercase())).collect());
    }
    let Input::Record(path, plural, name) = field.input else { return Ok(Vec::new()) };
    let answer = pages.client.get::<Value>(&visit.origin, path).await?;
    let text =
        |row: &Value, place: &str| row.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let rows = rows_of(&answer, plural).iter();
    Ok(rows.filter_map(|row| Some(choice(&text(row, "/id")?, &text(row, name)?))).collect())
}

/// Returns the store's currencies, its own first.
fn currencies(visit: &Visit) -> Vec<String> {
    let own = visit.store.default_currency_code.to_lowercase();
    let all = visit.store.supported_currencies.iter().map(|own| own.currency_code.to_lowercase());
    let others: Vec<String> = all.filter(|code| *code != own).collect();
    std::iter::once(own).chain(others).collect()
}

/// Returns the day of an instant in the store's zone, as a control takes it.
fn day_of(visit: &Visit, at: &str) -> String {
    let zone = TimeZone::get(&visit.store.time_zone).unwrap_or(TimeZone::UTC);
    let instant = at.parse::<jiff::Timestamp>();
    instant.map(|instant| zone.to_datetime(instant).date().to_string()).unwrap_or_default()
}

/// Sends what was typed to the API, and shows what it has done.
async fn take(
    pages: &Pages,
    visit: &Visit,
    subject: Subject<'_>,
    typed: &Parameters,
) -> PageResult {
    let present = read_present(pages, visit, subject).await.map_err(PageError::failed)?;
    let zone = TimeZone::get(&visit.store.time_zone).unwrap_or(TimeZone::UTC);
    let currencies = currencies(visit);
    let options = read_options(pages, visit, subject).await.map_err(PageError::failed)?;
    let variant = read_variant(pages, visit, (subject.form, typed)).await;
    let variant = variant.map_err(PageError::failed)?;
    let about = About {
        id: subject.id,
        of: subject.of,
        options: &options,
        variant: variant.as_deref(),
        currencies: &currencies,
        present: present.as_ref(),
        day: &|text| {
            let start = text.parse::<Date>().ok()?.to_zoned(zone.clone()).ok()?;
            Some(start.timestamp().to_string())
        },
    };
    let form = subject.form;
    let refusal = match form.body(typed, &about) {
        Err(refusal) => refusal,
        Ok(body) => {
            let path = subject.route(form.api);
            let sent = match form.then {
                Then::Deleted => pages.client.delete::<Value>(&visit.origin, &path).await,
                Then::Record | Then::Made(_) | Then::List | Then::Secret(_) => {
                    pages.client.post::<Value>(&visit.origin, &path, &body).await
                }
            };
            match sent {
                Ok(answer) => return taken(visit, subject, &answer),
                Err(failure) if failure.status == StatusCode::FORBIDDEN => {
                    return Err(PageError::forbidden());
                }
                Err(failure) => refusal_of(form, &failure),
            }
        }
    };
    let page = page(pages, visit, subject, (present.as_ref(), Some((typed, refusal)))).await?;
    respond(REFUSED, &page)
}

fn taken(visit: &Visit, subject: Subject<'_>, answer: &Value) -> PageResult {
    let text = |place: &str| answer.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let list = format!("/app/{}", subject.kind.name);
    match subject.form.then {
        Then::Record => go(&target(&subject.page(), &[("done", "saved")])),
        Then::List => go(&target(&list, &[("done", "done")])),
        Then::Deleted => go(&target(&list, &[("done", "deleted")])),
        Then::Made(place) => {
            let id = text(place).unwrap_or_default();
            go(&target(&format!("{list}/{}", segment(&id)), &[("done", "saved")]))
        }
        Then::Secret(place) => show(&AnswerPage {
            frame: Frame::of(visit, subject.kind.section, subject.form.label),
            back: (list, subject.kind.title.to_owned()),
            table: None,
            secret: text(place),
        }),
    }
}

/// Returns why the API refused what was typed, by the names of the fields.
fn refusal_of(form: &FormSpec, failure: &Failure) -> String {
    let about = |detail: &(String, String)| {
        let label = form.label_of(&detail.0)?;
        let reason = detail.1.split_once("': ").map_or(&*detail.1, |(_, reason)| reason);
        Some(format!("{label}: {reason}."))
    };
    let known: Vec<String> = failure.details.iter().filter_map(about).collect();
    if known.is_empty() { failure.message.replace('`', "") } else { known.join(" ") }
}

async fn send_export(
    pages: &Pages,
    visit: &Visit,
    (name, path): (&'static str, &'static str),
    id: &str,
) -> PageResult {
    let path = path.replace("{id}", &segment(id));
    let sending = pages.client.send(&visit.origin, (Method::GET, &*path), None);
    let (_, body) = sending.await.map_err(PageError::failed)?;
    let file = format!("attachment; filename=\"{name}.json\"");
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, file),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, body).into_response())
}
