//! The server's cost of a subscription renewal, beside a checkout.

use std::path::Path;

use benches::Failure;
use benches::server::renewals::run;

fn main() -> Result<(), Failure> {
    let is_test = std::env::args().any(|argument| argument == "--test");
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), is_test)
}
