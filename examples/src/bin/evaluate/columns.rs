//! Text in aligned columns.

use std::fmt::Write;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Formats rows. Each column is as wide as its widest word, with two blanks between columns.
///
/// A row with one word spans all columns.
pub(crate) fn columns(rows: &[Vec<String>], sides: &[Side]) -> String {
    let whole = |row: &&Vec<String>| row.len() > 1;
    let widths: Vec<usize> = (0..sides.len())
        .map(|column| {
            let words = rows.iter().filter(whole).filter_map(|row| row.get(column));
            words.map(|word| word.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for ((word, side), width) in row.iter().zip(sides).zip(&widths) {
            if row.len() == 1 {
                line.push_str(word);
                continue;
            }
            match side {
                Side::Left => write!(line, "{word:<width$}  ").ok(),
                Side::Right => write!(line, "{word:>width$}  ").ok(),
            };
        }
        writeln!(out, "{}", line.trim_end()).ok();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_without_trailing_blanks() {
        let row = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let rows = [
            row(&["a", "£1.00", ""]),
            row(&["a heading of its own"]),
            row(&["long", "£10.00", "x"]),
        ];
        assert_eq!(
            columns(&rows, &[Side::Left, Side::Right, Side::Left]),
            "a      £1.00\na heading of its own\nlong  £10.00  x\n"
        );
    }
}
