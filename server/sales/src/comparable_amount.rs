//! Amounts of all currencies on one scale, for filters.

/// Decimal places of `comparable_amount!`, the most that any currency has.
pub(crate) const DIGITS: u32 = 4;

/// An SQL expression for an amount in ten-thousandths of the major unit, so that amounts in different currencies compare.
/// It is built from an expression for minor units and one for their currency.
macro_rules! comparable_amount {
    ($minor:literal, $currency:literal) => {
        concat!(
            $minor, " * case when ", $currency,
            " in ('bif', 'clp', 'djf', 'gnf', 'isk', 'jpy', 'kmf', 'krw', 'pyg', 'rwf', 'ugx', 'uyi', 'vnd', 'vuv',
                  'xaf', 'xof', 'xpf') then 10000 when ", $currency,
            " in ('bhd', 'iqd', 'jod', 'kwd', 'lyd', 'omr', 'tnd') then 10 when ", $currency,
            " in ('clf', 'uyw') then 1 else 100 end"
        )
    };
}

#[cfg(test)]
mod tests {
    use super::DIGITS;
    use crate::money::Currency;

    #[test]
    fn amounts_of_all_currencies_are_counted_in_the_same_unit() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let sql = concat!("select ", comparable_amount!("?1", "?2"));
        for currency in Currency::all() {
            let amount: i64 = connection
                .query_row(sql, rusqlite::params![3, currency], |row| row.get(0))
                .unwrap();
            let missing = DIGITS.checked_sub(currency.digits());
            assert_eq!(Some(amount), missing.map(|digits| 3 * 10_i64.pow(digits)), "{currency}");
        }
    }
}
