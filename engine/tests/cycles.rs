//! An edit that closes a cycle is rejected with the whole cycle, and no other edit is.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "numbers are small, and a failing step fails the test"
)]

use quotient::Engine;
use quotient::registry::{Definition, Registry, RegistryError, Signed};
use quotient::schema::{Input, Schema};
use quotient::types::{Currency, CurrencyOf, Type, Unit};

fn signed() -> Signed {
    Signed::new("ada", "2026-03-01T09:00:00Z".parse().unwrap())
}

fn engine() -> Engine {
    let input = |name: &str| Input {
        name: name.into(),
        description: None,
        ty: Type::Quantity(Unit::money(CurrencyOf::Fixed(Currency::USD))),
    };
    Engine::new(Schema { inputs: vec![input("gross"), input("refunds")], ..Schema::default() })
}

fn edit(registry: &mut Registry, key: &str, formula: &str) -> Result<(), RegistryError> {
    registry.edit(key, |definition| definition.formula = formula.into(), &signed()).map(drop)
}

#[test]
fn a_metric_shared_by_two_metrics_of_a_formula_is_not_a_cycle() {
    for order in [["x", "a", "b"], ["b", "x", "a"], ["a", "b", "x"]] {
        let formula = |key: &str| match key {
            "x" => "a + b + b",
            "b" => "a + 1 USD",
            _ => "gross",
        };
        let mut registry = Registry::new(engine());
        for key in order {
            registry.define(Definition::new(key, "gross"), &signed()).unwrap();
        }
        for key in ["b", "x"] {
            edit(&mut registry, key, formula(key)).unwrap();
        }

        // All three are checked again.
        edit(&mut registry, "a", "gross - refunds").unwrap();

        let restored = Registry::restore(engine(), registry.snapshot());
        assert!(restored.is_ok(), "{order:?}: {restored:?}");
    }
}

/// Whether the metrics of a formula lead back to a key.
fn leads_to(formulas: &[(String, [usize; 2])], from: usize, to: usize) -> bool {
    let mut next = vec![from];
    let mut seen = vec![false; formulas.len()];
    while let Some(at) = next.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            next.extend(formulas[at].1.iter().filter(|used| **used < formulas.len()));
        }
    }
    false
}

#[test]
fn an_edit_is_refused_only_if_it_closes_a_cycle() {
    const NONE: usize = usize::MAX;
    let keys = ["k0", "k1", "k2", "k3", "k4", "k5"];
    let mut registry = Registry::new(engine());
    for key in keys {
        registry.define(Definition::new(key, "gross"), &signed()).unwrap();
    }
    let mut formulas: Vec<(String, [usize; 2])> =
        keys.iter().map(|key| ((*key).to_owned(), [NONE, NONE])).collect();
    let (mut chance, mut made, mut refused) = (7_usize, 0, 0);
    let mut below = |bound: usize| {
        chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % bound
    };
    for _ in 0..2_000 {
        let own = below(keys.len());
        let uses = match below(3) {
            0 => [NONE, NONE],
            1 => [below(keys.len()), NONE],
            _ => [below(keys.len()), below(keys.len())],
        };
        let named: Vec<&str> = uses.iter().filter_map(|used| keys.get(*used).copied()).collect();
        let formula = if named.is_empty() { "refunds".to_owned() } else { named.join(" + ") };
        let closes = uses.iter().any(|used| *used != NONE && leads_to(&formulas, *used, own));

        match edit(&mut registry, keys[own], &formula) {
            Ok(()) => {
                assert!(!closes, "{} = {formula} over {formulas:?}", keys[own]);
                formulas[own].1 = uses;
                made += 1;
            }
            Err(error) => {
                let text = error.to_string();
                assert!(
                    closes && text.contains("itself"),
                    "{} = {formula}: {text} over {formulas:?}",
                    keys[own]
                );
                refused += 1;
            }
        }
    }
    assert!(made > 500 && refused > 500, "{made} {refused}");
}
