//! Answers for spreadsheets.

use crate::report::{FormattedValue, Report};

/// The options of the CSV output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CsvOptions {
    /// A column behind each value with the reason of a null.
    pub(crate) has_null_reasons: bool,
    /// Text unchanged, even if a spreadsheet would compute it.
    pub(crate) is_unguarded: bool,
}

/// The report as CSV: a column for each group, the bucket and each metric, exact values.
///
/// If an answer is not known to the end of its period, a last column says until when its row is
/// known. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are
/// unchanged.
pub(crate) fn csv(report: &Report, options: CsvOptions) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let is_partial = report.is_partial();
    writer.write_record(options.header(report, is_partial))?;
    let dimensions = report.group_names.len();
    for row in &report.rows {
        let mut cells: Vec<String> =
            row.group_cells(dimensions, "").iter().map(|value| options.text(value)).collect();
        cells.extend(row.bucket.iter().map(|bucket| options.text(bucket)));
        for cell in &row.cells {
            options.push(Some(&cell.value), &mut cells);
            if report.is_compared {
                options.push(cell.previous.as_ref(), &mut cells);
                options.push(cell.change.as_ref(), &mut cells);
            }
        }
        if is_partial {
            cells.push(row.as_of().unwrap_or_default().to_owned());
        }
        writer.write_record(&cells)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl CsvOptions {
    fn header(self, report: &Report, is_partial: bool) -> Vec<String> {
        let mut header: Vec<String> =
            report.group_names.iter().map(|name| self.text(name)).collect();
        header.extend(report.has_buckets.then(|| "period".to_owned()));
        let compared = ["", "_previous", "_change"];
        let values = compared.get(..if report.is_compared { 3 } else { 1 }).unwrap_or_default();
        for metric in &report.metrics {
            for value in values {
                header.push(self.text(&format!("{}{value}", metric.key)));
                if self.has_null_reasons {
                    header.push(self.text(&format!("{}{value}_null_reason", metric.key)));
                }
            }
        }
        header.extend(is_partial.then(|| "as_of".to_owned()));
        header
    }

    /// Adds the cells of a value.
    fn push(self, shown: Option<&FormattedValue>, cells: &mut Vec<String>) {
        cells.push(match shown {
            Some(shown) if shown.number.is_some() => shown.exact.clone(),
            Some(shown) => self.text(&shown.exact),
            None => String::new(),
        });
        if self.has_null_reasons {
            let reason = shown.and_then(|shown| shown.null_reason.clone());
            cells.push(reason.unwrap_or_default());
        }
    }

    fn text(self, text: &str) -> String {
        if !self.is_unguarded && text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            return format!("'{text}");
        }
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{CsvOptions, csv};
    use crate::report::FormattedValue;
    use crate::report::samples::{by_country, by_month, number};

    #[test]
    fn texts_are_guarded_and_numbers_are_not() {
        let mut report = by_country();
        report.rows[2].cells[0].value = number("-£1.00", "-1");
        report.rows[2].cells[1].value =
            FormattedValue { exact: "@SUM(1,2)".to_owned(), ..FormattedValue::default() };

        assert_eq!(
            csv(&report, CsvOptions::default()).unwrap(),
            "country,net_sales,orders\n'=France,1000.5,12\n,,0\nJapan,-1,\"'@SUM(1,2)\"\n"
        );
    }

    #[test]
    fn buckets_and_comparisons_have_columns() {
        let mut report = by_month();
        report.is_compared = true;
        report.rows.truncate(1);
        report.rows[0].cells[0].previous = Some(number("£2.00", "2"));
        report.rows[0].cells[0].change = Some(number("-50.0%", "-0.5"));

        assert_eq!(
            csv(&report, CsvOptions::default()).unwrap(),
            "period,net_sales,net_sales_previous,net_sales_change\n2011-01,1,2,-0.5\n"
        );
    }

    #[test]
    fn null_reasons_have_columns_and_texts_stay_unchanged_on_request() {
        let mut report = by_country();
        report.metrics[0].key = "-1 * sales".to_owned();
        let options = CsvOptions { has_null_reasons: true, is_unguarded: true };

        assert_eq!(
            csv(&report, options).unwrap(),
            "country,-1 * sales,-1 * sales_null_reason,orders,orders_null_reason\n\
             =France,1000.5,,12,\n,,no_rows,0,\nJapan,20000,,3,\n"
        );
    }
}
