//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueEnum};
use jiff::civil::Date;
use jiff::{Span, Timestamp};
use quotient::calendar::PeriodLiteral;
use quotient::types::DeclaredType;

use crate::groups::Groups;
use crate::output::{Kind, Output};

const EXAMPLES: &str = "\
Examples:
  evaluate shop.metrics                                   every listed metric, over all of time
  evaluate shop.metrics --list                            all metrics and fields
  evaluate shop.metrics aov --from 2011-01 --to 2011-06 --by month
  evaluate shop.metrics net_sales aov --group-by country --top \"10 by net_sales with others\"
  evaluate shop.metrics --from 2011-11-01 --to 2011-11-30 --compare previous
  evaluate shop.metrics aov --where \"country = :country\" --param country=Germany
  evaluate shop.metrics --formula \"net_sales / order_count\" --format json
  evaluate shop.metrics --by month --format ndjson        one answer per line, for programs
  zcat june.csv.gz | evaluate shop.metrics --data orders=-
  evaluate shop.metrics --explain aov --from 2011-11-01 --to 2011-11-30
  evaluate shop.metrics --decompose aov --from 2011-11-01 --to 2011-11-30
  evaluate shop.metrics --diff aov --baseline 2011-10-01..2011-10-31 --from 2011-11-01 --to 2011-11-30
  evaluate shop.metrics aov --context order.json          values from a JSON object, no data files
  evaluate shop.metrics --complete \"sum(orders.to|\"       completions at the cursor
  evaluate shop.metrics --rename aov=order_value --write  rename everywhere
  evaluate shop.metrics --check                           check formulas and examples, without data
  evaluate shop.metrics --fix --dry-run                   fixes, without making them
  evaluate shop.metrics --fmt --write                     the file in its canonical form

Exit codes:
  0  success
  1  errors in formulas, a failing example, or a metric that exceeds a limit
  2  invalid arguments, or a file or name that does not exist
  3  data that cannot be read";

