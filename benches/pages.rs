//! The admin pages from outside: bytes over the wire and the time of the server, over the demo store and a year of a million orders.

use std::path::Path;

use benches::Failure;
use benches::server::pages::run;

fn main() -> Result<(), Failure> {
    let is_test = std::env::args().any(|argument| argument == "--test");
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), is_test)
}
