//! Fixture stores with their rows, for the tests.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a fixture that cannot be read fails the test"
)]

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use quotient::Engine;
use quotient::data::{Data, Rates};
use quotient::file::{Loaded, load};

/// The folder `fixtures` of the repository.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// A formula file by its path below `fixtures`.
pub(crate) fn loaded(path: &str) -> Loaded {
    load(path, &mut |name| {
        std::fs::read_to_string(fixtures().join(name)).map_err(|error| error.to_string())
    })
}

/// The engine of a formula file that must have no errors.
pub(crate) fn engine(path: &str) -> Engine {
    let loaded = loaded(path);
    let (engine, findings) = Engine::from_loaded(&loaded);
    let errors: Vec<_> = findings.iter().filter(|(_, finding)| finding.is_error()).collect();
    assert!(errors.is_empty(), "{path}: {errors:#?}");
    engine
}

/// The rows that the sources name with `from`.
pub(crate) fn data(engine: &Engine) -> Data {
    data_at(engine, Rates::new())
}

/// The same with exchange rates.
pub(crate) fn data_at(engine: &Engine, rates: Rates) -> Data {
    let mut tables = Vec::new();
    for source in &engine.schema().sources {
        let Some(file) = &source.data else { continue };
        let path = fixtures().join(file);
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        let file = File::open(path).expect(file);
        let reader: Box<dyn Read> =
            if is_packed { Box::new(flate2::read::GzDecoder::new(file)) } else { Box::new(file) };
        let reader = decoded(reader, source.form.encoding);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(source.form.delimiter).from_reader(reader);
        let header = reader.headers().expect("a header").clone();
        let header: Vec<&str> = header.iter().collect();
        let mut table = engine.table(&source.name, &header).expect("a table");
        for record in reader.records() {
            let record = record.expect("a line");
            let cells: Vec<&str> = record.iter().collect();
            table.push(&cells).unwrap_or_else(|error| panic!("{}: {error}", source.name));
        }
        tables.push(table.finish());
    }
    engine.data(tables, rates).expect("rows that link")
}

/// A file as UTF-8, whose source declares an encoding.
fn decoded(mut reader: Box<dyn Read>, encoding: Option<&str>) -> Box<dyn Read> {
    let Some(name) = encoding else { return reader };
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect(name);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).expect("bytes");
    let (text, ..) = encoding.decode(&bytes);
    Box::new(std::io::Cursor::new(text.into_owned().into_bytes()))
}
