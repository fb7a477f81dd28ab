//! The search over everything that has searchable text.

use askama::Template;
use serde_json::Value;

use super::{Table, kinds, rows_of, table};
use crate::client::target;
use crate::page::{Frame, PageResult, Part, Section, show};
use crate::visit::Visit;

/// The lists that are searched, with the number of rows shown of each.
const SEARCHED: &[&str] = &[
    "orders",
    "products",
    "collections",
    "categories",
    "tags",
    "customers",
    "promotions",
    "reviews",
    "partners",
    "flows",
];

#[derive(Debug, Template)]
#[template(path = "records/search.html")]
struct SearchPage {
    frame: Frame,
    query: String,
    parts: Vec<(&'static str, String, Part<Table>)>,
    /// The lists without matches.
    without: Vec<String>,
}

/// Searches everything that has searchable text.
pub(crate) async fn search(visit: Visit) -> PageResult {
    let query = visit.parameters.text("q").to_owned();
    let (mut parts, mut without) = (Vec::new(), Vec::new());
    if !query.is_empty() {
        let all = std::iter::once(&kinds::METRICS);
        let all = all.chain(SEARCHED.iter().filter_map(|name| kinds::named(name)));
        for kind in all {
            let path = target(kind.api, &[("q", &*query), ("limit", "5")]);
            let answer = visit.api.get::<Value>(&path).await;
            let found =
                answer.map(|answer| table(&visit, kind.columns, &rows_of(&answer, kind.plural)));
            if found.as_ref().is_ok_and(|found| found.rows.is_empty()) {
                without.push(kind.title.to_lowercase());
                continue;
            }
            let more = target(&format!("/app/{}", kind.name), &[("q", &query)]);
            parts.push((kind.title, more, found));
        }
    }
    show(&SearchPage { frame: visit.frame(Section::None, "Search"), query, parts, without })
}
