//! Names built on sources: populations, dimensions, placeholders, inputs, and the file of rates.

use super::paths::ResolveResult;
use super::registry::Namespace;
use super::sources::plain_type;
use super::{FormulaSource, SchemaLowering};
use crate::diagnostics::{Code, Diagnostic};
use crate::file::finding::misfit;
use crate::file::load::beside;
use crate::file::syntax::{Item, ItemKind, Located, PathSyntax, TypeSyntax};
use crate::schema::{Dimension, Input, Path, Placeholder, Population, SourceId};

impl SchemaLowering<'_> {
    /// Resolves one item; sources and settings are already in the schema.
    pub(super) fn item(&mut self, file: usize, item: &Item) {
        let description = item.description.clone();
        match &item.kind {
            ItemKind::Use(_) | ItemKind::Store(_) | ItemKind::Source(_) => {}
            ItemKind::Population { name, source, condition } => {
                let free = self.declare(Namespace::Rows, file, name);
                let resolved = self.keep(file, self.source(source));
                if let Some(source) = resolved.filter(|_| free) {
                    self.out.schema.populations.push(Population {
                        name: name.value.clone(),
                        description,
                        source,
                        condition: condition.value.clone(),
                    });
                    self.out.conditions.push(FormulaSource::new(file, condition));
                }
            }
            ItemKind::Dimension { name, columns } => {
                if self.declare(Namespace::Dimensions, file, name) {
                    let columns = self.dimension(file, name, columns);
                    let name = name.value.clone();
                    self.out.schema.dimensions.push(Dimension { name, description, columns });
                }
            }
            ItemKind::Placeholder { key, path, aggregation } => {
                let free = self.declare(Namespace::Values, file, key);
                let resolved = self.keep(file, self.placeholder(path));
                if let Some((source, field)) = resolved.filter(|_| free) {
                    self.out.schema.placeholders.push(Placeholder {
                        key: key.value.clone(),
                        description,
                        source,
                        field,
                        aggregation: aggregation.as_ref().map(|name| name.value.clone()),
                    });
                }
            }
            ItemKind::Input { name, data_type } => {
                if self.declare(Namespace::Values, file, name) {
                    let input = self.input(file, name, data_type, description);
                    self.out.schema.inputs.push(input);
                }
            }
            ItemKind::Rates(path) => {
                let name = Located::new("rates".to_owned(), path.span);
                if self.declare(Namespace::Settings, file, &name) {
                    self.out.rates = Some(beside(self.file_name(file), &path.value));
                }
            }
            ItemKind::Metric(metric) => self.metric(file, metric, description),
        }
    }

    fn dimension(
        &mut self,
        file: usize,
        name: &Located<String>,
        columns: &[(Located<String>, PathSyntax)],
    ) -> Vec<(SourceId, Path)> {
        if columns.is_empty() {
            let message = format!("the dimension `{}` has no columns", name.value);
            let help = "below it, a line for each source: `orders country`";
            self.report(file, misfit(name.span, message, help));
        }
        let mut resolved: Vec<(SourceId, Path)> = Vec::new();
        for (source, path) in columns {
            let column = self
                .source(source)
                .and_then(|id| self.path(id, &path.segments).map(|path| (id, path)));
            let Some((id, path)) = self.keep(file, column) else { continue };
            if resolved.iter().any(|(other, _)| *other == id) {
                let message = format!("`{}` is given twice", source.value);
                let finding = Diagnostic::new(Code::E211, source.span, message);
                self.report(file, finding.help("a dimension has one column in each source"));
                continue;
            }
            resolved.push((id, path));
        }
        resolved
    }

    fn placeholder(&self, path: &PathSyntax) -> ResolveResult<(SourceId, Path)> {
        let Some((source, rest)) = path.segments.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            let help = "for example: placeholder revenue = orders.total sum";
            return Err(Some(misfit(path.span(), "a source and a field are expected", help)));
        };
        let source = self.source(source)?;
        Ok((source, self.path(source, rest)?))
    }

    fn input(
        &mut self,
        file: usize,
        name: &Located<String>,
        data_type: &Located<TypeSyntax>,
        description: Option<String>,
    ) -> Input {
        if matches!(data_type.value, TypeSyntax::MoneyBy { .. }) {
            let message = "an input has no other fields to name its currency";
            let help = "write `money`, or `money(EUR)`";
            self.report(file, misfit(data_type.span, message, help));
        }
        let data_type = plain_type(&data_type.value, &name.value);
        let ty = data_type.to_type(self.out.schema.store.currency);
        Input { name: name.value.clone(), description, ty }
    }
}
