//! Text to a formula that is ready to compute, and whole formula files to an engine.

use std::hint::black_box;

use benches::Failure;
use benches::stores::{PLATFORM, RETAIL, loaded};
use benches::workloads::{self, Workload};
use criterion::{BenchmarkId, Criterion};
use quotient::Engine;

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    formulas(&mut criterion)?;
    files(&mut criterion);
    criterion.final_summary();
    Ok(())
}

fn formulas(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("check");
    for Workload { name, text, engine, .. } in workloads::single_values()? {
        group.bench_function(name, |bencher| bencher.iter(|| engine.validate(black_box(&text))));
    }
    for (terms, Workload { name, text, engine, .. }) in workloads::sums()? {
        group.bench_function(BenchmarkId::new(name, terms), |bencher| {
            bencher.iter(|| engine.validate(black_box(&text)));
        });
    }
    group.finish();
    Ok(())
}

fn files(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("file");
    for (name, path) in [("77 metrics", PLATFORM), ("retail shop", RETAIL)] {
        group.bench_function(BenchmarkId::new("read", name), |bencher| {
            bencher.iter(|| loaded(black_box(path)));
        });
        let loaded = loaded(path);
        group.bench_function(BenchmarkId::new("check", name), |bencher| {
            bencher.iter(|| Engine::from_loaded(black_box(&loaded)));
        });
    }
    group.finish();
}
