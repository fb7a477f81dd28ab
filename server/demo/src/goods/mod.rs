//! The products of the demo store: one for each stock code, with a price, a cost and its groupings.
//!
//! A code of five digits and letters is merchandise; the case of its letters is ignored. The title is the most frequent
//! description, and the price the most frequent one. A code without a sale at a price is not a product. The colours of
//! one parasol are variants of one product. Prices in euros and dollars are converted from pounds at fixed rates; costs,
//! stock and texts are made up.

mod sorting;
mod titles;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use sorting::{CATEGORIES, COLLECTIONS, TAGS};

use super::seed::Seed;
use super::source::Source;
use crate::clock::DAY_MS;
use crate::proportion::{OutOfRange, portion};

/// Pence to euro cents, in hundredths.
const EUR_PER_100_GBP: i64 = 115;
/// Pence to US cents, in hundredths.
const USD_PER_100_GBP: i64 = 130;
/// The range of a product's cost, in per cent of its price.
const COST_PERCENT: (i64, i64) = (45, 70);
/// The range of the first cost, in per cent of the current one.
const EARLIER_COST_PERCENT: (i64, i64) = (92, 99);
/// The number of bestsellers.
const BESTSELLER_COUNT: usize = 50;
/// How long before the end of the data the first sale of a new product is, at most.
const NEW_MS: i64 = 60 * DAY_MS;
/// One in this many products is nearly sold out.
const SCARCE_ONE_OF: i64 = 40;

/// The product with several variants: its title, its option, and the stock codes of the option's values.
pub(super) const PARASOL: Family = Family {
    title: "Edwardian Parasol",
    option: "Colour",
    values: [("15056N", "Natural"), ("20679", "Red"), ("15056BL", "Black"), ("15056P", "Pink")],
};

/// Stock codes that are variants of one product.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    pub(super) title: &'static str,
    pub(super) option: &'static str,
    values: [(&'static str, &'static str); 4],
}

impl Family {
    /// Returns the value of the option that a stock code stands for.
    fn value(&self, code: &str) -> Option<&'static str> {
        self.values.iter().find(|(own, _)| *own == code).map(|(_, value)| *value)
    }
}

/// A variant of the demo store; most are the only one of their product. Amounts are pence unless noted otherwise.
#[derive(Debug, Clone)]
pub(super) struct Good {
    /// The stock code.
    pub(super) sku: String,
    pub(super) title: String,
    /// The unique name in URLs.
    pub(super) handle: String,
    /// The value of the option, if the product is the [`PARASOL`].
    pub(super) design: Option<&'static str>,
    /// The price of one piece.
    pub(super) price_minor: i64,
    /// The price in euro cents.
    pub(super) eur_minor: i64,
    /// The price in US cents.
    pub(super) usd_minor: i64,
    /// The unit cost in the first half of the data.
    pub(super) first_cost_minor: i64,
    /// The unit cost since then.
    pub(super) cost_minor: i64,
    /// Indexes in [`CATEGORIES`].
    pub(super) categories: Vec<usize>,
    /// An index in [`COLLECTIONS`].
    pub(super) collection: Option<usize>,
    /// Indexes in [`TAGS`].
    pub(super) tags: Vec<usize>,
    /// Pieces in stock at the end of the history.
    pub(super) stocked: i64,
}

impl Good {
    pub(super) fn variant_title(&self) -> &'static str {
        self.design.unwrap_or("Default")
    }
}

/// The products, and the mapping from the data's products to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Goods {
    /// The products, best-selling first.
    pub(super) all: Vec<Good>,
    /// The index in `all` of each product of the data; none if it is not merchandise.
    places: Vec<Option<usize>>,
}

impl Goods {
    /// Returns the index of a product of the data.
    pub(super) fn place(&self, product: usize) -> Option<usize> {
        self.places.get(product).copied().flatten()
    }

    /// Derives at most `limit` products from the data.
    pub(super) fn read(source: &Source, limit: usize) -> Result<Self, OutOfRange> {
        let sales = Sales::of(source);
        let ends = source.invoices.last().map_or(0, |invoice| invoice.at.as_millis());
        let mut by_code: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        let (mut all, mut handles) = (Vec::new(), BTreeSet::new());
        for product in &source.products {
            let code = product.code.as_str();
            if by_code.contains_key(code) || product.description.is_empty() {
                continue;
            }
            let Some(sold) = sales.of_code(code).filter(|_| all.len() < limit) else { continue };
            let design = PARASOL.value(code);
            let title = match design {
                Some(_) => PARASOL.title.to_owned(),
                None => titles::title(&product.description),
            };
            let mut handle = titles::handle(&title);
            if !handles.insert(handle.clone()) && design.is_none() {
                handle = format!("{handle}-{}", code.to_ascii_lowercase());
                handles.insert(handle.clone());
            }
            let is_new = source.is_whole && sold.first_ms >= ends.saturating_sub(NEW_MS);
            let tags = [
                (source.is_whole && all.len() < BESTSELLER_COUNT, 0),
                (is_new, 1),
                (sorting::is_set(&title), 2),
            ];
            by_code.insert(code, Some(all.len()));
            all.push(Good {
                design,
                tags: tags.into_iter().filter(|(has, _)| *has).map(|(_, tag)| tag).collect(),
                ..good(code, title, handle, sold.price_minor())?
            });
        }
        let place = |code: &str| by_code.get(code).copied().flatten();
        let places = source.products.iter().map(|product| place(&product.code)).collect();
        Ok(Self { all, places })
    }
}

