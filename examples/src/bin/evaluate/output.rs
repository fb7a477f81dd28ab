//! The command line arguments about output.

use clap::{Args, ValueEnum};

use crate::failure::Failure;

/// The form of the output.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// The currency of amounts; defaults to the store's.
    #[arg(long, value_name = "CURRENCY")]
    pub(crate) currency: Option<String>,

    /// The format of the output.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "table",
        conflicts_with_all = ["list", "writes"]
    )]
    pub(crate) format: Format,

    /// Add a column to each column of a CSV file with the reasons of nulls.
    #[arg(long)]
    pub(crate) null_reasons: bool,

    /// Write text to CSV as it is, without an apostrophe before what a spreadsheet would compute.
    #[arg(long)]
    pub(crate) unguarded: bool,
}

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    Table,
    /// For programs: exact text, type, unit and period of each answer; diagnostics are JSON too.
    Json,
    /// For programs: the same with one answer or diagnostic per line.
    Ndjson,
    /// For spreadsheets: exact numbers. Text that starts with =, +, - or @ gets an apostrophe in front.
    Csv,
    /// For documents: a Markdown table.
    Markdown,
}

impl Format {
    /// Its name on the command line.
    const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
        }
    }
}

/// The kind of a run, as far as formats differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Answers in rows.
    Answers,
    /// Diagnostics.
    Check,
    /// An explanation, or help with writing.
    Other,
}

impl Output {
    /// Refuses arguments that would be ignored.
    pub(crate) fn demand_fit(&self, kind: Kind) -> Result<(), Failure> {
        let format = self.format.name();
        let fits = match self.format {
            Format::Table | Format::Json => true,
            Format::Ndjson => kind != Kind::Other,
            Format::Csv | Format::Markdown => kind == Kind::Answers,
        };
        if !fits {
            let sentence = format!("--format {format} is for answers in rows");
            return Err(Failure::usage(&sentence, Some("--format json has the same for programs")));
        }
        if self.format == Format::Csv {
            return Ok(());
        }
        let given = [(self.null_reasons, "--null-reasons"), (self.unguarded, "--unguarded")];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, flag)) => Err(Failure::usage(&format!("{flag} is for --format csv"), None)),
            None => Ok(()),
        }
    }
}
