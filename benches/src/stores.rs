//! The fixture stores with their rows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use quotient::data::{Data, Rates, Table};
use quotient::file::{Loaded, load};
use quotient::schema::Source;
use quotient::{Engine, Request};

use crate::{Failure, all_sound};

/// The shop of half a million invoice lines.
pub const RETAIL: &str = "online-retail/shop.metrics";
/// The shop with 77 metrics over sixteen sources.
pub const PLATFORM: &str = "stores/platform/kpis.metrics";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// Loads a formula file by its path below `fixtures`, with its imports.
pub fn loaded(path: &str) -> Loaded {
    load(path, &mut |name| {
        fs::read_to_string(fixtures().join(name)).map_err(|error| error.to_string())
    })
}

/// Creates the engine of a formula file without errors.
pub fn engine(path: &str) -> Result<Engine, Failure> {
    let (engine, findings) = Engine::from_loaded(&loaded(path));
    let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
    all_sound(path, &findings)?;
    Ok(engine)
}

/// Loads the rows of every source that names a packed file, linked and with computed columns filled.
pub fn rows(engine: &Engine) -> Result<Data, Failure> {
    let named = |source: &Source| Some((source.name.clone(), source.data.clone()?));
    let files: Vec<(String, String)> = engine.schema().sources.iter().filter_map(named).collect();
    let tables: Result<Vec<Table>, Failure> =
        files.iter().map(|(source, file)| table(engine, source, file)).collect();
    Ok(engine.data(tables?, Rates::new())?)
}

fn table(engine: &Engine, source: &str, file: &str) -> Result<Table, Failure> {
    let file = File::open(fixtures().join(file))?;
    let mut reader = csv::Reader::from_reader(MultiGzDecoder::new(file));
    let header = reader.headers()?.clone();
    let header: Vec<&str> = header.iter().collect();
    let mut table = engine.table(source, &header)?;
    let mut line = StringRecord::new();
    while reader.read_record(&mut line)? {
        let cells: Vec<&str> = line.iter().collect();
        table.push(&cells)?;
    }
    Ok(table.finish())
}

/// Returns a request for all days that the retail shop's data covers.
pub fn thirteen_months() -> Request {
    let (first, last) = (jiff::civil::date(2010, 12, 1), jiff::civil::date(2011, 12, 9));
    Request { period: Some((first, last)), ..Request::default() }
}
