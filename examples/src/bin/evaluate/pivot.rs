//! Pivots: a column for each bucket, or for each value of the last dimension.

use quotient::engine::RowKind;

use crate::report::{Heading, Report, Row, several};

/// The report with columns instead of its buckets or its last dimension. Several metrics have a line
/// each.
pub(crate) fn pivoted(report: Report) -> Report {
    let dimensions = report.group_names.len();
    let kept = if report.has_buckets { dimensions } else { dimensions.saturating_sub(1) };
    let mut columns: Vec<String> = Vec::new();
    let mut lines: Vec<(Row, Vec<(usize, usize)>)> = Vec::new();
    for (index, row) in report.rows.iter().enumerate() {
        let title = match &row.bucket {
            Some(bucket) if report.has_buckets => bucket.clone(),
            _ => row.group_cells(dimensions, crate::report::NO_GROUP).pop().unwrap_or_default(),
        };
        // A row for several groups has no value of the last dimension.
        let title = if title.is_empty() { several(RowKind::Subtotal).to_owned() } else { title };
        let column = columns.iter().position(|known| *known == title).unwrap_or(columns.len());
        if column == columns.len() {
            columns.push(title);
        }
        let group: Vec<_> = row.group.iter().take(kept).cloned().collect();
        // A subtotal is in the line of its groups.
        let kind =
            if group.len() == kept && !report.has_buckets { RowKind::Group } else { row.kind };
        let line = Row { kind, group, bucket: None, cells: Vec::new() };
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, cells)) => cells.push((column, index)),
            None => lines.push((line, vec![(column, index)])),
        }
    }
    let has_names = report.metrics.len() > 1;
    let mut rows = Vec::new();
    for (line, cells) in &lines {
        for (metric, heading) in report.metrics.iter().enumerate() {
            let mut row = line.clone();
            if has_names {
                row.group = row.group_cells(kept, "").into_iter().map(Some).collect();
                row.group.push(Some(heading.title.clone()));
            }
            let cell = |column: usize| {
                let (_, index) = cells.iter().find(|(own, _)| *own == column)?;
                report.rows.get(*index)?.cells.get(metric).cloned()
            };
            row.cells = (0..columns.len()).map(|column| cell(column).unwrap_or_default()).collect();
            rows.push(row);
        }
    }
    let heading = |title: String| Heading { key: title.clone(), title, ..Heading::default() };
    let mut group_names: Vec<String> = report.group_names.iter().take(kept).cloned().collect();
    group_names.extend(has_names.then(|| "metric".to_owned()));
    Report {
        metrics: columns.into_iter().map(heading).collect(),
        group_names,
        has_buckets: false,
        rows,
        ..report
    }
}
