//! The versions of a metric with their differences, its examples, its alerts and its audit trail.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Context;
use crate::client::{segment, target};
use crate::listing::Paging;
use crate::page::Part;
use crate::records::names::{self, Name};

/// A version with its changes.
#[derive(Debug)]
pub(super) struct VersionRow {
    pub(super) version: Version,
    pub(super) author: String,
    pub(super) at: String,
    /// The words of the formula, with those removed and those added.
    pub(super) words: Vec<Word>,
    /// The page that shows the effect of the change on the value.
    pub(super) compare: String,
}

/// A piece of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// `ins`, `del`, or empty for unchanged words.
    pub(super) class: &'static str,
}

#[derive(Debug, Deserialize)]
pub(super) struct Version {
    #[serde(rename = "version")]
    pub(super) number: u32,
    pub(super) name: String,
    formula: String,
    author: Option<String>,
    pub(super) note: Option<String>,
    #[serde(rename = "restoredFrom")]
    pub(super) restored_from: Option<u32>,
    #[serde(rename = "createdAt")]
    created_at: String,
}

/// Reads the versions, newest first.
pub(super) async fn read((visit, metric, range): Context<'_>) -> Part<Vec<VersionRow>> {
    let path = format!("/admin/metrics/catalog/{}/versions", segment(&metric.key));
    let mut versions: Vec<Version> = visit.api.get_at(&path, "/versions").await?;
    versions.sort_by_key(|version| std::cmp::Reverse(version.number));
    let authors = versions.iter().filter_map(|version| version.author.clone());
    let names = names::read(visit, &authors.collect()).await;
    let page = format!("/app/metrics/{}", segment(&metric.key));
    let formulas: Vec<String> = versions.iter().map(|own| own.formula.clone()).collect();
    let before = formulas.iter().skip(1).map(String::as_str).chain([""]);
    let row = |(version, before): (Version, &str)| {
        let mut link = range.link();
        link.push(("view", "change".to_owned()));
        link.push(("from_version", version.number.to_string()));
        VersionRow {
            author: named(&names, version.author.as_deref()),
            at: visit.store.moment(&version.created_at),
            words: difference(before, &version.formula),
            compare: target(&page, &link),
            version,
        }
    };
    Ok(versions.into_iter().zip(before).map(row).collect())
}

/// Returns a person's name, or the id if there is none.
fn named(names: &BTreeMap<String, Name>, id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    names.get(id).map_or_else(|| id.to_owned(), |(name, _)| name.clone())
}

/// Limit: words of a formula that is compared with another.
const MAX_WORDS: usize = 120;

/// Returns the words of two formulas: common ones once, with the words removed and added in between. The first
/// version has nothing to be compared with.
pub(super) fn difference(before: &str, after: &str) -> Vec<Word> {
    let (old, new) = (words(before), words(after));
    let word = |text: &str, class| Word { text: text.to_owned(), class };
    if before.is_empty() || old.len() > MAX_WORDS || new.len() > MAX_WORDS {
        return vec![word(after, "")];
    }
    let kept = common(&old, &new);
    let mut all = Vec::new();
    let (mut from, mut to) = (old.iter(), new.iter());
    for own in kept.iter().map(Some).chain([None]) {
        let mut rest = |words: &mut std::slice::Iter<'_, &str>, class| {
            for text in words {
                if Some(text) == own {
                    break;
                }
                all.push(word(text, class));
            }
        };
        rest(&mut from, "del");
        rest(&mut to, "ins");
        if let Some(text) = own {
            all.push(word(text, ""));
        }
    }
    all
}

/// Returns the words of a formula with the blanks after each.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(|letter: char| letter.is_whitespace() || "()+-*/,".contains(letter))
        .collect()
}

/// Returns the longest common subsequence of words.
fn common<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<&'a str> {
    // Each row holds, for every prefix of `new`, the longest common subsequence with a prefix of `old`.
    let mut row: Vec<Vec<&str>> = vec![Vec::new(); new.len().saturating_add(1)];
    for word in old {
        let mut next: Vec<Vec<&str>> = vec![Vec::new()];
        for (other, pair) in new.iter().zip(row.windows(2)) {
            let [before, above] = pair else { continue };
            let left = next.last().cloned().unwrap_or_default();
            let best = if word == other {
                [&before[..], &[*word]].concat()
            } else if above.len() >= left.len() {
                above.clone()
            } else {
                left
            };
            next.push(best);
        }
        row = next;
    }
    row.pop().unwrap_or_default()
}

