//! The table of codes with titles and explanations, from which `docs/ERRORS.md` is written.

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The formula runs, but may not mean what was intended.
    Warning,
    /// The formula is refused.
    Error,
}

/// The entry of a code in `docs/ERRORS.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// The error in a few words.
    pub title: &'static str,
    /// A paragraph with the reason and the remedy.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($code:ident $title:literal $explanation:literal)*) => {
        /// The stable code of a finding: `E…` refuses the formula, `W…` warns.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(
            #[doc = $title]
            $code,
        )* }

        impl Code {
            /// Every code in order, with its title and explanation.
            pub const ALL: &[CodeInfo] = &[
                $(CodeInfo { code: Code::$code, title: $title, explanation: $explanation }),*
            ];

            /// Returns the code as text: `E201`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code)),* }
            }

            /// Returns the error in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$code => $title),* }
            }
        }
    };
}

impl Code {
    /// Returns whether the code refuses the formula or only warns.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('W') { Severity::Warning } else { Severity::Error }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

codes! {
    E101 "an unclosed or unopened bracket"
        "Every `(` and `[` needs its partner. The place named is the bracket that stands alone."
    E102 "a value is missing"
        "An operator, a comma or a keyword stands where a value is expected, or the text ends too early."
    E103 "a comma inside a number"
        "A comma separates arguments. Write thousands as `1000` or `1_000`, decimals with a point."
    E104 "`%` used as an operator"
        "`%` belongs to percentages such as `10%`. The remainder of a division is `mod(a, b)`."
    E105 "a sign before a power"
        "Spreadsheets read `-2 ^ 2` as 4, mathematics as -4. Brackets say which is meant."
    E106 "chained comparisons"
        "`a < b < c` is refused because it means different things elsewhere. `between` includes both ends."
    E107 "`--` in a formula"
        "`--` is a comment in SQL and a double minus in a spreadsheet. Comments start with `//`."
    E108 "an unknown character"
        "The character has no meaning in a formula. Operators are written in ASCII; other letters belong in quotes or in bracketed names."
    E109 "`where` outside parentheses"
        "A condition stands inside the parentheses of what it narrows: `sum(x where c)` or `(metric where c)`."
    E110 "`==` for equality"
        "Equality is written with one `=`."
    E120 "a formula that cannot be read here"
        "The text does not continue in a way the grammar knows at this place."
    E121 "an impossible literal"
        "A date that the calendar does not have, a number with more than 28 digits, or a currency that ISO 4217 does not list."
    E201 "no such field"
        "The source exists, the field does not. The message lists fields that would fit."
    E202 "no such function"
        "Functions are listed in FUNCTIONS.md; names match without regard to case."
    E203 "no such metric or placeholder"
        "Outside an aggregate a bare name is a `let`, a metric, a placeholder or an input."
    E204 "an unquoted text or an unknown name in a condition"
        "Inside a condition a bare word is a field, a link, a `let` or a metric. Text needs quotes."
    E205 "a spreadsheet function with another spelling"
        "The function exists here under another form; the help line gives the rewrite."
    E206 "a conditional spreadsheet aggregate"
        "`SUMIF` and its relatives are written with `where`."
    E207 "wrong arguments"
        "The function takes other arguments: too many, too few, a name it does not know, or a value where a fixed word is expected."
    E208 "an argument of the wrong kind"
        "The function exists and the number of arguments is right, but one has a type it cannot work with."
    E210 "an unfilled hole"
        "`?` marks a place to be filled. The help line lists the names whose units fit."
    E211 "a name declared twice"
        "Within one formula a `let` name, and within one set of files every key, is declared once."
    E230 "a text that is not among the known values"
        "The field lists its values. A comparison with any other is always false, so it is refused."
    E301 "money and something else added, subtracted or compared"
        "Only money goes with money. A rate multiplies, a count divides."
    E302 "a count and a ratio added or subtracted"
        "A ratio scales a count by `*`; adding the two has no meaning."
    E303 "money compared with a plain number"
        "Say in which currency: `1000 USD`."
    E304 "a duration with a plain number"
        "Say in which unit: `2 days`, `2 hours`."
    E305 "money times money"
        "The product of two amounts is no amount. One side should be a rate, a count or a number."
    E306 "a unit that has no meaning"
        "The operation leads to a unit such as money per squared time, or the operator cannot work on the unit at all."
    E310 "two currencies together"
        "Amounts in different currencies are converted before they are added or compared."
    E320 "branches of different kinds"
        "All branches of `if` and `case`, and both sides of `default`, have the same unit."
    E321 "values of different kinds"
        "The operator works on two values of one kind."
    E322 "a condition is expected"
        "`where`, `when`, `and`, `or` and `not` take conditions: comparisons, or fields that are true or false."
    E323 "a declared type that does not fit"
        "The formula's inferred unit is not the declared `type`."
    E330 "a month as a length of time"
        "Months, quarters and years differ in length. Durations are written in days, hours, minutes or seconds."
    E340 "comparison with null"
        "Nothing equals null, not even null. Write `x is null`."
    E350 "an aggregate of something it cannot aggregate"
        "`sum`, `avg` and their relatives need quantities; `count` counts rows of any kind."
    E360 "a date compared with text"
        "Dates are written `@2026-01-31`."
    E401 "a row value where one value is needed"
        "The field has one value for each row. An aggregate makes one value of them."
    E402 "a set of rows where a number is needed"
        "A source is a set of rows. Count it, or aggregate one of its fields."
    E403 "an aggregate of an aggregate"
        "There is one value already. `per` makes many of it: `avg(sum(x) per day)`."
    E404 "an aggregate or window in a place for row values"
        "The expression speaks of a whole period where a value for each row is needed."
    E405 "buckets compared where there are none"
        "`previous_bucket`, `moving_avg` and `rank(x, by: period)` compare the buckets of a request. Rows and the parts of `per` are not buckets. A window such as `trailing` gives each bucket a period of its own, so use it inside."
    E410 "a snapshot summed over time"
        "A snapshot source holds the same stock again each day. Take it at the end with `closing`, or average it `per day`."
    E411 "a source that is not linked to the row"
        "An aggregate inside a row counts the rows that link to it. There is no such link."
    E412 "rows of two sources in one aggregate"
        "An aggregate runs over the rows of one source. Reach others through a link, or aggregate them apart."
    E420 "a dimension that a source does not have"
        "A filter or group on a metric must be known for every source the metric is built on."
    E421 "no date to place the rows by"
        "The source has no default date; `dated by` names one, or the window does not apply."
    E501 "no earlier period in the context record"
        "A record holds one period. Give the earlier value under the window's own spelling as key."
    E502 "a comparison that is not a span"
        "`growth` and `change` compare with `previous`, `last_week`, `last_month`, `last_year` or a span such as `30 days`."
    E503 "rows needed, one value given"
        "The context record gives a single value where a condition or aggregate needs rows."
    E504 "a context value of the wrong kind"
        "The record gives a value that the name's type cannot hold."
    E505 "a store that does not answer"
        "The database refuses a query, or a table or column that the binding names is not there."
    E601 "a metric that uses itself"
        "Following the uses of the metric leads back to it. The message prints the whole path."
    E602 "a metric that does not check"
        "A metric used here has errors of its own; they are reported at its definition."
    E701 "a formula too long"
        "The text is over the limit `max_bytes`."
    E702 "too many tokens"
        "The text is over the limit `max_tokens`."
    E703 "too many nodes"
        "The formula, with the metrics it uses, is over the limit `max_nodes`."
    E704 "nesting too deep"
        "Brackets, signs and branches are nested over the limit `max_nesting`."
    E705 "too many arguments"
        "A call is over the limit `max_arguments`."
    E706 "too much work"
        "Evaluation is over the limit `max_steps`."
    E707 "too much memory"
        "Evaluation is over the limit `max_cells`, or a period is cut into more than `max_buckets`."
    E801 "a line the file format does not know"
        "A formula file is made of items that start in the first column and of indented properties."
    E802 "a property that does not fit its item"
        "The item does not take this property, takes it once, or its value cannot be read."
    E803 "an import that cannot be used"
        "The imported file cannot be read, or files import each other in a cycle."
    E804 "an example that does not hold"
        "The formula gives another value for the example's context than the one expected."
    W201 "`and` mixed with `or`"
        "`and` binds tighter than `or`. Brackets say it to the reader too."
    W301 "money of different bases"
        "One side contains what the other leaves out: tax, shipping, tips. The difference is then no clean amount."
    W302 "different populations in a ratio"
        "The top leaves rows out that the bottom counts, so the ratio speaks of no one population."
    W310 "counts of different things added"
        "The sum of orders and customers is a count of nothing in particular."
    W320 "a long formula"
        "With the metrics it uses, the formula is over the limit `warn_nodes`."
    W401 "rows brought out of the database"
        "The database cannot compute this part as the engine does, so its rows come to the engine, which takes longer."
}
