//! Compilation: text to a checked formula, and whole formula files to an engine.

use std::hint::black_box;

use benches::Failure;
use benches::stores::{PLATFORM, RETAIL, loaded};
use benches::workloads::{self, Workload};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion};
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
    for workload in workloads::single_values()? {
        checking(&mut group, BenchmarkId::from_parameter(workload.name), &workload)?;
    }
    for (terms, workload) in workloads::sums() {
        checking(&mut group, BenchmarkId::new(workload.name, terms), &workload)?;
    }
    group.finish();
    Ok(())
}

fn checking(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    workload: &Workload,
) -> Result<(), Failure> {
    let (engine, text) = (workload.ready()?.engine, &workload.texts.quotient);
    group.bench_function(id, |bencher| bencher.iter(|| engine.validate(black_box(text))));
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
