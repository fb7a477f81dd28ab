//! Reports: the API's tables over a range, with charts and as files.
//!
//! [`all`] defines the API route and the shown columns of each; the rest is the same for all.

mod all;
mod picture;

use askama::Template;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::IntoResponse as _;
use serde_json::Value;

use super::client::{Failure, target};
use super::figures::Chart;
use super::listing::Paging;
use super::page::{Frame, PageResult, Part, Section, show};
use super::range::{Choice, Range};
use super::records::{Table, table};
use super::visit::Visit;
use crate::csv;
use crate::http::Path;
use all::{ALL, Picture, Report, View};

#[derive(Debug, Template)]
#[template(path = "reports/report.html")]
struct ReportPage {
    frame: Frame,
    report: &'static Report,
    range: Range,
    by: Vec<Choice>,
    list: Part<Contents>,
    file: String,
    /// All reports, with their URLs.
    tabs: Vec<(&'static str, String, bool)>,
}

/// The contents of a report.
#[derive(Debug)]
struct Contents {
    /// The chart of reports over time; the rows of others have bars.
    chart: Option<Chart>,
    table: Table,
    /// The totals of all rows, if the report has them.
    total: Option<Table>,
    paging: Paging,
}

/// Shows the first report.
pub(super) async fn show_reports(visit: Visit) -> PageResult {
    report(&visit, "top-products").await
}

/// Shows a report, or sends it as a file.
pub(super) async fn show_report(visit: Visit, Path(name): Path<String>) -> PageResult {
    report(&visit, &name).await
}

async fn report(visit: &Visit, name: &str) -> PageResult {
    let report = ALL.iter().find(|own| own.name == name);
    let report = report.ok_or_else(|| visit.missing())?;
    let sent = &visit.parameters;
    let chosen = report.views.iter().find(|view| view.word == sent.text("of"));
    let view = chosen.or(report.views.first()).ok_or_else(|| visit.missing())?;
    let range = Range::of(visit);
    let is_file = sent.has("csv");
    let answer = read(visit, (report, view), &range, is_file).await;
    let list = answer.map(|answer| contents(visit, report, view, &range, &answer));
    if is_file {
        let list = list?;
        return Ok(file(report.name, &written(&list.table)));
    }
    let choice = |own: &View| Choice::of((own.word, own.word), view.word);
    let tab = |own: &Report| {
        (own.title, range.on(&format!("/app/reports/{}", own.name)), own.name == name)
    };
    show(&ReportPage {
        frame: visit.frame(Section::Reports, report.title),
        by: report.views.iter().map(choice).collect(),
        list,
        file: visit.address_with(&[("csv", "1"), ("offset", "")]),
        tabs: ALL.iter().map(tab).collect(),
        range,
        report,
    })
}

/// Reads a page of a report; for a file and for a chart all of its rows, since both are of the whole range.
async fn read(
    visit: &Visit,
    (report, view): (&Report, &View),
    range: &Range,
    is_file: bool,
) -> Result<Value, Failure> {
    let is_whole = is_file || matches!(view.picture, Picture::Lines(_));
    let (limit, offset) =
        if is_whole { ("200", "") } else { ("50", visit.parameters.text("offset")) };
    let page = async |offset: String| {
        let query = query((report, view), range, (limit, offset));
        visit.api.get::<Value>(&target(view.api, &query)).await
    };
    let mut answer = page(offset.to_owned()).await?;
    if !is_whole || !report.takes.contains(&"offset") {
        return Ok(answer);
    }
    let count = answer.get("count").and_then(Value::as_u64).unwrap_or_default();
    let Some(rows) = answer.get_mut(view.plural).and_then(Value::as_array_mut) else {
        return Ok(answer);
    };
    while u64::try_from(rows.len()).is_ok_and(|read| read < count) {
        let mut next = page(rows.len().to_string()).await?;
        match next.get_mut(view.plural).and_then(Value::as_array_mut) {
            Some(more) if !more.is_empty() => rows.append(more),
            Some(_) | None => break,
        }
    }
    Ok(answer)
}

/// Returns the query to the API: the range, and the report's other parameters.
fn query(
    (report, view): (&Report, &View),
    range: &Range,
    (limit, offset): (&str, String),
) -> Vec<(&'static str, String)> {
    let taken = [
        ("by", view.word.to_owned()),
        ("granularity", range.granularity.to_owned()),
        ("limit", limit.to_owned()),
        ("offset", offset),
    ];
    // Only rows over time have a granularity.
    let is_over_time = matches!(view.picture, Picture::Lines(_));
    let is_taken = |name| report.takes.contains(&name) && (is_over_time || name != "granularity");
    let mut query = range.report().to_vec();
    query.extend(taken.into_iter().filter(|(name, _)| is_taken(name)));
    query
}

fn contents(
    visit: &Visit,
    report: &Report,
    view: &View,
    range: &Range,
    answer: &Value,
) -> Contents {
    let mut rows = rows(answer, view.plural);
    let all = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let number = |name: &str, whole| answer.get(name).and_then(Value::as_u64).unwrap_or(whole);
    // Several pages of the API may have been read.
    let page = (number("offset", 0), number("limit", all).max(all), number("count", all));
    let chart = match view.picture {
        Picture::Lines(lines) => {
            let by = if report.takes.contains(&"granularity") { range.granularity } else { "day" };
            Some(picture::chart(visit, (lines, by), answer, &mut rows))
        }
        Picture::Bars(_) => None,
    };
    let mut shown = table(visit, view.columns, &rows);
    if let Picture::Bars(pointer) = view.picture {
        picture::draw_bars(&mut shown, pointer, &rows);
    }
    Contents {
        chart: chart.filter(|chart| chart.at.len() > 1),
        table: shown,
        total: totals(visit, view, answer),
        paging: Paging::of(visit, page),
    }
}

/// Returns the rows of a report, each with the currency of the whole.
fn rows(answer: &Value, plural: &str) -> Vec<Value> {
    let mut rows = answer.get(plural).and_then(Value::as_array).cloned().unwrap_or_default();
    for row in &mut rows {
        add_currency(row, answer);
    }
    rows
}

fn totals(visit: &Visit, view: &View, answer: &Value) -> Option<Table> {
    let total = ["total", "totals"].into_iter().find_map(|name| answer.get(name));
    let mut total = total.filter(|total| total.is_object())?.clone();
    add_currency(&mut total, answer);
    Some(table(visit, view.columns, &[total]))
}

fn add_currency(row: &mut Value, answer: &Value) {
    add(row, "currency_code", answer.pointer("/range/currency_code").cloned().unwrap_or_default());
}

fn add(row: &mut Value, name: &str, value: Value) {
    if let Some(members) = row.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

/// Writes a table as CSV.
fn written(table: &Table) -> String {
    let mut file = csv::line(table.heads.iter().map(|head| csv::text(head.name)));
    for row in &table.rows {
        file.push_str(&csv::line(row.iter().map(|cell| csv::text(&cell.text))));
    }
    file
}

fn file(name: &str, text: &str) -> axum::response::Response {
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}.csv\""));
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    let headers: [(HeaderName, HeaderValue); 2] = [
        (CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (CONTENT_DISPOSITION, disposition),
    ];
    (headers, text.to_owned()).into_response()
}
