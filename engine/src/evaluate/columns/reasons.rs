//! Null reasons as one-byte codes, so that a block of them takes a kilobyte.

use crate::types::Reason;

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
