//! Text to syntax tree, and back to text. The sums show that time grows with length alone.

use std::hint::black_box;

use benches::Failure;
use benches::workloads::{self, WIDE, Workload};
use criterion::{BenchmarkId, Criterion, Throughput};
use quotient::syntax::{format, parse};

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    parsing(&mut criterion)?;
    printing(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}

fn parsing(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("parse");
    for Workload { name, texts, .. } in workloads::single_values()? {
        let text = texts.quotient;
        group.throughput(Throughput::Bytes(length(&text)));
        group.bench_function(name, |bencher| bencher.iter(|| parse(black_box(&text), &WIDE)));
    }
    for (terms, Workload { name, texts, .. }) in workloads::sums() {
        let text = texts.quotient;
        group.throughput(Throughput::Bytes(length(&text)));
        group.bench_function(BenchmarkId::new(name, terms), |bencher| {
            bencher.iter(|| parse(black_box(&text), &WIDE));
        });
    }
    group.finish();
    Ok(())
}

fn printing(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("print");
    for Workload { name, texts, .. } in workloads::single_values()? {
        let text = texts.quotient;
        let Some(expr) = parse(&text, &WIDE).expr else { continue };
        group.bench_function(name, |bencher| bencher.iter(|| format(black_box(&expr))));
    }
    group.finish();
    Ok(())
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}
