//! Shows the forms of records, and processes their input.

use askama::Template;
use axum::http::Method;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse as _;
use serde_json::Value;

use super::controls::{self, Control, currencies};
use super::fields::{About, Field, FormSpec, Place, Present, Then};
use super::kinds::{self, Kind};
use super::subject::{Subject, read_options, read_variant};
use super::{AnswerPage, may_change, read_record, rows_of};
use crate::REFUSED;
use crate::client::{Failure, segment, target};
use crate::form::Form;
use crate::http::Path;
use crate::page::{Frame, PageError, PageResult, Section, go, respond, show};
use crate::parameters::Parameters;
use crate::visit::Visit;

/// The word in the URL of the file with all data about a record.
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

/// Returns the form that creates a record, if a word names it.
pub(super) fn of_list(kind: &'static Kind, word: &str) -> Option<&'static FormSpec> {
    kind.forms.iter().find(|form| form.place == Place::List && form.word == word)
}

fn of_record(kind: &'static Kind, word: &str) -> Option<&'static FormSpec> {
    kind.forms.iter().find(|form| form.place != Place::List && form.word == word)
}

/// Shows a form of a record, or sends the file with all data about it.
pub(crate) async fn show_form(
    visit: Visit,
    Path((name, id, word)): Path<(String, String, String)>,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| visit.missing())?;
    if let Some(export) = kind.export.filter(|_| word == EXPORT) {
        return send_export(&visit, export, &id).await;
    }
    let form = of_record(kind, &word).ok_or_else(|| visit.missing())?;
    let of = visit.parameters.text("of");
    show_empty(&visit, Subject { kind, form, id: &id, of }).await
}

/// Changes a record according to the input.
pub(crate) async fn take_form(
    visit: Visit,
    Path((name, id, word)): Path<(String, String, String)>,
    Form(typed): Form,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| visit.missing())?;
    let form = of_record(kind, &word).ok_or_else(|| visit.missing())?;
    let of = visit.parameters.text("of");
    take(&visit, Subject { kind, form, id: &id, of }, &typed).await
}

/// Shows a form with the present values.
pub(super) async fn show_empty(visit: &Visit, subject: Subject<'_>) -> PageResult {
    PageError::unless(may_change(visit, subject.kind))?;
    let present = read_present(visit, subject).await?;
    let page = page(visit, subject, (present.as_ref(), None)).await?;
    show(&page)
}

/// Reads the present record, if the form changes it.
async fn read_present(visit: &Visit, subject: Subject<'_>) -> Result<Option<Value>, Failure> {
    let (path, pointer) = match subject.form.present {
        Present::None => return Ok(None),
        Present::Own => (subject.own_route(), format!("/{}", subject.kind.singular)),
        Present::At(path, pointer) => (path.to_owned(), pointer.to_owned()),
    };
    let answer = visit.api.get::<Value>(&subject.route(&path)).await?;
    if let Some(found @ Value::Object(_)) = answer.pointer(&pointer) {
        return Ok(Some(found.clone()));
    }
    // A form for a row finds it among all rows.
    let is_own = |row: &Value| {
        let has = |name: &str| row.get(name).and_then(Value::as_str) == Some(subject.of);
        has("id") || has("location_id")
    };
    let rows = rows_of(&answer, pointer.trim_start_matches('/'));
    Ok(Some(rows.into_iter().find(is_own).unwrap_or_default()))
}

/// Returns the form with the present values, or with the input and why it was rejected.
async fn page(
    visit: &Visit,
    subject: Subject<'_>,
    (present, typed): (Option<&Value>, Option<(&Parameters, String)>),
) -> Result<FormPage, PageError> {
    let sent = typed.as_ref().map(|(typed, _)| *typed);
    let controls = controls::of(visit, subject, (present, sent)).await?;
    let title = match title(visit, subject, present).await {
        // The input is not lost if the record can no longer be read.
        Err(failure) if typed.is_none() => return Err(failure.into()),
        title => title.unwrap_or_else(|_failure| subject.kind.noun.to_owned()),
    };
    Ok(FormPage {
        frame: visit.frame(subject.kind.section, subject.form.label),
        form: subject.form,
        controls,
        refusal: typed.map(|(_, refusal)| refusal),
        address: subject.address(),
        back: (subject.page(), title),
    })
}

