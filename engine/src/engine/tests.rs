//! What the façade promises to the programs around it.

use super::{Answers, Engine, Formula};
use crate::data::{Data, Record};

#[test]
fn everything_a_program_keeps_may_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Engine>();
    shared::<Formula>();
    shared::<Data>();
    shared::<Record>();
    shared::<Answers>();
}

#[test]
fn a_metric_defined_by_a_program_is_there_at_once_and_its_key_is_taken() {
    let mut engine = Engine::new(crate::schema::Schema::default());

    engine.define("ten", "2 * 5").expect("a formula that checks");
    engine.define("twenty", "ten + ten").expect("a formula over the first");

    assert!(engine.compile("twenty / ten").is_ok());
    for taken in ["ten", "TEN", "sum"] {
        let refused = engine.define(taken, "1").expect_err(taken);
        assert_eq!(refused.first().map(|finding| finding.code.as_str()), Some("E211"), "{taken}");
    }
    let circle = engine.define("loop", "loop + 1").expect_err("a circle");
    assert!(!circle.is_empty());
}
