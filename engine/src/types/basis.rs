//! Basis tags: what an amount of money contains.

/// One thing that an amount may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The goods themselves.
    Goods,
    /// A reduction of the price.
    Discount,
    /// Delivery.
    Shipping,
    /// Taxes.
    Tax,
    /// A voluntary extra.
    Tip,
    /// What a provider keeps.
    Fee,
}

impl Basis {
    /// Every tag, in the order they are printed.
    pub const ALL: [Self; 6] =
        [Self::Goods, Self::Discount, Self::Shipping, Self::Tax, Self::Tip, Self::Fee];

    /// The word used in formula files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goods => "goods",
            Self::Discount => "discount",
            Self::Shipping => "shipping",
            Self::Tax => "tax",
            Self::Tip => "tip",
            Self::Fee => "fee",
        }
    }
}

/// A set of basis tags; empty means that nothing was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bases(u8);

impl Bases {
    /// No tags: unknown contents.
    pub const NONE: Self = Self(0);

    const fn bit(basis: Basis) -> u8 {
        match basis {
            Basis::Goods => 1,
            Basis::Discount => 2,
            Basis::Shipping => 4,
            Basis::Tax => 8,
            Basis::Tip => 16,
            Basis::Fee => 32,
        }
    }

    /// The set with one more tag.
    #[must_use]
    pub const fn with(self, basis: Basis) -> Self {
        Self(self.0 | Self::bit(basis))
    }

    /// The tags of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The tags in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The tags of `self` that `other` lacks.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the tag is in the set.
    pub const fn contains(self, basis: Basis) -> bool {
        self.0 & Self::bit(basis) != 0
    }

    /// Whether nothing was said.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The tags in printing order.
    pub fn iter(self) -> impl Iterator<Item = Basis> {
        Basis::ALL.into_iter().filter(move |basis| self.contains(*basis))
    }
}
