//! Currencies of ISO 4217.

use serde::{Deserialize, Serialize};

macro_rules! currencies {
    ($($code:ident $digits:literal $symbol:literal,)*) => {
        /// The listed codes, in alphabetical order.
        #[expect(clippy::upper_case_acronyms, reason = "the codes are their names")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        enum Code { $($code,)* }

        /// Every code with its letters, in order.
        const CODES: &[(Code, &str)] = &[$((Code::$code, stringify!($code)),)*];

        impl Code {
            /// Letters, minor digits, and the symbol or an empty text.
            const fn row(self) -> (&'static str, u32, &'static str) {
                match self {
                    $(Self::$code => (stringify!($code), $digits, $symbol),)*
                }
            }
        }
    };
}

/// An ISO 4217 currency; only listed ones can be constructed.
///
/// The list has the active codes with minor digits, thus neither metals nor test codes, and the
/// codes withdrawn since 2023, because orders outlive their currency. Currencies sort by their
/// codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Currency(Code);

impl From<Currency> for &'static str {
    fn from(currency: Currency) -> Self {
        currency.code()
    }
}

impl TryFrom<String> for Currency {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::from_code(&code).ok_or_else(|| format!("`{code}` is no currency of ISO 4217"))
    }
}

impl Currency {
    /// The United States dollar, the default currency of a store.
    pub const USD: Self = Self(Code::USD);

    /// Returns the currency with this code of three capital letters, if ISO 4217 lists it.
    pub fn from_code(code: &str) -> Option<Self> {
        let index = CODES.binary_search_by(|(_, letters)| (*letters).cmp(code)).ok()?;
        CODES.get(index).map(|(code, _)| Self(*code))
    }

    /// Iterates over every currency in the order of the codes.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, _)| Self(*code))
    }

    /// Returns the code of three letters.
    pub const fn code(self) -> &'static str {
        self.0.row().0
    }

    /// Returns the number of decimals: 2 for USD, 0 for JPY, 3 for KWD.
    pub const fn digits(self) -> u32 {
        self.0.row().1
    }

    /// Returns the symbol before an amount, if it is unambiguous.
    pub fn symbol(self) -> Option<&'static str> {
        Some(self.0.row().2).filter(|symbol| !symbol.is_empty())
    }
}

currencies! {
    AED 2 "", AFN 2 "", ALL 2 "", AMD 2 "", ANG 2 "", AOA 2 "", ARS 2 "", AUD 2 "A$", AWG 2 "",
    AZN 2 "₼", BAM 2 "", BBD 2 "", BDT 2 "", BGN 2 "", BHD 3 "", BIF 0 "", BMD 2 "", BND 2 "",
    BOB 2 "", BOV 2 "", BRL 2 "R$", BSD 2 "", BTN 2 "", BWP 2 "", BYN 2 "", BZD 2 "",
    CAD 2 "CA$", CDF 2 "", CHE 2 "", CHF 2 "", CHW 2 "", CLF 4 "", CLP 0 "", CNY 2 "CN¥",
    COP 2 "", COU 2 "", CRC 2 "₡", CUP 2 "", CVE 2 "", CZK 2 "", DJF 0 "", DKK 2 "", DOP 2 "",
    DZD 2 "", EGP 2 "", ERN 2 "", ETB 2 "", EUR 2 "€", FJD 2 "", FKP 2 "", GBP 2 "£", GEL 2 "₾",
    GHS 2 "₵", GIP 2 "", GMD 2 "", GNF 0 "", GTQ 2 "", GYD 2 "", HKD 2 "HK$", HNL 2 "",
    HRK 2 "", HTG 2 "", HUF 2 "", IDR 2 "", ILS 2 "₪", INR 2 "₹", IQD 3 "", IRR 2 "", ISK 0 "",
    JMD 2 "", JOD 3 "", JPY 0 "¥", KES 2 "", KGS 2 "", KHR 2 "៛", KMF 0 "", KPW 2 "", KRW 0 "₩",
    KWD 3 "", KYD 2 "", KZT 2 "₸", LAK 2 "₭", LBP 2 "", LKR 2 "", LRD 2 "", LSL 2 "", LYD 3 "",
    MAD 2 "", MDL 2 "", MGA 2 "", MKD 2 "", MMK 2 "", MNT 2 "₮", MOP 2 "", MRU 2 "", MUR 2 "",
    MVR 2 "", MWK 2 "", MXN 2 "MX$", MXV 2 "", MYR 2 "", MZN 2 "", NAD 2 "", NGN 2 "₦",
    NIO 2 "", NOK 2 "", NPR 2 "", NZD 2 "NZ$", OMR 3 "", PAB 2 "", PEN 2 "", PGK 2 "",
    PHP 2 "₱", PKR 2 "", PLN 2 "", PYG 0 "₲", QAR 2 "", RON 2 "", RSD 2 "", RUB 2 "₽", RWF 0 "",
    SAR 2 "", SBD 2 "", SCR 2 "", SDG 2 "", SEK 2 "", SGD 2 "", SHP 2 "", SLE 2 "", SLL 2 "",
    SOS 2 "", SRD 2 "", SSP 2 "", STN 2 "", SVC 2 "", SYP 2 "", SZL 2 "", THB 2 "฿", TJS 2 "",
    TMT 2 "", TND 3 "", TOP 2 "", TRY 2 "₺", TTD 2 "", TWD 2 "NT$", TZS 2 "", UAH 2 "₴",
    UGX 0 "", USD 2 "$", USN 2 "", UYI 0 "", UYU 2 "", UYW 4 "", UZS 2 "", VED 2 "", VES 2 "",
    VND 0 "₫", VUV 0 "", WST 2 "", XAD 2 "", XAF 0 "", XCD 2 "", XCG 2 "", XOF 0 "", XPF 0 "",
    YER 2 "", ZAR 2 "", ZMW 2 "", ZWG 2 "", ZWL 2 "",
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_currency_is_found_by_its_code() {
        let codes: Vec<&str> = Currency::all().map(Currency::code).collect();

        assert!(codes.is_sorted_by(|left, right| left < right), "{codes:?}");
        assert!(codes.len() > 160);
        for currency in Currency::all() {
            assert_eq!(Currency::from_code(currency.code()), Some(currency));
            assert!(currency.digits() <= 4);
        }
    }

    #[test]
    fn minor_digits_are_those_of_the_standard() {
        for (code, digits, symbol) in [
            ("USD", 2, Some("$")),
            ("EUR", 2, Some("€")),
            ("JPY", 0, Some("¥")),
            ("KWD", 3, None),
            ("CLF", 4, None),
            ("CHF", 2, None),
            ("ISK", 0, None),
            ("XOF", 0, None),
        ] {
            let currency = Currency::from_code(code).unwrap();
            assert_eq!((currency.digits(), currency.symbol()), (digits, symbol), "{code}");
        }
        assert_eq!(Currency::USD.code(), "USD");
    }

    #[test]
    fn no_sign_stands_for_two_currencies() {
        let mut seen = BTreeSet::new();
        for symbol in Currency::all().filter_map(Currency::symbol) {
            assert!(seen.insert(symbol), "{symbol}");
        }
    }

    #[test]
    fn unlisted_codes_are_refused() {
        for code in ["", "usd", "US", "USDX", "XXX", "XTS", "XAU", "DEM"] {
            assert_eq!(Currency::from_code(code), None, "{code}");
        }
    }
}
