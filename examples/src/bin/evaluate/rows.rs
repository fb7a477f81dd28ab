//! Rows from CSV files, packed or not, with the place of every line that cannot be read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use flate2::read::MultiGzDecoder;

use crate::failure::Failure;
use crate::files;
use crate::progress::Progress;

/// Limit: the broken lines of a file that are reported.
const MOST_BROKEN: usize = 10;
/// The first bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What takes the rows of a file.
pub(crate) trait Sink {
    /// Takes a row, or says what is wrong with it: column, value and what was expected.
    fn push(&mut self, cells: &[&str]) -> Result<(), String>;
}

/// Reads a file into the sink that `open` makes of its header.
pub(crate) fn read<S: Sink>(
    path: &Path,
    open: impl FnOnce(&[&str]) -> Result<S, String>,
) -> Result<S, Failure> {
    let name = path.display();
    let broken = |error: io::Error| {
        Failure::data(&format!("cannot read `{name}`: {}", files::reason(&error)))
    };
    let file = File::open(path).map_err(broken)?;
    let text = unpacked(file).map_err(broken)?;
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(text);
    let header = reader.headers().map_err(|error| Failure::data(&located(path, &error)))?.clone();
    let header: Vec<&str> = header.iter().map(|cell| cell.trim_start_matches('\u{feff}')).collect();
    if header.iter().all(|cell| cell.is_empty()) {
        return Err(Failure::data(&format!("`{name}` has no header")));
    }
    let mut sink = open(&header).map_err(|reason| Failure::data(&format!("{name}:1: {reason}")))?;
    fill(path, reader, &mut sink)?;
    Ok(sink)
}

fn fill<S: Sink>(
    path: &Path,
    mut reader: csv::Reader<impl Read>,
    sink: &mut S,
) -> Result<(), Failure> {
    let mut broken: Vec<String> = Vec::new();
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let cells: Vec<&str> = record.iter().collect();
                if let Err(reason) = sink.push(&cells) {
                    let line = record.position().map_or(0, csv::Position::line);
                    broken.push(format!("{}:{line}: {reason}", path.display()));
                }
            }
            Err(error) => {
                broken.push(located(path, &error));
                // What is packed wrongly stays so; text that is not UTF-8 is one line's trouble.
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
    if broken.is_empty() { Ok(()) } else { Err(Failure::data(&broken.join("\nerror: "))) }
}

fn located(path: &Path, error: &csv::Error) -> String {
    let name = path.display();
    if let csv::ErrorKind::Utf8 { pos, err } = error.kind() {
        let line = pos.as_ref().map_or(0, csv::Position::line);
        let cell = err.field().saturating_add(1);
        return format!("{name}:{line}: cell {cell} is not UTF-8 text");
    }
    format!("cannot read `{name}`: {error}")
}

/// The file's text, with progress shown if reading takes long.
fn unpacked(mut file: File) -> io::Result<Box<dyn Read>> {
    let mut first = Vec::new();
    Read::by_ref(&mut file).take(2).read_to_end(&mut first)?;
    file.rewind()?;
    let length_bytes = file.metadata().map(|metadata| metadata.len())?;
    let packed = Progress::new(file, length_bytes);
    Ok(if first == GZIP {
        Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(packed))))
    } else {
        Box::new(BufReader::new(packed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;

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

    fn file(name: &str, bytes: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("quotient-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn read_pairs(name: &str, bytes: &[u8]) -> Result<Pairs, String> {
        let path = file(name, bytes);
        let pairs = read(&path, |header| {
            if header == ["name", "count"] { Ok(Pairs::default()) } else { Err(header.join("|")) }
        });
        std::fs::remove_file(&path).ok();
        let folder = path.with_file_name("").display().to_string();
        pairs.map_err(|failure| {
            assert_eq!(failure.exit_code(), 3);
            failure
                .text()
                .replace(&folder, "")
                .replace(&format!("quotient-{}-", std::process::id()), "")
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
            "error: broken.csv:3: column `count`: `x` is not a number\n\
             error: broken.csv:5: 1 cells\n\
             error: broken.csv:6: cell 1 is not UTF-8 text\n"
        );
    }

    #[test]
    fn a_file_of_nothing_but_broken_lines_is_not_read_to_its_end() {
        let text = format!("name,count\n{}", "a,b\n".repeat(1_000));

        let error = read_pairs("many.csv", text.as_bytes()).unwrap_err();

        assert_eq!(error.lines().count(), 11, "{error}");
    }

    #[test]
    fn a_file_that_is_missing_empty_or_torn_says_so() {
        let missing = read(Path::new("none.csv"), |_| Ok(Pairs::default())).unwrap_err();
        assert_eq!(missing.text(), "error: cannot read `none.csv`: there is no such file\n");

        assert_eq!(read_pairs("empty.csv", b"").unwrap_err(), "error: `empty.csv` has no header\n");
        assert_eq!(read_pairs("head.csv", b"x,y\n").unwrap_err(), "error: head.csv:1: x|y\n");

        let whole = packed(&"name,count\na,1\n".repeat(10));
        let torn = whole.get(..whole.len() - 12).unwrap();
        assert!(read_pairs("torn.csv.gz", torn).unwrap_err().contains("cannot read"));
    }
}
