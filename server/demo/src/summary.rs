//! The result of loading the demo store.

use std::fmt;

use super::Accounts;

/// The numbers of created rows, and the account of every line of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Products.
    pub products: u64,
    /// Customers, including guests.
    pub customers: u64,
    /// Orders.
    pub orders: u64,
    /// Refunds.
    pub refunds: u64,
    /// The account of every line.
    pub accounts: Accounts,
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { products, customers, orders, refunds, accounts } = self;
        writeln!(
            formatter,
            "{products} products, {customers} customers, {orders} orders, {refunds} refunds"
        )?;
        write!(formatter, "{} lines of the data:", accounts.line_count())?;
        for (name, account) in accounts.all() {
            let pence = account.mills.saturating_div(10);
            let (pounds, rest) =
                (pence.saturating_div(100), pence.checked_rem(100).unwrap_or(0).abs());
            write!(
                formatter,
                "\n  {name:<12} {:>7} lines {pounds:>10}.{rest:02} GBP",
                account.lines
            )?;
        }
        Ok(())
    }
}
