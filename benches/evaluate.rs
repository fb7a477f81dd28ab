//! Checked formulas over a record of single values.

use std::hint::black_box;

use benches::Failure;
use benches::workloads::{self, Workload};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId};
use quotient::{Inputs, Request};

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("evaluate");
    for workload in workloads::single_values()? {
        evaluating(&mut group, BenchmarkId::from_parameter(workload.name), &workload)?;
    }
    for (terms, workload) in workloads::sums() {
        evaluating(&mut group, BenchmarkId::new(workload.name, terms), &workload)?;
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn evaluating(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    workload: &Workload,
) -> Result<(), Failure> {
    let (name, ready) = (workload.name, workload.ready()?);
    let (inputs, request) = (Inputs::record(&ready.record), Request::default());
    let answers = ready.engine.evaluate(&[&ready.formula], inputs, &request);
    let answer = answers.as_ref().ok().and_then(|answers| answers.first());
    if answer.is_none_or(|answer| answer.null_reason.is_some()) {
        return Err(format!("{name} has no value: {answers:?}").into());
    }
    group.bench_function(id, |bencher| {
        bencher.iter(|| ready.engine.evaluate(&[black_box(&ready.formula)], inputs, &request));
    });
    Ok(())
}
