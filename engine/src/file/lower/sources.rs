//! Lowering of sources in two passes: columns and links first, then everything that follows links.

use super::paths::{ResolveResult, type_name};
use super::{ComputedFormula, FormulaSource, SchemaLowering, SourceDeclaration};
use crate::diagnostics::{Code, Diagnostic};
use crate::file::finding::misfit;
use crate::file::load::beside;
use crate::file::syntax::{
    DateSyntax, FieldSyntax, LinkSyntax, Located, PathSyntax, RowsOrigin, TypeSyntax,
};
use crate::schema::{
    Coverage, CsvForm, DataType, Field, FieldId, Link, Path, Source, SourceId, SourceKind,
    same_name,
};

/// The name that stands for standard input, whichever folder the formula file is in.
const STANDARD_INPUT: &str = "-";

impl SchemaLowering<'_> {
    pub(super) fn lower_sources(&mut self) {
        let sources = self.sources.clone();
        let declared = || sources.iter().copied().zip((0..).map(SourceId));
        for (source, id) in declared() {
            let source = self.columns(source, id);
            self.out.schema.sources.push(source);
        }
        for (source, id) in declared() {
            self.links(source, id);
        }
        for (source, id) in declared() {
            self.origin(source, id);
            self.date(source, id);
        }
    }

    /// Builds the source with its columns; links, dates by path and origins come later.
    fn columns(&mut self, declared: SourceDeclaration<'_>, id: SourceId) -> Source {
        let SourceDeclaration { file, syntax, .. } = declared;
        let mut fields: Vec<Field> = Vec::new();
        let mut seen: Vec<&Located<String>> = Vec::new();
        for (index, field) in syntax.fields.iter().enumerate() {
            if let Some(first) = seen.iter().find(|name| same_name(&name.value, &field.name.value))
            {
                let message = format!("`{}` is declared twice", field.name.value);
                let finding = Diagnostic::new(Code::E211, field.name.span, message);
                let finding = finding.label(first.span, "first here").help("rename or remove one");
                self.report(file, finding);
            }
            seen.push(&field.name);
            let data_type = self.keep(file, self.data_type(declared, field));
            if let Some(formula) = &field.formula {
                let (field, formula) = (FieldId(index), FormulaSource::new(file, formula));
                self.out.computed.push(ComputedFormula { source: id, field, formula });
            }
            fields.push(Field {
                name: field.name.value.clone(),
                description: field.description.clone(),
                data_type: data_type.unwrap_or(DataType::Number),
                known_values: field.known_values.clone(),
                bases: field.bases,
                computed: field.formula.as_ref().map(|text| text.value.clone()),
            });
        }
        Source {
            name: syntax.name.value.clone(),
            description: declared.description.cloned(),
            kind: syntax.kind,
            key: syntax.key.map(FieldId),
            date: match &syntax.date {
                Some(DateSyntax::Field(index)) => Some(Path::field(FieldId(*index))),
                Some(DateSyntax::Path(_)) | None => None,
            },
            fields,
            links: Vec::new(),
            derived_from: None,
            coverage: syntax.covers.as_ref().map(|covers| {
                let (first, last) = covers.value;
                Coverage { first, last }
            }),
            data: match &syntax.origin {
                Some(RowsOrigin::File(name, _)) if name.value == STANDARD_INPUT => {
                    Some(STANDARD_INPUT.to_owned())
                }
                Some(RowsOrigin::File(name, _)) => Some(beside(self.file_name(file), &name.value)),
                Some(RowsOrigin::Field(_)) | None => None,
            },
            form: match &syntax.origin {
                Some(RowsOrigin::File(_, form)) => form.clone(),
                Some(RowsOrigin::Field(_)) | None => CsvForm::default(),
            },
        }
    }

    pub(super) fn file_name(&self, file: usize) -> &str {
        self.files.get(file).map(|file| file.name.as_str()).unwrap_or_default()
    }

    fn links(
        &mut self,
        SourceDeclaration { file, syntax, .. }: SourceDeclaration<'_>,
        id: SourceId,
    ) {
        for (index, link) in syntax.links.iter().enumerate() {
            let same = |other: &&LinkSyntax| same_name(&other.name.value, &link.name.value);
            if let Some(first) = syntax.links.iter().take(index).find(same) {
                let message = format!("the link `{}` is declared twice", link.name.value);
                let finding = Diagnostic::new(Code::E211, link.name.span, message)
                    .label(first.name.span, "first here");
                self.report(file, finding.help("rename or remove one of them"));
                continue;
            }
            if let Some(resolved) = self.keep(file, self.resolve_link(id, link))
                && let Some(source) = self.out.schema.sources.get_mut(id.0)
            {
                source.links.push(resolved);
            }
        }
    }

    fn resolve_link(&self, id: SourceId, link: &LinkSyntax) -> ResolveResult<Link> {
        let target = self.source(&link.target)?;
        let by = self.field(id, &link.by)?;
        let row = self.out.schema.source_at(target).ok_or(None)?;
        let Some(key) = row.key.and_then(|key| row.fields.get(key.0)) else {
            if self.damaged(target) {
                return Err(None);
            }
            let message = format!("`{}` has no key to link to", row.name);
            let help = format!("add a line such as `key {} text` to it", link.by.value);
            return Err(Some(misfit(link.target.span, message, &help)));
        };
        if let Some(field) = self.column(id, &Path::field(by))
            && type_name(&field.data_type) != type_name(&key.data_type)
        {
            let message = format!(
                "`{}` is {}, the key `{}` of `{}` is {}",
                field.name,
                type_name(&field.data_type),
                key.name,
                row.name,
                type_name(&key.data_type)
            );
            return Err(Some(misfit(link.by.span, message, "give both the same type")));
        }
        Ok(Link { name: link.name.value.clone(), target, by })
    }

    fn origin(
        &mut self,
        SourceDeclaration { file, syntax, .. }: SourceDeclaration<'_>,
        id: SourceId,
    ) {
        let Some(RowsOrigin::Field(path)) = &syntax.origin else { return };
        let origin = self.keep(file, self.resolve_origin(path));
        if let Some(source) = self.out.schema.sources.get_mut(id.0) {
            source.derived_from = origin;
        }
        let example = "for example: source customers entity from orders.customer_id";
        if syntax.kind != SourceKind::Entity {
            let message = "only an entity can be made of a field's values";
            self.report(file, misfit(path.span(), message, example));
        }
        if syntax.key.is_none() && !syntax.damaged {
            let message = format!("`{}` needs a key to hold the values", syntax.name.value);
            let help = "add a line such as `key customer_id text`";
            self.report(file, misfit(syntax.name.span, message, help));
        }
        for (index, field) in syntax.fields.iter().enumerate() {
            if field.formula.is_none() && syntax.key != Some(index) {
                let message = format!("`{}` has no file to be read from", field.name.value);
                let help = "the rows are values of a field: give the other columns formulas";
                self.report(file, misfit(field.name.span, message, help));
            }
        }
    }

    fn resolve_origin(&self, path: &PathSyntax) -> ResolveResult<(SourceId, FieldId)> {
        let [source, field] = path.segments.as_slice() else {
            let help = "for example: from orders.customer_id";
            return Err(Some(misfit(path.span(), "one source and one field are expected", help)));
        };
        let id = self.source(source)?;
        let derived = self.sources.get(id.0).map(|source| &source.syntax.origin);
        if matches!(derived, Some(Some(RowsOrigin::Field(_)))) {
            let message = format!("`{}` is itself made of a field's values", source.value);
            let help = "take the values from a source with a file";
            return Err(Some(misfit(source.span, message, help)));
        }
        Ok((id, self.field(id, field)?))
    }

    fn date(
        &mut self,
        SourceDeclaration { file, syntax, .. }: SourceDeclaration<'_>,
        id: SourceId,
    ) {
        let dated = syntax.kind != SourceKind::Entity;
        let span = match &syntax.date {
            None if dated && !syntax.damaged => {
                let message = format!("`{}` has no date to place its rows by", syntax.name.value);
                let help = "add `date created_at datetime` or `dated by order.created_at`";
                return self.report(file, misfit(syntax.name.span, message, help));
            }
            None => return,
            Some(DateSyntax::Field(index)) => {
                syntax.fields.get(*index).map(|field| field.name.span).unwrap_or_default()
            }
            Some(DateSyntax::Path(path)) => path.span(),
        };
        if !dated {
            let help = "write `field` instead of `date`; only events and snapshots are dated";
            return self.report(file, misfit(span, "an entity is not dated", help));
        }
        if let Some(DateSyntax::Path(path)) = &syntax.date {
            let path = self.keep(file, self.path(id, &path.segments));
            if let Some(source) = self.out.schema.sources.get_mut(id.0) {
                source.date = path;
            }
        }
        let date = self.out.schema.source_at(id).and_then(|source| source.date.as_ref());
        let column = date.and_then(|date| self.column(id, date));
        if let Some(column) = column
            && !matches!(column.data_type, DataType::Date | DataType::DateTime)
        {
            let message = format!("`{}` is no date", column.name);
            self.report(file, misfit(span, message, "its type must be `date` or `datetime`"));
        }
    }

    /// Resolves a type with the columns it names.
    fn data_type(
        &self,
        declared: SourceDeclaration<'_>,
        field: &FieldSyntax,
    ) -> ResolveResult<DataType> {
        let TypeSyntax::MoneyBy { currency, rate } = &field.data_type.value else {
            return Ok(plain_type(&field.data_type.value, &declared.syntax.name.value));
        };
        let fields = &declared.syntax.fields;
        let find = |name: &Located<String>, fits: fn(&TypeSyntax) -> bool, what: &str| {
            let same = |field: &FieldSyntax| same_name(&field.name.value, &name.value);
            let Some(index) = fields.iter().position(same) else {
                if declared.syntax.damaged {
                    return Err(None);
                }
                let known: Vec<&str> =
                    fields.iter().map(|field| field.name.value.as_str()).collect();
                let message =
                    format!("`{}` has no field `{}`", declared.syntax.name.value, name.value);
                return Err(Some(self.no_such(Code::E201, message, name, &known)));
            };
            if fields.get(index).is_some_and(|field| !fits(&field.data_type.value)) {
                let message = format!("`{}` is not {what}", name.value);
                let help = "for example: money by currency_code at rate";
                return Err(Some(misfit(name.span, message, help)));
            }
            Ok(FieldId(index))
        };
        let currency = find(currency, |ty| *ty == TypeSyntax::Text, "text")?;
        let number = |ty: &TypeSyntax| matches!(ty, TypeSyntax::Number | TypeSyntax::Ratio);
        let rate = rate.as_ref().map(|rate| find(rate, number, "a number")).transpose()?;
        Ok(DataType::MoneyBy { currency, rate })
    }
}

/// Resolves a type that names no columns; a bare `count` counts `entity`.
pub(super) fn plain_type(syntax: &TypeSyntax, entity: &str) -> DataType {
    match syntax {
        TypeSyntax::Number => DataType::Number,
        TypeSyntax::Count(of) => DataType::Count(of.clone().unwrap_or_else(|| entity.to_owned())),
        TypeSyntax::Ratio => DataType::Ratio,
        TypeSyntax::Percent => DataType::Percent,
        TypeSyntax::Money(currency) => DataType::Money(*currency),
        TypeSyntax::MoneyBy { .. } => DataType::Money(None),
        TypeSyntax::Duration => DataType::Duration,
        TypeSyntax::Text => DataType::Text,
        TypeSyntax::Bool => DataType::Bool,
        TypeSyntax::Date => DataType::Date,
        TypeSyntax::DateTime => DataType::DateTime,
    }
}
