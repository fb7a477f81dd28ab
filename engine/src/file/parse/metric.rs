//! Metrics: key, title, formula, formatting and examples.

use super::cursor::TokenCursor;
use super::{LineReader, SeenProperties};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::file::finding::{ParseResult, misfit, unknown};
use crate::file::layout::{ItemBlock, Line};
use crate::file::syntax::{ExampleSyntax, ItemKind, KeyedSyntax, Located, MetricSyntax};
use crate::file::token::LineTokenKind;
use crate::format::check_pattern;
use crate::types::DeclaredType;

const PROPERTIES: [&str; 10] = [
    "=",
    "type",
    "format",
    "decimals",
    "prefix",
    "suffix",
    "null_text",
    "category",
    "unlisted",
    "example",
];
const FORMULA: &str = "for example: metric aov = net_sales / order_count";
const EXAMPLE: &str = "for example: example { \"net_sales\": 100, \"order_count\": 4 } = 25";
/// More decimals than any number has.
const MOST_DECIMALS: u32 = 28;

impl LineReader<'_> {
    pub(super) fn metric_item(
        &mut self,
        mut cursor: TokenCursor<'_>,
        block: &ItemBlock,
    ) -> Option<ItemKind> {
        let key = self.keep(cursor.name("a metric's name"))?;
        let mut metric = MetricSyntax {
            key,
            title: None,
            formula: None,
            data_type: None,
            formatting: Vec::new(),
            category: None,
            unlisted: false,
            examples: Vec::new(),
        };
        let found = self.findings.len();
        let mut once = SeenProperties::default();
        self.keep(header(&mut cursor, &mut metric, &mut once));
        for property in &block.properties {
            self.metric_property(property, &mut metric, &mut once);
        }
        if metric.formula.is_none() && self.findings.len() == found {
            let message = format!("the metric `{}` has no formula", metric.key.value);
            self.findings.push(misfit(metric.key.span, message, FORMULA));
        }
        Some(ItemKind::Metric(metric))
    }

    fn metric_property(
        &mut self,
        line: &Line,
        metric: &mut MetricSyntax,
        once: &mut SeenProperties,
    ) {
        let mut cursor = self.cursor(line);
        let (word, span) = cursor.peek_text();
        let Some(key) = PROPERTIES.iter().copied().find(|key| key.eq_ignore_ascii_case(word))
        else {
            let finding = if metric.formula.is_some() && !word.starts_with(char::is_alphabetic) {
                Diagnostic::new(Code::E801, line.span(), "a line that continues nothing").help(
                    "a formula of several lines starts on a line of its own with `=`; \
                              indent the lines after it deeper",
                )
            } else {
                unknown(Code::E801, "property of a metric", (word, span), &PROPERTIES)
            };
            self.findings.push(finding);
            return;
        };
        cursor.skip();
        let first = if key == "example" { Ok(()) } else { once.check(key, span) };
        self.keep(first.and_then(|()| property(key, &mut cursor, metric)));
    }
}

fn header(
    cursor: &mut TokenCursor<'_>,
    metric: &mut MetricSyntax,
    once: &mut SeenProperties,
) -> ParseResult<()> {
    if cursor.peek().is_some_and(|token| token.kind == LineTokenKind::Text) {
        metric.title = cursor.quoted("a title", FORMULA).ok();
    }
    let (_, span) = cursor.peek_text();
    if cursor.take(LineTokenKind::Equals).is_some() {
        once.check("=", span)?;
        metric.formula = Some(formula(cursor)?);
        return Ok(());
    }
    cursor.end("after the name: a quoted title, then `=` and the formula")
}

fn formula(cursor: &mut TokenCursor<'_>) -> ParseResult<Located<String>> {
    cursor.rest("a formula after `=`", FORMULA)
}

fn property(
    key: &'static str,
    cursor: &mut TokenCursor<'_>,
    metric: &mut MetricSyntax,
) -> ParseResult<()> {
    let help = match key {
        "=" => {
            metric.formula = Some(formula(cursor)?);
            return Ok(());
        }
        "example" => {
            metric.examples.push(example(cursor)?);
            return Ok(());
        }
        "type" => {
            let (found, span) = cursor.peek_text();
            let table = DeclaredType::ALL.map(|declared| (declared.name(), declared));
            let declared = cursor.choice("type of a metric", &table);
            let declared = declared.map_err(|finding| as_declared(found, finding))?;
            metric.data_type = Some(Located::new(declared, span));
            "one type"
        }
        "category" => {
            let help = "a word or a quoted text";
            metric.category = Some(match cursor.peek().map(|token| token.kind) {
                Some(LineTokenKind::Text) => cursor.quoted("a category", help)?.value,
                _ => cursor.name("a category")?.value,
            });
            help
        }
        "unlisted" => {
            metric.unlisted = true;
            "`unlisted` stands alone"
        }
        "decimals" => {
            let value = decimals(cursor)?;
            metric.formatting.push(KeyedSyntax { key, value });
            "a whole number from 0 to 28"
        }
        "format" => {
            let help = "for example: format \"#,##0.00\"";
            let value = cursor.quoted("a quoted pattern", help)?;
            if let Err(reason) = check_pattern(&value.value) {
                return Err(misfit(value.span, reason.to_string(), help));
            }
            metric.formatting.push(KeyedSyntax { key, value });
            help
        }
        _ => {
            let help = "a quoted text";
            let value = cursor.quoted(help, help)?;
            metric.formatting.push(KeyedSyntax { key, value });
            help
        }
    };
    cursor.end(help)
}

/// Suggests the declared type that corresponds to a column type.
fn as_declared(found: &str, finding: Diagnostic) -> Diagnostic {
    let declared = match found.to_ascii_lowercase().as_str() {
        "money" => "currency",
        "percent" => "percentage",
        "count" => "integer",
        "bool" => "boolean",
        "text" => "string",
        "datetime" => "date",
        _ => return finding,
    };
    let suggestion = Suggestion::replace(finding.span, declared);
    finding.help(format!("a metric's type is called `{declared}`")).suggest(suggestion)
}

fn decimals(cursor: &mut TokenCursor<'_>) -> ParseResult<Located<String>> {
    let help = "a whole number from 0 to 28";
    let (found, span) = cursor.peek_text();
    if found.is_empty() {
        return Err(cursor.missing("a number of digits", help));
    }
    if !found.parse::<u32>().is_ok_and(|digits| digits <= MOST_DECIMALS) {
        return Err(misfit(span, format!("`{found}` is no number of digits"), help));
    }
    cursor.skip();
    Ok(Located::new(found.to_owned(), span))
}

fn example(cursor: &mut TokenCursor<'_>) -> ParseResult<ExampleSyntax> {
    let context = cursor.braced(EXAMPLE)?;
    cursor.expect(LineTokenKind::Equals, "=", EXAMPLE)?;
    let expected = cursor.rest("the expected value", EXAMPLE)?;
    Ok(ExampleSyntax { context, expected })
}
