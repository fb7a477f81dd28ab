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
        /// The stable code of a finding: `E…` rejects the formula, `W…` warns.
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
    /// Returns whether the code rejects the formula or only warns.
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
        "Every `(` and `[` must be closed. The marked bracket has no counterpart."
    E102 "a value is missing"
        "There is an operator, a comma or a keyword where a value is expected, or the text ends \
            too early."
    E103 "a comma inside a number"
        "A comma separates arguments. Write thousands as `1000` or `1_000`, decimals with a point."
    E104 "`%` used as an operator"
        "`%` belongs to percentages such as `10%`. The remainder of a division is `mod(a, b)`."
    E105 "a sign before a power"
        "Spreadsheets read `-2 ^ 2` as 4, mathematics as -4. Use brackets to make it unambiguous."
    E106 "chained comparisons"
        "`a < b < c` is rejected because it has different meanings elsewhere. `between` includes \
            both ends."
    E107 "`--` in a formula"
        "`--` is a comment in SQL and a double minus in a spreadsheet. Comments start with `//`."
    E108 "an unknown character"
        "The character has no meaning in a formula. Operators are written in ASCII; other letters belong in quotes or in bracketed names."
    E109 "`where` outside parentheses"
        "A condition belongs inside the parentheses of what it filters: `sum(x where c)` or \
            `(metric where c)`."
    E110 "`==` for equality"
        "Equality is written with one `=`."
    E120 "a formula that cannot be read here"
        "The text does not match the grammar at this position."
    E121 "an impossible literal"
        "A date that the calendar does not have, a number with more than 28 digits, or a currency that ISO 4217 does not list."
    E201 "no such field"
        "The source exists, but not the field. The message lists similar fields."
    E202 "no such function"
        "Functions are listed in FUNCTIONS.md; names are case-insensitive."
    E203 "no such metric or placeholder"
        "Outside an aggregate a bare name is a `let`, a metric, a placeholder or an input."
    E204 "an unquoted text or an unknown name in a condition"
        "Inside a condition a bare word is a field, a link, a `let` or a metric. Text needs quotes."
    E205 "a spreadsheet function with another spelling"
        "The function exists in another form; the help line gives the equivalent."
    E206 "a conditional spreadsheet aggregate"
        "`SUMIF` and similar functions are written with `where`."
    E207 "wrong arguments"
        "The call has too many or too few arguments, an argument given twice, an unknown argument \
            name, a clause that has no effect, or a value where a keyword is expected."
    E208 "an argument of the wrong kind"
        "The number of arguments is correct, but one has a type that the function does not \
            support, or is a pattern that the value does not fit."
    E210 "an unfilled hole"
        "`?` is a hole. The help line lists the names whose units fit."
    E211 "a name declared twice"
        "A `let` name can be declared once per formula, and a key once per set of files. \
            Predefined names such as `period` and `last_year` are taken."
    E230 "a text that is not among the known values"
        "The field lists its values. A comparison with any other value is always false, so it is \
            an error."
    E301 "money and something else added, subtracted or compared"
        "Money can only be added to money. It can be multiplied by a rate and divided by a count."
    E302 "a count and a ratio added or subtracted"
        "A ratio scales a count with `*`; adding the two has no meaning."
    E303 "money compared with a plain number"
        "Add the currency: `1000 USD`."
    E304 "a duration with a plain number"
        "Add the unit: `2 days`, `2 hours`."
    E305 "money times money"
        "The product of two amounts is not an amount. One side should be a rate, a count or a \
            number."
    E306 "a unit that has no meaning"
        "The result would have a unit such as money per squared time, or the operator does not \
            support the unit."
    E310 "two currencies together"
        "Amounts in different currencies must be converted before they are added or compared."
    E320 "branches of different kinds"
        "All branches of `if` and `case`, and both sides of `default`, must have the same unit."
    E321 "values of different kinds"
        "Both operands must be of the same kind."
    E322 "a condition is expected"
        "`where`, `when`, `and`, `or` and `not` require conditions: comparisons, or boolean \
            fields."
    E323 "a declared type that does not fit"
        "The formula's inferred unit is not the declared `type`."
    E330 "a month as a length of time"
        "Months, quarters and years have no fixed length. Durations are written in days, hours, \
            minutes or seconds."
    E340 "comparison with null"
        "No value equals null, not even null. Use `x is null`."
    E350 "an aggregate of something it cannot aggregate"
        "`sum`, `avg` and similar aggregates need quantities; `count` counts rows of any kind."
    E360 "a date compared with text"
        "Dates are written `@2026-01-31`."
    E401 "a row value where one value is needed"
        "The field has one value per row. An aggregate computes one value from them."
    E402 "a set of rows where a number is needed"
        "A source is a set of rows. Count it, or aggregate one of its fields."
    E403 "an aggregate of an aggregate"
        "The argument is a single value. `per` gives many values: `avg(sum(x) per day)`."
    E404 "an aggregate or window in a place for row values"
        "The expression has a value for the whole period where a value per row is needed. In a row, an \
            aggregate of the row's own source, or a metric with one, would have only that row; \
            `let` before the formula gives it all rows of the period."
    E405 "buckets compared where there are none"
        "`previous_bucket`, `moving_avg` and `rank(x, by: period)` compare the buckets of a \
            request. Rows and the parts of `per` are not buckets. A window such as `trailing` \
            gives each bucket a period of its own, so use it inside."
    E410 "a snapshot summed over time"
        "A snapshot source contains the same stock again each day. Use the last day with \
            `closing`, or the average `per day`."
    E411 "a source that is not linked to the row"
        "An aggregate in a row expression covers the rows that link to the row. There is no such \
            link."
    E412 "rows of two sources in one aggregate"
        "An aggregate covers the rows of one source. Use a link to reach other sources, or \
            aggregate them separately."
    E420 "a dimension that a source does not have"
        "A filter or group of a metric must exist in every source that the metric uses."
    E421 "no date to place the rows by"
        "The source has no default date. Use `dated by` to name one, or remove the window."
    E501 "no earlier period in the context record"
        "A record describes one period as a whole. Give the earlier value, or that of its days, \
            under the text of the call as key."
    E502 "a comparison that is not a span"
        "`growth` and `change` compare with `previous`, `last_week`, `last_month`, `last_year` or a span back, such as `30 days`."
    E503 "rows needed, one value given"
        "The context record gives a single value where a condition or aggregate needs rows."
    E504 "a context value of the wrong kind"
        "The record contains a value that does not fit the type of the name."
    E505 "a store that does not answer"
        "The database rejected a query, or a table or column of the binding does not exist."
    E601 "a metric that uses itself"
        "The metric depends on itself. The message shows the whole cycle."
    E602 "a metric that does not check"
        "A metric used here has errors of its own; they are reported at its definition."
    E701 "a formula too long"
        "The text exceeds the limit `max_bytes`."
    E702 "too many tokens"
        "The text exceeds the limit `max_tokens`."
    E703 "too many nodes"
        "The formula with the metrics it uses exceeds the limit `max_nodes`."
    E704 "nesting too deep"
        "The nesting of brackets, signs and branches exceeds the limit `max_nesting`."
    E705 "too many arguments"
        "A call exceeds the limit `max_arguments`."
    E706 "too much work"
        "Evaluation exceeds the limit `max_steps` or `max_periods`."
    E707 "too much memory"
        "Evaluation exceeds the limit `max_cells`, or a period has more than `max_buckets` \
            buckets."
    E801 "a line the file format does not know"
        "A formula file consists of items, which start in the first column, and of indented \
            properties."
    E802 "a property that does not fit its item"
        "The item does not have this property, allows it only once, or its value is invalid."
    E803 "an import that cannot be used"
        "The imported file cannot be read, or files import each other in a cycle."
    E804 "an example that does not hold"
        "The formula gives another value for the context of the example than the expected one."
    W201 "`and` mixed with `or`"
        "`and` binds tighter than `or`. Brackets make it clear to readers."
    W301 "money of different bases"
        "One side contains a component that the other excludes, such as tax, shipping or tips. The \
            result mixes them."
    W302 "different populations in a ratio"
        "The numerator excludes rows that the denominator includes, so the ratio is not about a \
            single population."
    W310 "counts of different things added"
        "The sum of orders and customers does not count anything in particular."
    W320 "a long formula"
        "The formula with the metrics it uses exceeds the limit `warn_nodes`."
    W401 "rows brought out of the database"
        "The database cannot compute this part as the engine does, so its rows are fetched, which \
            takes longer."
    W501 "a context value without effect"
        "No formula can read a value of this name, or the name is given again later. Use the keys \
            of metrics, inputs and placeholders, and the names of sources."
    W502 "a percentage of 200 % or more"
        "A percentage is a fraction: 15 % is `0.15`, or the text `\"15%\"`."
}
