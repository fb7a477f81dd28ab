//! Rewrites of functions from spreadsheets, SQL and DAX that this language spells differently.
//!
//! Arguments are texts: the call is refused before it has a meaning, so nothing here checks types.
//! Start at [`rewrite`].

mod arguments;
mod branches;
mod conditional;
mod dates;
mod measures;
mod table;
#[cfg(test)]
mod tests;

use self::arguments::{LoosestOperator, loosest_operator};

/// The replacement of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The formula; `…` marks parts left to fill in.
    pub text: String,
    /// Whether the text is equivalent to the call and has no parts to fill in.
    pub complete: bool,
    /// Whether the call was a conditional aggregate such as `SUMIF`.
    pub aggregate: bool,
    /// Whether the text must be a whole formula, because it begins with `let` lines.
    pub only_whole: bool,
}

impl Rewrite {
    fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), complete: true, aggregate: false, only_whole: false }
    }

    fn near(text: impl Into<String>) -> Self {
        Self { complete: false, ..Self::exact(text) }
    }

    /// Returns the text for use within a larger formula: in parentheses if adjacent operators would
    /// change its meaning.
    pub fn embedded(&self) -> String {
        if loosest_operator(&self.text) == LoosestOperator::Atom {
            return self.text.clone();
        }
        format!("({})", self.text)
    }
}

/// The functions of SQL that no spreadsheet has.
const SQL: &str = "APPROX_COUNT_DISTINCT CHARACTER_LENGTH CHAR_LENGTH CONCAT_WS CURDATE \
    CURRENT_DATE CURRENT_TIMESTAMP DATE_ADD DATE_PART DATE_SUB DATE_TRUNC DAYOFMONTH DAYOFWEEK \
    DENSE_RANK GETDATE GREATEST IFF IFNULL INSTR LAG LCASE LEAST NVL NVL2 PERCENTILE_CONT POW \
    ROW_NUMBER SAFE_DIVIDE STDDEV_SAMP STR SUBSTR TO_CHAR UCASE";

/// The functions of DAX.
const DAX: &str = "ALL ALLEXCEPT ALLSELECTED AVERAGEX CALCULATE COUNTROWS DATEADD DATESMTD \
    DATESQTD DATESYTD DISTINCTCOUNT DIVIDE LOOKUPVALUE MAXX MINX PARALLELPERIOD PREVIOUSDAY \
    PREVIOUSMONTH PREVIOUSQUARTER PREVIOUSYEAR RANKX RELATED REMOVEFILTERS SAMEPERIODLASTYEAR \
    SUMX TOTALMTD TOTALQTD TOTALYTD";

/// Returns whose function this is, as in "`NVL` is SQL's function".
pub(crate) fn owner(name: &str) -> &'static str {
    let is_among = |names: &str| names.split(' ').any(|known| known.eq_ignore_ascii_case(name));
    if is_among(SQL) {
        "SQL's"
    } else if is_among(DAX) {
        "DAX's"
    } else if is_among("COUNTD ZN") {
        "Tableau's"
    } else {
        "a spreadsheet's"
    }
}

/// Returns what to do instead of a function known from other languages that has no counterpart.
pub(crate) fn instead(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_uppercase().as_str() {
        "CORR" | "CORREL" | "COVAR" | "COVAR_POP" | "COVAR_SAMP" | "REGR_SLOPE" => {
            "there is no measure of the relation of two columns; stddev and variance take one"
        }
        "LEAD" => "a value never depends on later ones; previous_bucket(…) is the bucket before",
        "OFFSET" => "there are no cells; previous(…) is the period before, shift(…) moves it",
        "CAST" | "CONVERT" => "text(x, pattern), number(text) and datetime(text) convert",
        "OVER" => "windows are functions: running(…), moving_avg(…), previous_bucket(…), rank(…)",
        _ => return None,
    })
}

/// Rewrites a call of a function known from other languages; `None` for other names.
///
/// Names match case-insensitively; `arguments` are the texts between the commas.
///
/// ```
/// use quotient::functions::spreadsheet::rewrite;
///
/// let rewrite = rewrite("IFERROR", &["net_sales / order_count", "0"]);
///
/// assert_eq!(rewrite.map(|it| it.text).as_deref(), Some("net_sales / order_count default 0"));
/// ```
pub fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    let name = name.to_ascii_uppercase();
    let arguments: Vec<&str> = arguments.iter().map(|argument| argument.trim()).collect();
    conditional::rewrite(&name, &arguments)
        .or_else(|| dates::rewrite(&name, &arguments))
        .or_else(|| measures::rewrite(&name, &arguments))
        .or_else(|| branches::rewrite(&name, &arguments))
        .or_else(|| table::rewrite(&name, &arguments))
}
