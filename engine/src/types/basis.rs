//! Bases: the components of an amount of money.

/// A component of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The goods themselves.
    Goods,
    /// A reduction of the price.
    Discount,
    /// Delivery.
    Shipping,
    /// Tax.
    Tax,
    /// A voluntary tip.
    Tip,
    /// A provider's fee.
    Fee,
}

impl Basis {
    /// Every basis, in printing order.
    pub const ALL: [Self; 6] =
        [Self::Goods, Self::Discount, Self::Shipping, Self::Tax, Self::Tip, Self::Fee];

    /// Returns the name in formula files.
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

/// A set of bases; the empty set means unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bases(u8);

impl Bases {
    /// The empty set: unknown components.
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

    /// Adds a basis.
    #[must_use]
    pub const fn with(self, basis: Basis) -> Self {
        Self(self.0 | Self::bit(basis))
    }

    /// Returns the union.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the bases of `self` that `other` lacks.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set contains the basis.
    pub const fn contains(self, basis: Basis) -> bool {
        self.0 & Self::bit(basis) != 0
    }

    /// Returns whether the components are unknown.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates in printing order.
    pub fn iter(self) -> impl Iterator<Item = Basis> {
        Basis::ALL.into_iter().filter(move |basis| self.contains(*basis))
    }
}
