//! How the rows of a source are written in a file.

/// The encodings that a formula file can name.
pub const ENCODINGS: [&str; 14] = [
    "utf-8",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "latin1",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "macintosh",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-kr",
];

/// The form of a CSV file. The engine reads no files: it knows the nulls, a program the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvForm {
    /// The character of ASCII between two cells.
    pub delimiter: u8,
    /// One of [`ENCODINGS`]; `None` means UTF-8, or what a byte order mark says.
    pub encoding: Option<&'static str>,
    /// Texts that stand for no value, as an empty cell does.
    pub nulls: Vec<String>,
}

impl Default for CsvForm {
    fn default() -> Self {
        Self { delimiter: b',', encoding: None, nulls: Vec::new() }
    }
}
