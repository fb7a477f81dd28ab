//! Findings for unknown names, with the probable meaning.

use super::checker::{Checker, Outcome, Scope};
use super::names::Lead;
use crate::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use crate::functions::spreadsheet;
use crate::schema::{DataType, Field, Source, SourceId, same_name};
use crate::source::Span;
use crate::syntax::{Call, Ident};

/// Limit: names listed in a help line.
const MAX_LISTED: usize = 6;
/// Limit: findings of all formulas that are checked together, after which no nearest name is searched for. The search
/// reads every name, and nobody reads that many hints.
const MAX_HINTED: usize = 250;

impl Checker<'_> {
    /// Returns whether the names that are meant are worth a search.
    fn is_hinting(&self) -> bool {
        self.env.findings_before.saturating_add(self.findings.len()) < MAX_HINTED
    }

    fn nearest<'n>(
        &self,
        wrong: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.is_hinting() { nearest(wrong, names) } else { None }
    }

    /// Reports `orders.total` where one value is needed.
    pub(super) fn row_path_outside(&mut self, path: &[Ident], span: Span) -> Outcome {
        let (first, rest) = path.split_first()?;
        let Some((source, _)) = self.rows_named(&first.name) else {
            let metric = self.metrics().find(&first.name);
            if let (Some(_), [method]) = (metric, rest) {
                let message = format!("`{}` is a metric and has no fields", first.name);
                let call = format!("{}({})", method.name, first.name);
                return self.refuse(
                    Diagnostic::new(Code::E203, span, message)
                        .help(format!("functions stand before their value: {call}"))
                        .suggest(Suggestion::replace(span, call)),
                );
            }
            let names = self.schema().sources.iter().map(|source| source.name.as_str());
            let names: Vec<&str> = names.collect();
            let near = self.nearest(&first.name, names.iter().copied());
            let message = format!("no source `{}`", first.name);
            let finding = with_nearest(Code::E203, first.span, message, near);
            return self.refuse(or_listed(finding, &names));
        };
        match self.follow(source, rest) {
            Lead::Unknown(index, at) => self.unknown_field(rest.get(index)?, at),
            Lead::Field(field) => {
                let (_, field) = self.schema().field_at(source, &field)?;
                let text = span.slice(self.text);
                let rows = self.source_name(source);
                let (best, another) = match field.data_type {
                    DataType::Text | DataType::Bool => ("count_distinct", "first"),
                    DataType::Date | DataType::DateTime => ("max", "min"),
                    DataType::Number
                    | DataType::Count(_)
                    | DataType::Money(_)
                    | DataType::MoneyBy { .. }
                    | DataType::Duration => ("sum", "avg"),
                    DataType::Ratio | DataType::Percent => ("avg", "median"),
                };
                let suggestion = format!("{best}({text})");
                let message = format!(
                    "`{text}` has one value for each row of `{rows}`, here one for all is needed"
                );
                self.refuse(
                    Diagnostic::new(Code::E401, span, message)
                        .help(format!("aggregate it: {suggestion}, {another}({text}), …"))
                        .suggest(Suggestion::replace(span, suggestion).among_others()),
                )
            }
        }
    }

    pub(super) fn refuse_rows(&mut self, name: &Ident, source: SourceId) -> Outcome {
        let rows = self.source_name(source);
        let counts = self.metrics().first_count(rows, None);
        let count = format!("count({})", name.name);
        let help = match counts {
            Some(metric) => format!("count them, {count}, or use the metric `{metric}`"),
            None => format!("count them: {count}"),
        };
        self.refuse(
            Diagnostic::new(
                Code::E402,
                name.span,
                format!("`{}` is a set of rows, not a number", name.name),
            )
            .help(help)
            .suggest(Suggestion::replace(name.span, count).among_others()),
        )
    }

    pub(super) fn unknown_name(&mut self, name: &Ident) -> Outcome {
        if let Some(spec) = self.metrics().function(&name.name) {
            let message = format!("`{}` is a function", name.name);
            return self.refuse(
                Diagnostic::new(Code::E203, name.span, message)
                    .help(format!("call it: {}", spec.signature)),
            );
        }
        if self.schema().dimension(&name.name).is_some() {
            let message =
                format!("`{}` has a value for each row, not one for the period", name.name);
            let help = "use it in a condition, `(metric where …)`, or group by it";
            return self.refuse(Diagnostic::new(Code::E401, name.span, message).help(help));
        }
        let message = format!("no metric or placeholder `{}`", name.name);
        if !self.is_hinting() {
            return self.refuse(Diagnostic::new(Code::E203, name.span, message));
        }
        let schema = self.schema();
        let lets = self.lets.iter().map(|bound| &*bound.name);
        let names = lets
            .chain(self.metrics().keys())
            .chain(schema.placeholders.iter().map(|placeholder| placeholder.key.as_str()))
            .chain(schema.inputs.iter().map(|input| input.name.as_str()));
        let names: Vec<&str> = names.collect();
        // A set of rows is not a value, but `count(ordrs)` is meant to be one.
        let rows = schema.sources.iter().map(|source| source.name.as_str());
        let near = nearest(&name.name, names.iter().copied().chain(rows));
        let titled = || self.metrics().titled_nearly(&name.name);
        // `revenue` for `gross_revenue`: a word of the name.
        let wanted = name.name.to_lowercase();
        let is_part = |known: &&str| known.split('_').any(|word| word == wanted);
        let containing = || names.iter().copied().find(is_part);
        let near = near.or_else(titled).or_else(containing);
        let mut finding = with_nearest(Code::E203, name.span, message, near);
        let has_field = |source: &&Source| source.field(&name.name).is_some();
        if near.is_none()
            && let Some(source) = schema.sources.iter().find(has_field)
        {
            let rows = &source.name;
            finding = finding.help(format!(
                "`{rows}` has a field of this name, to be used in a condition: count({rows} where {} …)",
                name.name
            ));
        }
        let finding = or_listed(finding, &names);
        self.refuse(finding)
    }

    pub(super) fn unknown_function(&mut self, call: &Call, span: Span, scope: Scope) -> Outcome {
        let name = &call.name;
        let texts: Vec<_> =
            call.arguments.iter().map(|argument| self.source(argument.value)).collect();
        if let Some(rewrite) = spreadsheet::rewrite(&name.name, &texts) {
            let code = if rewrite.aggregate { Code::E206 } else { Code::E205 };
            let owner = spreadsheet::owner(&name.name);
            let message = format!("`{}` is {owner} function", name.name);
            let likeness =
                if rewrite.complete { "here it is written" } else { "the nearest here is" };
            let mut finding = Diagnostic::new(code, name.span, message)
                .help(format!("{likeness} {}", rewrite.text));
            if rewrite.complete {
                finding = finding.suggest(Suggestion::replace(span, rewrite.text));
            }
            return self.refuse(finding);
        }
        let message = format!("no function `{}`", name.name);
        let finding = if let Some(help) = spreadsheet::instead(&name.name) {
            Diagnostic::new(Code::E202, name.span, message).help(help)
        } else if self.metrics().find(&name.name).is_some() && call.arguments.is_empty() {
            let plain = name.span.slice(self.text);
            Diagnostic::new(Code::E202, name.span, message)
                .help(format!("a metric stands without parentheses: {plain}"))
                .suggest(Suggestion::replace(span, plain))
        } else {
            let functions = crate::functions::ALL.iter().chain(&self.metrics().functions);
            let names: Vec<&str> = functions.map(|spec| spec.name).collect();
            let near = nearest(&name.name, names.iter().copied());
            or_listed(with_nearest(Code::E202, name.span, message, near), &names)
        };
        self.refuse::<()>(finding);
        self.names_only(call, scope);
        None
    }

    /// Reports misspelt names in the arguments of an unknown function; their meaning there is
    /// unknown.
    fn names_only(&mut self, call: &Call, scope: Scope) {
        let before = self.findings.len();
        for argument in &call.arguments {
            let rows = self.rows_of(argument.value).map(|rows| (rows.source, rows.bare));
            match rows {
                Some((_, true)) => {}
                Some((source, false)) => {
                    self.check(argument.value, Scope::Row(source));
                }
                None => {
                    self.check(argument.value, scope);
                }
            }
        }
        let mut kept = self.findings.split_off(before);
        kept.retain(|finding| matches!(finding.code, Code::E201 | Code::E202 | Code::E203));
        self.findings.append(&mut kept);
    }

    pub(super) fn unknown_field<T>(&mut self, name: &Ident, source: SourceId) -> Option<T> {
        let table = self.schema().source_at(source)?;
        if let Some(field) = table.field(&name.name).and_then(|id| table.fields.get(id.0)) {
            return self.refuse(without_fields(name, field, &table.name));
        }
        let names = table.fields.iter().map(|field| field.name.as_str());
        let names = names.chain(table.links.iter().map(|link| link.name.as_str()));
        let near = self.nearest(&name.name, names.clone());
        let message = format!("`{}` has no field `{}`", table.name, name.name);
        let mut finding = with_nearest(Code::E201, name.span, message, near);
        let listed: Vec<_> = alike(table, near).take(MAX_LISTED).collect();
        let fields = format!("fields: {}", listed.join(", "));
        finding.help = Some(match finding.help {
            Some(help) => format!("{help} {fields}"),
            None => fields,
        });
        self.refuse(finding)
    }

    pub(super) fn unknown_in_row(&mut self, path: &[Ident], source: SourceId) -> Outcome {
        let (first, rest) = path.split_first()?;
        if !rest.is_empty() {
            return match self.follow(source, path) {
                Lead::Unknown(0, _) | Lead::Field(_) => self.unknown_field(first, source),
                Lead::Unknown(index, at) => self.unknown_field(path.get(index)?, at),
            };
        }
        let table = self.schema().source_at(source)?;
        let known = table.fields.iter().any(|field| {
            field.known_values.iter().flatten().any(|value| same_name(value, &first.name))
        });
        let names = table.fields.iter().map(|field| field.name.as_str());
        let near =
            self.nearest(&first.name, names.chain(table.links.iter().map(|l| l.name.as_str())));
        let message = format!("`{}` is not a field of `{}`", first.name, table.name);
        let quoted = format!("'{}'", first.name);
        let finding = Diagnostic::new(Code::E204, first.span, message);
        let finding = match near {
            Some(near) if !known => finding
                .help(format!("did you mean `{near}`? text needs quotes: {quoted}"))
                .suggest(Suggestion::replace(first.span, near)),
            Some(_) | None => finding
                .help(format!("text needs quotes: {quoted}"))
                .suggest(Suggestion::replace(first.span, quoted)),
        };
        self.refuse(finding)
    }
}

