//! Loading of a formula file and its imports.

use std::collections::BTreeMap;

use super::lower::{ComputedFormula, FormulaSource, MetricDefinition, lower};
use super::syntax::{FileSyntax, ItemKind, Located};
use super::{MAX_ALL_FINDINGS, MAX_FILE_BYTES, MAX_FILES, MAX_IMPORT_DEPTH, parse};
use crate::diagnostics::{Code, Diagnostic, in_order_of_files};
use crate::schema::Schema;
use crate::source::Span;

/// A loaded file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The name passed to the reader.
    pub name: String,
    /// The text; empty if it could not be read.
    pub text: String,
}

/// The contents of a formula file and its imports.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The files, starting with the root.
    pub files: Vec<SourceFile>,
    /// The settings, sources and names.
    pub schema: Schema,
    /// The metrics in order, those of imported files first.
    pub metrics: Vec<MetricDefinition>,
    /// The file with exchange rates, resolved like the names of formula files.
    pub rates: Option<String>,
    /// The conditions of [`Schema::populations`], in the same order, with their places.
    pub conditions: Vec<FormulaSource>,
    /// The formulas of computed columns, with their places.
    pub computed: Vec<ComputedFormula>,
    /// The findings, each with the index of its file. Formulas are not checked.
    pub findings: Vec<(usize, Diagnostic)>,
}

/// Loads the file named `root` and every file it imports, each once, through `read`.
///
/// `read` takes a name and returns the text, or a sentence with the reason why it cannot. Names of
/// imports and data files are relative to the folder of the file that contains them: `use
/// "b.metrics"` in `shop/a.metrics` reads `shop/b.metrics`. Loading never fails: everything
/// readable is returned, and the rest is in [`Loaded::findings`].
pub fn load(root: &str, read: &mut dyn FnMut(&str) -> Result<String, String>) -> Loaded {
    let mut loading = Loading {
        read,
        files: Vec::new(),
        by_name: BTreeMap::new(),
        stack: Vec::new(),
        parsed: Vec::new(),
        findings: Vec::new(),
    };
    if let Err(reason) = loading.open(root) {
        loading.files.push(SourceFile { name: root.to_owned(), text: String::new() });
        let message = format!("`{root}` cannot be read: {reason}");
        loading.findings.push((0, Diagnostic::new(Code::E803, Span::default(), message)));
    }
    loading.run();
    let Loading { files, parsed, mut findings, .. } = loading;
    let mut loaded = lower(&parsed, &files);
    findings.append(&mut loaded.findings);
    Loaded { files, findings: in_order_of_files(findings, MAX_ALL_FINDINGS), ..loaded }
}

/// A file whose imports are being loaded.
#[derive(Debug)]
struct OpenFile {
    file: usize,
    syntax: FileSyntax,
    imports: std::vec::IntoIter<Located<String>>,
}

struct Loading<'r> {
    read: &'r mut dyn FnMut(&str) -> Result<String, String>,
    files: Vec<SourceFile>,
    by_name: BTreeMap<String, usize>,
    /// The import chain from the root to the current file.
    stack: Vec<OpenFile>,
    /// The indices of files with their items, imports before importers.
    parsed: Vec<(usize, FileSyntax)>,
    findings: Vec<(usize, Diagnostic)>,
}

impl Loading<'_> {
    /// Reads a file and pushes it onto the stack.
    fn open(&mut self, name: &str) -> Result<(), String> {
        if self.files.len() >= MAX_FILES {
            return Err(format!("more than {MAX_FILES} files"));
        }
        let text = (self.read)(name)?;
        if text.len() > MAX_FILE_BYTES {
            return Err(format!("it is larger than {MAX_FILE_BYTES} bytes"));
        }
        let file = self.files.len();
        let (syntax, findings) = parse(&text);
        self.findings.extend(findings.into_iter().map(|finding| (file, finding)));
        let imports: Vec<_> = syntax
            .items
            .iter()
            .filter_map(|item| {
                let ItemKind::Use(path) = &item.kind else { return None };
                Some(path.clone())
            })
            .collect();
        self.files.push(SourceFile { name: name.to_owned(), text });
        self.by_name.insert(name.to_owned(), file);
        self.stack.push(OpenFile { file, syntax, imports: imports.into_iter() });
        Ok(())
    }

    fn run(&mut self) {
        while let Some(open) = self.stack.last_mut() {
            let importer = open.file;
            let Some(import) = open.imports.next() else {
                self.parsed.extend(self.stack.pop().map(|read| (read.file, read.syntax)));
                continue;
            };
            self.import(importer, &import);
        }
    }

    fn import(&mut self, importer: usize, import: &Located<String>) {
        let from = self.files.get(importer).map(|file| file.name.as_str()).unwrap_or_default();
        let name = beside(from, &import.value);
        if let Some(known) = self.by_name.get(&name) {
            if self.stack.iter().any(|open| open.file == *known) {
                let path = self.cycle(*known);
                let message = format!("`{name}` imports itself: {path}");
                let finding = Diagnostic::new(Code::E803, import.span, message);
                let finding = finding.help("move what both need into a third file");
                self.findings.push((importer, finding));
            }
            return;
        }
        let outcome = if self.stack.len() > MAX_IMPORT_DEPTH {
            Err(format!("imports lie deeper than {MAX_IMPORT_DEPTH}"))
        } else {
            self.open(&name)
        };
        if let Err(reason) = outcome {
            let message = format!("`{name}` cannot be read: {reason}");
            let finding = Diagnostic::new(Code::E803, import.span, message);
            let help = "the name is taken from the folder of the file that imports it";
            self.findings.push((importer, finding.help(help)));
        }
    }

    /// Returns the import cycle `a → b → a`, from the file that is imported again.
    fn cycle(&self, again: usize) -> String {
        let mut files: Vec<usize> =
            self.stack.iter().map(|open| open.file).skip_while(|file| *file != again).collect();
        files.push(again);
        let names = files.iter().filter_map(|file| self.files.get(*file));
        names.map(|file| file.name.as_str()).collect::<Vec<_>>().join(" → ")
    }
}

/// Resolves a path relative to `importer`, including `.` and `..`.
pub(super) fn beside(importer: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = importer.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}
