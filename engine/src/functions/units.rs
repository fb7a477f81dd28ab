//! Result types that depend on the units of the arguments.

use std::sync::Arc;

use super::spec::Misfit;
use crate::types::{Flavour, Type, Unit};

/// The result type of a function that keeps the unit of its first argument.
pub(super) const OF_FIRST: fn(&[Type]) -> Result<Type, Misfit> =
    |types| Ok(types.first().cloned().unwrap_or(Type::NUMBER));

/// Returns the common type of all arguments, or the first argument that differs.
///
/// A literal number takes the flavour of the others, a ratio and a percentage make a ratio, counts
/// of different entities make a count without an entity, and `null` fits every type; the checker
/// also passes it for a literal 0, which has any unit.
pub(crate) fn same_unit(types: &[Type]) -> Result<Type, Misfit> {
    let mut common = Type::Null;
    for (argument, ty) in types.iter().enumerate() {
        common = unified(&common, ty).ok_or_else(|| Misfit {
            argument,
            message: format!("{ty} does not go with {common}: one unit is needed"),
        })?;
    }
    Ok(common)
}

fn unified(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Null, other) | (other, Type::Null) => Some(other.clone()),
        (Type::Quantity(a), Type::Quantity(b)) => unified_unit(a, b).map(Type::Quantity),
        (Type::List(a), Type::List(b)) => unified(a, b).map(|item| Type::List(Arc::new(item))),
        _ => (a == b).then(|| a.clone()),
    }
}

fn unified_unit(a: &Unit, b: &Unit) -> Option<Unit> {
    if !a.is_alike(b) {
        return None;
    }
    let flavour = if a.is_dimensionless() {
        unified_flavour(&a.flavour, &b.flavour)?
    } else {
        a.flavour.clone()
    };
    Some(Unit { flavour, ..a.clone() })
}

fn unified_flavour(a: &Flavour, b: &Flavour) -> Option<Flavour> {
    // Literals first: a literal beside a plain number becomes one.
    for plain in [Flavour::Literal, Flavour::Number] {
        if *a == plain {
            return Some(b.clone());
        }
        if *b == plain {
            return Some(a.clone());
        }
    }
    Some(match (a, b) {
        (Flavour::Count(a), Flavour::Count(b)) => {
            Flavour::Count(if a == b { a.clone() } else { None })
        }
        (Flavour::Percent, Flavour::Percent) => Flavour::Percent,
        (Flavour::Ratio | Flavour::Percent, Flavour::Ratio | Flavour::Percent) => Flavour::Ratio,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::same_unit;
    use crate::types::{Currency, CurrencyOf, Type, Unit};

    fn quantity(unit: Unit) -> Type {
        Type::Quantity(unit)
    }

    fn dollars() -> Type {
        quantity(Unit::money(CurrencyOf::Fixed(Currency::USD)))
    }

    #[test]
    fn the_more_telling_flavour_wins() {
        let orders = quantity(Unit::count("orders"));
        let things = quantity(Unit { flavour: crate::types::Flavour::Count(None), ..Unit::NUMBER });
        for (a, b, expected) in [
            (Type::LITERAL, Type::LITERAL, Type::LITERAL),
            (Type::LITERAL, orders.clone(), orders.clone()),
            (Type::NUMBER, quantity(Unit::PERCENT), quantity(Unit::PERCENT)),
            (quantity(Unit::RATIO), quantity(Unit::PERCENT), quantity(Unit::RATIO)),
            (orders, quantity(Unit::count("customers")), things),
            (Type::Null, dollars(), dollars()),
            (Type::Date, Type::Date, Type::Date),
        ] {
            assert_eq!(same_unit(&[a.clone(), b.clone()]), Ok(expected.clone()), "{a} and {b}");
            assert_eq!(same_unit(&[b.clone(), a.clone()]), Ok(expected), "{b} and {a}");
        }
    }

    #[test]
    fn the_argument_that_differs_is_named() {
        let mixed = quantity(Unit::money(CurrencyOf::Mixed));
        for (last, message) in [
            (Type::NUMBER, "number does not go with money(USD): one unit is needed"),
            (Type::DURATION, "duration does not go with money(USD): one unit is needed"),
            (mixed, "money(mixed) does not go with money(USD): one unit is needed"),
            (Type::Text, "text does not go with money(USD): one unit is needed"),
        ] {
            let misfit = same_unit(&[Type::Null, dollars(), last]).unwrap_err();

            assert_eq!((misfit.argument, misfit.message.as_str()), (2, message));
        }
    }

    #[test]
    fn a_count_and_a_ratio_do_not_go_together() {
        let types = [quantity(Unit::count("orders")), quantity(Unit::RATIO)];

        assert!(same_unit(&types).is_err());
    }
}
