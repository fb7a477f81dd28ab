//! The raw retail data in the binary: products, invoices and their lines.
//!
//! Invariant: nothing is dropped or rounded here. Prices are in thousandths of a pound, because four prices of the data
//! have three decimals.

use std::collections::BTreeMap;
use std::io::Read;

use csv::{ByteRecord, Reader};
use flate2::read::GzDecoder;

use crate::clock::Timestamp;

const PRODUCTS: &[u8] = include_bytes!("../../../../fixtures/online-retail/products.csv.gz");
const INVOICES: &[u8] = include_bytes!("../../../../fixtures/online-retail/orders.csv.gz");
const LINES: &[u8] = include_bytes!("../../../../fixtures/online-retail/lines.csv.gz");

/// How many invoices late a line may come after the first line of the next invoice.
const OVERLAP: usize = 2;

#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    /// The products, most used first; a stock code can occur more than once.
    pub(super) products: Vec<SourceProduct>,
    /// The invoices by time.
    pub(super) invoices: Vec<Invoice>,
    /// Whether it is the complete data.
    pub(super) is_whole: bool,
}

/// A stock code with one of its descriptions.
#[derive(Debug, Clone)]
pub(super) struct SourceProduct {
    /// The code in upper case; the data has both cases.
    pub(super) code: String,
    /// The description; may be empty.
    pub(super) description: String,
}

#[derive(Debug, Clone)]
pub(super) struct Invoice {
    /// The number, with the letter for its kind.
    pub(super) number: String,
    pub(super) at: Timestamp,
    /// The customer's number; none if unknown.
    pub(super) customer: Option<u32>,
    /// The country's name in the data.
    pub(super) country: String,
    pub(super) lines: Vec<SourceLine>,
}

/// A line of an invoice.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceLine {
    /// The index of its product in [`Source::products`].
    pub(super) product: usize,
    /// Pieces; negative in reversals.
    pub(super) quantity: i64,
    /// The price of one piece in thousandths of a pound.
    pub(super) price_mills: i64,
}

