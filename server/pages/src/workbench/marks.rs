//! The places of findings in a formula.

/// A piece of a formula, with or without a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) is_marked: bool,
}

/// Splits a formula at the ends of findings, which are given in bytes and may overlap.
pub(super) fn pieces(formula: &str, spans: &[(usize, usize)]) -> Vec<Piece> {
    let is_marked = |at: usize| spans.iter().any(|(start, end)| (*start..*end).contains(&at));
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, letter) in formula.char_indices() {
        let is_marked = is_marked(at);
        match pieces.last_mut() {
            Some(last) if last.is_marked == is_marked => last.text.push(letter),
            _ => pieces.push(Piece { text: letter.to_string(), is_marked }),
        }
    }
    pieces
}

/// Splits a message at its backticks, which quote names.
pub(super) fn quoted(message: &str) -> Vec<Piece> {
    let parts = message.split('`').enumerate().filter(|(_, text)| !text.is_empty());
    parts.map(|(at, text)| Piece { text: text.to_owned(), is_marked: at % 2 == 1 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_in_a_message_are_marked() {
        let cut: Vec<(String, bool)> = quoted("`a` is no field of `b`")
            .into_iter()
            .map(|own| (own.text, own.is_marked))
            .collect();
        let expected = [("a", true), (" is no field of ", false), ("b", true)];
        assert_eq!(cut, expected.map(|(text, is_marked)| (text.to_owned(), is_marked)));
    }

    #[test]
    fn marks_lie_on_letters_also_behind_long_ones() {
        let cut = |formula, spans: &[(usize, usize)]| -> String {
            let mark =
                |own: Piece| if own.is_marked { format!("[{}]", own.text) } else { own.text };
            pieces(formula, spans).into_iter().map(mark).collect()
        };
        assert_eq!(cut("a + order_cnt", &[(4, 13)]), "a + [order_cnt]");
        assert_eq!(cut("é + x", &[(5, 6)]), "é + [x]");
        assert_eq!(cut("abc", &[(0, 2), (1, 3)]), "[abc]");
        assert_eq!(cut("abc", &[(2, 99)]), "ab[c]");
    }
}
