//! The preceding period.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const PREVIOUS: FunctionSpec = FunctionSpec {
    name: "previous",
    aliases: &[],
    family: Family::Windows,
    signature: "previous(x, n = 1, clip: true)",
    summary: "The formula in the previous period, or `n` periods earlier.",
    details: "The period before a whole month is the previous month, and before three whole months \
        the previous three. A period that does not consist of calendar units moves back by its \
        number of days. With `n` it moves back that many times. For an incomplete period, the \
        earlier one is cut at the same point and the answer is marked as partial; `clip: false` \
        uses the whole earlier period.",
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
