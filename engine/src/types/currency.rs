//! Currencies of ISO 4217.

/// A currency: its three letters; only listed ones can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(u16);

/// Code, minor digits, symbol (empty where the code itself is shown).
const ALL: &[(&str, u32, &str)] =
    &[("EUR", 2, "€"), ("GBP", 2, "£"), ("JPY", 0, "¥"), ("USD", 2, "$")];

impl Currency {
    /// The currency of three capital letters, if ISO 4217 lists it.
    pub fn from_code(code: &str) -> Option<Self> {
        let index = ALL.binary_search_by(|row| row.0.cmp(code)).ok()?;
        u16::try_from(index).ok().map(Self)
    }

    fn row(self) -> (&'static str, u32, &'static str) {
        ALL.get(usize::from(self.0)).copied().unwrap_or(("XXX", 0, ""))
    }

    /// The three letters.
    pub fn code(self) -> &'static str {
        self.row().0
    }

    /// Digits after the point: 2 for USD, 0 for JPY, 3 for KWD.
    pub fn digits(self) -> u32 {
        self.row().1
    }

    /// The sign people write before the amount, where there is a common one.
    pub fn symbol(self) -> Option<&'static str> {
        Some(self.row().2).filter(|symbol| !symbol.is_empty())
    }
}

impl Currency {
    /// The United States dollar, the currency of a store that names none.
    pub const USD: Self = Self(3);
}
impl Currency {
    /// Every currency.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ALL.len()).map(|i| Self(u16::try_from(i).unwrap_or(0)))
    }
}
