//! The request for rows and groups on the command line, converted for the engine.

use quotient::diagnostics::nearest;
use quotient::engine::{BreakdownRequest, SortBy, SortKey};
use quotient::schema::same_name;
use quotient::{Filter, Request};

use crate::arguments::Arguments;
use crate::console;
use crate::failure::Failure;
use crate::findings::Findings;
use crate::groups::Sorting;
use crate::session::{Column, Session};

/// A condition with the parameters of the command line.
pub(crate) fn filter(arguments: &Arguments, condition: &str) -> Filter {
    Filter {
        condition: condition.to_owned(),
        parameters: arguments.groups.parameters.iter().cloned().collect(),
    }
}

/// Refuses parameters that no condition has, and duplicate ones.
pub(crate) fn demand_parameters(arguments: &Arguments) -> Result<(), Failure> {
    let given = &arguments.groups.parameters;
    let groups = &arguments.groups;
    let conditions = [&groups.condition, &groups.having, &arguments.baseline_condition];
    for (name, _) in given {
        if given.iter().filter(|(own, _)| own == name).count() > 1 {
            return Err(Failure::usage(&format!("the parameter `{name}` is given twice"), None));
        }
        let written = format!(":{name}");
        let mut conditions = conditions.into_iter().flatten();
        if !conditions.any(|condition| Filter::new(condition.as_str()).uses(name)) {
            let sentence = format!("no condition has the parameter `{written}`");
            let hint = format!("write it into --where or --having: country = {written}");
            return Err(Failure::usage(&sentence, Some(&hint)));
        }
    }
    Ok(())
}

impl Session {
    /// Returns the formulas that the condition of the request can narrow; of metrics that were not
    /// named explicitly, the others are omitted.
    pub(crate) fn narrowable(
        &self,
        mut columns: Vec<Column>,
        arguments: &Arguments,
        request: &Request,
    ) -> Result<(Vec<Column>, Findings), Failure> {
        let Some(filter) = &request.filter else { return Ok((columns, Findings::default())) };
        let is_named = !(arguments.metrics.is_empty() && arguments.formulas.is_empty());
        let mut refused = Vec::new();
        let mut found = Findings::default();
        columns.retain(|column| {
            let Err(findings) = self.engine.narrowed(&column.formula, filter) else { return true };
            if refused.is_empty() {
                found = Findings::of_text("where", &filter.condition, &findings);
            }
            refused.push(column.heading.key.clone());
            false
        });
        if is_named && !refused.is_empty() || columns.is_empty() {
            return Err(Failure::Findings(found));
        }
        if !refused.is_empty() {
            let names = refused.join(", ");
            found = found.beside(arguments.output.format);
            console::print_error(&format!("note: left out for this: {names}\n"));
        }
        Ok((columns, found))
    }

    /// The request for groups in the arguments.
    pub(crate) fn breakdown(
        &self,
        columns: &[Column],
        arguments: &Arguments,
        request: Request,
    ) -> Result<BreakdownRequest, Failure> {
        let having = arguments.groups.having.as_ref().map(|condition| filter(arguments, condition));
        if let Some(having) = &having
            && let Err(findings) = self.engine.condition(having)
        {
            let found = Findings::of_text("having", &having.condition, &findings);
            return Err(Failure::Findings(found));
        }
        let top = arguments.groups.top.as_ref();
        let first = top.and_then(|top| top.by.clone());
        let first = first.map(|name| Sorting { name, descending: Some(true) });
        let keys = first.iter().chain(&arguments.groups.sort);
        let sort: Result<Vec<SortKey>, Failure> =
            keys.map(|key| self.sort_key(columns, &request, key)).collect();
        Ok(BreakdownRequest {
            request,
            sort: sort?,
            having,
            top: top.map(|top| top.count),
            others: top.is_some_and(|top| top.others),
            totals: arguments.groups.totals,
        })
    }

    fn sort_key(
        &self,
        columns: &[Column],
        request: &Request,
        key: &Sorting,
    ) -> Result<SortKey, Failure> {
        let name = &key.name;
        if let Some(index) = request
            .group_by
            .iter()
            .position(|own| same_name(own.rsplit(" as ").next().unwrap_or(own), name))
        {
            let descending = key.descending.unwrap_or(false);
            return Ok(SortKey { by: SortBy::Dimension(index), descending });
        }
        let place = columns.iter().position(|column| {
            same_name(&column.heading.key, name) || same_name(&column.heading.title, name)
        });
        if let Some(index) = place {
            let descending = key.descending.unwrap_or(true);
            return Ok(SortKey { by: SortBy::Formula(index), descending });
        }
        let sentence = format!("`{name}` is not among the metrics that are computed");
        if self.engine.metric(name).is_some() {
            return Err(Failure::usage(&sentence, Some("add it to the metrics")));
        }
        let keys = columns.iter().map(|column| column.heading.key.as_str());
        let names: Vec<&str> = keys.chain(request.group_by.iter().map(String::as_str)).collect();
        let hint = nearest(name, names.iter().copied()).map_or_else(
            || format!("groups are sorted by {}", names.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Err(Failure::usage(&sentence, Some(&hint)))
    }
}