/// The examples and the alerts of a metric.
#[derive(Debug)]
pub(super) struct ChecksView {
    pub(super) examples: Part<Vec<ExampleRow>>,
    pub(super) alerts: Part<Vec<AlertRow>>,
}

/// An example with its outcome.
#[derive(Debug)]
pub(super) struct ExampleRow {
    pub(super) id: String,
    pub(super) context: String,
    pub(super) expected: String,
    pub(super) passes: bool,
    pub(super) message: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct AlertRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) condition: String,
    pub(super) state: String,
}

#[derive(Debug, Deserialize)]
struct Example {
    id: String,
    context: Value,
    expected: Value,
}

#[derive(Debug, Deserialize)]
struct RunResult {
    id: String,
    passed: bool,
    message: Option<String>,
}

/// Returns the path of a metric's examples in the API.
pub(super) fn examples(key: &str) -> String {
    format!("/admin/metrics-registry/definitions/{}/examples", segment(key))
}

pub(super) async fn read_checks((visit, metric, _range): Context<'_>) -> ChecksView {
    let base = examples(&metric.key);
    let run = format!("{base}/run");
    let alerts = target("/admin/metrics/alerts", &[("metric_id", &*metric.id), ("limit", "50")]);
    let nothing = json!({});
    let (examples, run, alerts) = tokio::join!(
        visit.api.get_at(&base, "/examples"),
        visit.api.post_at::<Vec<RunResult>>(&run, &nothing, "/results"),
        visit.api.get_at(&alerts, "/alerts"),
    );
    let examples = examples.and_then(|listed| Ok(example_rows(listed, &run?)));
    ChecksView { examples, alerts }
}

fn example_rows(examples: Vec<Example>, results: &[RunResult]) -> Vec<ExampleRow> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let inputs = |context: &Value| {
        let inputs = context.as_object().into_iter().flatten();
        inputs
            .map(|(name, value)| format!("{name} = {}", text(value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let row = |own: Example| {
        let result = results.iter().find(|result| result.id == own.id);
        ExampleRow {
            id: own.id,
            context: inputs(&own.context),
            expected: text(&own.expected),
            passes: result.is_some_and(|result| result.passed),
            message: result.and_then(|result| result.message.clone()),
        }
    };
    examples.into_iter().map(row).collect()
}

/// A page of the audit trail of a metric.
#[derive(Debug)]
pub(super) struct AuditView {
    pub(super) rows: Vec<AuditEntry>,
    pub(super) paging: Paging,
}

#[derive(Debug, Deserialize)]
struct AuditAnswer {
    changes: Vec<AuditEntry>,
    count: u64,
    offset: u64,
    limit: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct AuditEntry {
    pub(super) at: String,
    pub(super) action: String,
    actor_id: Option<String>,
    /// The name of who did it, or the id.
    #[serde(skip)]
    pub(super) actor: String,
    #[serde(default)]
    pub(super) changed: Vec<String>,
    pub(super) request_id: Option<String>,
}

pub(super) async fn read_audit((visit, metric, _range): Context<'_>) -> Part<AuditView> {
    let query =
        [("entity_id", &*metric.id), ("limit", "50"), ("offset", visit.parameters.text("offset"))];
    let path = target("/admin/metrics/audit", &query);
    let AuditAnswer { changes: mut rows, count, offset, limit } = visit.api.get(&path).await?;
    let actors = rows.iter().filter_map(|entry| entry.actor_id.clone());
    let names = names::read(visit, &actors.collect()).await;
    for entry in &mut rows {
        entry.at = visit.store.moment(&entry.at);
        entry.actor = named(&names, entry.actor_id.as_deref());
    }
    Ok(AuditView { rows, paging: Paging::of(visit, (offset, limit, count)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_what_went_and_what_came() {
        let shown: String = difference("net_sales / order_count", "net_sales / (order_count - 1)")
            .iter()
            .map(|word| match word.class {
                "ins" => format!("[{}]", word.text),
                "del" => format!("<{}>", word.text),
                _ => word.text.clone(),
            })
            .collect();
        assert_eq!(
            shown,
            "net_sales / <order_count>[(][order_count ][- ][1)]".replace("- ]", "-][ ]")
        );
        assert_eq!(difference("", "a + b").len(), 1);
        assert!(difference("a + b", "a + b").iter().all(|word| word.class.is_empty()));
    }
}
