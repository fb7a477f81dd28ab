//! Intervals for a rate and for a difference of two rates.

use rust_decimal::Decimal;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number::{add, divide, multiply, sqrt, subtract};
use crate::types::{Reason, Type, Unit, Value};

/// `wilson_low(successes, trials, confidence)`
pub(crate) const WILSON_LOW: FunctionSpec = FunctionSpec {
    name: "wilson_low",
    aliases: &[],
    family: Family::Numbers,
    signature: "wilson_low(successes, trials, confidence = 95%)",
    summary: "The lower end of the confidence interval of a rate, given the numbers of successes \
        and trials.",
    details: "The score interval of Wilson (1927), which stays between 0% and 100% and is also \
        valid for few trials. The confidence is 90%, 95% or 99%. Another confidence, negative \
        numbers, and more successes than trials make the result null (domain); no trials make it \
        null (division_by_zero). The root makes the result inexact.",
    parameters: ONE_RATE,
    examples: &[
        Example { formula: "wilson_low(81, 263)", result: "25.5%" },
        Example { formula: "wilson_low(0, 20)", result: "0.0%" },
        Example { formula: "wilson_low(0, 0)", result: "null (division_by_zero)" },
    ],
    exact: false,
    behaviour: behaviour(|arguments, _| one_rate(arguments, |interval| interval.low)),
};

/// `wilson_high(successes, trials, confidence)`
pub(crate) const WILSON_HIGH: FunctionSpec = FunctionSpec {
    name: "wilson_high",
    aliases: &[],
    family: Family::Numbers,
    signature: "wilson_high(successes, trials, confidence = 95%)",
    summary: "The upper end of the confidence interval of a rate, given the numbers of successes \
        and trials.",
    details: "The score interval of Wilson (1927), as in `wilson_low`.",
    parameters: ONE_RATE,
    examples: &[
        Example { formula: "wilson_high(81, 263)", result: "36.6%" },
        Example { formula: "wilson_high(0, 20)", result: "16.1%" },
        Example { formula: "wilson_high(5, 4)", result: "null (domain)" },
    ],
    exact: false,
    behaviour: behaviour(|arguments, _| one_rate(arguments, |interval| interval.high)),
};

/// `difference_low(s1, n1, s2, n2, confidence)`
pub(crate) const DIFFERENCE_LOW: FunctionSpec = FunctionSpec {
    name: "difference_low",
    aliases: &[],
    family: Family::Numbers,
    signature: "difference_low(s1, n1, s2, n2, confidence = 95%)",
    summary: "The lower end of the confidence interval of the difference `s1 / n1 - s2 / n2` of \
        two independent rates.",
    details: "Method 10 of Newcombe (1998), which uses the limits of `wilson_low` and \
        `wilson_high`, and is null if they are. If the whole interval is above zero, the first \
        rate is higher at that confidence.",
    parameters: TWO_RATES,
    examples: &[Example { formula: "difference_low(56, 70, 48, 80)", result: "5.2%" }],
    exact: false,
    behaviour: behaviour(|arguments, _| two_rates(arguments, |interval| interval.low)),
};

/// `difference_high(s1, n1, s2, n2, confidence)`
pub(crate) const DIFFERENCE_HIGH: FunctionSpec = FunctionSpec {
    name: "difference_high",
    aliases: &[],
    family: Family::Numbers,
    signature: "difference_high(s1, n1, s2, n2, confidence = 95%)",
    summary: "The upper end of the confidence interval of the difference `s1 / n1 - s2 / n2` of \
        two independent rates.",
    details: "Method 10 of Newcombe (1998), as in `difference_low`.",
    parameters: TWO_RATES,
    examples: &[Example { formula: "difference_high(56, 70, 48, 80)", result: "33.4%" }],
    exact: false,
    behaviour: behaviour(|arguments, _| two_rates(arguments, |interval| interval.high)),
};

