//! Rewrites by template: one row for each number of arguments.

use super::Rewrite;
use super::arguments::{LoosestOperator, parenthesized};

/// The rewrite of a call.
///
/// In the template, `{0}` is the first argument as written, `{0:t}` as a term, `{0:o}` as the
/// operand of `default` or a comparison, `{*}` all arguments.
struct RewriteRow {
    name: &'static str,
    argument_count: Option<usize>,
    template: &'static str,
    is_exact: bool,
}

const fn exact(name: &'static str, argument_count: usize, template: &'static str) -> RewriteRow {
    RewriteRow { name, argument_count: Some(argument_count), template, is_exact: true }
}

const fn any(name: &'static str, template: &'static str) -> RewriteRow {
    RewriteRow { name, argument_count: None, template, is_exact: true }
}

/// Only approximately equivalent, or with parts left to fill in.
const fn near(name: &'static str, template: &'static str) -> RewriteRow {
    RewriteRow { name, argument_count: None, template, is_exact: false }
}

/// Sorted by name; rows with the same name are in order of preference.
const ROWS: &[RewriteRow] = &[
    near("APPROX_COUNT_DISTINCT", "count_distinct({0})"),
    exact("AVERAGEX", 2, "avg({1})"),
    exact("AVGWEIGHTED", 2, "weighted_avg({0}, {1})"),
    exact("BLANK", 0, "null"),
    exact("CEILING", 1, "ceil({0})"),
    exact("CEILING", 2, "ceil({0:t} / {1:t}) * {1:t}"),
    exact("CHARACTER_LENGTH", 1, "length({0})"),
    exact("CHAR_LENGTH", 1, "length({0})"),
    any("CONCATENATE", "concat({*})"),
    near("CONCAT_WS", "concat({*})"),
    exact("COUNTA", 1, "count({0})"),
    exact("COUNTD", 1, "count_distinct({0})"),
    exact("COUNTROWS", 1, "count({0})"),
    exact("COUNTUNIQUE", 1, "count_distinct({0})"),
    exact("CURDATE", 0, "today()"),
    exact("CURRENT_DATE", 0, "today()"),
    exact("CURRENT_TIMESTAMP", 0, "now()"),
    exact("DATEVALUE", 1, "datetime({0})"),
    exact("DAYOFMONTH", 1, "day({0})"),
    near("DAYOFWEEK", "weekday({0})"),
    near("DENSE_RANK", "rank({*})"),
    exact("DISTINCTCOUNT", 1, "count_distinct({0})"),
    exact("DIV0", 2, "{0:t} / {1:t} default 0"),
    exact("DIVIDE", 2, "{0:t} / {1:t}"),
    exact("DIVIDE", 3, "{0:t} / {1:t} default {2:o}"),
    exact("ENDSWITH", 2, "ends_with({0}, {1})"),
    exact("EXACT", 2, "{0:o} = {1:o}"),
    near("FIND", "contains({1}, {0})"),
    exact("FORMAT", 2, "text({0}, {1})"),
    exact("GETDATE", 0, "now()"),
    any("GREATEST", "max({*})"),
    near("HLOOKUP", "link.field"),
    exact("IFERROR", 2, "{0:o} default {1:o}"),
    exact("IFF", 3, "if({*})"),
    exact("IFNA", 2, "{0:o} default {1:o}"),
    exact("IFNULL", 2, "{0:o} default {1:o}"),
    exact("IIF", 3, "if({*})"),
    near("INDEX", "link.field"),
    near("INSTR", "contains({0}, {1})"),
    exact("INT", 1, "floor({0})"),
    exact("ISBLANK", 1, "{0:t} is null"),
    exact("ISEMPTY", 1, "{0:t} is null"),
    exact("ISERR", 1, "is_error({0})"),
    exact("ISERROR", 1, "is_error({0})"),
    exact("ISNA", 1, "{0:t} is null"),
    exact("ISNULL", 1, "{0:t} is null"),
    exact("ISNULL", 2, "{0:o} default {1:o}"),
    exact("ISOWEEKNUM", 1, "week({0})"),
    exact("LAG", 1, "previous_bucket({0})"),
    exact("LAG", 2, "previous_bucket({0}, {1})"),
    exact("LAG", 3, "previous_bucket({0}, {1}) default {2:o}"),
    exact("LCASE", 1, "lower({0})"),
    any("LEAST", "min({*})"),
    exact("LEN", 1, "length({0})"),
    exact("LOG10", 1, "log(10, {0})"),
    exact("LOG2", 1, "log(2, {0})"),
    near("LOOKUP", "link.field"),
    near("LOOKUPVALUE", "link.field"),
    exact("LOWERCASE", 1, "lower({0})"),
    near("LTRIM", "trim({0})"),
    exact("MAXX", 2, "max({1})"),
    exact("MEAN", 1, "avg({0})"),
    exact("MINX", 2, "min({1})"),
    exact("MODULO", 2, "mod({0}, {1})"),
    exact("MOVINGAVERAGE", 2, "moving_avg({0}, {1})"),
    exact("MROUND", 2, "round({0:t} / {1:t}) * {1:t}"),
    exact("NA", 0, "null"),
    exact("NVL", 2, "{0:o} default {1:o}"),
    exact("NVL2", 3, "if({0:t} is null, {2}, {1})"),
    exact("PERCENTILE_CONT", 2, "percentile({0}, {1})"),
    exact("POW", 2, "power({0}, {1})"),
    exact("QUANTILE", 2, "percentile({0}, {1})"),
    near("QUARTILE", "percentile({0}, 25%)"),
    exact("QUOTIENT", 2, "trunc({0:t} / {1:t})"),
    near("RANKX", "rank({1})"),
    near("RELATED", "link.field"),
    any("ROUNDDOWN", "trunc({*})"),
    exact("ROUNDUP", 1, "sign({0}) * ceil(abs({0}))"),
    exact("ROUNDUP", 2, "sign({0}) * ceil(abs({0}), {1})"),
    near("ROW_NUMBER", "rank(…)"),
    near("RTRIM", "trim({0})"),
    near("RUNNINGSUM", "running({0})"),
    near("RUNNING_SUM", "running({0})"),
    exact("SAFE_DIVIDE", 2, "{0:t} / {1:t}"),
    near("SEARCH", "contains({1}, {0})"),
    exact("STARTSWITH", 2, "starts_with({0}, {1})"),
    exact("STDDEV_SAMP", 1, "stddev({0})"),
    exact("STDEV", 1, "stddev({0})"),
    exact("STDEVP", 1, "stddev_pop({0})"),
    exact("STR", 1, "text({0})"),
    exact("SUBSTITUTE", 3, "replace({*})"),
    exact("SUBSTR", 3, "mid({*})"),
    exact("SUBSTR", 2, "mid({0}, {1}, length({0}))"),
    exact("SUBSTRING", 3, "mid({*})"),
    exact("SUBSTRING", 2, "mid({0}, {1}, length({0}))"),
    near("SUBTOTAL", "sum({1})"),
    exact("SUMPRODUCT", 1, "sum({0})"),
    exact("SUMPRODUCT", 2, "sum({0:t} * {1:t})"),
    exact("SUMPRODUCT", 3, "sum({0:t} * {1:t} * {2:t})"),
    exact("SUMX", 2, "sum({1})"),
    exact("SYSDATE", 0, "now()"),
    near("TEXTJOIN", "concat({*})"),
    exact("TO_CHAR", 2, "text({0}, {1})"),
    exact("TO_NUMBER", 1, "number({0})"),
    any("TRUNCATE", "trunc({*})"),
    exact("UCASE", 1, "upper({0})"),
    exact("UNIQ", 1, "count_distinct({0})"),
    exact("UPPERCASE", 1, "upper({0})"),
    exact("VALUE", 1, "number({0})"),
    exact("VAR", 1, "variance({0})"),
    exact("VARP", 1, "variance_pop({0})"),
    exact("VAR_POP", 1, "variance_pop({0})"),
    exact("VAR_SAMP", 1, "variance({0})"),
    near("VLOOKUP", "link.field"),
    near("WEEKNUM", "week({0})"),
    near("XLOOKUP", "link.field"),
    exact("ZN", 1, "{0:o} default 0"),
];

