//! Reports: tables of the API over a range, the same as a file.

mod csv;

use askama::Template;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::IntoResponse as _;
use serde_json::Value;

use super::Pages;
use super::client::target;
use super::listing::Paging;
use super::page::{Frame, PageError, PageResult, Part, Section, show};
use super::range::{Choice, Range};
use super::records::{Cell, Column, Table, column, table};
use super::visit::Visit;
use crate::http::Path;

/// A report.
#[derive(Debug)]
struct Report {
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
    api: &'static str,
    plural: &'static str,
    columns: &'static [Column],
    /// What its rows can be by.
    by: &'static [&'static str],
    empty: &'static str,
}

const CURRENCY: &str = "/currency_code";

/// All reports.
static REPORTS: &[Report] = &[
    Report {
        name: "top-products",
        title: "Best products",
        meaning: "What sold best, by revenue, pieces, orders or margin.",
        api: "/admin/metrics/reports/top-products",
        plural: "products",
        columns: &[
            column("Product", "/product/title", Cell::Link("products", "/product/id")),
            column("Units", "/units", Cell::Count),
            column("Orders", "/orders", Cell::Count),
            column("Gross sales", "/gross_sales", Cell::Money(CURRENCY)),
            column("Net sales", "/net_sales", Cell::Money(CURRENCY)),
            column("Share", "/share", Cell::Percent),
            column("Margin", "/margin", Cell::Percent),
        ],
        by: &["revenue", "units", "orders", "margin"],
        empty: "Nothing was sold in this range.",
    },
    Report {
        name: "margins",
        title: "Margins",
        meaning: "Revenue, cost and profit.",
        api: "/admin/reports/cogs/margins",
        plural: "margins",
        columns: &[
            column("Of", "/title", Cell::Text),
            column("From", "/start", Cell::Moment),
            column("Units", "/units", Cell::Count),
            column("Revenue", "/revenue", Cell::Money(CURRENCY)),
            column("Cost", "/cost", Cell::Money(CURRENCY)),
            column("Profit", "/profit", Cell::Money(CURRENCY)),
            column("Margin", "/margin", Cell::Percent),
            column("Without cost", "/missing_cost", Cell::Count),
        ],
        by: &["product", "variant", "category", "period"],
        empty: "Nothing was sold in this range.",
    },
    Report {
        name: "turnover",
        title: "Inventory turnover",
        meaning: "How often the stock was sold, from the values at the ends of days.",
        api: "/admin/reports/cogs/inventory-turnover",
        plural: "inventory_turnover",
        columns: &[
            column("Of", "/title", Cell::Text),
            column("Cost of what was sold", "/cost", Cell::Money(CURRENCY)),
            column("Average value", "/average_inventory_value", Cell::Money(CURRENCY)),
            column("Turnover", "/turnover", Cell::Count),
            column("Days of inventory", "/days_of_inventory", Cell::Count),
        ],
        by: &["product", "category"],
        empty: "There are no values of the stock in this range yet: they are taken at the end of each day.",
    },
    Report {
        name: "costs",
        title: "Costs to look at",
        meaning: "Variants without a cost, sold under cost or below the target margin, and stock that did not move.",
        api: "/admin/reports/cogs/alerts",
        plural: "alerts",
        columns: &[
            column("Variant", "/title", Cell::Link("products", "/product_id")),
            column("SKU", "/sku", Cell::Text),
            column("What", "/kind", Cell::Chip),
            column("Since", "/at", Cell::Moment),
            column("Revenue", "/revenue", Cell::Money(CURRENCY)),
            column("Cost", "/cost", Cell::Money(CURRENCY)),
        ],
        by: &[],
        empty: "Nothing needs to be looked at.",
    },
];

#[derive(Debug, Template)]
#[template(path = "reports/report.html")]
struct ReportPage {
    frame: Frame,
    report: &'static Report,
    range: Range,
    by: Vec<Choice>,
    list: Part<(Table, Paging)>,
    /// The sums of all rows, where the report has them.
    total: Option<Table>,
    file: String,
    /// All reports, with their addresses.
    tabs: Vec<(&'static str, String, bool)>,
}

/// Shows the first report.
pub(super) async fn show_reports(visit: Visit, State(pages): State<Pages>) -> PageResult {
    report(&pages, &visit, "top-products").await
}

/// Shows a report, or sends it as a file.
pub(super) async fn show_report(
    visit: Visit,
    State(pages): State<Pages>,
    Path(name): Path<String>,
) -> PageResult {
    report(&pages, &visit, &name).await
}

async fn report(pages: &Pages, visit: &Visit, name: &str) -> PageResult {
    let report = REPORTS.iter().find(|own| own.name == name);
    let report = report.ok_or_else(|| PageError::missing(visit))?;
    let range = Range::of(visit);
    let sent = &visit.parameters;
    let is_file = sent.has("csv");
    let mut query = range.report().to_vec();
    let by = report.by.iter().find(|word| **word == sent.text("of"));
    query.push(("by", by.map_or(String::new(), |word| (*word).to_owned())));
    query.push(("limit", if is_file { "200" } else { "50" }.to_owned()));
    query.push(("offset", sent.text("offset").to_owned()));
    let query: Vec<(&str, &str)> = query.iter().map(|(name, text)| (*name, &**text)).collect();
    let answer = pages.client.get::<Value>(&visit.origin, &target(report.api, &query)).await;
    let total = answer.as_ref().ok().and_then(|answer| totals(visit, report, answer));
    let list = answer.map(|answer| {
        let number = |name: &str| answer.get(name).and_then(Value::as_u64).unwrap_or_default();
        let paging = Paging::of(visit, (number("offset"), number("limit"), number("count")));
        (table(visit, report.columns, &rows(&answer, report.plural)), paging)
    });
    if is_file {
        let (table, _) = list.map_err(PageError::failed)?;
        return Ok(file(report.name, &csv::write(&table)));
    }
    let choice = |word: &&str| Choice {
        word: (*word).to_owned(),
        name: (*word).to_owned(),
        is_chosen: *word == sent.text("of"),
    };
    let tab = |own: &Report| {
        (own.title, range.on(&format!("/app/reports/{}", own.name)), own.name == name)
    };
    show(&ReportPage {
        frame: Frame::of(visit, Section::Reports, report.title),
        by: report.by.iter().map(choice).collect(),
        list,
        total,
        file: visit.address_with(&[("csv", "1"), ("offset", "")]),
        tabs: REPORTS.iter().map(tab).collect(),
        range,
        report,
    })
}

/// Returns the rows of a report, each with the currency of the whole.
fn rows(answer: &Value, plural: &str) -> Vec<Value> {
    let code = answer.pointer("/range/currency_code").cloned().unwrap_or_default();
    let rows = answer.get(plural).and_then(Value::as_array).cloned().unwrap_or_default();
    let with_code = |mut row: Value| {
        if let Some(members) = row.as_object_mut() {
            members.insert("currency_code".to_owned(), code.clone());
        }
        row
    };
    rows.into_iter().map(with_code).collect()
}

fn totals(visit: &Visit, report: &Report, answer: &Value) -> Option<Table> {
    let mut total = answer.get("total").filter(|total| total.is_object())?.clone();
    let code = answer.pointer("/range/currency_code").cloned().unwrap_or_default();
    total.as_object_mut()?.insert("currency_code".to_owned(), code);
    Some(table(visit, report.columns, &[total]))
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
