//! Formulas as programs: how they are listed, and that they answer as the evaluator does.

#![expect(clippy::unwrap_used, reason = "a store that does not load fails the test")]

mod stores;

#[test]
fn show() {
    let engine = stores::engine("stores/platform/kpis.metrics");
    for metric in engine.metrics() {
        let formula = engine.compile(&metric.key).unwrap();
        println!("== {} = {}\n{}", metric.key, metric.formula, engine.plan(&[&formula]).unwrap());
    }
}