/// Returns the title of a charge that is not a product.
pub(super) fn charge_title(source: &Source, product: usize) -> String {
    let product = source.products.get(product);
    let text = product.map_or("", |product| {
        if product.description.is_empty() { &product.code } else { &product.description }
    });
    let title = titles::title(text);
    if title.is_empty() { "Charge".to_owned() } else { title }
}

/// Returns whether a code is merchandise: five digits, then letters for a colour or design.
pub(super) fn is_merchandise(code: &str) -> bool {
    let (digits, letters) = code.split_at_checked(5).unwrap_or(("", ""));
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn good(code: &str, title: String, handle: String, price_minor: i64) -> Result<Good, OutOfRange> {
    let key = code.bytes().fold(0_u64, |key, byte| key.wrapping_mul(131).wrapping_add(byte.into()));
    let mut seed = Seed::of("goods", key);
    let cost_minor = portion(price_minor, seed.between(COST_PERCENT.0, COST_PERCENT.1), 100)?;
    let earlier = seed.between(EARLIER_COST_PERCENT.0, EARLIER_COST_PERCENT.1);
    let is_scarce = seed.between(1, SCARCE_ONE_OF) == 1;
    let stocked = if is_scarce { seed.between(0, 4) } else { seed.between(60, 480) };
    Ok(Good {
        sku: code.to_owned(),
        price_minor,
        eur_minor: portion(price_minor, EUR_PER_100_GBP, 100)?,
        usd_minor: portion(price_minor, USD_PER_100_GBP, 100)?,
        first_cost_minor: portion(cost_minor, earlier, 100)?,
        cost_minor,
        categories: sorting::categories(&title),
        collection: sorting::collection(&title, price_minor),
        tags: Vec::new(),
        design: None,
        stocked,
        title,
        handle,
    })
}

/// The sales of merchandise by stock code.
#[derive(Debug, Default)]
struct Sales<'a>(BTreeMap<&'a str, Sold>);

/// The sales of one stock code.
#[derive(Debug, Default)]
struct Sold {
    first_ms: i64,
    /// By price in thousandths of a pound: the number of sales, and the time of the last one.
    prices: BTreeMap<i64, (u32, i64)>,
}

impl<'a> Sales<'a> {
    fn of(source: &'a Source) -> Self {
        let mut sold: Vec<Option<Sold>> = source.products.iter().map(|_| None).collect();
        for invoice in &source.invoices {
            for line in
                invoice.lines.iter().filter(|line| line.quantity > 0 && line.price_mills > 0)
            {
                let Some(sold) = sold.get_mut(line.product) else { continue };
                let first_ms = invoice.at.as_millis();
                let sold = sold.get_or_insert_with(|| Sold { first_ms, prices: BTreeMap::new() });
                let price = sold.prices.entry(line.price_mills).or_default();
                *price = (price.0.saturating_add(1), invoice.at.as_millis());
            }
        }
        let mut all: BTreeMap<&str, Sold> = BTreeMap::new();
        for (product, sold) in source.products.iter().zip(sold) {
            let (Some(sold), true) = (sold, is_merchandise(&product.code)) else { continue };
            match all.get_mut(product.code.as_str()) {
                Some(known) => known.add(sold),
                None => drop(all.insert(&product.code, sold)),
            }
        }
        Self(all)
    }

    /// Returns the sales of a code with a price of at least a penny.
    fn of_code(&self, code: &str) -> Option<&Sold> {
        self.0.get(code).filter(|sold| sold.price_minor() > 0)
    }
}

impl Sold {
    fn add(&mut self, other: Self) {
        self.first_ms = self.first_ms.min(other.first_ms);
        for (price, (count, last_ms)) in other.prices {
            let known = self.prices.entry(price).or_default();
            *known = (known.0.saturating_add(count), known.1.max(last_ms));
        }
    }

    /// Returns the most frequent price in pence; of several, the latest one.
    fn price_minor(&self) -> i64 {
        let best = self.prices.iter().max_by_key(|(_, used)| **used);
        best.and_then(|(mills, _)| pence(*mills).ok()).unwrap_or(0)
    }
}

/// Converts thousandths of a pound to pence, rounding half up.
pub(super) fn pence(mills: i64) -> Result<i64, OutOfRange> {
    portion(mills, 1, 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source;

    #[test]
    fn merchandise_is_distinguished_from_postage_and_fees() {
        for code in ["85123A", "22423", "15056BL"] {
            assert!(is_merchandise(code), "{code}");
        }
        for code in ["POST", "M", "DOT", "C2", "BANK CHARGES", "DCGS0003", "GIFT_0001_10", ""] {
            assert!(!is_merchandise(code), "{code}");
        }
    }

    #[test]
    fn products_are_read_with_prices_costs_and_handles_of_their_own() {
        let source = source::read(Some(200)).unwrap();
        let goods = Goods::read(&source, usize::MAX).unwrap();
        let first = &goods.all[0];

        assert_eq!(
            (first.sku.as_str(), first.title.as_str()),
            ("85123A", "White Hanging Heart T-Light Holder")
        );
        assert_eq!((first.price_minor, first.eur_minor, first.usd_minor), (255, 293, 332));
        let (parasols, others): (Vec<&Good>, Vec<&Good>) =
            goods.all.iter().partition(|good| good.design.is_some());
        let handles: BTreeSet<&str> = others.iter().map(|good| good.handle.as_str()).collect();
        assert_eq!(handles.len(), others.len());
        assert!(parasols.len() > 1 && !handles.contains("edwardian-parasol"), "{parasols:?}");
        assert!(parasols.iter().all(|good| good.handle == "edwardian-parasol"), "{parasols:?}");
        for good in &goods.all {
            assert!(good.cost_minor < good.price_minor || good.price_minor < 3, "{good:?}");
            assert!(good.first_cost_minor <= good.cost_minor);
        }
    }
}
