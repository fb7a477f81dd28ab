//! The countries of the data, with cities.

/// The store's region of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RegionKind {
    /// The United Kingdom and its islands.
    Britain,
    /// The rest of Europe.
    Europe,
    /// The rest of the world.
    World,
}

/// A country as the data names it.
#[derive(Debug)]
pub(crate) struct CountryEntry {
    /// The name in the data.
    pub name: &'static str,
    /// The two-letter code; none if the data does not specify a country.
    pub country: Option<&'static str>,
    pub region: RegionKind,
    /// Cities with a postal code.
    pub(crate) cities: &'static [(&'static str, &'static str)],
}

const fn entry(
    name: &'static str,
    country: &'static str,
    region: RegionKind,
    cities: &'static [(&'static str, &'static str)],
) -> CountryEntry {
    CountryEntry { name, country: Some(country), region, cities }
}

use RegionKind::{Britain, Europe, World};

/// The entry of orders without a country, and for a country that is not in the table.
const UNKNOWN: CountryEntry =
    CountryEntry { name: "Unspecified", country: None, region: World, cities: &[] };

/// All countries of the data.
pub(crate) static PLACES: &[CountryEntry] = &[
    entry(
        "United Kingdom",
        "gb",
        Britain,
        &[
            ("London", "N1 1AA"),
            ("Manchester", "M1 1AE"),
            ("Birmingham", "B1 1AA"),
            ("Leeds", "LS1 1AA"),
            ("Glasgow", "G1 1AA"),
            ("Bristol", "BS1 1AA"),
            ("Edinburgh", "EH1 1AA"),
            ("Cardiff", "CF10 1AA"),
            ("Liverpool", "L1 1AA"),
            ("Norwich", "NR1 1AA"),
            ("Belfast", "BT1 1AA"),
            ("York", "YO1 7AA"),
        ],
    ),
    entry("Channel Islands", "je", Britain, &[("St Helier", "JE2 3AA")]),
    entry(
        "Germany",
        "de",
        Europe,
        &[("Berlin", "10115"), ("Hamburg", "20095"), ("München", "80331")],
    ),
    entry("France", "fr", Europe, &[("Paris", "75001"), ("Lyon", "69001"), ("Lille", "59000")]),
    entry("EIRE", "ie", Europe, &[("Dublin", "D01 A001"), ("Cork", "T12 A001")]),
    entry("Belgium", "be", Europe, &[("Brussels", "1000"), ("Antwerp", "2000")]),
    entry("Spain", "es", Europe, &[("Madrid", "28001"), ("Barcelona", "08001")]),
    entry("Netherlands", "nl", Europe, &[("Amsterdam", "1011 AA"), ("Utrecht", "3511 AA")]),
    entry("Switzerland", "ch", Europe, &[("Zürich", "8001"), ("Bern", "3011")]),
    entry("Portugal", "pt", Europe, &[("Lisbon", "1100-001"), ("Porto", "4000-001")]),
    entry("Italy", "it", Europe, &[("Rome", "00118"), ("Milan", "20121")]),
    entry("Finland", "fi", Europe, &[("Helsinki", "00100")]),
    entry("Sweden", "se", Europe, &[("Stockholm", "111 20")]),
    entry("Norway", "no", Europe, &[("Oslo", "0150")]),
    entry("Poland", "pl", Europe, &[("Warsaw", "00-001")]),
    entry("Denmark", "dk", Europe, &[("Copenhagen", "1050")]),
    entry("Cyprus", "cy", Europe, &[("Nicosia", "1010")]),
    entry("Austria", "at", Europe, &[("Vienna", "1010")]),
    entry("Malta", "mt", Europe, &[("Valletta", "VLT 1010")]),
    entry("Iceland", "is", Europe, &[("Reykjavík", "101")]),
    entry("Greece", "gr", Europe, &[("Athens", "104 31")]),
    entry("Czech Republic", "cz", Europe, &[("Prague", "110 00")]),
    entry("Lithuania", "lt", Europe, &[("Vilnius", "01100")]),
    CountryEntry { name: "European Community", country: None, region: Europe, cities: &[] },
    entry("Australia", "au", World, &[("Sydney", "2000"), ("Melbourne", "3000")]),
    entry("Japan", "jp", World, &[("Tokyo", "100-0001")]),
    entry("Hong Kong", "hk", World, &[("Hong Kong", "999077")]),
    entry("Singapore", "sg", World, &[("Singapore", "018956")]),
    entry("Israel", "il", World, &[("Tel Aviv", "6100001")]),
    entry("USA", "us", World, &[("New York", "10001"), ("Chicago", "60601")]),
    entry("Canada", "ca", World, &[("Toronto", "M5A 1A1")]),
    entry("Bahrain", "bh", World, &[("Manama", "317")]),
    entry("United Arab Emirates", "ae", World, &[("Dubai", "00000")]),
    entry("Saudi Arabia", "sa", World, &[("Riyadh", "11564")]),
    entry("Lebanon", "lb", World, &[("Beirut", "1107")]),
    entry("Brazil", "br", World, &[("São Paulo", "01000-000")]),
    entry("RSA", "za", World, &[("Cape Town", "8001")]),
    UNKNOWN,
];

/// Returns the entry for a country's name in the data.
pub(crate) fn place(name: &str) -> &'static CountryEntry {
    PLACES.iter().find(|place| place.name == name).unwrap_or(&UNKNOWN)
}
