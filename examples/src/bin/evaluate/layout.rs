//! The rows and columns of a report for people, independent of their rendering.

use crate::console::one_line;
use crate::report::{Cell, FormattedValue, NO_GROUP, Report, Row};
use crate::sparkline::sparkline;

/// More metrics than this are not shown side by side; each gets a line of its own.
const MOST_COLUMNS: usize = 6;

/// Rows of text, with the columns to align right.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) header: Vec<String>,
    pub(crate) right: Vec<bool>,
    /// A row of one cell is a heading.
    pub(crate) rows: Vec<Vec<String>>,
}

/// The report in the layout that suits it.
pub(crate) fn columns(report: &Report) -> Columns {
    if report.group_names.is_empty() && !report.has_buckets {
        list(report)
    } else if !report.has_buckets {
        groups(report)
    } else if report.group_names.is_empty() && report.metrics.len() <= MOST_COLUMNS {
        series(report)
    } else {
        trends(report)
    }
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
}

fn cells(cell: &Cell, report: &Report) -> Vec<String> {
    let mut cells = vec![cell.value.for_people()];
    if report.is_compared {
        cells.push(cell.previous.as_ref().map_or_else(String::new, FormattedValue::for_people));
        // If a change is null, one of the two values is null and shows it.
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
                line.extend(cells(cell, report));
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
        line.extend(row.cells.iter().flat_map(|cell| cells(cell, report)));
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
        line.extend(row.cells.iter().flat_map(|cell| cells(cell, report)));
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
            line.extend(last.cells.get(index).into_iter().flat_map(|cell| cells(cell, report)));
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