pub(super) fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    let start = ROWS.partition_point(|row| row.name < name);
    let rows = || ROWS.iter().skip(start).take_while(|row| row.name == name);
    let fits = |row: &&RewriteRow| row.argument_count.is_none_or(|count| count == arguments.len());
    let row = rows().find(fits).or_else(|| rows().next())?;
    let text = filled(row.template, arguments);
    let complete = row.is_exact && fits(&row) && !text.contains('…');
    Some(if complete { Rewrite::exact(text) } else { Rewrite::near(text) })
}

fn filled(template: &str, arguments: &[&str]) -> String {
    let mut out = String::new();
    for part in template.split('{') {
        match part.split_once('}') {
            Some((slot, rest)) => {
                out.push_str(&argument(slot, arguments));
                out.push_str(rest);
            }
            None => out.push_str(part),
        }
    }
    out
}

fn argument(slot: &str, arguments: &[&str]) -> String {
    if slot == "*" {
        return if arguments.is_empty() { "…".to_owned() } else { arguments.join(", ") };
    }
    let (place, kind) = slot.split_once(':').unwrap_or((slot, ""));
    let text = place.parse::<usize>().ok().and_then(|place| arguments.get(place)).unwrap_or(&"…");
    match kind {
        "t" => parenthesized(text, LoosestOperator::Arithmetic),
        "o" => parenthesized(text, LoosestOperator::Comparison),
        _ => (*text).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::ROWS;
    use crate::functions::find;

    #[test]
    fn rows_are_sorted_for_the_search() {
        assert!(ROWS.is_sorted_by_key(|row| row.name));
    }

    #[test]
    fn no_row_hides_behind_a_function_of_the_language() {
        for row in ROWS {
            // `len` counts the items of a list; its type error for a text suggests this rewrite.
            assert!(row.name == "LEN" || find(row.name).is_none(), "{}", row.name);
        }
    }
}