/// Reports `created_at.year`, where the first name is a field.
fn without_fields(name: &Ident, field: &Field, rows: &str) -> Diagnostic {
    let own = &name.name;
    let message = format!("`{own}` is a field of `{rows}` and has no fields");
    let call = match field.data_type {
        DataType::Date | DataType::DateTime => format!("year({own})"),
        DataType::Text => format!("length({own})"),
        DataType::Number
        | DataType::Count(_)
        | DataType::Ratio
        | DataType::Percent
        | DataType::Money(_)
        | DataType::MoneyBy { .. }
        | DataType::Duration => format!("round({own})"),
        DataType::Bool => format!("if({own}, 1, 0)"),
    };
    Diagnostic::new(Code::E201, name.span, message)
        .help(format!("functions stand before their value, such as {call}"))
}

/// Returns the amounts of a source if the nearest field is one, otherwise all its fields.
fn alike<'s>(table: &'s Source, near: Option<&str>) -> impl Iterator<Item = &'s str> {
    let is_money =
        |field: &Field| matches!(field.data_type, DataType::Money(_) | DataType::MoneyBy { .. });
    let like = near.and_then(|near| table.field(near)).and_then(|id| table.fields.get(id.0));
    let wants_money = like.is_some_and(is_money);
    let of_kind = table.fields.iter().filter(move |field| !wants_money || is_money(field));
    of_kind.map(|field| field.name.as_str())
}

/// Builds a finding with the nearest name as help and suggestion.
pub(super) fn with_nearest(
    code: Code,
    span: Span,
    message: String,
    near: Option<&str>,
) -> Diagnostic {
    let finding = Diagnostic::new(code, span, message);
    match near {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).suggest(Suggestion::replace(span, near))
        }
        None => finding,
    }
}

/// Adds a list of the first existing names to a finding without help.
fn or_listed(finding: Diagnostic, names: &[&str]) -> Diagnostic {
    if finding.help.is_some() {
        return finding;
    }
    if names.is_empty() {
        return finding.help("none is declared");
    }
    let (listed, others) = names.split_at_checked(MAX_LISTED).unwrap_or((names, &[]));
    let more = if others.is_empty() { "" } else { ", …" };
    finding.help(format!("there are: {}{more}", listed.join(", ")))
}
