//! Dates and instants moved by spans.

use super::shop::{Shop, check_all};

const FILE: &str = "
source ships event
    key id text
    date arrived datetime
    field promised date
";

const ROWS: &str = "
id, arrived, promised
s1, 2026-01-31 12:00:00, 2026-01-30
s2, 2026-01-31 12:00:01, 2026-01-30
s3, 2026-02-02 00:00:00, 2026-02-02
s4, 2026-02-02 00:00:00,
";

#[test]
fn a_date_moved_by_hours_is_an_instant_however_it_is_written() {
    let shop = Shop::new(FILE, &[("ships", ROWS)]);
    check_all(
        &[
            ("count(ships where arrived > promised + 36 hours)", "1"),
            ("count(ships where arrived > 36 hours + promised)", "1"),
            ("count(ships where arrived > promised + 1.5 days)", "1"),
            ("count(ships where arrived > add(promised, 2160 minutes))", "1"),
            ("let late = 36 hours; count(ships where arrived > promised + late)", "1"),
            ("let late = 36 hours; count(ships where arrived - promised > late)", "1"),
            ("count(ships where promised - 24 hours < @2026-01-30)", "2"),
            ("@2026-01-31 + 90 minutes", "2026-01-31T01:30:00Z"),
            ("@2026-01-31 + 1.5 hours", "2026-01-31T01:30:00Z"),
            ("@2026-01-31 - 1 second", "2026-01-30T23:59:59Z"),
            ("@2026-01-31 + -48 hours", "2026-01-29T00:00:00Z"),
            ("add(@2026-01-31, 25 hours)", "2026-02-01T01:00:00Z"),
            ("add(@2026-01-31, 1 month)", "2026-02-28"),
            ("@2026-01-31 + 2 days", "2026-02-02"),
            ("add(null, 1 hour)", "null(null)"),
            ("add(@9999-12-31, 1 day)", "null(overflow)"),
            ("@9999-12-31 + 1 day", "null(overflow)"),
            ("@2026-01-31 + 9223372036854775807 hours", "null(overflow)"),
        ],
        |formula| shop.always(formula),
    );
}