/// Computes the metrics of a formula file from CSV files or a JSON record.
#[derive(Debug, Parser)]
#[command(name = "evaluate", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The formula file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Metrics to compute, by key or title; by default all listed ones.
    #[arg(value_name = "METRIC", conflicts_with = "opened")]
    pub(crate) metrics: Vec<String>,

    /// A formula that is not in the file; may be repeated.
    #[arg(
        long = "formula",
        value_name = "TEXT",
        allow_hyphen_values = true,
        conflicts_with = "opened"
    )]
    pub(crate) formulas: Vec<String>,

    /// The file with the rows of a source, instead of the declared one; `-` is standard input. Files
    /// packed with gzip are unpacked.
    #[arg(long, value_name = "SOURCE=FILE", value_parser = data_file, help_heading = "Data")]
    pub(crate) data: Vec<(String, PathBuf)>,

    /// A JSON object with values by name; `-` is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub(crate) context: Option<PathBuf>,

    /// The first day, or the month, quarter or year to start with: 2011-10-01, 2011-10, 2011-Q4, 2011.
    #[arg(long, value_name = "DATE", value_parser = period, help_heading = "Period")]
    pub(crate) from: Option<PeriodLiteral>,

    /// The last day (inclusive), or the month, quarter or year to end with; defaults to today.
    #[arg(long, value_name = "DATE", value_parser = period, requires = "from", help_heading = "Period")]
    pub(crate) to: Option<PeriodLiteral>,

    /// The last days, weeks, months, quarters or years, ending today: 30d, 12w, 3m, 2q, 1y.
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "from", help_heading = "Period")]
    pub(crate) last: Option<Span>,

    /// One value per unit of time.
    #[arg(long, value_name = "UNIT", help_heading = "Period", conflicts_with = "opened")]
    pub(crate) by: Option<Unit>,

    /// Compare with an earlier period, and show the change.
    #[arg(long, value_name = "PERIOD", help_heading = "Period")]
    pub(crate) compare: Option<Compare>,

    /// The time zone of days; defaults to the store's.
    #[arg(long, value_name = "ZONE", help_heading = "Period")]
    pub(crate) timezone: Option<String>,

    /// The present, after which nothing has happened yet; defaults to the current time.
    #[arg(long, value_name = "INSTANT", value_parser = instant, help_heading = "Period")]
    pub(crate) now: Option<Timestamp>,

    #[command(flatten, next_help_heading = "Groups")]
    pub(crate) groups: Groups,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) output: Output,

    /// Explain a metric: its formula and the parts it uses, with their values.
    #[arg(long, value_name = "METRIC", help_heading = "Why this number", group = "opened")]
    pub(crate) explain: Option<String>,

    /// Attribute the change of a metric since the previous period, or the baseline, to its inputs.
    #[arg(long, value_name = "METRIC", help_heading = "Why this number", groups = ["opened", "compared"])]
    pub(crate) decompose: Option<String>,

    /// List the causes of the difference between a metric and its baseline.
    #[arg(long, value_name = "METRIC", help_heading = "Why this number", groups = ["opened", "compared"])]
    pub(crate) diff: Option<String>,

    /// The depth of --decompose: 1 stops at the metrics that the formula names.
    #[arg(long, value_name = "LEVELS", default_value_t = 1, help_heading = "Why this number")]
    pub(crate) depth: usize,

    /// The baseline period, both days inclusive: 2011-10-01..2011-10-31.
    #[arg(long, value_name = "FROM..TO", value_parser = days, requires = "compared", help_heading = "Why this number")]
    pub(crate) baseline: Option<(Date, Date)>,

    /// The condition of the baseline, instead of --where.
    #[arg(
        long = "baseline-where",
        value_name = "CONDITION",
        requires = "compared",
        help_heading = "Why this number"
    )]
    pub(crate) baseline_condition: Option<String>,

    /// The formula file of the baseline, such as an earlier version.
    #[arg(long, value_name = "FILE", requires = "diff", help_heading = "Why this number")]
    pub(crate) baseline_file: Option<PathBuf>,

    /// The time zone of the baseline.
    #[arg(long, value_name = "ZONE", requires = "diff", help_heading = "Why this number")]
    pub(crate) baseline_timezone: Option<String>,

    /// The currency of the baseline.
    #[arg(long, value_name = "CURRENCY", requires = "diff", help_heading = "Why this number")]
    pub(crate) baseline_currency: Option<String>,

    /// List completions at the cursor `|`: "sum(orders.to|".
    #[arg(long, value_name = "TEXT", help_heading = "Writing formulas", group = "opened")]
    pub(crate) complete: Option<String>,

    /// List the names that fit the holes of a formula: "sales / ?".
    #[arg(long, value_name = "TEXT", help_heading = "Writing formulas", group = "opened")]
    pub(crate) fits: Option<String>,

    /// The required type of the completed formula: currency, percentage, duration …
    #[arg(long = "as", value_name = "TYPE", value_parser = declared, requires = "fits", help_heading = "Writing formulas")]
    pub(crate) declared: Option<DeclaredType>,

    /// Rename a metric, or a field (orders.total=amount), in every formula; lists the places, or changes the file with --write.
    #[arg(long, value_name = "NAME=NEW", value_parser = renaming, help_heading = "Writing formulas", groups = ["opened", "writes"])]
    pub(crate) rename: Option<(String, String)>,

    #[command(flatten, next_help_heading = "The file itself")]
    pub(crate) upkeep: Upkeep,

    /// List the metrics with their types and dimensions, and the sources with their fields.
    #[arg(long, help_heading = "The file itself", conflicts_with_all = ["opened", "formulas", "check", "fmt", "fix"])]
    pub(crate) list: bool,
}

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

impl Arguments {
    /// The kind of run, as far as formats differ.
    pub(crate) const fn kind(&self) -> Kind {
        let opened = self.explain.is_some() || self.decompose.is_some() || self.diff.is_some();
        let written = self.complete.is_some() || self.fits.is_some();
        if self.upkeep.check {
            Kind::Check
        } else if opened || written {
            Kind::Other
        } else {
            Kind::Answers
        }
    }

    /// The files in the arguments, except those of sources, as often as they are read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let contexts = std::iter::repeat_n(self.context.as_deref(), self.times_read());
        let formulas = [Some(self.file.as_path()), self.baseline_file.as_deref()];
        formulas.into_iter().chain(contexts).flatten()
    }

    /// How often data is read: a second time for a baseline with its own formula file.
    pub(crate) fn times_read(&self) -> usize {
        if self.baseline_file.is_some() { 2 } else { 1 }
    }

    /// Whether the baseline is said to be another but for its period.
    pub(crate) const fn baseline_differs(&self) -> bool {
        self.baseline_condition.is_some()
            || self.baseline_file.is_some()
            || self.baseline_timezone.is_some()
            || self.baseline_currency.is_some()
    }
}

