//! A dashboard over a year of a hundred thousand orders, from rows and from rollups.

use benches::Failure;
use benches::year::{Year, requests};
use criterion::BenchmarkId;
use quotient::Inputs;

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("dashboard");
    let year = Year::open(100_000)?;
    let reading = year.reading();
    for (name, request) in requests() {
        year.check(&reading, &request)?;
        for (from, inputs) in
            [("rows", Inputs::data(&year.data)), ("rollups", Inputs::rollups(&reading))]
        {
            group.bench_function(BenchmarkId::new(from, name), |bencher| {
                bencher.iter(|| year.answers(inputs, &request).is_ok());
            });
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
