//! The registry of declared names.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::file::source_file::SourceFile;
use crate::file::syntax::Located;
use crate::source::{Span, position};
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

/// Every declared name with its first place.
#[derive(Debug, Default)]
pub(super) struct NameRegistry {
    names: BTreeMap<(Namespace, String), (usize, Span)>,
}

impl NameRegistry {
    pub(super) fn declare(
        &mut self,
        space: Namespace,
        file: usize,
        name: &Located<String>,
        files: &[SourceFile],
    ) -> Result<(), Diagnostic> {
        let key = name.value.to_lowercase();
        if space == Namespace::Values && is_predefined(&key) {
            return Err(predefined(&name.value, name.span));
        }
        let Some((first_file, first)) = self.names.get(&(space, key.clone())) else {
            self.names.insert((space, key), (file, name.span));
            return Ok(());
        };
        let message = format!("`{}` is declared twice", name.value);
        let finding = Diagnostic::new(Code::E211, name.span, message);
        Err(match files.get(*first_file) {
            Some(other) if *first_file != file => {
                let line = position(&other.text, first.start).line;
                finding.help(format!("it is declared first in `{}`, line {line}", other.name))
            }
            _ => finding.label(*first, "first here").help("rename or remove one of them"),
        })
    }
}
