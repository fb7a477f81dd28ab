//! Lists of the store's records, and a record with its related records.
//!
//! [`kinds`] defines for each kind of record its API route, what is shown, and its forms; the rest is the same for all.
//! [`forms`] shows and processes forms, whose [`fields`] define where the API has each value.

mod controls;
mod fields;
mod forms;
mod kinds;
pub(super) mod names;
mod parts;
mod search;
mod subject;
mod table;

use askama::Template;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::client::{Failure, segment, target};
use super::form::Form;
use super::listing::Paging;
use super::page::{Frame, PageError, PageResult, Part, Section, go, show};
use super::range::Choice;
use super::visit::Visit;
use crate::http::Path;
pub(super) use forms::{show_form, take_form};
use kinds::{Action, Ahead, Answer, Kind};
pub(super) use kinds::{Cell, Column, PAYMENTS, column};
pub(super) use search::search;
use subject::Subject;
pub(super) use subject::variant_of;
pub(super) use table::{CellView, Table, country, look, table, word};
use table::{Fact, facts};

/// The filters that restrict a list to those of one record.
const OWNERS: &[&str] = &[
    "customer_id",
    "variant_id",
    "collection_id",
    "category_id",
    "tag_id",
    "partner_id",
    "endpoint_id",
];

/// A filter of a list with its options.
#[derive(Debug)]
struct FilterView {
    name: &'static str,
    label: &'static str,
    choices: Vec<Choice>,
}

