//! Declared names, each only once in its namespace.

use super::SchemaLowering;
use crate::diagnostics::{Code, Diagnostic};
use crate::file::syntax::Located;
use crate::source::position;
use crate::syntax::{is_predefined, predefined};

/// A namespace; the same name may occur in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Namespace {
    /// Sources and populations.
    Rows,
    /// Metrics, placeholders and inputs.
    Values,
    /// Titles of metrics.
    Titles,
    /// Shared dimensions.
    Dimensions,
    /// Settings that a store has only once.
    Settings,
}

impl SchemaLowering<'_> {
    /// Claims a name; if it is taken, reports its owner.
    pub(super) fn declare(
        &mut self,
        space: Namespace,
        file: usize,
        name: &Located<String>,
    ) -> bool {
        let key = name.value.to_lowercase();
        if space == Namespace::Values && is_predefined(&key) {
            self.report(file, predefined(&name.value, name.span));
            return false;
        }
        let Some((first_file, first)) = self.names.get(&(space, key.clone())) else {
            self.names.insert((space, key), (file, name.span));
            return true;
        };
        let message = format!("`{}` is declared twice", name.value);
        let finding = Diagnostic::new(Code::E211, name.span, message);
        let finding = match self.files.get(*first_file) {
            Some(other) if *first_file != file => {
                let line = position(&other.text, first.start).line;
                finding.help(format!("it is declared first in `{}`, line {line}", other.name))
            }
            _ => finding.label(*first, "first here").help("rename or remove one of them"),
        };
        self.report(file, finding);
        false
    }
}
