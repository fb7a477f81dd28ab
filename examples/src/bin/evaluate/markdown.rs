//! Answers for documents: the table of the terminal in Markdown.

use std::fmt::Write;

use crate::layout::columns;
use crate::report::Report;

/// The report as a table of GitHub Flavored Markdown, below its period.
pub(crate) fn markdown(report: &Report) -> String {
    let columns = columns(report);
    let mut out = String::new();
    if let Some(period) = &report.period {
        write!(out, "{}\n\n", escaped(period)).ok();
    }
    let lines = columns.right.iter().map(|right| if *right { "--:" } else { "---" }.to_owned());
    let lines: Vec<String> = lines.collect();
    let width = columns.header.len();
    row(&mut out, &columns.header.iter().map(|title| escaped(title)).collect::<Vec<_>>());
    row(&mut out, &lines);
    for cells in &columns.rows {
        let mut cells: Vec<String> = match cells.as_slice() {
            // A heading above its rows.
            [heading] => vec![format!("**{}**", escaped(heading.trim()))],
            cells => cells.iter().map(|cell| escaped(cell.trim())).collect(),
        };
        cells.resize(width, String::new());
        row(&mut out, &cells);
    }
    out
}

fn row(out: &mut String, cells: &[String]) {
    writeln!(out, "| {} |", cells.join(" | ")).ok();
}

/// Text escaped for Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let beside = |at: Option<usize>| at.and_then(|at| letters.get(at)).copied();
        let is_inside = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Inside of a word it is no emphasis: net_sales.
            '_' if is_inside(beside(index.checked_sub(1)))
                && is_inside(beside(index.checked_add(1))) =>
            {
                out.push('_');
            }
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' => {
                out.push('\\');
                out.push(*letter);
            }
            other => out.push(*other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped, markdown};
    use crate::report::Report;
    use crate::report::samples::{by_country, by_month, cell, heading, null};

    #[test]
    fn groups_have_a_row_each_with_numbers_at_the_right() {
        assert_eq!(
            markdown(&by_country()),
            "| country | Net sales | Orders |\n\
             | --- | --: | --: |\n\
             | =France | £1,000.50 | 12 |\n\
             | (none) | – (no rows) | 0 |\n\
             | Japan | £20,000.00 | 3 |\n"
        );
    }

    #[test]
    fn categories_are_above_their_metrics_and_the_period_above_all() {
        let mut row = by_country().rows.remove(0);
        row.group.clear();
        row.cells.push(cell(null("no_rows")));
        let report = Report {
            period: by_month().period,
            metrics: vec![
                heading("net_sales", "Net sales", Some("sales")),
                heading("1 | 2", "1 | 2", None),
                heading("aov", "Average order value", Some("sales")),
            ],
            rows: vec![row],
            ..Report::default()
        };

        let text = markdown(&report);

        assert!(
            text.starts_with("2011-01-01 to 2011-03-31\n\n| Metric | Value | Key |\n"),
            "{text}"
        );
        assert!(
            text.contains("| **sales** |  |  |\n| Net sales | £1,000.50 | net_sales |\n"),
            "{text}"
        );
        assert!(text.contains("| 1 \\| 2 | 12 |  |\n"), "{text}");
    }

    #[test]
    fn markdown_syntax_is_escaped() {
        for (text, expected) in [
            ("<b>a|b</b>", "&lt;b&gt;a\\|b&lt;/b&gt;"),
            ("*x* _y_ net_sales", "\\*x\\* \\_y\\_ net_sales"),
            ("$5.00", "$5.00"),
            ("[Net Sales] `a`", "\\[Net Sales\\] \\`a\\`"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
