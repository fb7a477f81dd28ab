//! What is probably wrong with a valid context record.

use rust_decimal::Decimal;

use super::Engine;
use crate::data::{JsonEntry, entries, items, plain_name};
use crate::diagnostics::{Code, Diagnostic, Suggestion, in_order, nearest};
use crate::number;
use crate::schema::{Source, SourceId};
use crate::source::Span;
use crate::types::{Flavour, Type};

/// From here on a percentage is likelier to be given in hundredths.
const MANY_PERCENT: Decimal = Decimal::TWO;
/// Limit: warnings about one record.
const MAX_WARNINGS: usize = 100;
/// Limit: depth of nested rows whose names are checked.
const MAX_DEPTH: usize = 16;

impl Engine {
    /// Returns warnings about a context record in JSON: unused names, duplicate names, titles in
    /// place of keys, and percentages of 200 % or more. The positions are those in `text`.
    ///
    /// A text that is not a record has no warnings:
    /// [`Record::from_json`](crate::data::Record::from_json) reports what is wrong with it.
    pub fn check_record(&self, text: &str) -> Vec<Diagnostic> {
        if crate::data::Record::from_json(text).is_err() {
            return Vec::new();
        }
        let start = text.len().saturating_sub(text.trim_start().len());
        let given = entries(text, Span::new(start, text.len()));
        let mut findings = repeated(&given);
        for entry in &given {
            if findings.len() >= MAX_WARNINGS {
                break;
            }
            findings.extend(self.unread(entry));
            findings.extend(self.high_percentage(text, entry));
            if let Some(source) = self.schema.source(&plain_name(&entry.name)) {
                self.misspelt_fields(text, source, entry.value_span, &mut findings);
            }
        }
        in_order(findings)
    }

    /// W501 for a name that no formula could read.
    fn unread(&self, entry: &JsonEntry) -> Option<Diagnostic> {
        let name = plain_name(&entry.name);
        let schema = &self.schema;
        let is_known = name == "period"
            || self.library.find(&name).is_some()
            || schema.source(&name).is_some()
            || schema.placeholder(&name).is_some()
            || schema.input(&name).is_some()
            || self.is_path(&name)
            // The value of a window, such as `previous(net_sales)`.
            || entry.name.contains('(') && self.compile(&entry.name).is_ok();
        if is_known {
            return None;
        }
        let finding = Diagnostic::new(
            Code::W501,
            entry.name_span,
            format!("`{}` is not a known name", entry.name),
        );
        let titled = self.library.titled(&entry.name).and_then(|id| self.metrics.get(id.0));
        if let Some(metric) = titled {
            let help = format!("it is the title of `{}`; use the key", metric.key);
            return Some(finding.help(help).suggest(renamed(entry, &metric.key)));
        }
        let paths = schema.sources.iter().flat_map(paths_of).collect::<Vec<_>>();
        let known = self.metrics.iter().map(|metric| metric.key.as_str());
        let known = known.chain(schema.inputs.iter().map(|input| input.name.as_str()));
        let known = known.chain(schema.placeholders.iter().map(|own| own.key.as_str()));
        let known = known.chain(schema.sources.iter().map(|source| source.name.as_str()));
        // All names of one or two letters are similar to each other.
        let is_long = name.chars().count() > 2;
        let known = known.chain(paths.iter().map(String::as_str)).filter(|_| is_long);
        Some(match nearest(&name, known) {
            Some(near) => {
                finding.help(format!("did you mean `{near}`?")).suggest(renamed(entry, near))
            }
            None => finding.help("use the key of a metric, an input or a placeholder"),
        })
    }

    /// Whether the name is `source.field`, with links between them.
    fn is_path(&self, name: &str) -> bool {
        let mut segments = name.split('.');
        let mut at = segments.next().and_then(|name| self.schema.source(name));
        let mut is_field = false;
        for segment in segments {
            let source = at.filter(|_| !is_field).and_then(|at| self.schema.source_at(at));
            let Some(source) = source else { return false };
            is_field = source.field(segment).is_some();
            let link = source.link(segment).and_then(|link| source.links.get(link.0));
            at = if is_field { at } else { link.map(|link| link.target) };
        }
        is_field
    }

