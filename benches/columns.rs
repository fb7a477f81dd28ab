//! Formulas over a hundred thousand rows at once.

use benches::Failure;
use benches::batch::Table;
use benches::rows::{Cents, KERNELS};
use criterion::Throughput;

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("columns");
    let cents = Cents::new(100_000)?;
    let table = Table::new(&cents)?;
    group.throughput(Throughput::Elements(100_000));
    for kernel in KERNELS {
        let plan = table.plan(kernel.text)?;
        table.column(&plan)?;
        group.bench_function(kernel.text, |bencher| bencher.iter(|| table.column(&plan).is_ok()));
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
