//! The line of each row in its file.

/// Lines of rows, which mostly follow each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    rows: usize,
    /// The rows whose line does not directly follow that of the previous row, with their lines.
    breaks: Vec<(usize, u64)>,
    next: u64,
}

impl Lines {
    /// Adds the line of the next row.
    pub(crate) fn push(&mut self, line: u64) {
        if line != self.next {
            self.breaks.push((self.rows, line));
        }
        self.rows = self.rows.saturating_add(1);
        self.next = line.saturating_add(1);
    }

    /// The line of a row, both counted from zero; none past the last.
    pub(crate) fn of(&self, row: usize) -> Option<u64> {
        let (first, line) = self.breaks.iter().rfind(|(first, _)| *first <= row)?;
        let after = u64::try_from(row.checked_sub(*first)?).ok()?;
        (row < self.rows).then(|| line.saturating_add(after))
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn each_row_has_its_line() {
        let mut lines = Lines::default();
        for line in [2, 3, 6, 7, 9] {
            lines.push(line);
        }

        assert_eq!([0, 1, 2, 3, 4].map(|row| lines.of(row)), [2, 3, 6, 7, 9].map(Some));
        assert_eq!((lines.of(5), lines.breaks.len()), (None, 3));
        assert_eq!(Lines::default().of(0), None);
    }
}
