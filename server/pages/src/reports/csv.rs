//! A table as a CSV file.

use crate::records::Table;

/// Returns the file; a cell that a spreadsheet would run as a formula is turned into text.
pub(super) fn write(table: &Table) -> String {
    let heads: Vec<String> = table.heads.iter().map(|head| cell(head.name)).collect();
    let mut lines = vec![heads.join(",")];
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|own| cell(&own.text)).collect();
        lines.push(cells.join(","));
    }
    lines.push(String::new());
    lines.join("\r\n")
}

fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula_runs() {
        for (text, expected) in [
            ("£1,250.00", "\"£1,250.00\""),
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("plain", "plain"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
