//! Rows aggregated in parts, merged in any order, corrected and removed: the answers are those over
//! the remaining rows.

use proptest::prelude::*;
use quotient::calendar::TimeUnit;
use quotient::data::Rates;
use quotient::rollup::{Dictionary, Granularity, RollupOptions, RollupSchema, Rollups};
use quotient::types::Currency;
use quotient::{Engine, Request};

use crate::rollup::fixture::{Store, days, platform};
use crate::rollup::random::{Rng, Rows};

/// Aggregates that the platform's metrics do not use.
const MORE: [&str; 9] = [
    "min(orders.total)",
    "max(orders.created_at where status != 'cancelled')",
    "first(orders.country)",
    "last(orders.total)",
    "stddev(orders.total)",
    "count_distinct(orders.country)",
    "share_of(orders where total > 50 USD)",
    "sum(payments.amount)",
    "avg(payments.amount where status = 'captured')",
];

/// Rollups under construction, with the numbers of the keys.
#[derive(Debug)]
pub(crate) struct MaintainedRollups {
    pub(crate) engine: Engine,
    pub(crate) rates: Rates,
    pub(crate) definitions: RollupSchema,
    dictionary: Dictionary,
    pub(crate) cells: Rollups,
}

impl MaintainedRollups {
    /// The cells of some rows of a source, without its other rows.
    pub(crate) fn part(&mut self, rows: &Rows, source: usize, meant: &[usize]) -> Rollups {
        let name = self.engine.schema().sources[source].name.as_str();
        let own = self.definitions.over(&[name]);
        self.part_of(&own, rows, (source, meant))
    }

    /// The same in some definitions only.
    pub(crate) fn part_of(
        &mut self,
        own: &RollupSchema,
        rows: &Rows,
        (source, meant): (usize, &[usize]),
    ) -> Rollups {
        let data = rows.data(&self.engine, &self.rates, Some((source, meant)));
        let cells = self.engine.fold_rollups(own, &data, &mut self.dictionary);
        cells.expect("within limits")
    }

    /// The sources whose rows link to those of a source, directly or indirectly, including itself.
    fn leading_to(&self, source: usize) -> Vec<usize> {
        let mut found = vec![source];
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            next += 1;
            for (index, other) in self.engine.schema().sources.iter().enumerate() {
                let leads = other.links.iter().any(|link| link.target.0 == at);
                if leads && !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        found
    }

    /// Removes the old version of a change from the cells and adds the new one.
    fn change(&mut self, before: &Rows, after: &Rows, source: usize, changed: &[usize]) {
        for (distance, of) in self.leading_to(source).into_iter().enumerate() {
            // Rows that link to a changed row may change with it.
            let all: Vec<usize> = (0..before.by_source[of].len()).collect();
            let meant = if distance == 0 { changed } else { &all };
            let gone = self.part(before, of, meant);
            self.cells.subtract(&gone);
            let came = self.part(after, of, meant);
            self.cells.merge(&came);
        }
    }
}

pub(crate) fn kept(store: &Store, granularity: Granularity) -> MaintainedRollups {
    let options = RollupOptions::new(granularity).by("country").by("sales_channel");
    let mut rates = Rates::new();
    for (code, rate) in [("EUR", "1.0831"), ("GBP", "1.2650")] {
        let code = Currency::from_code(code).expect("a currency");
        let day = "2026-01-15".parse().expect("a day");
        rates.set(day, code, rate.parse().expect("a rate")).expect("> 0");
    }
    MaintainedRollups {
        engine: store.engine.clone(),
        rates,
        definitions: store.definitions(&options),
        dictionary: Dictionary::new(),
        cells: Rollups::new(),
    }
}

/// Some of a source's rows.
fn some(rng: &mut Rng, count: usize) -> Vec<usize> {
    (0..count).filter(|_| rng.below(4) == 0).collect()
}

/// Folds every source's rows in two parts, and merges all parts in any order.
fn in_parts(kept: &mut MaintainedRollups, before: &Rows, rng: &mut Rng) {
    let mut parts = Vec::new();
    for (source, rows) in before.by_source.iter().enumerate() {
        let (first, second): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).partition(|_| rng.below(3) > 0);
        parts.push(kept.part(before, source, &first));
        parts.push(kept.part(before, source, &second));
    }
    while !parts.is_empty() {
        let part = parts.swap_remove(rng.below(parts.len()));
        kept.cells.merge(&part);
    }
}

/// Takes some rows of a source away.
fn without_some(kept: &mut MaintainedRollups, rows: &Rows, rng: &mut Rng) -> Rows {
    let source = rng.below(rows.by_source.len());
    let gone = some(rng, rows.by_source[source].len());
    let mut after = rows.clone();
    let mut index = 0;
    after.by_source[source].retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    for (distance, of) in kept.leading_to(source).into_iter().enumerate() {
        let all: Vec<usize> = (0..rows.by_source[of].len()).collect();
        let taken = kept.part(rows, of, if distance == 0 { &gone } else { &all });
        kept.cells.subtract(&taken);
        if distance > 0 {
            let put = kept.part(&after, of, &all);
            kept.cells.merge(&put);
        }
    }
    after
}

fn assert_kept(seed: u64, by_hour: bool) {
    let mut store = platform();
    for text in MORE {
        store.formulas.push((text.to_owned(), store.engine.compile(text).expect(text)));
    }
    let mut rng = Rng::new(seed);
    let before = Rows::new(&store.engine, &mut rng);
    let granularity = if by_hour { Granularity::Hour } else { Granularity::Day };
    let mut kept = kept(&store, granularity);

    in_parts(&mut kept, &before, &mut rng);
    let mut rows = before;
    for _ in 0..3 {
        let source = rng.below(rows.by_source.len());
        let changed = some(&mut rng, rows.by_source[source].len());
        let mut after = rows.clone();
        let table = &store.engine.schema().sources[source];
        for index in &changed {
            after.by_source[source][*index] = rng.row(&store.engine, table, *index);
        }
        kept.change(&rows, &after, source, &changed);
        rows = after;
    }
    let after = without_some(&mut kept, &rows, &mut rng);
    store.data = after.data(&store.engine, &kept.rates, None);
    let fresh = store.engine.fold_rollups(&kept.definitions, &store.data, &mut kept.dictionary);
    kept.cells.rebuild(&fresh.expect("within limits"));
    assert!(kept.cells.dirty().is_empty());

    let quarter = days("2026-01-01", "2026-03-31");
    for request in [
        quarter.clone(),
        Request { by: Some(TimeUnit::Week), ..quarter.clone() },
        Request { group_by: vec!["country".to_owned()], ..quarter },
    ] {
        let (wrong, _) = store.differences((&kept.definitions, &kept.cells), &request);
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn cells_of_changed_rows_answer_as_the_rows_do(seed: u64, by_hour: bool) {
        assert_kept(seed, by_hour);
    }
}
