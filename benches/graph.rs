//! Edits of a graph of ten thousand metrics, and its whole order.

use benches::Failure;
use benches::layers::{EDITS, close_cycle, layered, rejects_a_cycle};

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("graph");
    let mut graph = layered(10_000)?;
    rejects_a_cycle(&mut graph)?;
    for (name, edit) in EDITS {
        let mut other = false;
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                other = !other;
                edit(&mut graph, other)
            });
        });
    }
    group.bench_function("order of all", |bencher| bencher.iter(|| graph.order().len()));
    group.bench_function("cycle rejected", |bencher| bencher.iter(|| close_cycle(&mut graph)));
    group.finish();
    criterion.final_summary();
    Ok(())
}
