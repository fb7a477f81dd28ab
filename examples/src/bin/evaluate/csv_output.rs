//! Answers for spreadsheets.

use crate::report::{Report, Shown};

/// The report as CSV: a column for each group, the bucket and each metric, exact values.
///
/// Where an answer is not known to the end of its period, a last column says until when its row is.
/// A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay.
pub(crate) fn csv(report: &Report) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header: Vec<String> = report.group_names.iter().map(|name| guarded(name)).collect();
    if report.has_buckets {
        header.push("period".to_owned());
    }
    for metric in &report.metrics {
        header.push(guarded(&metric.key));
        if report.is_compared {
            header.push(guarded(&format!("{}_previous", metric.key)));
            header.push(guarded(&format!("{}_change", metric.key)));
        }
    }
    let dimensions = report.group_names.len();
    let is_partial = report.is_partial();
    if is_partial {
        header.push("as_of".to_owned());
    }
    writer.write_record(&header)?;
    for row in &report.rows {
        let mut cells: Vec<String> =
            row.group_cells(dimensions, "").iter().map(|value| guarded(value)).collect();
        cells.extend(row.bucket.iter().map(|bucket| guarded(bucket)));
        for cell in &row.cells {
            cells.push(exact(Some(&cell.value)));
            if report.is_compared {
                cells.push(exact(cell.previous.as_ref()));
                cells.push(exact(cell.change.as_ref()));
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

fn exact(shown: Option<&Shown>) -> String {
    match shown {
        Some(shown) if shown.number.is_some() => shown.exact.clone(),
        Some(shown) => guarded(&shown.exact),
        None => String::new(),
    }
}

fn guarded(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("'{text}");
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::csv;
    use crate::report::Shown;
    use crate::report::samples::{by_country, by_month, number};

    #[test]
    fn texts_are_guarded_and_numbers_are_not() {
        let mut report = by_country();
        report.rows[2].cells[0].value = number("-£1.00", "-1");
        report.rows[2].cells[1].value = Shown { exact: "@SUM(1,2)".to_owned(), ..Shown::default() };

        assert_eq!(
            csv(&report).unwrap(),
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
            csv(&report).unwrap(),
            "period,net_sales,net_sales_previous,net_sales_change\n2011-01,1,2,-0.5\n"
        );
    }
}
