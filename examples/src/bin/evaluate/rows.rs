//! Rows from CSV files, packed or not, with the place of every line that cannot be read.

use std::io::{self, Cursor, Read};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use quotient::schema::CsvForm;

use crate::failure::Failure;
use crate::files;
use crate::input;

/// Limit: the broken lines of a file that are reported.
const MOST_BROKEN: usize = 10;
/// A row of its own after the last one. If a quote is not closed, it is in the last cell instead. No
/// text contains this character.
const END: &str = "\u{fdd0}";

/// A consumer of the rows of a file.
pub(crate) trait Sink {
    /// Takes a row, or returns what is wrong with it: column, value and what was expected.
    fn push(&mut self, cells: &[&str]) -> Result<(), String>;
}

/// Lines of rows, which mostly follow each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    rows: usize,
    /// The rows whose line does not directly follow that of the previous row, with their lines.
    breaks: Vec<(usize, u64)>,
    next: u64,
}

impl Lines {
    /// Adds the line of the next row.
    pub(crate) fn push(&mut self, line: u64) {
        if line != self.next {
            self.breaks.push((self.rows, line));
        }
        self.rows = self.rows.saturating_add(1);
        self.next = line.saturating_add(1);
    }

    /// The line of a row, both counted from zero; none past the last.
    pub(crate) fn of(&self, row: usize) -> Option<u64> {
        let (first, line) = self.breaks.iter().rfind(|(first, _)| *first <= row)?;
        let after = u64::try_from(row.checked_sub(*first)?).ok()?;
        (row < self.rows).then(|| line.saturating_add(after))
    }
}

/// Reads a file of a format into the sink that `open` creates from its header.
pub(crate) fn read<S: Sink>(
    path: &Path,
    form: &CsvForm,
    open: impl FnOnce(&[&str]) -> Result<S, String>,
) -> Result<(S, Lines), Failure> {
    let name = path.display();
    let broken = |error: io::Error| {
        Failure::data(&format!("cannot read `{name}`: {}", files::reason(&error)))
    };
    if let Some(what) = other_than_csv(path) {
        let sentence = format!("`{name}` is {what}, and rows are read from CSV files only");
        return Err(Failure::data(&format!("{sentence}\n  help: export the rows as CSV")));
    }
    let text = input::open(path, form.encoding).map_err(broken)?;
    let text = text.chain(Cursor::new(format!("\n{END}\n")));
    let mut reader =
        ReaderBuilder::new().flexible(true).delimiter(form.delimiter).from_reader(text);
    let header = reader.headers().map_err(|error| Failure::data(&located(path, &error)))?.clone();
    let header: Vec<&str> = header.iter().map(|cell| cell.trim_start_matches('\u{feff}')).collect();
    if header.iter().all(|cell| cell.is_empty() || *cell == END) {
        return Err(Failure::data(&format!("`{name}` has no header")));
    }
    if header.last().is_some_and(|cell| cell.contains(END)) {
        return Err(Failure::data(&unclosed(path, 1)));
    }
    let mut sink = open(&header).map_err(|reason| {
        let help = delimiter_help(&header).map(|help| format!("\n  help: {help}"));
        Failure::data(&format!("{name}:1: {reason}{}", help.unwrap_or_default()))
    })?;
    let lines = fill(path, reader, &mut sink)?;
    Ok((sink, lines))
}

/// The format of a file by its name, if not CSV.
fn other_than_csv(path: &Path) -> Option<&'static str> {
    let name = path.to_str()?.to_ascii_lowercase();
    if name.contains("://") {
        return Some("an address");
    }
    match name.trim_end_matches(".gz").rsplit_once('.')?.1 {
        "parquet" => Some("a Parquet file"),
        "json" | "jsonl" | "ndjson" => Some("JSON"),
        "xls" | "xlsx" | "ods" => Some("a spreadsheet"),
        "db" | "sqlite" | "duckdb" => Some("a database"),
        _ => None,
    }
}

