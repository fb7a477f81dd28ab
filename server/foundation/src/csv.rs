//! CSV files (RFC 4180) that people open in a spreadsheet.

use std::borrow::Cow;

/// To a spreadsheet, a cell that starts with one of these is a formula (OWASP, "CSV Injection").
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Returns a text of any origin as a cell. One that would be a formula gets a leading quote.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA_STARTS) { format!("'{text}").into() } else { text.into() }
}

/// Returns a line of the file, with its end.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| quoted(cell.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_like_a_formula_gets_a_quote() {
        for cell in ["=1+1", "+1", "-1", "@a", "\tx", "\r=1+1"] {
            assert_eq!(text(cell), format!("'{cell}"));
        }
        assert_eq!(text("1-1"), "1-1");
    }

    #[test]
    fn cells_with_delimiters_are_quoted() {
        for (cells, expected) in [
            (["£1,250.00", "plain"], "\"£1,250.00\",plain\r\n"),
            (["x, \"y\"", ""], "\"x, \"\"y\"\"\",\r\n"),
            (["a \"b\"", "c"], "\"a \"\"b\"\"\",c\r\n"),
            (["two\nlines", "-1.50"], "\"two\nlines\",-1.50\r\n"),
            (["a\r", "é"], "\"a\r\",é\r\n"),
        ] {
            assert_eq!(line(cells), expected);
        }
        assert_eq!(line([text("@x, y")]), "\"'@x, y\"\r\n");
    }
}
