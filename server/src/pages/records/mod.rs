//! Lists of the store's records, and a record with what belongs to it.
//!
//! [`kinds`] says of each kind of record which route of the API has it, and what of it is shown; the rest is the same for all.

mod kinds;
mod table;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::Pages;
use super::client::{Failure, segment, target};
use super::form::Form;
use super::listing::Paging;
use super::page::{Frame, PageError, PageResult, Part, Section, go, show};
use super::range::Choice;
use super::visit::Visit;
use crate::http::Path;
use kinds::{Action, Kind, Source};
pub(super) use kinds::{Cell, Column, column};
use table::{Fact, facts};
pub(super) use table::{Table, look, table};

/// A filter of a list with its choices.
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
    filters: Vec<FilterView>,
    days: Option<(String, String)>,
    list: Part<(Table, Paging)>,
    /// The page on which a new one begins, for those who may make one.
    begin: Option<(&'static str, &'static str)>,
    /// The lists of the same section, with their addresses.
    beside: Vec<(&'static str, String, bool)>,
}

#[derive(Debug, Template)]
#[template(path = "records/record.html")]
struct RecordPage {
    frame: Frame,
    kind: &'static Kind,
    facts: Vec<Fact>,
    parts: Vec<(&'static str, Part<Table>)>,
    actions: Vec<&'static Action>,
    address: String,
}

/// Shows a list.
pub(super) async fn show_list(
    visit: Visit,
    State(pages): State<Pages>,
    Path(name): Path<String>,
) -> PageResult {
    list(&pages, &visit, &name).await
}

async fn list(pages: &Pages, visit: &Visit, name: &str) -> PageResult {
    let kind = kinds::named(name).ok_or_else(|| PageError::missing(visit))?;
    let sent = &visit.parameters;
    let mut query: Vec<(String, String)> = vec![("limit".to_owned(), "50".to_owned())];
    let asked = ["q", "offset", "order", "customer_id"].into_iter();
    for name in asked.chain(kind.filters.iter().map(|filter| filter.name)) {
        if sent.has(name) {
            query.push((name.to_owned(), sent.text(name).to_owned()));
        }
    }
    if kind.has_days {
        query.extend(days(visit));
    }
    let pairs: Vec<(&str, &str)> = query.iter().map(|(name, text)| (&**name, &**text)).collect();
    let answer = pages.client.get::<Value>(&visit.origin, &target(kind.api, &pairs)).await;
    let list = answer.map(|answer| {
        let number = |name: &str| answer.get(name).and_then(Value::as_u64).unwrap_or_default();
        let paging = Paging::of(visit, (number("offset"), number("limit"), number("count")));
        (table(visit, kind.columns, rows_of(&answer, kind.plural)), paging)
    });
    let choices = |filter: &kinds::Filter| {
        let own = sent.text(filter.name);
        let choice = |word: &&str| Choice {
            word: (*word).to_owned(),
            name: word.replace('_', " "),
            is_chosen: *word == own,
        };
        filter.values.iter().map(choice).collect()
    };
    let filters = kind.filters.iter().map(|filter| FilterView {
        name: filter.name,
        label: filter.label,
        choices: choices(filter),
    });
    let beside = kinds::ALL.iter().filter(|own| own.section == kind.section);
    let beside = beside.map(|own| (own.title, format!("/app/{}", own.name), own.name == kind.name));
    show(&ListPage {
        frame: Frame::of(visit, kind.section, kind.title),
        query: sent.text("q").to_owned(),
        filters: filters.collect(),
        days: kind.has_days.then(|| (sent.text("from").to_owned(), sent.text("to").to_owned())),
        list,
        begin: kind.begin.filter(|_| visit.edits_metrics()),
        beside: beside.collect(),
        kind,
    })
}

/// Returns the days of the address as instants: from the start of the first to the end of the last, in the store's zone.
fn days(visit: &Visit) -> Vec<(String, String)> {
    let zone = TimeZone::get(&visit.store.time_zone).unwrap_or(TimeZone::UTC);
    let instant = |day: Option<Date>| {
        let start = day?.to_zoned(zone.clone()).ok()?;
        Some(start.timestamp().to_string())
    };
    let day = |name: &str| visit.parameters.text(name).parse::<Date>().ok();
    let first = instant(day("from")).map(|at| ("created_at[$gte]".to_owned(), at));
    let end = day("to").and_then(|day| day.tomorrow().ok());
    let last = instant(end).map(|at| ("created_at[$lt]".to_owned(), at));
    first.into_iter().chain(last).collect()
}

/// Shows a record with what belongs to it.
pub(super) async fn show_record(
    visit: Visit,
    State(pages): State<Pages>,
    Path((name, id)): Path<(String, String)>,
) -> PageResult {
    let kind = kinds::named(&name).filter(|kind| !kind.facts.is_empty());
    let kind = kind.ok_or_else(|| PageError::missing(&visit))?;
    let path = format!("{}/{}", kind.api, segment(&id));
    let answer = pages.client.get::<Value>(&visit.origin, &path).await;
    let answer = answer.map_err(PageError::failed)?;
    let record = answer.get(kind.singular).unwrap_or(&Value::Null);
    let mut parts = Vec::new();
    for part in kind.parts {
        parts.push((part.title, read_part(&pages, &visit, (part, &id), record).await));
    }
    let title = kind.title_of(record).unwrap_or(id.clone());
    let status = record.get("status").and_then(Value::as_str).unwrap_or_default();
    let fits = |action: &&Action| action.states.is_empty() || action.states.contains(&status);
    let is_metric_work = kind.section == Section::Alerts;
    let may = if is_metric_work { visit.edits_metrics() } else { visit.runs_store() };
    let actions = kind.actions.iter().filter(fits).filter(|_| may);
    show(&RecordPage {
        frame: Frame::of(&visit, kind.section, title),
        facts: facts(&visit, kind.facts, record),
        parts,
        actions: actions.collect(),
        address: format!("/app/{}/{}", kind.name, segment(&id)),
        kind,
    })
}

async fn read_part(
    pages: &Pages,
    visit: &Visit,
    (part, id): (&'static kinds::RecordPart, &str),
    record: &Value,
) -> Result<Table, Failure> {
    match part.source {
        Source::Inside(pointer) => {
            let rows = record.pointer(pointer).and_then(Value::as_array);
            Ok(table(visit, part.columns, rows.map(Vec::as_slice).unwrap_or_default()))
        }
        Source::Route(path, plural) => {
            let path = path.replace("{id}", &segment(id));
            let answer = pages.client.get::<Value>(&visit.origin, &path).await?;
            Ok(table(visit, part.columns, rows_of(&answer, plural)))
        }
    }
}

/// Returns the rows of a list's answer.
fn rows_of<'a>(answer: &'a Value, plural: &str) -> &'a [Value] {
    answer.get(plural).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Does what a button of a record says.
pub(super) async fn change_record(
    visit: Visit,
    State(pages): State<Pages>,
    Path((name, id)): Path<(String, String)>,
    Form(fields): Form,
) -> PageResult {
    let kind = kinds::named(&name).ok_or_else(|| PageError::missing(&visit))?;
    let mut actions = kind.actions.iter();
    let action = actions.find(|action| action.word == fields.text("action"));
    let action = action.ok_or_else(|| PageError::missing(&visit))?;
    let page = format!("/app/{}/{}", kind.name, segment(&id));
    let path = action.api.replace("{id}", &segment(&id));
    match pages.client.post::<Value>(&visit.origin, &path, &json!({})).await {
        Ok(_) => go(&format!("{page}?done=done")),
        Err(failure) if failure.status == StatusCode::FORBIDDEN => Err(PageError::forbidden()),
        Err(failure) => Err(PageError::refused_change(failure, &page)),
    }
}

/// The lists that a search looks into, with how many rows it shows of each.
const SEARCHED: &[&str] = &["orders", "products", "customers", "promotions"];

#[derive(Debug, Template)]
#[template(path = "records/search.html")]
struct SearchPage {
    frame: Frame,
    query: String,
    parts: Vec<(&'static str, String, Part<Table>)>,
}

/// Searches everything that has a text to be found by.
pub(super) async fn search(visit: Visit, State(pages): State<Pages>) -> PageResult {
    let query = visit.parameters.text("q").to_owned();
    let mut parts = Vec::new();
    if !query.is_empty() {
        let all = std::iter::once(&kinds::METRICS);
        let all = all.chain(SEARCHED.iter().filter_map(|name| kinds::named(name)));
        for kind in all {
            let path = target(kind.api, &[("q", &query), ("limit", "5")]);
            let answer = pages.client.get::<Value>(&visit.origin, &path).await;
            let found =
                answer.map(|answer| table(&visit, kind.columns, rows_of(&answer, kind.plural)));
            let more = target(&format!("/app/{}", kind.name), &[("q", &query)]);
            parts.push((kind.title, more, found));
        }
    }
    show(&SearchPage { frame: Frame::of(&visit, Section::None, "Search"), query, parts })
}