#[derive(Debug, Template)]
#[template(path = "records/list.html")]
struct ListPage {
    frame: Frame,
    kind: &'static Kind,
    query: String,
    /// The parts of the URL that a search keeps: the order, and the owning record.
    kept: Vec<(&'static str, String)>,
    filters: Vec<FilterView>,
    days: Option<(String, String)>,
    is_narrowed: bool,
    /// What is shown before the list.
    ahead: Vec<(&'static Ahead, Part<Table>)>,
    list: Part<(Table, Paging)>,
    /// The page that creates a new one, for users who may do so.
    begin: Option<(&'static str, String)>,
    /// The lists in the same section, with their URLs.
    beside: Vec<(&'static str, String, bool)>,
}

impl ListPage {
    /// Returns whether the list is restricted to one record's.
    fn is_of_one(&self) -> bool {
        self.kept.iter().any(|(name, _)| OWNERS.contains(name))
    }
}

#[derive(Debug, Template)]
#[template(path = "records/record.html")]
struct RecordPage {
    frame: Frame,
    kind: &'static Kind,
    facts: Vec<Fact>,
    parts: Vec<(&'static kinds::RecordPart, Part<Table>)>,
    actions: Vec<&'static Action>,
    /// The forms and pages, each with its URL and whether it cannot be undone.
    forms: Vec<(&'static str, String, bool)>,
    /// The URL of the file with all data.
    export: Option<String>,
    address: String,
}

/// The API's response to a change.
#[derive(Debug, Template)]
#[template(path = "records/answer.html")]
struct AnswerPage {
    frame: Frame,
    /// The page of the record, and its name.
    back: (String, String),
    table: Option<Table>,
    secret: Option<String>,
}

pub(super) async fn show_list(visit: Visit, Path(name): Path<String>) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| visit.missing())?;
    let sent = &visit.parameters;
    let list = read_list(&visit, kind).await;
    let is_empty = list.as_ref().is_ok_and(|(_, paging)| paging.is_empty);
    let is_narrowed = is_narrowed(&visit, kind);
    let is_plain = !is_empty && !is_narrowed;
    let ahead = if is_plain { read_ahead(&visit, kind).await } else { Vec::new() };
    let form = kind.forms.iter().find(|form| form.place == fields::Place::List);
    let form = form.filter(|_| visit.runs_store());
    let form = form.map(|form| (form.label, format!("/app/{}/{}", kind.name, form.word)));
    let page = kind.begin.filter(|_| visit.edits_metrics());
    let begin = form.or_else(|| page.map(|(label, address)| (label, address.to_owned())));
    let kept = std::iter::once("order").chain(OWNERS.iter().copied());
    let kept = kept.filter(|name| sent.has(name));
    let beside = kinds::ALL.iter().filter(|own| own.section == kind.section);
    let beside = beside.map(|own| (own.title, format!("/app/{}", own.name), own.name == kind.name));
    show(&ListPage {
        frame: visit.frame(kind.section, kind.title),
        query: sent.text("q").to_owned(),
        kept: kept.map(|name| (name, sent.text(name).to_owned())).collect(),
        filters: kind.filters.iter().map(|filter| filter_view(&visit, filter)).collect(),
        days: kind.has_days.then(|| (sent.text("from").to_owned(), sent.text("to").to_owned())),
        is_narrowed,
        ahead,
        list,
        begin,
        beside: beside.collect(),
        kind,
    })
}

/// Reads the rows of a list that the URL asks for.
async fn read_list(visit: &Visit, kind: &'static Kind) -> Part<(Table, Paging)> {
    let sent = &visit.parameters;
    let days = if kind.has_days { days(visit) } else { Vec::new() };
    let mut query = vec![("limit", "50"), ("fields", kind.list_fields)];
    let own = ["q", "offset", "order"].into_iter().chain(OWNERS.iter().copied());
    let own = own.chain(kind.filters.iter().map(|filter| filter.name));
    query.extend(own.map(|name| (name, sent.text(name))));
    query.extend(days.iter().map(|(name, at)| (*name, &**at)));
    let answer = visit.api.get::<Value>(&target(kind.api, &query)).await?;
    let number = |name: &str| answer.get(name).and_then(Value::as_u64).unwrap_or_default();
    let paging = Paging::of(visit, (number("offset"), number("limit"), number("count")));
    let mut rows = rows_of(&answer, kind.plural);
    names::add(visit, kind.columns, &mut rows).await;
    Ok((table::list(visit, kind, &rows), paging))
}

fn filter_view(visit: &Visit, filter: &kinds::Filter) -> FilterView {
    let chosen = visit.parameters.text(filter.name);
    let choice = |word: &&str| match *word {
        "true" => Choice::of(("true", "yes"), chosen),
        "false" => Choice::of(("false", "no"), chosen),
        word => Choice::of((word, &word.replace('_', " ")), chosen),
    };
    let choices = filter.values.iter().map(choice).collect();
    FilterView { name: filter.name, label: filter.label, choices }
}

/// Returns whether the URL restricts the list.
fn is_narrowed(visit: &Visit, kind: &Kind) -> bool {
    let filters = kind.filters.iter().map(|filter| filter.name);
    let others = ["q", "offset", "from", "to"].into_iter().chain(OWNERS.iter().copied());
    filters.chain(others).any(|name| visit.parameters.has(name))
}

/// Reads what is shown before the first page of a list.
async fn read_ahead(visit: &Visit, kind: &'static Kind) -> Vec<(&'static Ahead, Part<Table>)> {
    let mut all = Vec::new();
    for own in kind.ahead {
        let path = format!("{}{}", kind.api, own.query);
        let answer = visit.api.get::<Value>(&path).await;
        let rows = answer.map(|answer| table(visit, own.columns, &rows_of(&answer, kind.plural)));
        all.push((own, rows));
    }
    all
}

/// Returns the filters by the days in the URL, both included.
fn days(visit: &Visit) -> Vec<(&'static str, String)> {
    let day = |name: &str| visit.parameters.text(name).parse::<Date>().ok();
    let all = [("created_at[$gte]", day("from")), ("created_at[$lte]", day("to"))];
    all.into_iter().filter_map(|(filter, day)| Some((filter, day?.to_string()))).collect()
}

/// Shows a record with its related records, or the form of a new one.
pub(super) async fn show_record(
    visit: Visit,
    Path((name, id)): Path<(String, String)>,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| visit.missing())?;
    if let Some(form) = forms::of_list(kind, &id) {
        return forms::show_empty(&visit, Subject { kind, form, id: "", of: "" }).await;
    }
    if kind.facts.is_empty() {
        return Err(visit.missing());
    }
    let mut record = read_record(&visit, kind, &id).await?;
    names::add(&visit, kind.facts, std::slice::from_mut(&mut record)).await;
    let record = &record;
    let mut all = Vec::new();
    for part in kind.parts {
        all.push((part, parts::read(&visit, (part, &id), record).await));
    }
    let address = format!("/app/{}/{}", kind.name, segment(&id));
    let status = record.get("status").and_then(Value::as_str).unwrap_or_default();
    let fits = |states: &[&str]| states.is_empty() || states.contains(&status);
    let may = may_change(&visit, kind);
    let actions = kind.actions.iter().filter(|action| may && fits(action.states));
    let actions = actions.filter(|action| is_allowed(record, action.api));
    let forms = kind.forms.iter().filter(|form| may && form.place == fields::Place::Record);
    let forms = forms.filter(|form| fits(form.states) && is_allowed(record, form.api));
    let forms = forms.map(|form| (form.label, format!("{address}/{}", form.word), form.is_final));
    let own = kind.pages.iter().filter(|(_, _, states)| may && fits(states));
    let own = own.map(|(label, word, _)| (*label, format!("{address}/{word}"), false));
    show(&RecordPage {
        frame: visit.frame(kind.section, kind.title_of(record)),
        facts: facts(&visit, kind.facts, record),
        parts: all,
        actions: actions.collect(),
        forms: own.chain(forms).collect(),
        export: kind.export.filter(|_| may).map(|_| format!("{address}/export")),
        address,
        kind,
    })
}

async fn read_record(visit: &Visit, kind: &Kind, id: &str) -> Result<Value, Failure> {
    let path = format!("{}/{}{}", kind.api, segment(id), kind.query);
    let answer = visit.api.get::<Value>(&path).await?;
    Ok(answer.get(kind.singular).cloned().unwrap_or_default())
}

/// Returns whether a record allows an operation of a route: some records list the allowed ones.
fn is_allowed(record: &Value, route: &str) -> bool {
    let Some(allowed) = record.get("actions").and_then(Value::as_array) else { return true };
    let own = route.rsplit('/').next();
    allowed.iter().any(|action| action.as_str() == own)
}

/// Returns whether the person may change records of a kind.
fn may_change(visit: &Visit, kind: &Kind) -> bool {
    let is_metric_work = kind.section == Section::Alerts;
    if is_metric_work { visit.edits_metrics() } else { visit.runs_store() }
}

/// Returns the rows at a path of a response, such as `product/variants`. A list on the path stands for all its members, and a
/// single object is one row.
fn rows_of(answer: &Value, path: &str) -> Vec<Value> {
    let mut rows = vec![answer];
    for name in path.split('/') {
        let inside = rows.into_iter().filter_map(|row| row.get(name));
        rows = inside
            .flat_map(|own| own.as_array().map_or(std::slice::from_ref(own), Vec::as_slice))
            .collect();
    }
    rows.into_iter().filter(|row| row.is_object()).cloned().collect()
}

/// Does what a button of a record says, or processes the form of a new one.
pub(super) async fn change_record(
    visit: Visit,
    Path((name, id)): Path<(String, String)>,
    Form(fields): Form,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| visit.missing())?;
    if let Some(form) = forms::of_list(kind, &id) {
        return forms::take(&visit, Subject { kind, form, id: "", of: "" }, &fields).await;
    }
    let mut actions = kind.actions.iter();
    let action = actions.find(|action| action.word == fields.text("action"));
    let action = action.ok_or_else(|| visit.missing())?;
    let page = format!("/app/{}/{}", kind.name, segment(&id));
    let path = action.api.replace("{id}", &segment(&id));
    let api = match action.answer {
        Answer::Secret(_) => visit.api.unkeyed(),
        Answer::Done | Answer::Rows(..) => visit.api.clone(),
    };
    let answer = match api.post::<Value>(&path, &json!({})).await {
        Ok(answer) => answer,
        Err(failure) => return Err(PageError::refused_change(&failure.permitted()?, &page)),
    };
    let back = (page, kind.noun.to_owned());
    let shown = |table, secret| {
        let frame = visit.frame(kind.section, action.label);
        show(&AnswerPage { frame, back: back.clone(), table, secret })
    };
    match action.answer {
        Answer::Done => go(&format!("{}?done=done", back.0)),
        Answer::Rows(pointer, columns) => {
            let rows = answer.pointer(pointer).cloned().unwrap_or_default();
            let rows = if let Value::Array(rows) = rows { rows } else { vec![rows] };
            shown(Some(table(&visit, columns, &rows)), None)
        }
        Answer::Secret(pointer) => {
            let secret = answer.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
            shown(None, secret)
        }
    }
}
