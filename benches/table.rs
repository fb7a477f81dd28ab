//! Every goal beside its peers, in turns and in one run, and the table of ratios at the end.

use benches::Failure;

fn main() -> Result<(), Failure> {
    benches::goals::run(std::env::args().skip(1))
}
