//! Answers as plain rows, independent of their computation and output.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use quotient::Metric;
use quotient::engine::RowKind;
use quotient::types::Value;
use rust_decimal::Decimal;

/// Answers in rows: one for each group and bucket, with a cell for each metric.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Report {
    /// The whole period in words; none for all of time.
    pub(crate) period: Option<String>,
    /// The whole period for programs.
    pub(crate) whole: Option<KnownPeriod>,
    /// The zone whose days the periods have.
    pub(crate) timezone: String,
    /// What the cells of a row stand for.
    pub(crate) metrics: Vec<Heading>,
    /// The dimensions of the groups.
    pub(crate) group_names: Vec<String>,
    /// Whether rows have a bucket.
    pub(crate) has_buckets: bool,
    /// Whether cells have an earlier value.
    pub(crate) is_compared: bool,
    /// Whether metrics that exceed a limit are omitted.
    pub(crate) is_incomplete: bool,
    /// The names in a record that the formulas used.
    pub(crate) inputs_used: Vec<String>,
    /// The names that are missing from the record.
    pub(crate) missing_inputs: Vec<String>,
    /// Warnings, for programs.
    pub(crate) diagnostics: Vec<serde_json::Value>,
    /// The rows in order: groups, and the buckets of each.
    pub(crate) rows: Vec<Row>,
}

/// What a cell stands for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Its name in formulas, or the formula itself.
    pub(crate) key: String,
    /// Its name for people.
    pub(crate) title: String,
    /// Where lists put it.
    pub(crate) category: Option<String>,
    /// Its type: `money(USD) per time`.
    pub(crate) ty: String,
    /// The unit of its exact numbers, if any: `USD per second`.
    pub(crate) unit: Option<String>,
}

impl Heading {
    /// The heading of a metric.
    pub(crate) fn of(metric: &Metric) -> Self {
        Self {
            key: metric.key.clone(),
            title: metric.title.clone().unwrap_or_else(|| metric.key.clone()),
            category: metric.category.clone(),
            ..Self::default()
        }
    }
}

/// A period for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownPeriod {
    /// The first day.
    pub(crate) from: Date,
    /// The last day, inclusive.
    pub(crate) to: Date,
    /// Whether it is not known to its end.
    pub(crate) is_partial: bool,
    /// The instant up to which it is known.
    pub(crate) as_of: Timestamp,
}

/// The part of a formula in which a null arose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The metric whose formula it is in; none for a formula of the command line.
    pub(crate) metric: Option<String>,
    /// The first byte in that formula.
    pub(crate) start: u32,
    /// The byte after the last.
    pub(crate) end: u32,
    /// What stands there.
    pub(crate) text: String,
}

/// One group in one bucket.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// What it stands for.
    pub(crate) kind: RowKind,
    /// The values of its dimensions; of only the first ones if it stands for several groups.
    pub(crate) group: Vec<Option<String>>,
    /// The bucket: `2011-03`.
    pub(crate) bucket: Option<String>,
    /// A cell for each metric.
    pub(crate) cells: Vec<Cell>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Cell {
    /// The value.
    pub(crate) value: FormattedValue,
    /// The currency of an amount that is not converted.
    pub(crate) currency: Option<Arc<str>>,
    /// The value of the period it is compared with.
    pub(crate) previous: Option<FormattedValue>,
    /// How much it changed since then, in percent.
    pub(crate) change: Option<FormattedValue>,
    /// Until when it is known, if that is before the end of its period.
    pub(crate) as_of: Option<String>,
    /// The period that it is of; none for all of time.
    pub(crate) period: Option<KnownPeriod>,
    /// Whether a root, a logarithm or a fractional power is in it.
    pub(crate) is_inexact: bool,
    /// Where the null began.
    pub(crate) null_at: Option<Origin>,
}

/// A value with its forms.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FormattedValue {
    /// For people: `$25.00`.
    pub(crate) formatted: String,
    /// Exactly: `25`; empty for a null.
    pub(crate) exact: String,
    /// As it was computed.
    pub(crate) value: Option<Value>,
    /// The number, if it is one.
    pub(crate) number: Option<Decimal>,
    /// Why it is null.
    pub(crate) null_reason: Option<String>,
}

