//! Ten thousand events of visitors a second from 64 clients, while a shopper checks out.

use std::path::Path;

use benches::Failure;
use benches::server::events::{Extent, run};

fn main() -> Result<(), Failure> {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let extent = if is_test { Extent::SMALL } else { Extent::FULL };
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), extent)
}