/// Returns the title of the page that a form leads back to: the record, or the list for a new one.
async fn title(
    visit: &Visit,
    subject: Subject<'_>,
    present: Option<&Value>,
) -> Result<String, Failure> {
    let kind = subject.kind;
    if subject.id.is_empty() {
        return Ok(kind.title.to_owned());
    }
    if let Some(record) = present.filter(|_| subject.form.place == Place::Record) {
        return Ok(kind.title_of(record));
    }
    Ok(kind.title_of(&read_record(visit, kind, subject.id).await?))
}

/// Sends the input to the API, and shows the result.
pub(super) async fn take(visit: &Visit, subject: Subject<'_>, typed: &Parameters) -> PageResult {
    let present = read_present(visit, subject).await?;
    let currencies = currencies(visit);
    let options = read_options(visit, subject).await?;
    let variant = read_variant(visit, subject.form, typed).await?;
    let about = About {
        id: subject.id,
        of: subject.of,
        options: &options,
        variant: variant.as_deref(),
        currencies: &currencies,
        locale: visit.store.locale,
        zone: &visit.store.time_zone,
        present: present.as_ref(),
    };
    let form = subject.form;
    let refusal = match form.body(typed, &about) {
        Err(refusal) => refusal,
        Ok(body) => {
            let own = subject.own_route();
            let api = if form.api.is_empty() { &*own } else { form.api };
            let path = subject.route_within(api, present.as_ref());
            let sent = match form.then {
                Then::Deleted | Then::Removed => {
                    visit.api.read::<Value>(Method::DELETE, &path, None, "").await
                }
                Then::Secret(_) => visit.api.unkeyed().post::<Value>(&path, &body).await,
                Then::Record | Then::Made | Then::List => {
                    visit.api.post::<Value>(&path, &body).await
                }
            };
            match sent {
                Ok(answer) => return accepted(visit, subject, &answer),
                Err(failure) => refusal_of(form, &failure.permitted()?),
            }
        }
    };
    let page = page(visit, subject, (present.as_ref(), Some((typed, refusal)))).await?;
    respond(REFUSED, &page)
}

fn accepted(visit: &Visit, subject: Subject<'_>, answer: &Value) -> PageResult {
    let text = |place: &str| answer.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let list = format!("/app/{}", subject.kind.name);
    match subject.form.then {
        Then::Record | Then::Removed => go(&target(&subject.page(), &[("done", "saved")])),
        Then::List => go(&target(&list, &[("done", "done")])),
        Then::Deleted => go(&target(&list, &[("done", "deleted")])),
        Then::Made => {
            let id = text(&format!("/{}/id", subject.kind.singular)).unwrap_or_default();
            go(&target(&format!("{list}/{}", segment(&id)), &[("done", "saved")]))
        }
        Then::Secret(place) => show(&AnswerPage {
            frame: visit.frame(subject.kind.section, subject.form.label),
            back: (list, subject.kind.title.to_owned()),
            table: None,
            secret: text(place),
        }),
    }
}

/// Returns why the API rejected the input, by field name.
fn refusal_of(form: &FormSpec, failure: &Failure) -> String {
    let about = |detail: &(String, String)| {
        let label = form.label_of(&detail.0)?;
        let reason = detail.1.split_once("': ").map_or(&*detail.1, |(_, reason)| reason);
        Some(format!("{label}: {reason}."))
    };
    let known: Vec<String> = failure.details.iter().filter_map(about).collect();
    if known.is_empty() { labelled(form, &failure.message) } else { known.join(" ") }
}

/// Returns a message with field names of the API, such as `ends_at`, replaced by their labels; ordinary words count as
/// field names only at the beginning.
fn labelled(form: &FormSpec, message: &str) -> String {
    let label = |(index, word): (usize, &str)| {
        let name = word.trim_end_matches([',', ':']);
        let is_name = index == 0 || name.contains(['_', '.']);
        let place = format!("/{}", name.replace('.', "/"));
        let own = form.fields.iter().find(|field| is_name && field.pointer.ends_with(&place));
        let label = |own: &Field| word.replacen(name, &format!("“{}”", own.label), 1);
        own.map_or_else(|| word.to_owned(), label)
    };
    message.split(' ').enumerate().map(label).collect::<Vec<_>>().join(" ")
}

async fn send_export(
    visit: &Visit,
    (name, path): (&'static str, &'static str),
    id: &str,
) -> PageResult {
    let path = path.replace("{id}", &segment(id));
    let body = visit.api.open(Method::GET, &path, None).await?.into_body();
    let file = format!("attachment; filename=\"{name}.json\"");
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, file),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, body).into_response())
}
