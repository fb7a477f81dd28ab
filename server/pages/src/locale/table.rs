//! The conventions of each locale, according to Unicode CLDR.
//!
//! Outside English, days are written in figures, because the pages' words are English.

/// Between parts that must not be separated by a line break.
const GAP: &str = "\u{a0}";

/// The locales, with the labels that people choose from.
pub(crate) const CHOICES: &[(&str, &str)] = &[
    ("en-GB", "English, United Kingdom: £1,234.50, 31 Jan 2027"),
    ("en-US", "English, United States: $1,234.50, Jan 31, 2027"),
    ("da-DK", "Danish, Denmark: 1.234,50 kr., 31.01.2027"),
    ("nl-NL", "Dutch, Netherlands: € 1.234,50, 31-01-2027"),
    ("fr-FR", "French, France: 1 234,50 €, 31/01/2027"),
    ("de-DE", "German, Germany: 1.234,50 €, 31.01.2027"),
    ("it-IT", "Italian, Italy: 12.345,50 €, 31/01/2027"),
    ("ja-JP", "Japanese, Japan: ¥1,234, 2027/01/31"),
    ("pl-PL", "Polish, Poland: 12 345,50 zł, 31.01.2027"),
    ("pt-BR", "Portuguese, Brazil: R$ 1.234,50, 31/01/2027"),
    ("es-ES", "Spanish, Spain: 12.345,50 €, 31/01/2027"),
    ("sv-SE", "Swedish, Sweden: 1 234,50 kr, 2027-01-31"),
];

#[derive(Debug)]
pub(super) struct Conventions {
    pub(super) tag: &'static str,
    /// Between the digits before and after the point.
    pub(super) decimal: char,
    /// Between groups of three digits.
    pub(super) group: &'static str,
    /// The number of digits from which on they are grouped.
    pub(super) grouped_from: usize,
    pub(super) minus: &'static str,
    /// Between a number and `%`.
    pub(super) percent: &'static str,
    pub(super) symbol: Symbol,
    pub(super) day: &'static str,
    /// A day in the same year as the one after it.
    pub(super) short_day: &'static str,
    pub(super) moment: &'static str,
    pub(super) month: &'static str,
}

/// The position of the currency symbol, and what separates it from the digits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Symbol {
    Before(&'static str),
    /// Also before the sign.
    First(&'static str),
    After(&'static str),
}

pub(super) const ENGLISH: Conventions = Conventions {
    tag: "en-GB",
    decimal: '.',
    group: ",",
    grouped_from: 4,
    minus: "-",
    percent: "",
    symbol: Symbol::Before(""),
    day: "%-d %b %Y",
    short_day: "%-d %b",
    moment: "%-d %b %Y, %H:%M",
    month: "%b %Y",
};

const GERMAN: Conventions = Conventions {
    tag: "de-DE",
    decimal: ',',
    group: ".",
    percent: GAP,
    symbol: Symbol::After(GAP),
    day: "%d.%m.%Y",
    short_day: "%d.%m.%Y",
    moment: "%d.%m.%Y, %H:%M",
    month: "%m/%Y",
    ..ENGLISH
};

const SLASHED: Conventions =
    Conventions { day: "%d/%m/%Y", short_day: "%d/%m/%Y", moment: "%d/%m/%Y, %H:%M", ..GERMAN };

/// All of them; the first one is for stores with any other locale.
pub(super) static ALL: &[Conventions] = &[
    ENGLISH,
    Conventions {
        tag: "en-US",
        day: "%b %-d, %Y",
        short_day: "%b %-d",
        moment: "%b %-d, %Y, %-I:%M %p",
        ..ENGLISH
    },
    Conventions { tag: "da-DK", moment: "%d.%m.%Y, %H.%M", month: "%m.%Y", ..GERMAN },
    Conventions {
        tag: "nl-NL",
        percent: "",
        symbol: Symbol::First(GAP),
        day: "%d-%m-%Y",
        short_day: "%d-%m-%Y",
        moment: "%d-%m-%Y, %H:%M",
        month: "%m-%Y",
        ..GERMAN
    },
    Conventions { tag: "fr-FR", group: "\u{202f}", moment: "%d/%m/%Y %H:%M", ..SLASHED },
    GERMAN,
    Conventions { tag: "it-IT", grouped_from: 5, percent: "", ..SLASHED },
    Conventions {
        tag: "ja-JP",
        day: "%Y/%m/%d",
        short_day: "%Y/%m/%d",
        moment: "%Y/%m/%d %H:%M",
        month: "%Y/%m",
        ..ENGLISH
    },
    Conventions {
        tag: "pl-PL",
        group: GAP,
        grouped_from: 5,
        percent: "",
        month: "%m.%Y",
        ..GERMAN
    },
    Conventions { tag: "pt-BR", percent: "", symbol: Symbol::Before(GAP), ..SLASHED },
    Conventions { tag: "es-ES", grouped_from: 5, ..SLASHED },
    Conventions {
        tag: "sv-SE",
        group: GAP,
        minus: "−",
        day: "%Y-%m-%d",
        short_day: "%Y-%m-%d",
        moment: "%Y-%m-%d %H:%M",
        month: "%Y-%m",
        ..GERMAN
    },
];