fn fill<S: Sink>(
    path: &Path,
    mut reader: csv::Reader<impl Read>,
    sink: &mut S,
) -> Result<Lines, Failure> {
    let mut broken: Vec<String> = Vec::new();
    let mut lines = Lines::default();
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let cells: Vec<&str> = record.iter().collect();
                let last = reader.position().line().saturating_sub(1);
                let line = first_line(&record, last);
                match cells.last() {
                    Some(cell) if *cell == END && cells.len() == 1 => break,
                    Some(cell) if cell.trim_end().ends_with(END) => {
                        // Its last line ends inside quotes.
                        let line = first_line(&record, reader.position().line());
                        broken.push(unclosed(path, line));
                        break;
                    }
                    Some(_) | None => {}
                }
                lines.push(line);
                if let Err(reason) = sink.push(&cells) {
                    let long = format!("; a quoted cell extends to line {last}");
                    let long = if last > line { long.as_str() } else { "" };
                    broken.push(format!("{}:{line}: {reason}{long}", path.display()));
                }
            }
            Err(error) => {
                broken.push(located(path, &error));
                // A corrupt archive cannot be read further; text that is not UTF-8 only affects its
                // line.
                if !matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) {
                    break;
                }
            }
        }
        if broken.len() >= MOST_BROKEN {
            broken.push(format!("{}: not read on after {MOST_BROKEN} lines", path.display()));
            break;
        }
    }
    if broken.is_empty() { Ok(lines) } else { Err(Failure::data(&broken.join("\nerror: "))) }
}

/// The line in which a record begins: the reader includes the empty lines before it.
fn first_line(record: &StringRecord, last: u64) -> u64 {
    let start = record.position().map_or(0, csv::Position::line);
    if start == last {
        return start;
    }
    let breaks = record.as_slice().matches('\n').count();
    last.saturating_sub(u64::try_from(breaks).unwrap_or(0))
}

fn located(path: &Path, error: &csv::Error) -> String {
    let name = path.display();
    if let csv::ErrorKind::Utf8 { pos, err } = error.kind() {
        let line = pos.as_ref().map_or(0, csv::Position::line);
        let cell = err.field().saturating_add(1);
        return format!(
            "{name}:{line}: cell {cell} is not UTF-8 text; declare the encoding of the file, for \
             example: encoding windows-1252"
        );
    }
    format!("cannot read `{name}`: {error}")
}

fn unclosed(path: &Path, line: u64) -> String {
    format!("{}:{line}: an opening quote in this row is never closed", path.display())
}

