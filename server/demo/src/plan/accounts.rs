//! What became of every line of the data.

use crate::proportion::{OutOfRange, add, multiply};
use crate::source::SourceLine;

/// Lines of the data that came to the same end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// How many.
    pub lines: u64,
    /// What they are worth, in thousandths of a pound without tax; less than zero for what takes back.
    pub mills: i64,
}

impl Account {
    pub(super) fn add(&mut self, line: &SourceLine) -> Result<(), OutOfRange> {
        self.lines = self.lines.saturating_add(1);
        self.mills = add(self.mills, multiply(line.quantity, line.price_mills)?)?;
        Ok(())
    }

    pub(super) fn add_all(&mut self, lines: &[SourceLine]) -> Result<(), OutOfRange> {
        lines.iter().try_for_each(|line| self.add(line))
    }
}

/// All lines of the data, each in one account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accounts {
    /// Lines of orders that are a product.
    pub sold: Account,
    /// Lines of orders that are none, as work and samples: they have no variant.
    pub charged: Account,
    /// What was paid for sending: it is part of the order's shipping.
    pub postage: Account,
    /// What came back and was refunded.
    pub returned: Account,
    /// What was refunded without anything coming back, as postage and discounts.
    pub refunded: Account,
    /// What takes back something that was never sold to that customer, and the shop's own fees: left out.
    pub unmatched: Account,
    /// Lines of invoices that are worth nothing, as breakage: left out.
    pub write_offs: Account,
    /// Corrections of bad debts: left out.
    pub bad_debts: Account,
    /// What orders are worth less than the data says, because four prices have a third digit; thousandths of a pound.
    pub rounded_mills: i64,
}

impl Accounts {
    /// Every account with its name, in the order of the fields.
    pub fn all(&self) -> [(&'static str, Account); 8] {
        [
            ("sold", self.sold),
            ("charged", self.charged),
            ("postage", self.postage),
            ("returned", self.returned),
            ("refunded", self.refunded),
            ("unmatched", self.unmatched),
            ("write-offs", self.write_offs),
            ("bad debts", self.bad_debts),
        ]
    }

    /// How many lines there are in all.
    pub fn line_count(&self) -> u64 {
        self.all().iter().fold(0, |so_far, (_, account)| so_far.saturating_add(account.lines))
    }
}
