//! Compresses the description of the API, as browsers take it.

use std::fs::{self, File};
use std::io::{Result, Write as _};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=openapi.json");
    let folder = std::env::var_os("OUT_DIR").unwrap_or_default();
    let file = File::create(PathBuf::from(folder).join("openapi.json.gz"))?;
    let mut encoder = GzEncoder::new(file, Compression::best());
    encoder.write_all(&fs::read("openapi.json")?)?;
    encoder.finish().map(drop)
}