const CONFIDENCE: Parameter =
    Parameter::optional("confidence", ParameterKind::Number, DefaultValue::Percent(95));

const ONE_RATE: &[Parameter] = &[
    Parameter::required("successes", ParameterKind::Number),
    Parameter::required("trials", ParameterKind::Number),
    CONFIDENCE,
];

const TWO_RATES: &[Parameter] = &[
    Parameter::required("s1", ParameterKind::Number),
    Parameter::required("n1", ParameterKind::Number),
    Parameter::required("s2", ParameterKind::Number),
    Parameter::required("n2", ParameterKind::Number),
    CONFIDENCE,
];

const fn behaviour(call: fn(&[Value], &Environment<'_>) -> Value) -> Behaviour {
    let result = |_: &[Type]| Ok(Type::Quantity(Unit::PERCENT));
    Behaviour::scalar(result, call)
}

/// The ends of an interval.
struct Interval {
    low: Decimal,
    high: Decimal,
}

fn one_rate(arguments: &[Value], end: fn(&Interval) -> Decimal) -> Value {
    let [Value::Number(successes), Value::Number(trials), Value::Number(confidence)] = arguments
    else {
        return UNFIT;
    };
    let interval = quantile(*confidence).and_then(|z| wilson(*successes, *trials, z));
    interval.map(|interval| end(&interval)).into()
}

fn two_rates(arguments: &[Value], end: fn(&Interval) -> Decimal) -> Value {
    let [
        Value::Number(s1),
        Value::Number(n1),
        Value::Number(s2),
        Value::Number(n2),
        Value::Number(confidence),
    ] = arguments
    else {
        return UNFIT;
    };
    let interval = quantile(*confidence).and_then(|z| newcombe((*s1, *n1), (*s2, *n2), z));
    interval.map(|interval| end(&interval)).into()
}

/// Returns the two-sided quantile of the normal distribution for a confidence.
fn quantile(confidence: Decimal) -> Result<Decimal, Reason> {
    let hundredths = multiply(confidence, Decimal::ONE_HUNDRED)?;
    let billiardths = if hundredths == Decimal::from(90) {
        1_644_853_626_951_473
    } else if hundredths == Decimal::from(95) {
        1_959_963_984_540_054
    } else if hundredths == Decimal::from(99) {
        2_575_829_303_548_901
    } else {
        return Err(Reason::Domain);
    };
    Ok(Decimal::new(billiardths, 15))
}

/// The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical
/// inference", Journal of the American Statistical Association 22 (1927).
///
/// Its ends are (s + z²/2 ∓ z·√(s·(n − s)/n + z²/4)) / (n + z²).
fn wilson(successes: Decimal, trials: Decimal, z: Decimal) -> Result<Interval, Reason> {
    if trials.is_zero() && successes.is_zero() {
        return Err(Reason::DivisionByZero);
    }
    if !(Decimal::ZERO..=trials).contains(&successes) {
        return Err(Reason::Domain);
    }
    let square = multiply(z, z)?;
    let failures = subtract(trials, successes)?;
    let variance = divide(multiply(successes, failures)?, trials)?;
    let under_root = add(variance, divide(square, Decimal::from(4))?)?;
    let distance = multiply(z, sqrt(under_root)?)?;
    let middle = add(successes, divide(square, Decimal::TWO)?)?;
    let whole = add(trials, square)?;
    // At the edges the difference is zero except for rounding.
    let low = if successes.is_zero() {
        Decimal::ZERO
    } else {
        divide(subtract(middle, distance)?, whole)?
    };
    let high =
        if failures.is_zero() { Decimal::ONE } else { divide(add(middle, distance)?, whole)? };
    Ok(Interval { low, high })
}

/// The interval of method 10 of R. G. Newcombe, "Interval estimation for the difference between
/// independent proportions", Statistics in Medicine 17 (1998).
fn newcombe(
    (s1, n1): (Decimal, Decimal),
    (s2, n2): (Decimal, Decimal),
    z: Decimal,
) -> Result<Interval, Reason> {
    let (first, second) = (wilson(s1, n1, z)?, wilson(s2, n2, z)?);
    let (rate1, rate2) = (divide(s1, n1)?, divide(s2, n2)?);
    let difference = subtract(rate1, rate2)?;
    let below = length(subtract(rate1, first.low)?, subtract(second.high, rate2)?)?;
    let above = length(subtract(first.high, rate1)?, subtract(rate2, second.low)?)?;
    Ok(Interval { low: subtract(difference, below)?, high: add(difference, above)? })
}

/// Returns √(a² + b²).
fn length(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    sqrt(add(multiply(a, a)?, multiply(b, b)?)?)
}

#[cfg(test)]
mod tests {
    use super::{DIFFERENCE_HIGH, DIFFERENCE_LOW, FunctionSpec, WILSON_HIGH, WILSON_LOW};
    use crate::functions::testing::{number, shown};
    use crate::number::{Rounding, parse, round};

    /// The ends to four digits, as the publications print them.
    fn ends(specs: [&FunctionSpec; 2], numbers: &[&str]) -> [String; 2] {
        let arguments: Vec<_> = numbers.iter().map(|text| number(text)).collect();
        specs.map(|spec| {
            let text = shown(spec, &arguments);
            match parse(&text) {
                Some(end) => round(end, 4, Rounding::HalfUp).unwrap().normalize().to_string(),
                None => text,
            }
        })
    }

    /// Table I of Newcombe, "Two-sided confidence intervals for the single proportion" (1998),
    /// method 3; the other confidences by Python:
    /// `z = NormalDist().inv_cdf((1 + c) / 2)` in the formula of `wilson`.
    #[test]
    fn intervals_of_rates_are_those_that_are_published() {
        for (numbers, expected) in [
            (["81", "263", "0.95"], ["0.2553", "0.3662"]),
            (["15", "148", "0.95"], ["0.0624", "0.1605"]),
            (["0", "20", "0.95"], ["0", "0.1611"]),
            (["1", "29", "0.95"], ["0.0061", "0.1718"]),
            (["29", "29", "0.95"], ["0.883", "1"]),
            (["81", "263", "0.90"], ["0.2633", "0.3566"]),
            (["81", "263", "0.99"], ["0.2401", "0.3853"]),
        ] {
            assert_eq!(ends([&WILSON_LOW, &WILSON_HIGH], &numbers), expected, "{numbers:?}");
        }
    }

    /// Table II of Newcombe (1998), method 10.
    #[test]
    fn intervals_of_differences_are_those_that_are_published() {
        for (numbers, expected) in [
            (["56", "70", "48", "80"], ["0.0524", "0.3339"]),
            (["9", "10", "3", "10"], ["0.1705", "0.809"]),
            (["6", "7", "2", "7"], ["0.0582", "0.8062"]),
            (["5", "56", "0", "29"], ["-0.0381", "0.1926"]),
            (["0", "10", "0", "20"], ["-0.1611", "0.2775"]),
            (["10", "10", "0", "20"], ["0.6791", "1"]),
        ] {
            let numbers: Vec<_> = numbers.into_iter().chain(["0.95"]).collect();
            assert_eq!(ends([&DIFFERENCE_LOW, &DIFFERENCE_HIGH], &numbers), expected);
        }
    }

    #[test]
    fn other_quotients_than_rates_have_no_interval() {
        for (numbers, expected) in [
            (["0", "0", "0.95"], "null (division_by_zero)"),
            (["1", "0", "0.95"], "null (domain)"),
            (["5", "4", "0.95"], "null (domain)"),
            (["-1", "4", "0.95"], "null (domain)"),
            (["1", "4", "0.94"], "null (domain)"),
        ] {
            let low_and_high = ends([&WILSON_LOW, &WILSON_HIGH], &numbers);
            assert_eq!(low_and_high, [expected, expected], "{numbers:?}");
        }
    }
}
