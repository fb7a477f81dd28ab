//! The command line arguments about filters and groups.

use clap::Args;

/// Filters and groups.
#[derive(Debug, Args)]
pub(crate) struct Groups {
    /// Group by a dimension, a field or an expression: "country", "orders.status",
    /// "if(total > 100 GBP, 'big', 'small') as size"; several are separated by commas.
    #[arg(long, value_name = "NAME", conflicts_with = "opened")]
    pub(crate) group_by: Vec<String>,

    /// Sort groups: "aov, country desc". By default metrics are descending and dimensions ascending.
    #[arg(long, value_name = "NAME [asc|desc]", value_delimiter = ',', value_parser = sort_key, requires = "group_by")]
    pub(crate) sort: Vec<Sorting>,

    /// Show only the first groups: "5", "5 by aov", "5 by aov with others".
    #[arg(long, value_name = "N [by METRIC] [with others]", value_parser = top, requires = "group_by")]
    pub(crate) top: Option<Top>,

    /// Show only groups whose metrics meet a condition: "aov > 50 GBP".
    #[arg(long, value_name = "CONDITION", requires = "group_by")]
    pub(crate) having: Option<String>,

    /// Add a total, and subtotals if there are several dimensions.
    #[arg(long, requires = "group_by")]
    pub(crate) totals: bool,

    /// Show buckets, or the values of the last dimension, as columns.
    #[arg(long, requires = "group_by")]
    pub(crate) pivot: bool,

    /// Use only rows that meet a condition: "country = 'Germany'", or "country = :country".
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,

    /// The value of a parameter of --where; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    pub(crate) parameters: Vec<(String, String)>,
}

impl Groups {
    /// The names to group by.
    pub(crate) fn dimensions(&self) -> Vec<String> {
        self.group_by.iter().flat_map(|names| listed(names)).collect()
    }
}

/// A name to sort by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sorting {
    /// A metric, or one of the dimensions.
    pub(crate) name: String,
    /// The direction, if given.
    pub(crate) descending: Option<bool>,
}

/// The groups to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Top {
    /// The maximum number.
    pub(crate) count: usize,
    /// The metric that ranks them.
    pub(crate) by: Option<String>,
    /// Whether the others are shown as one row.
    pub(crate) others: bool,
}

/// Splits names at commas outside of brackets and quotes.
fn listed(names: &str) -> Vec<String> {
    let (mut depth, mut quote) = (0_usize, None);
    let separates = |letter: char| {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, '(') => depth = depth.saturating_add(1),
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0 && quote.is_none()
    };
    let names = names.split(separates).map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn sort_key(argument: &str) -> Result<Sorting, String> {
    let argument = argument.trim();
    let (name, descending) = match argument.rsplit_once(' ') {
        Some((name, word)) if word.eq_ignore_ascii_case("desc") => (name.trim(), Some(true)),
        Some((name, word)) if word.eq_ignore_ascii_case("asc") => (name.trim(), Some(false)),
        _ => (argument, None),
    };
    if name.is_empty() {
        return Err("expected a metric or a dimension, for example \"aov desc\"".to_owned());
    }
    Ok(Sorting { name: name.to_owned(), descending })
}

fn top(argument: &str) -> Result<Top, String> {
    let (rest, others) = match argument.trim().strip_suffix("with others") {
        Some(rest) => (rest.trim(), true),
        None => (argument.trim(), false),
    };
    let (count, by) = match rest.split_once(" by ") {
        Some((count, by)) => (count.trim(), Some(by.trim().to_owned())),
        None => (rest, None),
    };
    match count.parse() {
        Ok(count) if count > 0 => Ok(Top { count, by, others }),
        _ => Err("expected a number of groups, for example \"5 by aov with others\"".to_owned()),
    }
}

fn parameter(argument: &str) -> Result<(String, String), String> {
    match argument.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected a name and a value, for example country=Germany".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_commas_outside_brackets_and_quotes() {
        assert_eq!(listed("if(a, 'b,c', 'd') as e, f,"), ["if(a, 'b,c', 'd') as e", "f"]);
    }

    #[test]
    fn a_top_has_a_number_a_metric_and_others() {
        let of = |count, by: Option<&str>, others| Top { count, by: by.map(str::to_owned), others };
        assert_eq!(top("5"), Ok(of(5, None, false)));
        assert_eq!(top("5 by aov"), Ok(of(5, Some("aov"), false)));
        assert_eq!(top("5 with others"), Ok(of(5, None, true)));
        assert_eq!(top("5 by aov with others"), Ok(of(5, Some("aov"), true)));
        assert!(top("0").is_err() && top("by aov").is_err());
    }

    #[test]
    fn a_sort_key_may_say_its_direction() {
        let of = |name: &str, descending| Sorting { name: name.to_owned(), descending };
        assert_eq!(sort_key("aov"), Ok(of("aov", None)));
        assert_eq!(sort_key(" aov DESC"), Ok(of("aov", Some(true))));
        assert_eq!(sort_key("net sales asc"), Ok(of("net sales", Some(false))));
        assert!(sort_key(" ").is_err());
    }
}
