//! Periods that begin or end within a day or an hour: whole buckets, plus the rows at the
//! boundaries.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use proptest::prelude::*;
use quotient::calendar::TimeUnit;
use quotient::rollup::{EventTime, Granularity, Rollup, RollupDefinition, RollupStore};
use quotient::{Comparison, Request};

use crate::rollup::changes::{MaintainedRollups, kept};
use crate::rollup::fixture::{days, platform};
use crate::rollup::random::{Rng, Rows};

/// Rollups with the rows that they were folded from.
#[derive(Debug)]
struct ClippedRollups {
    kept: RefCell<MaintainedRollups>,
    rows: Rows,
    boundaries: RefCell<BTreeMap<Boundary, Arc<Rollup>>>,
}

/// What the rows between two instants are folded into.
type Boundary = (RollupDefinition, Timestamp, Timestamp);

impl ClippedRollups {
    /// The rows of a source that a column dates between two instants; `None` if it has no such column.
    fn between(
        &self,
        definition: &RollupDefinition,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<(usize, Vec<usize>)> {
        let EventTime::By(column) = &definition.event_time else { return None };
        let kept = self.kept.borrow();
        let sources = &kept.engine.schema().sources;
        let source = sources.iter().position(|source| source.name == definition.source)?;
        let column = sources[source].fields.iter().position(|field| field.name == *column)?;
        let is_meant = |row: &Vec<String>| {
            row[column].parse::<Timestamp>().is_ok_and(|at| from <= at && at < to)
        };
        let rows = self.rows.by_source[source].iter().enumerate();
        Some((source, rows.filter(|(_, row)| is_meant(row)).map(|(index, _)| index).collect()))
    }
}

impl RollupStore for ClippedRollups {
    fn outline(&self, definition: &RollupDefinition) -> Option<Arc<Rollup>> {
        self.kept.borrow().cells.outline(definition)
    }

    fn rollup(&self, definition: &RollupDefinition, _ranges: &[(i32, i32)]) -> Option<Arc<Rollup>> {
        self.outline(definition)
    }

    fn boundary(
        &self,
        definition: &RollupDefinition,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<Arc<Rollup>> {
        let key = (definition.clone(), from, to);
        if let Some(known) = self.boundaries.borrow().get(&key) {
            return Some(Arc::clone(known));
        }
        let (source, meant) = self.between(definition, from, to)?;
        let mut kept = self.kept.borrow_mut();
        let own = kept.definitions.only(|own| own == definition);
        let cells = kept.part_of(&own, &self.rows, (source, &meant));
        let none = || Rollup::new(definition.kind, definition.grain);
        let rollup = Arc::new(cells.rollup(definition).cloned().unwrap_or_else(none));
        Some(Arc::clone(self.boundaries.borrow_mut().entry(key).or_insert(rollup)))
    }
}

fn assert_clipped(seed: u64, by_hour: bool) {
    let mut store = platform();
    let mut rng = Rng::new(seed);
    let rows = Rows::new(&store.engine, &mut rng);
    let granularity = if by_hour { Granularity::Hour } else { Granularity::Day };
    let mut kept = kept(&store, granularity);
    for (source, own) in rows.by_source.iter().enumerate() {
        let all: Vec<usize> = (0..own.len()).collect();
        let cells = kept.part(&rows, source, &all);
        kept.cells.merge(&cells);
    }
    store.data = rows.data(&store.engine, &kept.rates, None);
    let definitions = kept.definitions.clone();
    let clipped = ClippedRollups { kept: RefCell::new(kept), rows, boundaries: RefCell::default() };

    let now =
        format!("2026-02-{:02}T{:02}:{:02}:30Z", 1 + rng.below(28), rng.below(24), rng.below(60));
    let so_far = Request {
        now: now.parse().expect("an instant"),
        compare: Some(Comparison::Previous),
        ..days("2026-02-01", "2026-02-28")
    };
    for request in [
        so_far.clone(),
        Request { by: Some(TimeUnit::Month), ..so_far.clone() },
        Request { group_by: vec!["country".to_owned()], ..so_far.clone() },
        // Hours in UTC do not add up to days there.
        Request { timezone: Some("Asia/Kolkata".to_owned()), ..so_far },
    ] {
        let (wrong, _) = store.differences((&definitions, &clipped), &request);
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
    }
    assert!(!clipped.boundaries.borrow().is_empty(), "seed {seed}: no period ended within a cell");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4) })]

    #[test]
    fn a_period_that_ends_within_a_cell_is_what_its_rows_say(seed: u64, by_hour: bool) {
        assert_clipped(seed, by_hour);
    }
}