/// What to write if the whole header is one cell, because the cells have another delimiter.
fn delimiter_help(header: &[&str]) -> Option<String> {
    let [only] = header else { return None };
    let delimiter = [';', '\t', '|', ','].into_iter().find(|sign| only.contains(*sign))?;
    let written = if delimiter == '\t' { "tab".to_owned() } else { format!("\"{delimiter}\"") };
    Some(format!("if these are several columns, declare the delimiter: delimiter {written}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient::diagnostics::render::Style;
    use std::io::Write;

    #[derive(Debug, Default, PartialEq)]
    struct Pairs(Vec<(String, u32)>);

    impl Sink for Pairs {
        fn push(&mut self, cells: &[&str]) -> Result<(), String> {
            let [name, count] = cells else { return Err(format!("{} cells", cells.len())) };
            let count = count
                .parse()
                .map_err(|_not_a_number| format!("column `count`: `{count}` is not a number"))?;
            self.0.push(((*name).to_owned(), count));
            Ok(())
        }
    }

    fn read_pairs(name: &str, bytes: &[u8]) -> Result<Pairs, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        let pairs = read(&path, &CsvForm::default(), |header| {
            if header == ["name", "count"] { Ok(Pairs::default()) } else { Err(header.join("|")) }
        });
        pairs.map(|(pairs, _)| pairs).map_err(|failure| {
            assert_eq!(failure.exit_code(), 3);
            failure.text(Style::Plain).replace(&format!("{}/", folder.path().display()), "")
        })
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_packed_file_reads_like_a_plain_one() {
        let text = "\u{feff}name,count\r\n\"a, b\",1\r\nc,2\r\n";
        let expected = Pairs(vec![("a, b".to_owned(), 1), ("c".to_owned(), 2)]);

        assert_eq!(read_pairs("plain.csv", text.as_bytes()).as_ref(), Ok(&expected));
        assert_eq!(read_pairs("packed.csv", &packed(text)).as_ref(), Ok(&expected));
    }

    #[test]
    fn every_broken_line_is_named_with_its_place() {
        let outcome = read_pairs("broken.csv", b"name,count\na,1\n\"b\nb\",x\nc\n\xff,1\nd,4\n");

        assert_eq!(
            outcome.unwrap_err(),
            "error: broken.csv:3: column `count`: `x` is not a number; a quoted cell extends to line 4\n\
             error: broken.csv:5: 1 cells\n\
             error: broken.csv:6: cell 1 is not UTF-8 text; declare the encoding of the file, for \
             example: encoding windows-1252\n"
        );
    }

    #[test]
    fn a_file_of_nothing_but_broken_lines_is_not_read_to_its_end() {
        let text = format!("name,count\n{}", "a,b\n".repeat(1_000));

        let error = read_pairs("many.csv", text.as_bytes()).unwrap_err();

        assert_eq!(error.lines().count(), 11, "{error}");
    }

    #[test]
    fn a_missing_empty_or_truncated_file_is_reported() {
        let form = CsvForm::default();
        let missing = read(Path::new("none.csv"), &form, |_| Ok(Pairs::default())).unwrap_err();
        assert_eq!(
            missing.text(Style::Plain),
            "error: cannot read `none.csv`: there is no such file\n"
        );

        assert_eq!(read_pairs("empty.csv", b"").unwrap_err(), "error: `empty.csv` has no header\n");
        assert_eq!(read_pairs("head.csv", b"x,y\n").unwrap_err(), "error: head.csv:1: x|y\n");

        let whole = packed(&"name,count\na,1\n".repeat(10));
        let torn = whole.get(..whole.len() - 12).unwrap();
        assert!(read_pairs("torn.csv.gz", torn).unwrap_err().contains("cannot read"));
    }

    #[test]
    fn a_quote_without_an_end_is_named_with_the_line_it_opens_in() {
        for (text, line) in [
            ("name,count\na,1\n\"b,2\nc,3\n", 3),
            ("name,count\na,1\n\"b,2", 3),
            ("name,count\n\"a\nb\",1\nc,\"2\n", 4),
            ("name,\"count\na,1\n", 1),
        ] {
            let error = read_pairs("quote.csv", text.as_bytes()).unwrap_err();
            let expected =
                format!("error: quote.csv:{line}: an opening quote in this row is never closed\n");
            assert_eq!(error, expected, "{text}");
        }
        let closed = read_pairs("closed.csv", b"name,count\n\"a\"\"\",1\n");
        assert_eq!(closed, Ok(Pairs(vec![("a\"".to_owned(), 1)])));
    }

    #[test]
    fn a_file_of_another_form_is_read_as_the_source_says() {
        let form = CsvForm { delimiter: b';', encoding: Some("windows-1252"), nulls: Vec::new() };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, b"name;count\nStra\xdfe, 5;1\n\nx;2\n").unwrap();

        let (pairs, lines) = read(file.path(), &form, |_| Ok(Pairs::default())).unwrap();

        assert_eq!(pairs.0, [("Straße, 5".to_owned(), 1), ("x".to_owned(), 2)]);
        assert_eq!([lines.of(0), lines.of(1)], [Some(2), Some(4)]);
    }

    #[test]
    fn a_header_of_one_cell_is_answered_with_its_delimiter() {
        for (header, help) in [
            ("a;b", "declare the delimiter: delimiter \";\""),
            ("a\tb", "declare the delimiter: delimiter tab"),
            ("a|b", "declare the delimiter: delimiter \"|\""),
        ] {
            let error = read_pairs("head.csv", format!("{header}\n").as_bytes()).unwrap_err();
            assert!(error.contains(help), "{error}");
        }
    }

    #[test]
    fn each_row_has_its_line() {
        let mut lines = Lines::default();
        for line in [2, 3, 6, 7, 9] {
            lines.push(line);
        }

        assert_eq!([0, 1, 2, 3, 4].map(|row| lines.of(row)), [2, 3, 6, 7, 9].map(Some));
        assert_eq!((lines.of(5), lines.breaks.len()), (None, 3));
        assert_eq!(Lines::default().of(0), None);
    }
}