impl FormattedValue {
    /// For people, nulls too: `– (no rows)`.
    pub(crate) fn for_people(&self) -> String {
        match &self.null_reason {
            // The text that a metric's own format has for nulls is used unchanged.
            Some(reason) if self.formatted == format!("null ({reason})") => {
                format!("– ({})", reason.replace('_', " "))
            }
            Some(_) | None => crate::console::one_line(&self.formatted),
        }
    }
}

/// For people: a group that rows have no value for.
pub(crate) const NO_GROUP: &str = "(none)";

/// The word for a missing dimension in a row for several groups.
pub(crate) fn several(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Group => "",
        RowKind::Subtotal => "(all)",
        RowKind::Others => "(others)",
        RowKind::Total => "(total)",
    }
}

impl Row {
    /// The values of all dimensions, with a word for those that the row does not have.
    pub(crate) fn group_cells(&self, dimensions: usize, none: &str) -> Vec<String> {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| none.to_owned());
        let mut cells: Vec<String> = self.group.iter().map(value).collect();
        if cells.len() < dimensions {
            cells.push(several(self.kind).to_owned());
        }
        cells.resize(dimensions, String::new());
        cells
    }

    /// Until when everything in the row is known, if part of it is not known to the end.
    pub(crate) fn as_of(&self) -> Option<&str> {
        self.cells.iter().filter_map(|cell| cell.as_of.as_deref()).min()
    }
}

impl Report {
    /// Whether any answer is not known to the end of its period.
    pub(crate) fn is_partial(&self) -> bool {
        self.rows.iter().any(|row| row.as_of().is_some())
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    pub(crate) fn number(formatted: &str, exact: &str) -> FormattedValue {
        FormattedValue {
            formatted: formatted.to_owned(),
            exact: exact.to_owned(),
            value: exact.parse().ok().map(Value::Number),
            number: exact.parse().ok(),
            ..FormattedValue::default()
        }
    }

    pub(crate) fn null(reason: &str) -> FormattedValue {
        FormattedValue {
            formatted: format!("null ({reason})"),
            null_reason: Some(reason.to_owned()),
            ..FormattedValue::default()
        }
    }

    pub(crate) fn cell(value: FormattedValue) -> Cell {
        Cell { value, ..Cell::default() }
    }

    pub(crate) fn heading(key: &str, title: &str, category: Option<&str>) -> Heading {
        Heading {
            key: key.to_owned(),
            title: title.to_owned(),
            category: category.map(str::to_owned),
            ty: "money(GBP)".to_owned(),
            unit: Some("GBP".to_owned()),
        }
    }

    /// Sales and orders by country, some of them missing.
    pub(crate) fn by_country() -> Report {
        let row = |group: Option<&str>, sales: FormattedValue, orders: FormattedValue| Row {
            kind: RowKind::Group,
            group: vec![group.map(str::to_owned)],
            bucket: None,
            cells: vec![cell(sales), cell(orders)],
        };
        Report {
            metrics: vec![
                heading("net_sales", "Net sales", None),
                heading("orders", "Orders", None),
            ],
            group_names: vec!["country".to_owned()],
            rows: vec![
                row(Some("=France"), number("£1,000.50", "1000.5"), number("12", "12")),
                row(None, null("no_rows"), number("0", "0")),
                row(Some("Japan"), number("£20,000.00", "20000"), number("3", "3")),
            ],
            ..Report::default()
        }
    }

    /// Sales by month.
    pub(crate) fn by_month() -> Report {
        let values = [("£1.00", "1"), ("£8.00", "8"), ("£4.00", "4")];
        let rows =
            values.iter().zip(["2011-01", "2011-02", "2011-03"]).map(|(value, bucket)| Row {
                kind: RowKind::Group,
                group: Vec::new(),
                bucket: Some(bucket.to_owned()),
                cells: vec![cell(number(value.0, value.1))],
            });
        Report {
            period: Some("2011-01-01 to 2011-03-31".to_owned()),
            metrics: vec![heading("net_sales", "Net sales", None)],
            has_buckets: true,
            rows: rows.collect(),
            ..Report::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::samples::number;
    use super::*;

    #[test]
    fn a_null_says_why_in_words() {
        assert_eq!(samples::null("division_by_zero").for_people(), "– (division by zero)");
        let own = FormattedValue { formatted: "n/a".to_owned(), ..samples::null("no_rows") };
        assert_eq!(own.for_people(), "n/a");
        assert_eq!(number("£1\u{1b}[31m", "1").for_people(), "£1·[31m");
    }
}
