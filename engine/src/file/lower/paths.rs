//! Resolution of source, link and field names to indices.

use super::SchemaLowering;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::file::MAX_FINDINGS;
use crate::file::finding::nearest_word;
use crate::file::syntax::Located;
use crate::schema::{DataType, Field, FieldId, LinkId, Names, Path, SourceId, same_name};

/// A resolved name, or a finding, or `Err(None)` if the cause is reported elsewhere.
pub(super) type ResolveResult<T> = Result<T, Option<Diagnostic>>;

impl SchemaLowering<'_> {
    /// Builds a finding with the nearest known name.
    pub(super) fn no_such(
        &self,
        code: Code,
        message: String,
        wrong: &Located<String>,
        known: &[&str],
    ) -> Diagnostic {
        const MOST_NAMES: usize = 12;
        let finding = Diagnostic::new(code, wrong.span, message);
        // Finding the nearest name takes long, and nobody reads that many hints.
        if self.out.findings.len() >= MAX_FINDINGS {
            return finding;
        }
        let mut list = known.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
        if known.len() > MOST_NAMES {
            list.push_str(", …");
        }
        let list = if list.is_empty() {
            "there are none yet".to_owned()
        } else {
            format!("known: {list}")
        };
        match nearest_word(&wrong.value, known.iter().copied()) {
            Some(near) => finding
                .help(format!("did you mean `{near}`? {list}"))
                .suggest(Suggestion::replace(wrong.span, near)),
            None => finding.help(list),
        }
    }

    pub(super) fn source(&self, name: &Located<String>) -> ResolveResult<SourceId> {
        let declared = |source: &super::SourceDeclaration<'_>| {
            same_name(&source.syntax.name.value, &name.value)
        };
        if let Some(index) = self.sources.iter().position(declared) {
            return Ok(SourceId(index));
        }
        let known: Vec<&str> =
            self.sources.iter().map(|source| source.syntax.name.value.as_str()).collect();
        let message = format!("no source `{}`", name.value);
        Err(Some(self.no_such(Code::E203, message, name, &known)))
    }

    /// Returns the field with this name in a source that is already in the schema.
    pub(super) fn field(&self, source: SourceId, name: &Located<String>) -> ResolveResult<FieldId> {
        let Some(row) = self.out.schema.source_at(source) else { return Err(None) };
        if let Some(field) = row.field(&name.value) {
            return Ok(field);
        }
        if self.damaged(source) {
            return Err(None);
        }
        let known: Vec<&str> = row.fields.iter().map(Names::name).collect();
        let message = format!("`{}` has no field `{}`", row.name, name.value);
        Err(Some(self.no_such(Code::E201, message, name, &known)))
    }

    fn link(&self, source: SourceId, name: &Located<String>) -> ResolveResult<LinkId> {
        let Some(row) = self.out.schema.source_at(source) else { return Err(None) };
        if let Some(link) = row.link(&name.value) {
            return Ok(link);
        }
        let written = self.sources.get(source.0).map(|source| &source.syntax.links);
        let written = written
            .is_some_and(|links| links.iter().any(|link| same_name(&link.name.value, &name.value)));
        if written || self.damaged(source) {
            return Err(None);
        }
        let known: Vec<&str> = row.links.iter().map(Names::name).collect();
        let message = format!("`{}` has no link `{}`", row.name, name.value);
        Err(Some(self.no_such(Code::E201, message, name, &known)))
    }

    /// Resolves links and a field, from a source.
    pub(super) fn path(
        &self,
        source: SourceId,
        segments: &[Located<String>],
    ) -> ResolveResult<Path> {
        let Some((last, links)) = segments.split_last() else { return Err(None) };
        let mut at = source;
        let mut path = Vec::new();
        for name in links {
            let link = self.link(at, name)?;
            path.push(link);
            let row = self.out.schema.source_at(at).and_then(|row| row.links.get(link.0));
            at = row.ok_or(None)?.target;
        }
        Ok(Path { links: path, field: self.field(at, last)? })
    }

    pub(super) fn column(&self, source: SourceId, path: &Path) -> Option<&Field> {
        self.out.schema.field_at(source, path).map(|(_, field)| field)
    }

    /// Returns whether lines of the source could not be read, so that a name may be on one of them.
    pub(super) fn damaged(&self, source: SourceId) -> bool {
        self.sources.get(source.0).is_some_and(|source| source.syntax.damaged)
    }
}

/// Returns the keyword that a type starts with.
pub(super) const fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Number => "number",
        DataType::Count(_) => "count",
        DataType::Ratio => "ratio",
        DataType::Percent => "percent",
        DataType::Money(_) | DataType::MoneyBy { .. } => "money",
        DataType::Duration => "duration",
        DataType::Text => "text",
        DataType::Bool => "bool",
        DataType::Date => "date",
        DataType::DateTime => "datetime",
    }
}
