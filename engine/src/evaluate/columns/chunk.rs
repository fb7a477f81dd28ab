//! Chunks: the values of one block, which kernels read and write, and the reasons of their nulls as one-byte codes, so
//! that a block of them takes a kilobyte.

use rust_decimal::Decimal;

use crate::types::Reason;

/// The forms of values that kernels read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Ints,
    Decimals,
    Truths,
}

/// Limit: rows of a block. Eight kilobytes a chunk keep a formula's chunks in the nearest cache.
pub(super) const BLOCK_ROWS: usize = 1_024;

/// Values of one form for every row of a block, with their nulls.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    pub(super) data: Data,
    /// Meaningless unless `has_null`.
    pub(super) codes: Vec<u8>,
    pub(super) has_null: bool,
}

/// Invariant: a boolean is false where it is null; numbers at nulls are meaningless.
#[derive(Debug, Clone)]
pub(super) enum Data {
    Ints(Vec<i64>),
    Decimals(Vec<Decimal>),
    Truths(Vec<bool>),
}

/// A kernel's input: the rows of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChunkView<'a> {
    pub(super) data: ViewData<'a>,
    /// One code for each row, if any row may be null.
    pub(super) codes: Option<&'a [u8]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ViewData<'a> {
    Ints(&'a [i64]),
    Decimals(&'a [Decimal]),
    Truths(&'a [bool]),
}

impl Chunk {
    pub(super) fn ints(value: i64) -> Self {
        Self::of(Data::Ints(vec![value; BLOCK_ROWS]))
    }

    pub(super) fn decimals(value: Decimal) -> Self {
        Self::of(Data::Decimals(vec![value; BLOCK_ROWS]))
    }

    pub(super) fn truths(value: bool) -> Self {
        Self::of(Data::Truths(vec![value; BLOCK_ROWS]))
    }

    fn of(data: Data) -> Self {
        Self { data, codes: vec![PRESENT; BLOCK_ROWS], has_null: false }
    }

    pub(super) const fn form(&self) -> Form {
        match self.data {
            Data::Ints(_) => Form::Ints,
            Data::Decimals(_) => Form::Decimals,
            Data::Truths(_) => Form::Truths,
        }
    }

    /// The same chunk, null everywhere.
    pub(super) fn all_null(mut self, code: u8) -> Self {
        self.codes.fill(code);
        self.has_null = true;
        self
    }

    /// The value of a constant's chunk, if it is an integer without nulls.
    pub(super) fn same_int(&self) -> Option<i64> {
        match &self.data {
            Data::Ints(values) if !self.has_null => values.first().copied(),
            Data::Ints(_) | Data::Decimals(_) | Data::Truths(_) => None,
        }
    }

    pub(super) fn view(&self, rows: usize) -> Option<ChunkView<'_>> {
        let data = match &self.data {
            Data::Ints(values) => ViewData::Ints(values.get(..rows)?),
            Data::Decimals(values) => ViewData::Decimals(values.get(..rows)?),
            Data::Truths(values) => ViewData::Truths(values.get(..rows)?),
        };
        let codes = if self.has_null { Some(self.codes.get(..rows)?) } else { None };
        Some(ChunkView { data, codes })
    }

    /// Updates whether any of the first `rows` rows is null.
    pub(super) fn settle(&mut self, rows: usize) {
        let any = self.codes.iter().take(rows).fold(PRESENT, |any, code| any | code);
        self.has_null = any != PRESENT;
    }

    /// Merges the nulls of two operands; the first operand's reason takes precedence.
    pub(super) fn join_nulls(&mut self, a: ChunkView<'_>, b: ChunkView<'_>) {
        match (a.codes, b.codes) {
            (None, None) => self.has_null = false,
            (Some(codes), None) | (None, Some(codes)) => self.copy_nulls(Some(codes)),
            (Some(first), Some(second)) => {
                for ((out, first), second) in self.codes.iter_mut().zip(first).zip(second) {
                    // A mask, because a choice would not be vectorized.
                    let is_present = u8::from(*first == PRESENT).wrapping_neg();
                    *out = first | (second & is_present);
                }
                self.has_null = true;
            }
        }
    }

    pub(super) fn copy_nulls(&mut self, codes: Option<&[u8]>) {
        self.has_null = codes.is_some();
        if let Some(codes) = codes {
            for (out, code) in self.codes.iter_mut().zip(codes) {
                *out = *code;
            }
        }
    }

    /// Clears the codes so that single rows can be marked.
    pub(super) fn start_nulls(&mut self) {
        if !self.has_null {
            self.codes.fill(PRESENT);
            self.has_null = true;
        }
    }
}

/// The code of a row that has a value.
pub(super) const PRESENT: u8 = 0;

/// The code of a reason: its number in [`Reason::ALL`], from one.
pub(super) fn code_of(reason: Reason) -> u8 {
    let index = Reason::ALL.iter().position(|known| *known == reason).unwrap_or(0);
    u8::try_from(index).unwrap_or(0).saturating_add(1)
}

/// The reason for a code; `None` for [`PRESENT`].
pub(super) fn reason_of(code: u8) -> Option<Reason> {
    let index = usize::from(code).checked_sub(1)?;
    Reason::ALL.get(index).copied()
}

/// The null code of a row.
pub(super) fn code_at(codes: Option<&[u8]>, row: usize) -> u8 {
    codes.and_then(|codes| codes.get(row)).copied().unwrap_or(PRESENT)
}
