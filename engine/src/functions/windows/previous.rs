//! The preceding period.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const PREVIOUS: FunctionSpec = FunctionSpec {
    name: "previous",
    aliases: &[],
    family: Family::Windows,
    signature: "previous(x, n = 1, clip: true)",
    summary: "The formula in the period before this one, or in the one `n` periods before.",
    details: "Before a whole month comes the month before, before three whole months the three \
        before; a period that is no run of calendar units is moved back by its number of \
        days. With `n` it is moved back so many times. While this period is still running, \
        the earlier one is cut at the same point, so that like is compared with like, and \
        the answer is marked as partial; `clip: false` takes it whole.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("n", ParameterKind::Number, DefaultValue::Number(1)),
        Parameter::optional("clip", ParameterKind::Bool, DefaultValue::Bool(true)),
    ],
    examples: &[
        Example { formula: "previous(sum(orders.total))", result: "$100.00" },
        Example { formula: "previous(count(orders), 2)", result: "0" },
        Example { formula: "previous(avg(orders.total))", result: "$50.00" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Previous),
};
