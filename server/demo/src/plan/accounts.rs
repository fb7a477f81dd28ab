//! Accounts for every line of the data.

use crate::proportion::{OutOfRange, add, multiply};
use crate::source::SourceLine;

/// Lines of the data that are used in the same way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// The number of lines.
    pub lines: u64,
    /// Their value in thousandths of a pound without tax; negative for reversals.
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
    /// Product lines of orders.
    pub sold: Account,
    /// Other lines of orders, such as work and samples: they have no variant.
    pub charged: Account,
    /// Postage, which is part of the order's shipping.
    pub postage: Account,
    /// Products that were returned and refunded.
    pub returned: Account,
    /// Refunds without a return, such as of postage and discounts.
    pub refunded: Account,
    /// Reversals without an earlier sale to the customer, and the shop's own fees: omitted.
    pub unmatched: Account,
    /// Lines of invoices without a value, such as breakage: omitted.
    pub write_offs: Account,
    /// Corrections of bad debts: omitted.
    pub bad_debts: Account,
    /// How much less orders are worth than in the data, in thousandths of a pound, because four prices have a third
    /// decimal.
    pub rounded_mills: i64,
}

impl Accounts {
    /// Returns all accounts with their names, in the order of the fields.
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

    /// Returns the total number of lines.
    pub fn line_count(&self) -> u64 {
        self.all().iter().fold(0, |so_far, (_, account)| so_far.saturating_add(account.lines))
    }
}
