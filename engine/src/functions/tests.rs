//! Rules that hold for every function.

use std::collections::BTreeSet;

use super::{ALL, Behaviour, FunctionSpec, GREATEST, LEAST, Presence, find};

#[test]
fn names_are_lower_case_and_unique() {
    let mut names = BTreeSet::new();
    for spec in ALL {
        for name in std::iter::once(&spec.name).chain(spec.aliases) {
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "`{name}` is not lower case"
            );
            assert!(names.insert(*name), "`{name}` stands twice");
        }
    }
}

#[test]
fn functions_are_sorted_by_family_and_name() {
    let keys: Vec<_> = ALL.iter().map(|spec| (spec.family, spec.name)).collect();

    assert!(keys.is_sorted(), "{keys:?}");
}

#[test]
fn a_function_is_found_in_any_case_and_by_its_aliases() {
    for (written, name) in
        [("sum", "sum"), ("SUM", "sum"), ("Average", "avg"), ("IF", "if"), ("mod", "mod")]
    {
        assert_eq!(find(written).map(|spec| spec.name), Some(name), "{written}");
    }
    assert!(find("smu").is_none());
}

#[test]
fn every_function_is_documented() {
    for spec in ALL {
        let name = spec.name;
        assert!(spec.signature.starts_with(&format!("{name}(")), "signature of {name}");
        assert!(spec.signature.ends_with(')'), "signature of {name}");
        for (what, text) in [("summary", spec.summary), ("details", spec.details)] {
            assert!(text.ends_with('.'), "{what} of {name} has no full stop");
            assert!(!text.contains("  "), "{what} of {name} has a double blank");
        }
        assert!(!spec.summary.trim_end_matches('.').contains(". "), "summary of {name}");
    }
}

#[test]
fn every_function_has_examples_that_call_it() {
    for spec in ALL {
        let name = spec.name;
        assert!((1..=4).contains(&spec.examples.len()), "examples of {name}");
        for example in spec.examples {
            let call = format!("{name}(");
            assert!(example.formula.contains(&call), "{name}: {}", example.formula);
            assert!(!example.result.is_empty(), "{}", example.formula);
        }
    }
}

#[test]
fn parameters_that_must_be_given_come_first_and_repeated_ones_last() {
    let order = |presence| match presence {
        Presence::Required => 0,
        Presence::Optional(_) => 1,
        Presence::Repeated => 2,
    };
    for spec in all_and_hidden() {
        let presences: Vec<_> =
            spec.parameters.iter().map(|parameter| order(parameter.presence)).collect();
        assert!(presences.is_sorted(), "{}", spec.name);
        assert!(presences.iter().filter(|place| **place == 2).count() <= 1, "{}", spec.name);
    }
}

#[test]
fn signatures_name_the_optional_parameters() {
    for spec in ALL {
        for parameter in spec.parameters {
            if let Presence::Optional(_) = parameter.presence {
                assert!(spec.signature.contains(parameter.name), "{}", spec.signature);
            }
        }
    }
}

#[test]
fn only_roots_powers_logarithms_and_intervals_are_inexact() {
    let inexact: Vec<_> = ALL.iter().filter(|spec| !spec.exact).map(|spec| spec.name).collect();

    assert_eq!(
        inexact,
        [
            "stddev",
            "stddev_pop",
            "difference_high",
            "difference_low",
            "exp",
            "ln",
            "log",
            "power",
            "sqrt",
            "wilson_high",
            "wilson_low",
        ]
    );
}

#[test]
fn a_scalar_called_wrongly_is_null_and_does_not_panic() {
    for spec in all_and_hidden() {
        if let Behaviour::Scalar(_) = spec.behaviour
            && spec.name != "list"
        {
            for arguments in [vec![], vec![super::testing::span(1, crate::calendar::TimeUnit::Day)]]
            {
                let shown = super::testing::shown(spec, &arguments);
                let fits = !arguments.is_empty() && shown != "null (domain)";
                assert!(
                    !fits || ["days", "hours", "seconds", "min", "max"].contains(&spec.name),
                    "{} of {arguments:?} is {shown}",
                    spec.name
                );
            }
        }
    }
}

fn all_and_hidden() -> impl Iterator<Item = &'static FunctionSpec> {
    ALL.iter().copied().chain([&LEAST, &GREATEST])
}
