//! The other languages whose functions are known by name, so that messages can name their origin.

/// SQL's that no spreadsheet has, with spaces between them.
const SQL: &str = "APPROX_COUNT_DISTINCT CHARACTER_LENGTH CHAR_LENGTH CONCAT_WS CURDATE \
    CURRENT_DATE CURRENT_TIMESTAMP DATE_ADD DATE_PART DATE_SUB DATE_TRUNC DAYOFMONTH DAYOFWEEK \
    DENSE_RANK GETDATE GREATEST IFF IFNULL INSTR LAG LCASE LEAST NVL NVL2 PERCENTILE_CONT POW \
    ROW_NUMBER SAFE_DIVIDE STDDEV_SAMP STR SUBSTR TO_CHAR UCASE";

/// Those of DAX.
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
