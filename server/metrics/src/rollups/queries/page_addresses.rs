//! Addresses of pages: table, level, bucket and page as one number, by which the file is sorted.

use std::ops::Range;

use crate::database::Error;

/// Limit: pages of a bucket.
const PAGES: i64 = 1 << 22;
/// Limit: buckets, half of them before 1970. That many hours are more than fifteen thousand years each way.
const BUCKETS: i64 = 1 << 28;
/// Limit: buckets and the blocks above them.
const LEVELS: i64 = 2;
/// Limit: tables; one number after the last address is left for the ends of ranges.
const TABLES: i64 = (1 << 12) - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageAddress {
    pub table: i64,
    pub level: i64,
    pub bucket: i32,
    pub page: i64,
}

impl PageAddress {
    pub(super) fn number(self) -> Result<i64, Error> {
        let Self { table, level, bucket, page } = self;
        let bucket = i64::from(bucket).saturating_add(BUCKETS / 2);
        let parts = [(table, TABLES), (level, LEVELS), (bucket, BUCKETS), (page, PAGES)];
        let mut number = 0_i64;
        for (part, count) in parts {
            if !(0..count).contains(&part) {
                return Err(Error::Damaged(format!("there is no place for {self:?}")));
            }
            number = number.saturating_mul(count).saturating_add(part);
        }
        Ok(number)
    }

    pub(super) fn bucket_and_page(number: i64) -> (i32, i64) {
        let bucket = number.div_euclid(PAGES).rem_euclid(BUCKETS).saturating_sub(BUCKETS / 2);
        (i32::try_from(bucket).unwrap_or(i32::MAX), number.rem_euclid(PAGES))
    }
}

/// Returns the addresses in some buckets of a level, from the first to before the second.
pub(super) fn numbers(
    (table, level): (i64, i64),
    (first, end): (i32, i32),
) -> Result<Range<i64>, Error> {
    let start = PageAddress { table, level, bucket: 0, page: 0 }.number()?;
    let of = |bucket: i32| {
        let bucket = i64::from(bucket).clamp(BUCKETS / -2, BUCKETS / 2);
        start.saturating_add(bucket.saturating_mul(PAGES))
    };
    Ok(of(first)..of(end))
}

pub(super) fn numbers_of_table(table: i64) -> Result<Range<i64>, Error> {
    let all = (i32::MIN, i32::MAX);
    Ok(numbers((table, 0), all)?.start..numbers((table, LEVELS.saturating_sub(1)), all)?.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_their_numbers_and_found_by_them() {
        let mut places = Vec::new();
        for (table, level) in [(0, 0), (0, 1), (7, 0), (7, 1), (TABLES - 1, 1)] {
            for bucket in [-(1 << 27), -1, 0, 20_000, (1 << 27) - 1] {
                places.extend([0, 5, PAGES - 1].map(|page| PageAddress {
                    table,
                    level,
                    bucket,
                    page,
                }));
            }
        }
        let numbers: Vec<i64> = places.iter().map(|place| place.number().unwrap()).collect();

        assert!(numbers.is_sorted_by(|one, next| one < next));
        for (place, number) in places.iter().zip(numbers) {
            assert_eq!(PageAddress::bucket_and_page(number), (place.bucket, place.page));
            let of = (place.table, place.level);
            let own = super::numbers(of, (place.bucket, place.bucket + 1)).unwrap();
            assert!(own.contains(&number), "{place:?}");
            assert!(super::numbers(of, (i32::MIN, i32::MAX)).unwrap().contains(&number));
            assert!(!super::numbers(of, (place.bucket + 1, i32::MAX)).unwrap().contains(&number));
            assert!(numbers_of_table(place.table).unwrap().contains(&number));
            assert_eq!(numbers_of_table(0).unwrap().contains(&number), place.table == 0);
        }
    }

    #[test]
    fn addresses_out_of_range_are_refused() {
        let place = PageAddress { table: 1, level: 0, bucket: 0, page: 0 };
        for past in [
            PageAddress { table: TABLES, ..place },
            PageAddress { level: LEVELS, ..place },
            PageAddress { bucket: 1 << 27, ..place },
            PageAddress { page: PAGES, ..place },
            PageAddress { page: -1, ..place },
        ] {
            assert!(past.number().is_err(), "{past:?}");
        }
    }
}
