//! Tables as CSV.

/// Characters that a spreadsheet takes for the start of a formula.
const DANGEROUS: [char; 5] = ['=', '+', '-', '@', '\t'];

#[derive(Debug, Clone)]
pub(crate) enum Cell {
    /// Text of any origin; it gets a leading quote if a spreadsheet would evaluate it.
    Text(String),
    /// A number or a date formatted here.
    Plain(String),
}

impl Cell {
    pub(crate) fn text(words: Option<&str>) -> Self {
        Self::Text(words.unwrap_or_default().to_owned())
    }

    fn written(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) if text.starts_with(DANGEROUS) => quoted(&format!("'{text}")),
            Self::Text(text) => quoted(text),
        }
    }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// Formats a table of rows, the first of them its header.
pub(crate) fn table(rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().map(Cell::written).collect();
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

pub(crate) fn head(names: &[&str]) -> Vec<Cell> {
    names.iter().map(|name| Cell::text(Some(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_spreadsheet_would_compute_get_a_quote_and_numbers_do_not() {
        let row = vec![
            Cell::Text("=1+1".to_owned()),
            Cell::Text("@x, y".to_owned()),
            Cell::Text("a \"b\"".to_owned()),
            Cell::Plain("-1.5".to_owned()),
            Cell::text(None),
        ];
        assert_eq!(table([row]), "'=1+1,\"'@x, y\",\"a \"\"b\"\"\",-1.5,\r\n");
    }
}