/// A unit that a period can be cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// What a period is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compare {
    /// The period of the same length before it.
    Previous,
    /// The same days a year earlier.
    #[value(name = "last_year")]
    LastYear,
}

fn period(argument: &str) -> Result<PeriodLiteral, String> {
    PeriodLiteral::parse(argument)
        .ok_or_else(|| "expected a day or a month, for example 2011-10-31 or 2011-10".to_owned())
}

fn instant(argument: &str) -> Result<Timestamp, String> {
    argument
        .parse()
        .map_err(|_no_instant| "expected an instant, for example 2011-12-09T12:00:00Z".to_owned())
}

fn length(argument: &str) -> Result<Span, String> {
    let unit = argument.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(argument.len());
    let (count, unit) = argument.split_at_checked(unit).unwrap_or_default();
    let count = count.parse::<i64>().ok().filter(|count| *count > 0);
    let span = count.and_then(|count| match unit {
        "d" => Span::new().try_days(count).ok(),
        "w" => Span::new().try_weeks(count).ok(),
        "m" => Span::new().try_months(count).ok(),
        "q" => Span::new().try_months(count.checked_mul(3)?).ok(),
        "y" => Span::new().try_years(count).ok(),
        _ => None,
    });
    span.ok_or_else(|| "expected a number and d, w, m, q or y, for example 30d".to_owned())
}

fn days(argument: &str) -> Result<(Date, Date), String> {
    let both = argument
        .split_once("..")
        .and_then(|(first, last)| Some((first.parse::<Date>().ok()?, last.parse::<Date>().ok()?)));
    match both {
        Some((first, last)) if first <= last => Ok((first, last)),
        Some(_) => Err("the period ends before it starts".to_owned()),
        None => Err("expected two days, for example 2011-10-01..2011-10-31".to_owned()),
    }
}

fn declared(argument: &str) -> Result<DeclaredType, String> {
    DeclaredType::from_name(argument).ok_or_else(|| {
        let names: Vec<&str> = DeclaredType::ALL.into_iter().map(DeclaredType::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn renaming(argument: &str) -> Result<(String, String), String> {
    match argument.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            Ok((from.to_owned(), to.to_owned()))
        }
        _ => Err("expected two names, for example aov=order_value".to_owned()),
    }
}

fn data_file(argument: &str) -> Result<(String, PathBuf), String> {
    match argument.split_once('=') {
        Some((source, file)) if !source.is_empty() && !file.is_empty() => {
            Ok((source.to_owned(), PathBuf::from(file)))
        }
        _ => Err("expected a source and a file, for example orders=orders.csv".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("evaluate").chain(line.split(' ')))
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_full_command_line_is_read() {
        let arguments = parse(
            "shop.metrics aov net_sales --data orders=a.csv --data lines=b=c.csv.gz --from 2011-01-01 \
             --to 2011-06-30 --by month --group-by country,channel --compare last_year --sort aov \
             --top 3 --format json --now 2011-12-09T12:00:00Z",
        )
        .unwrap();

        assert_eq!(arguments.metrics, ["aov", "net_sales"]);
        assert_eq!(arguments.data[1], ("lines".to_owned(), PathBuf::from("b=c.csv.gz")));
        assert_eq!(arguments.groups.dimensions(), ["country", "channel"]);
        assert_eq!(arguments.compare, Some(Compare::LastYear));
        assert_eq!(arguments.by, Some(Unit::Month));
    }

    #[test]
    fn a_command_line_that_makes_no_sense_is_refused() {
        for line in [
            "shop.metrics --to 2011-01-01",
            "shop.metrics --from yesterday",
            "shop.metrics --sort aov",
            "shop.metrics --write",
            "shop.metrics --data orders",
            "shop.metrics --check --fmt",
            "shop.metrics --complete a --fits ?",
            "shop.metrics --as currency",
            "shop.metrics --rename aov",
            "shop.metrics --explain aov --decompose aov",
            "shop.metrics --baseline 2011-10-01..2011-10-31",
            "shop.metrics --diff aov --baseline 2011-10-31..2011-10-01",
            "shop.metrics --explain aov --group-by country",
            "shop.metrics --explain aov --by day",
            "shop.metrics --explain aov --formula 1",
            "shop.metrics sales --explain aov",
            "shop.metrics --fmt --format json",
            "shop.metrics --fix --format json",
            "shop.metrics --fix --check",
            "shop.metrics --dry-run",
        ] {
            assert_eq!(parse(line).map_err(|error| error.exit_code()).err(), Some(2), "{line}");
        }
    }
}
