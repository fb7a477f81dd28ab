//! Formula files: a store's settings, sources and metrics as text.
//!
//! A file is read in steps that all preserve places: `layout` splits the text into items and
//! properties by indentation alone, so that a broken formula never swallows the next item; `parse`
//! reads each line into a plain [`FileSyntax`]; `lower` resolves the names of all files into a
//! [`Schema`](crate::schema::Schema) and metric definitions. [`format()`] prints a file in its
//! canonical form. Formulas remain text: this folder never parses them, and it never opens a file.
//! Start at [`load()`].

mod finding;
mod layout;
mod load;
mod lower;
mod parse;
mod print;
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

/// Limit: files in one load.
pub const MAX_FILES: usize = 256;
/// Limit: bytes of one file.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// Limit: findings about one file; the rest of the file is not read.
pub const MAX_FINDINGS: usize = 500;
/// Limit: findings about all files.
pub const MAX_ALL_FINDINGS: usize = 1_000;
/// Limit: sources, and columns in each source.
pub const MAX_SOURCES: usize = 1_000;
/// Limit: imports between the root and the deepest file.
pub const MAX_IMPORT_DEPTH: usize = 32;
