//! Answers for reading: aligned columns, no borders.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::console::one_line;
use crate::report::{Cell, NO_GROUP, Report, Row, Shown};
use crate::sparkline::sparkline;

/// More metrics than this do not stand beside each other; each gets a line of its own.
const MOST_COLUMNS: usize = 6;
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// The report in the layout that suits it.
pub(crate) fn table(report: &Report, colours: bool) -> String {
    let columns = if report.group_names.is_empty() && !report.has_buckets {
        list(report)
    } else if !report.has_buckets {
        groups(report)
    } else if report.group_names.is_empty() && report.metrics.len() <= MOST_COLUMNS {
        series(report)
    } else {
        trends(report)
    };
    let mut out = String::new();
    if let Some(period) = &report.period {
        out.push_str(period);
        out.push_str("\n\n");
    }
    out.push_str(&columns.draw(colours));
    out
}

/// Rows of text with what is to stand at the right.
#[derive(Debug, Default)]
struct Columns {
    header: Vec<String>,
    right: Vec<bool>,
    /// A row of one cell is a heading.
    rows: Vec<Vec<String>>,
}

impl Columns {
    fn left(&mut self, title: &str) {
        self.header.push(one_line(title));
        self.right.push(false);
    }

    fn right(&mut self, title: &str) {
        self.header.push(one_line(title));
        self.right.push(true);
    }

    /// The columns of a metric's values.
    fn values(&mut self, title: &str, report: &Report) {
        self.right(title);
        if report.is_compared {
            self.right("Before");
            self.right("Change");
        }
    }

