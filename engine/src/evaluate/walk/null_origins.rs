//! Records where nulls arose: the metric, and the position in its formula.

use std::rc::Rc;

use crate::evaluate::frames::Series;
use crate::plan::Owner;
use crate::source::Span;
use crate::types::{Missing, Origin, Value};

fn origin(owner: Owner, span: Span) -> Origin {
    let metric = match owner {
        Owner::Metric(index) => u32::try_from(index).ok(),
        Owner::Formula(_) => None,
    };
    Origin { metric, span }
}

/// Sets this place as the origin of every null that has none.
pub(super) fn with_origin(owner: Owner, span: Span, series: Series) -> Series {
    let fresh = |value: &Value| matches!(value, Value::Missing(Missing { origin: None, .. }));
    if !series.iter().any(fresh) {
        return series;
    }
    let origin = Some(origin(owner, span));
    let mut values = Rc::unwrap_or_clone(series);
    for value in &mut values {
        if let Value::Missing(missing) = value {
            missing.origin = missing.origin.or(origin);
        }
    }
    Rc::new(values)
}

/// Removes the origin of nulls that arose here, so that each formula that shares the values can set its own.
pub(super) fn without_origin(owner: Owner, span: Option<Span>, series: Series) -> Series {
    let Some(own) = span.map(|span| origin(owner, span)) else { return series };
    if !series.iter().any(Value::is_missing) {
        return series;
    }
    let mut values = Rc::unwrap_or_clone(series);
    for value in &mut values {
        if let Value::Missing(missing) = value {
            missing.origin = missing.origin.filter(|origin| *origin != own);
        }
    }
    Rc::new(values)
}
