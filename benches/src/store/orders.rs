//! Orders by a rule: each follows from its number, so that every run writes the same ones.

/// Milliseconds of a day.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Days of orders.
pub(super) const DAYS: i64 = 365;

/// Products that are sold, whatever the number of orders.
pub(super) const PRODUCTS: u32 = 1_000;
/// Channels that they are sold in.
pub(super) const CHANNELS: u32 = 3;
/// Regions that they are sold to.
pub(super) const REGIONS: u32 = 2;

/// Lines of an order.
const LINES: u32 = 2;
/// Of a hundred orders so many are cancelled, and so many refunded in part.
const CANCELED_PERCENT: u32 = 2;
const REFUNDED_PERCENT: u32 = 4;
/// Of a hundred lines so many are reduced, by a tenth.
const REDUCED_PERCENT: u32 = 10;
/// Refunds are made within so many days.
const REFUND_DAYS: u32 = 14;
/// The last orders of the year wait to be sent, as many in a large store as in a small one.
const OPEN: u32 = 100;

/// How large a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Orders of the year.
    pub orders: u32,
    /// Who placed them.
    pub customers: u32,
}

/// Numbers that look random and are the same every time.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn of(number: u32) -> Self {
        Self(u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next number, at least 0 and below the limit.
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        u32::try_from((mixed >> 32).wrapping_mul(u64::from(limit)) >> 32).unwrap_or(0)
    }
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Paid.
    Stands,
    /// Paid, and its first line given back so many milliseconds later.
    Refunded(i64),
    /// Called off.
    Canceled,
}

/// A line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The number of the product.
    pub(super) product: u32,
    /// Pieces.
    pub(super) quantity: i64,
    /// The price of a piece, in minor units.
    pub(super) unit: i64,
    /// What was taken off the line, in minor units.
    pub(super) discount: i64,
}

impl Line {
    /// Before what was taken off.
    pub(super) const fn subtotal(self) -> i64 {
        self.unit.saturating_mul(self.quantity)
    }

    /// What was paid.
    pub(super) const fn total(self) -> i64 {
        self.subtotal().saturating_sub(self.discount)
    }
}

/// An order.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// Its number, from 1.
    pub(super) number: u32,
    /// When it was placed, in milliseconds since 1970.
    pub(super) placed_at: i64,
    pub(super) customer: u32,
    pub(super) channel: u32,
    pub(super) region: u32,
    pub(super) lines: Vec<Line>,
    pub(super) fate: Fate,
    /// Whether it waits to be sent.
    pub(super) is_open: bool,
}

impl Order {
    /// An order of a year that begins at an instant; those of a year are spread evenly, each somewhere in its part.
    pub(super) fn of_year(number: u32, extent: Extent, begin: i64) -> Self {
        let share = DAYS.saturating_mul(DAY_MS).checked_div(i64::from(extent.orders)).unwrap_or(1);
        let place = i64::from(number).saturating_sub(1).saturating_mul(share);
        let within = Dice::of(!number).below(u32::try_from(share).unwrap_or(u32::MAX).max(1));
        let at = begin.saturating_add(place).saturating_add(i64::from(within));
        let order = Self::at(number, at, extent);
        let end = begin.saturating_add(DAYS.saturating_mul(DAY_MS));
        let later = i64::from(Dice::of(!number).below(REFUND_DAYS)).saturating_mul(DAY_MS);
        let fate = match order.fate {
            Fate::Refunded(_) => {
                Fate::Refunded(later.min(end.saturating_sub(at).saturating_sub(1)))
            }
            fate @ (Fate::Stands | Fate::Canceled) => fate,
        };
        Self { is_open: extent.orders.saturating_sub(number) < OPEN, fate, ..order }
    }

    /// An order that was just placed; what is given back of it is given back at once.
    pub(super) fn at(number: u32, placed_at: i64, extent: Extent) -> Self {
        let mut dice = Dice::of(number);
        let fate = match dice.below(100) {
            luck if luck < CANCELED_PERCENT => Fate::Canceled,
            luck if luck < CANCELED_PERCENT.saturating_add(REFUNDED_PERCENT) => Fate::Refunded(0),
            _ => Fate::Stands,
        };
        Self {
            number,
            placed_at,
            customer: dice.below(extent.customers).saturating_add(1),
            channel: dice.below(CHANNELS).saturating_add(1),
            region: dice.below(REGIONS).saturating_add(1),
            lines: (0..LINES).map(|_| line(&mut dice)).collect(),
            fate,
            is_open: true,
        }
    }

    /// A sum over the lines.
    pub(super) fn sum(&self, of: impl Fn(Line) -> i64) -> i64 {
        self.lines.iter().fold(0, |sum, line| sum.saturating_add(of(*line)))
    }
}

fn line(dice: &mut Dice) -> Line {
    // The smaller of two: what sells well has a small number.
    let product = dice.below(PRODUCTS).min(dice.below(PRODUCTS)).saturating_add(1);
    let quantity = i64::from(dice.below(4)).saturating_add(1);
    let unit = price(product);
    let is_reduced = dice.below(100) < REDUCED_PERCENT;
    let tenth = unit.saturating_mul(quantity).div_euclid(10);
    Line { product, quantity, unit, discount: if is_reduced { tenth } else { 0 } }
}

/// What a piece costs, in minor units.
fn price(product: u32) -> i64 {
    i64::from(Dice::of(product).below(9_000)).saturating_add(150)
}
