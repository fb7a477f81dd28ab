//! The command line arguments about the formula file itself, which need no data.

use clap::Args;

/// What to do with the formula file.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Upkeep {
    /// Check the formulas and run their examples.
    #[arg(long, conflicts_with_all = ["opened", "fmt"])]
    pub(crate) check: bool,

    /// Make every fix that has no alternative, and show the changes.
    #[arg(long, conflicts_with_all = ["opened", "check", "fmt", "format"])]
    pub(crate) fix: bool,

    /// With --fix: show the changes without making them.
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,

    /// Print the file in its canonical form.
    #[arg(long, conflicts_with = "opened", group = "writes")]
    pub(crate) fmt: bool,

    /// With --fmt or --rename: change the file instead of printing.
    #[arg(long, requires = "writes")]
    pub(crate) write: bool,
}
