//! A test whether a text or a list contains a value.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Misfit, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::types::{Type, Value};

pub(crate) const CONTAINS: FunctionSpec = FunctionSpec {
    name: "contains",
    aliases: &[],
    family: Family::Texts,
    signature: "contains(text or list, part)",
    summary: "Whether a text contains another text, or a list contains a value.",
    details: "Case-sensitive. Every text contains the empty text. Null on either side makes the \
        result null, which does not hold in a condition; a null item of a list equals no value.",
    parameters: &[
        Parameter::required("whole", ParameterKind::Any),
        Parameter::required("part", ParameterKind::Any),
    ],
    examples: &[
        Example { formula: "contains('north-west', 'west')", result: "true" },
        Example { formula: "contains('north', 'North')", result: "false" },
        Example { formula: "contains(list(1, 2, 3), 2)", result: "true" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(result, call),
};

fn result(types: &[Type]) -> Result<Type, Misfit> {
    match types {
        [Type::Text | Type::Null, Type::Text | Type::Null] => Ok(Type::Bool),
        [Type::Text | Type::Null, part] => {
            Err(Misfit { argument: 1, message: format!("a text holds texts, not {part}") })
        }
        [Type::List(item), part] => {
            units::same_unit(&[Type::clone(item), part.clone()]).map(|_unit| Type::Bool)
        }
        _ => Err(Misfit { argument: 0, message: "a text or a list holds something".to_owned() }),
    }
}

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    match arguments {
        [Value::Text(text), Value::Text(part)] => Value::Bool(text.contains(&**part)),
        [Value::List(items), part] => Value::Bool(items.contains(part)),
        _ => UNFIT,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::CONTAINS;
    use crate::functions::testing::{missing, number, result_type, shown, word};
    use crate::types::{Type, Value};

    #[test]
    fn texts_and_lists_are_searched() {
        for (arguments, expected) in [
            (vec![word("north"), word("rt")], "true"),
            (vec![word("north"), word("")], "true"),
            (vec![word("north"), word("RT")], "false"),
            (vec![Value::List([number("1"), number("2")].into()), number("2.0")], "true"),
            (vec![Value::List([number("1"), missing()].into()), number("2")], "false"),
        ] {
            assert_eq!(shown(&CONTAINS, &arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn the_items_and_the_value_have_one_type() {
        let numbers = Type::List(Arc::new(Type::NUMBER));

        assert_eq!(result_type(&CONTAINS, &[numbers.clone(), Type::LITERAL]), Ok(Type::Bool));
        assert!(result_type(&CONTAINS, &[numbers, Type::Text]).is_err());
        assert!(result_type(&CONTAINS, &[Type::Text, Type::NUMBER]).is_err());
        assert!(result_type(&CONTAINS, &[Type::NUMBER, Type::NUMBER]).is_err());
    }
}
