//! Formula files: a store's settings, sources and metrics as text.
//!
//! A file is read in four steps that each keep every place: `layout` cuts the text into
//! items and properties by indentation alone, so that a broken formula never swallows the next
//! item; `parse` reads each line into a plain [`FileSyntax`]; `lower` resolves the names of all
//! files into a [`Schema`](crate::schema::Schema) and metric definitions; [`format()`] prints a
//! file in its one canonical form. Formulas stay text here: this folder never looks inside them,
//! and it never opens a file itself. Start at [`load()`].

mod layout;
mod load;
mod lower;
mod parse;
mod print;
mod slip;
mod syntax;
mod token;

#[cfg(test)]
mod tests;

pub use load::{Loaded, SourceFile, load};
pub use lower::{ComputedFormula, ExampleDefinition, FormulaSource, MetricDefinition};
pub use parse::parse;
pub use print::format;
pub use syntax::{
    CalendarKind, DateSyntax, ExampleSyntax, FieldSyntax, FileSyntax, Item, ItemKind, KeyedSyntax,
    LinkSyntax, Located, MetricSyntax, PathSyntax, RowsOrigin, SourceSyntax, StoreSetting,
    TypeSyntax,
};

/// How many files one load may read.
pub const MAX_FILES: usize = 256;
/// How large one file may be, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// How many findings about one file are collected before the rest of it is not read.
pub const MAX_FINDINGS: usize = 500;
/// How many findings about all files are kept.
pub const MAX_ALL_FINDINGS: usize = 1_000;
/// How many sources there may be, and how many columns in each.
pub const MAX_SOURCES: usize = 1_000;
/// How many imports may lie between the first file and the deepest.
pub const MAX_IMPORT_DEPTH: usize = 32;
