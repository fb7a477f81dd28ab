//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;

const EXAMPLES: &str = "\
Examples:
  evaluate shop.metrics                                   every listed metric, over all of time
  evaluate shop.metrics aov --from 2011-01-01 --to 2011-06-30 --by month
  evaluate shop.metrics net_sales aov --group-by country --sort net_sales --limit 10
  evaluate shop.metrics --from 2011-11-01 --to 2011-11-30 --compare previous
  evaluate shop.metrics --formula \"net_sales / order_count\" --format json
  evaluate shop.metrics aov --context order.json          values from a JSON object, no data files
  evaluate shop.metrics --check                           formulas and their examples, no data
  evaluate shop.metrics --fmt --write                     the file in its canonical form

Exit codes:
  0  all is well
  1  findings in formulas, or an example that does not hold
  2  the command line asks for something that is not there
  3  data that cannot be read";

/// Computes the metrics of a formula file over CSV files or a JSON record.
#[derive(Debug, Parser)]
#[command(name = "evaluate", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The formula file.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Metrics to compute, by key or title; without any, all that are not unlisted.
    #[arg(value_name = "METRIC")]
    pub(crate) metrics: Vec<String>,

    /// A formula that is not in the file; may be given several times.
    #[arg(long = "formula", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) formulas: Vec<String>,

    /// Where the rows of a source are, instead of where the file says; `.gz` is unpacked.
    #[arg(long, value_name = "SOURCE=FILE", value_parser = data_file, help_heading = "Data")]
    pub(crate) data: Vec<(String, PathBuf)>,

    /// A JSON object with values by name.
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub(crate) context: Option<PathBuf>,

    /// The first day.
    #[arg(long, value_name = "DATE", help_heading = "Period")]
    pub(crate) from: Option<Date>,

    /// The last day, itself included; without it, today.
    #[arg(long, value_name = "DATE", requires = "from", help_heading = "Period")]
    pub(crate) to: Option<Date>,

    /// A value for each of these.
    #[arg(long, value_name = "UNIT", help_heading = "Period")]
    pub(crate) by: Option<Unit>,

    /// Another period beside it, with the change since then.
    #[arg(long, value_name = "PERIOD", help_heading = "Period")]
    pub(crate) compare: Option<Compare>,

    /// Days are those of this zone, instead of the store's.
    #[arg(long, value_name = "ZONE", help_heading = "Period")]
    pub(crate) timezone: Option<String>,

    /// The present: what lies behind it has not happened yet. Without it, the clock's time.
    #[arg(long, value_name = "INSTANT", help_heading = "Period")]
    pub(crate) now: Option<Timestamp>,

    /// A row for each value of a dimension; may be given several times.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Groups")]
    pub(crate) group_by: Vec<String>,

    /// Groups in order of this metric, the largest first.
    #[arg(long, value_name = "METRIC", requires = "group_by", help_heading = "Groups")]
    pub(crate) sort: Option<String>,

    /// At most so many groups.
    #[arg(long, value_name = "N", requires = "group_by", help_heading = "Groups")]
    pub(crate) limit: Option<usize>,

    /// Amounts in this currency, instead of the store's.
    #[arg(long, value_name = "CURRENCY", help_heading = "Output")]
    pub(crate) currency: Option<String>,

    /// How answers are written.
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    pub(crate) format: Format,

    /// How a metric comes about: its formula, what it uses, and their values.
    #[arg(long, value_name = "METRIC", help_heading = "Output")]
    pub(crate) explain: Option<String>,

    /// Checks the formulas and runs their examples.
    #[arg(long, help_heading = "The file itself", conflicts_with_all = ["explain", "fmt"])]
    pub(crate) check: bool,

    /// Prints the file in its canonical form.
    #[arg(long, help_heading = "The file itself", conflicts_with = "explain")]
    pub(crate) fmt: bool,

    /// Writes the canonical form into the file instead of printing it.
    #[arg(long, requires = "fmt", help_heading = "The file itself")]
    pub(crate) write: bool,
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

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    Table,
    /// For programs: numbers as exact text.
    Json,
    /// For spreadsheets: exact numbers, a line for each row.
    Csv,
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
             --limit 3 --format json --now 2011-12-09T12:00:00Z",
        )
        .unwrap();

        assert_eq!(arguments.metrics, ["aov", "net_sales"]);
        assert_eq!(arguments.data[1], ("lines".to_owned(), PathBuf::from("b=c.csv.gz")));
        assert_eq!(arguments.group_by, ["country", "channel"]);
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
        ] {
            assert_eq!(parse(line).map_err(|error| error.exit_code()).err(), Some(2), "{line}");
        }
    }
}