    /// W502 for a number where a percentage is read.
    fn high_percentage(&self, text: &str, entry: &JsonEntry) -> Option<Diagnostic> {
        let ty = self.type_of(&plain_name(&entry.name))?;
        if ty.unit().is_none_or(|unit| unit.flavour != Flavour::Percent) {
            return None;
        }
        let digits = entry.value_span.slice(text).trim_matches('"').trim();
        let number = number::parse(digits).filter(|number| number.abs() >= MANY_PERCENT)?;
        let hundredfold = number::multiply(number, Decimal::ONE_HUNDRED).ok()?;
        let shown = [hundredfold, number].map(number::to_plain);
        let fraction = number::to_plain(number::divide(number, Decimal::ONE_HUNDRED).ok()?);
        let [hundredfold, number] = shown;
        let message = format!("`{}` is {hundredfold} %", entry.name);
        let finding = Diagnostic::new(Code::W502, entry.value_span, message);
        Some(finding.help(format!("{number} % is {fraction}, or the text \"{number}%\"")))
    }

    /// The type of the single value given for a name.
    fn type_of(&self, name: &str) -> Option<Type> {
        if let Some(id) = self.library.find(name) {
            let ty = self.library.checked(id)?.ty.clone();
            let declared = self.metrics.get(id.0).and_then(|metric| metric.data_type);
            return Some(declared.map_or(ty.clone(), |declared| declared.shown(ty)));
        }
        if let Some(input) = self.schema.input(name) {
            return Some(input.ty.clone());
        }
        let placeholder = self.schema.placeholder(name)?;
        let (_, field) = self.schema.field_at(placeholder.source, &placeholder.field)?;
        Some(field.data_type.to_type(self.schema.store.currency))
    }

    /// W501 for names in rows that resemble the name of a field. Other names are accepted: rows may
    /// contain more than a source declares.
    fn misspelt_fields(
        &self,
        text: &str,
        source: SourceId,
        rows: Span,
        findings: &mut Vec<Diagnostic>,
    ) {
        let mut pending: Vec<(SourceId, Span)> =
            items(text, rows).into_iter().map(|row| (source, row)).collect();
        let mut seen: Vec<(SourceId, String)> = Vec::new();
        for _ in 0..MAX_DEPTH {
            let mut inner = Vec::new();
            for (at, row) in pending {
                let Some(source) = self.schema.source_at(at) else { continue };
                for entry in entries(text, row) {
                    let name = plain_name(&entry.name);
                    if let Some(link) = source.link(&name).and_then(|link| source.links.get(link.0))
                    {
                        inner.push((link.target, entry.value_span));
                    } else if source.field(&name).is_none() && !seen.contains(&(at, name.clone())) {
                        findings.extend(misspelt(source, &entry));
                        seen.push((at, name));
                    }
                }
            }
            pending = inner;
        }
    }
}

/// W501 for all but the last of several entries with one name.
fn repeated(given: &[JsonEntry]) -> Vec<Diagnostic> {
    let mut last: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    let mut findings = Vec::new();
    for (index, entry) in given.iter().enumerate() {
        let before = last.insert(plain_name(&entry.name), index);
        if let Some(before) = before.and_then(|before| given.get(before)) {
            let message = format!("`{}` is given twice", entry.name);
            let finding = Diagnostic::new(Code::W501, before.name_span, message);
            findings.push(
                finding.label(entry.name_span, "this value is used").help("remove one of them"),
            );
        }
    }
    findings
}

fn misspelt(source: &Source, entry: &JsonEntry) -> Option<Diagnostic> {
    let fields = source.fields.iter().map(|field| field.name.as_str());
    let near =
        nearest(&entry.name, fields.chain(source.links.iter().map(|link| link.name.as_str())))?;
    let message = format!("`{}` has no field `{}`", source.name, entry.name);
    let finding = Diagnostic::new(Code::W501, entry.name_span, message);
    Some(finding.help(format!("did you mean `{near}`?")).suggest(renamed(entry, near)))
}

fn renamed(entry: &JsonEntry, name: &str) -> Suggestion {
    Suggestion::replace(entry.name_span, format!("\"{name}\""))
}

fn paths_of(source: &Source) -> impl Iterator<Item = String> {
    source.fields.iter().map(move |field| format!("{}.{}", source.name, field.name))
}
