//! Answers for reading: aligned columns, no borders.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::layout::{Columns, columns};
use crate::report::Report;

const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// The report in the layout that suits it.
pub(crate) fn table(report: &Report, colours: bool) -> String {
    let mut out = String::new();
    if let Some(period) = &report.period {
        out.push_str(period);
        out.push_str("\n\n");
    }
    out.push_str(&draw(columns(report), colours));
    out
}

fn draw(columns: Columns, colours: bool) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header(columns.header);
    let headings: Vec<bool> = columns.rows.iter().map(|row| row.len() == 1).collect();
    table.add_rows(columns.rows);
    for (column, right) in table.column_iter_mut().zip(columns.right) {
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

#[cfg(test)]
mod tests {
    use super::table;
    use crate::report::Report;
    use crate::report::samples::{by_country, by_month, cell, heading, null, number};

    #[test]
    fn metrics_are_below_their_categories() {
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