/// An error of reading the data. The data is part of the binary, so this is a bug in the build.
#[derive(Debug, thiserror::Error)]
pub(super) enum SourceError {
    /// It is not valid CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A field is invalid.
    #[error("the retail data has `{value}` as {field}")]
    Field { field: &'static str, value: String },
}

/// Reads the data, or only its first invoices.
pub(super) fn read(invoice_count: Option<usize>) -> Result<Source, SourceError> {
    let products = products()?;
    let mut invoices = invoices(invoice_count)?;
    lines(&mut invoices, products.len(), invoice_count.is_none())?;
    Ok(Source { products, invoices, is_whole: invoice_count.is_none() })
}

fn open(packed: &'static [u8]) -> Reader<impl Read> {
    Reader::from_reader(GzDecoder::new(packed))
}

fn products() -> Result<Vec<SourceProduct>, SourceError> {
    let mut products = Vec::new();
    for record in open(PRODUCTS).byte_records() {
        let record = record?;
        let code = text(&record, 1, "a stock code")?.to_ascii_uppercase();
        let description = text(&record, 2, "a description")?.trim().to_owned();
        products.push(SourceProduct { code, description });
    }
    Ok(products)
}

fn invoices(count: Option<usize>) -> Result<Vec<Invoice>, SourceError> {
    let mut invoices = Vec::new();
    for record in open(INVOICES).byte_records().take(count.unwrap_or(usize::MAX)) {
        let record = record?;
        let customer = text(&record, 2, "a customer")?;
        invoices.push(Invoice {
            number: text(&record, 0, "an invoice number")?.to_owned(),
            at: instant(text(&record, 1, "a time")?)?,
            customer: if customer.is_empty() { None } else { Some(parse(customer, "a customer")?) },
            country: text(&record, 3, "a country")?.to_owned(),
            lines: Vec::new(),
        });
    }
    Ok(invoices)
}

/// Parses a time. Times have no zone and are read as UTC, so that they stay on their day.
fn instant(text: &str) -> Result<Timestamp, SourceError> {
    let at: Result<jiff::civil::DateTime, _> = text.parse();
    let at = at.ok().and_then(|at| at.to_zoned(jiff::tz::TimeZone::UTC).ok());
    at.map(|at| at.timestamp().into()).ok_or_else(|| wrong("a time", text))
}

fn lines(invoices: &mut [Invoice], product_count: usize, all: bool) -> Result<(), SourceError> {
    let places: BTreeMap<String, usize> = invoices
        .iter()
        .enumerate()
        .map(|(place, invoice)| (invoice.number.clone(), place))
        .collect();
    let mut reader = open(LINES);
    let mut record = ByteRecord::new();
    let mut foreign = 0_usize;
    let mut last: (String, Option<usize>) = (String::new(), None);
    while reader.read_byte_record(&mut record)? {
        let number = text(&record, 0, "an invoice number")?;
        if number != last.0 {
            last = (number.to_owned(), places.get(number).copied());
            foreign = if last.1.is_none() { foreign.saturating_add(1) } else { 0 };
        }
        let Some(invoice) = last.1.and_then(|place| invoices.get_mut(place)) else {
            if all {
                return Err(wrong("an invoice number", number));
            }
            if foreign > OVERLAP {
                return Ok(());
            }
            continue;
        };
        let product: usize = parse(text(&record, 1, "a product")?, "a product")?;
        let product = product.checked_sub(1).filter(|place| *place < product_count);
        invoice.lines.push(SourceLine {
            product: product.ok_or_else(|| wrong("a product", "a number without a product"))?,
            quantity: parse(text(&record, 2, "a quantity")?, "a quantity")?,
            price_mills: mills(text(&record, 3, "a price")?)?,
        });
    }
    Ok(())
}

/// Converts a decimal with at most three decimals to thousandths.
fn mills(text: &str) -> Result<i64, SourceError> {
    let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
    let is_negative = whole.starts_with('-');
    let padded = format!("{digits:0<3}");
    let read = (padded.len() == 3).then(|| {
        let whole: i64 = whole.trim_start_matches('-').parse().ok()?;
        let part: i64 = padded.parse().ok()?;
        let mills = whole.checked_mul(1_000)?.checked_add(part)?;
        Some(if is_negative { mills.saturating_neg() } else { mills })
    });
    read.flatten().ok_or_else(|| wrong("a price", text))
}

fn text<'a>(
    record: &'a ByteRecord,
    index: usize,
    field: &'static str,
) -> Result<&'a str, SourceError> {
    let bytes = record.get(index).ok_or_else(|| wrong(field, "nothing"))?;
    std::str::from_utf8(bytes).map_err(|_not_utf8| wrong(field, "bytes that are no text"))
}

fn parse<T: std::str::FromStr>(text: &str, field: &'static str) -> Result<T, SourceError> {
    text.parse().map_err(|_not_a_number| wrong(field, text))
}

fn wrong(field: &'static str, value: &str) -> SourceError {
    SourceError::Field { field, value: value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_in_thousandths() {
        for (text, expected) in
            [("2.55", 2_550), ("0.001", 1), ("-11062.06", -11_062_060), ("7", 7_000), ("0.00", 0)]
        {
            assert_eq!(mills(text).unwrap(), expected, "{text}");
        }
        for text in ["", ".5", "1.2345", "x"] {
            assert!(mills(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_invoices_are_whole() {
        let source = read(Some(40)).unwrap();
        let first = source.invoices.first().unwrap();

        assert_eq!(source.invoices.len(), 40);
        assert_eq!((first.number.as_str(), first.customer), ("536365", Some(17_850)));
        assert_eq!(first.at.to_string(), "2010-12-01T08:26:00.000Z");
        assert_eq!(first.lines.len(), 7);
        assert!(source.invoices.iter().all(|invoice| !invoice.lines.is_empty()));
    }
}