    fn draw(self, colours: bool) -> String {
        let mut table = Table::new();
        table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
        table.set_header(self.header);
        let headings: Vec<bool> = self.rows.iter().map(|row| row.len() == 1).collect();
        table.add_rows(self.rows);
        for (column, right) in table.column_iter_mut().zip(self.right) {
            column.set_padding((0, 2));
            if right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut out = String::new();
        for (index, line) in table.trim_fmt().lines().enumerate() {
            // The header and its line come before the rows.
            let heading = index.checked_sub(2).and_then(|row| headings.get(row).copied());
            let bold = colours && (index == 0 || heading == Some(true));
            out.push_str(if bold { BOLD } else { "" });
            out.push_str(line.trim_end());
            out.push_str(if bold { PLAIN } else { "" });
            out.push('\n');
        }
        out
    }
}

fn cells(cell: Option<&Cell>, report: &Report) -> Vec<String> {
    let Some(cell) = cell else { return Vec::new() };
    let mut cells = vec![cell.value.for_people()];
    if report.is_compared {
        cells.push(cell.previous.as_ref().map_or_else(String::new, Shown::for_people));
        // What change lacks, one of the two values lacks, and says so.
        let change = cell.change.as_ref().map(|change| match change.null_reason {
            Some(_) => "–".to_owned(),
            None => change.for_people(),
        });
        cells.push(change.unwrap_or_default());
    }
    cells
}

/// A line for each metric, by category.
fn list(report: &Report) -> Columns {
    let mut columns = Columns::default();
    columns.left("Metric");
    columns.values("Value", report);
    columns.left("Key");
    let Some(row) = report.rows.first() else { return columns };
    let mut categories: Vec<Option<&str>> = Vec::new();
    for metric in &report.metrics {
        if !categories.contains(&metric.category.as_deref()) {
            categories.push(metric.category.as_deref());
        }
    }
    for category in &categories {
        if let Some(category) = category {
            columns.rows.push(vec![one_line(category)]);
        }
        for (metric, cell) in report.metrics.iter().zip(&row.cells) {
            if metric.category.as_deref() == *category {
                let indent = if category.is_some() { "  " } else { "" };
                let mut line = vec![format!("{indent}{}", one_line(&metric.title))];
                line.extend(cells(Some(cell), report));
                // A formula of the command line is its own title.
                let key = if metric.key == metric.title { "" } else { &metric.key };
                line.push(one_line(key));
                columns.rows.push(line);
            }
        }
    }
    columns
}

/// A line for each group.
fn groups(report: &Report) -> Columns {
    let mut columns = Columns::default();
    for name in &report.group_names {
        columns.left(name);
    }
    for metric in &report.metrics {
        columns.values(&metric.title, report);
    }
    for row in &report.rows {
        let mut line = group(row, report);
        line.extend(row.cells.iter().flat_map(|cell| cells(Some(cell), report)));
        columns.rows.push(line);
    }
    columns
}

fn group(row: &Row, report: &Report) -> Vec<String> {
    let cells = row.group_cells(report.group_names.len(), NO_GROUP);
    cells.iter().map(|name| one_line(name)).collect()
}

/// A line for each bucket, below one with the trends.
fn series(report: &Report) -> Columns {
    let mut columns = Columns::default();
    columns.left("Period");
    let mut trend = vec!["trend".to_owned()];
    for (index, metric) in report.metrics.iter().enumerate() {
        columns.values(&metric.title, report);
        trend.push(line_of(&report.rows, index));
        if report.is_compared {
            trend.extend([String::new(), String::new()]);
        }
    }
    columns.rows.push(trend);
    for row in &report.rows {
        let mut line = vec![row.bucket.clone().unwrap_or_default()];
        line.extend(row.cells.iter().flat_map(|cell| cells(Some(cell), report)));
        columns.rows.push(line);
    }
    columns
}

/// A line for each group and metric: the trend, the first and the last bucket.
fn trends(report: &Report) -> Columns {
    let mut columns = Columns::default();
    for name in &report.group_names {
        columns.left(name);
    }
    columns.left("Metric");
    let buckets = |row: Option<&Row>| row.and_then(|row| row.bucket.clone()).unwrap_or_default();
    columns.right(&buckets(report.rows.first()));
    columns.values(&buckets(report.rows.last()), report);
    columns.left("Trend");
    for rows in
        report.rows.chunk_by(|left, right| (left.kind, &left.group) == (right.kind, &right.group))
    {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { continue };
        for (index, metric) in report.metrics.iter().enumerate() {
            let mut line = group(first, report);
            line.push(one_line(&metric.title));
            let start = first.cells.get(index).map(|cell| cell.value.for_people());
            line.push(start.unwrap_or_default());
            line.extend(cells(last.cells.get(index), report));
            line.push(line_of(rows, index));
            columns.rows.push(line);
        }
    }
    columns
}

fn line_of(rows: &[Row], metric: usize) -> String {
    let number = |row: &Row| row.cells.get(metric).and_then(|cell| cell.value.number);
    sparkline(&rows.iter().map(number).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::table;
    use crate::report::Report;
    use crate::report::samples::{by_country, by_month, cell, heading, null, number};

    #[test]
    fn metrics_stand_below_their_categories() {
        let mut row = by_country().rows.remove(0);
        row.group.clear();
        row.cells.push(cell(null("no_rows")));
        let report = Report {
            metrics: vec![
                heading("net_sales", "Net sales", Some("sales")),
                heading("1 + 1", "1 + 1", None),
                heading("aov", "Average order value", Some("sales")),
            ],
            rows: vec![row],
            ..Report::default()
        };

        insta::assert_snapshot!(table(&report, false));
    }

    #[test]
    fn groups_have_a_line_each() {
        insta::assert_snapshot!(table(&by_country(), false));
    }

    #[test]
    fn buckets_have_a_line_each_below_the_trend() {
        let mut report = by_month();
        report.is_compared = true;
        report.rows[2].cells[0].previous = Some(number("£2.00", "2"));
        report.rows[2].cells[0].change = Some(number("100.0%", "1"));

        insta::assert_snapshot!(table(&report, false));
    }

    #[test]
    fn grouped_series_have_a_line_for_each_metric() {
        let mut report = by_month();
        report.group_names = vec!["country".to_owned()];
        let mut rows = report.rows.clone();
        for row in &mut report.rows {
            row.group = vec![Some("France".to_owned())];
        }
        for row in &mut rows {
            row.group = vec![None];
        }
        rows[1].cells[0].value = null("no_rows");
        report.rows.append(&mut rows);

        insta::assert_snapshot!(table(&report, false));
    }

    #[test]
    fn colours_are_for_headings_alone() {
        let coloured = table(&by_month(), true);

        assert_eq!(coloured.matches('\u{1b}').count(), 2, "{coloured}");
    }
}
