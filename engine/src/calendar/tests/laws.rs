//! Laws that hold for every instant, zone and calendar.

use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use proptest::prelude::*;

use super::super::zone::NANOSECONDS_PER_SECOND;
use super::super::{Calendar, DatePart, Period, PeriodLiteral, Retail454, TimeSpan, TimeUnit};

/// Zones with unusual transitions, tested in addition to all others.
const ODD_ZONES: [&str; 9] = [
    "Europe/Berlin",
    "America/Sao_Paulo",
    "Africa/Cairo",
    "America/Havana",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Pacific/Apia",
    "Asia/Kathmandu",
];

fn zone_name() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(ODD_ZONES.map(str::to_owned).to_vec()),
        1 => prop::sample::select(Calendar::zone_names()),
    ]
}

fn weekday() -> impl Strategy<Value = Weekday> {
    (0_i64..7).prop_map(|days| Weekday::Monday.wrapping_add(days))
}

fn calendar() -> impl Strategy<Value = Calendar> {
    (zone_name(), weekday(), 1_i8..=12, prop::bool::weighted(0.3)).prop_map(
        |(zone, weekday, month, is_retail)| {
            let calendar = Calendar::with_zone(&zone).unwrap();
            if is_retail {
                return calendar.with_retail(Retail454::new(month, weekday).unwrap());
            }
            calendar.with_week_start(weekday).with_fiscal_start(month).unwrap()
        },
    )
}

fn instant() -> impl Strategy<Value = Timestamp> {
    (-4_000_000_000_i64..6_000_000_000, 0_i32..1_000_000_000)
        .prop_map(|(second, nanosecond)| Timestamp::new(second, nanosecond).unwrap())
}

/// Any instant, often one at the ends of the range.
fn any_instant() -> impl Strategy<Value = Timestamp> {
    let whole = Timestamp::MIN.as_second()..=Timestamp::MAX.as_second();
    prop_oneof![
        Just(Timestamp::MIN),
        Just(Timestamp::MAX),
        (0_i64..400_000_000).prop_map(|second| {
            Timestamp::from_second(Timestamp::MIN.as_second() + second).unwrap()
        }),
        (0_i64..400_000_000).prop_map(|second| {
            Timestamp::from_second(Timestamp::MAX.as_second() - second).unwrap()
        }),
        whole.prop_map(|second| Timestamp::from_second(second).unwrap()),
        instant(),
    ]
}

fn any_date() -> impl Strategy<Value = Date> {
    prop_oneof![
        Just(Date::MIN),
        Just(Date::MAX),
        any_instant().prop_map(|at| Calendar::default().date_of(at)),
    ]
}

fn unit() -> impl Strategy<Value = TimeUnit> {
    prop::sample::select(TimeUnit::ALL.to_vec())
}

fn any_span() -> impl Strategy<Value = TimeSpan> {
    let count = prop_oneof![
        Just(i64::MIN),
        Just(i64::MAX),
        any::<i64>(),
        -400_000_i64..400_000,
        -40_i64..40,
    ];
    (count, unit()).prop_map(|(count, unit)| TimeSpan::new(count, unit))
}

fn any_period() -> impl Strategy<Value = Period> {
    (any_instant(), any_instant(), any_instant())
        .prop_map(|(a, b, now)| Period::new(a.min(b), a.max(b)).seen_at(now))
}

/// Checks the invariant of a period: it does not end before it starts, nor is it known beyond its end.
fn is_sound(period: Period) -> bool {
    period.start <= period.end && period.as_of <= period.end
}

proptest! {
    #[test]
    fn buckets_cover_the_period_without_gap_or_overlap(
        calendar in calendar(), start in instant(), unit in unit(), length in 1_i64..3_000_000,
        elapsed in 0_i64..3_000_000,
    ) {
        // A few hundred units of any size.
        let scale = unit.seconds().unwrap_or(2_600_000).min(40_000);
        let end = Timestamp::from_second(start.as_second() + 1 + length * scale / 10_000).unwrap();
        let now = Timestamp::from_second(start.as_second() + elapsed * scale / 10_000).unwrap();
        let period = Period::new(start, end).seen_at(now);

        let buckets = calendar.buckets(period, unit, 2_000).unwrap();

        prop_assert_eq!(buckets.first().unwrap().start, period.start);
        prop_assert_eq!(buckets.last().unwrap().end, period.end);
        for pair in buckets.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
        }
        let elapsed: i128 = buckets.iter().map(|b| b.elapsed_nanoseconds().unwrap()).sum();
        prop_assert_eq!(Some(elapsed), period.elapsed_nanoseconds());
        for bucket in &buckets {
            prop_assert!(bucket.start < bucket.end && is_sound(*bucket));
            if unit != TimeUnit::Period {
                let last = Calendar::add_nanoseconds(bucket.end, -1).unwrap();
                prop_assert_eq!(calendar.start_of(bucket.start, unit), calendar.start_of(last, unit));
            }
        }
    }

    #[test]
    fn an_instant_is_inside_its_unit(
        calendar in calendar(), at in instant(),
        unit in prop::sample::select(TimeUnit::ALL[..8].to_vec()),
    ) {
        let start = calendar.start_of(at, unit).unwrap();
        let end = calendar.end_of(at, unit).unwrap();

        prop_assert!(start <= at && at < end);
        prop_assert_eq!(calendar.start_of(start, unit), Some(start));
        prop_assert_eq!(calendar.end_of(start, unit), Some(end));
    }

    #[test]
    fn previous_twice_is_previous_of_two(
        calendar in calendar(), at in instant(), count in 1_i64..20, n in -20_i64..20,
        unit in prop::sample::select(vec![TimeUnit::Month, TimeUnit::Quarter, TimeUnit::Year]),
    ) {
        let mut end = calendar.end_of(at, unit).unwrap();
        for _ in 1..count {
            end = calendar.end_of(end, unit).unwrap();
        }
        let period = Period::new(calendar.start_of(at, unit).unwrap(), end);

        let once = calendar.previous(period, n, true).unwrap();
        let twice = calendar.previous(once, n, true).unwrap();

        prop_assert_eq!(Some(twice), calendar.previous(period, 2 * n, true));
        prop_assert_eq!(calendar.previous(once, -n, true), Some(period));
        prop_assert_eq!(calendar.is_whole(once), calendar.is_whole(period));
        let before = calendar.previous(period, 1, true).unwrap();
        prop_assert_eq!(before.end, period.start);
    }

    #[test]
    fn the_elapsed_part_of_an_earlier_period_grows_with_the_elapsed_part(
        calendar in calendar(), at in instant(), one in 0_i64..40_000_000, other in 0_i64..40_000_000,
        n in 1_i64..20, unit in prop::sample::select(vec![TimeUnit::Month, TimeUnit::Year]),
    ) {
        let start = calendar.start_of(at, unit).unwrap();
        let period = Period::new(start, calendar.end_of(at, unit).unwrap());
        let seen = |seconds: i64| {
            period.seen_at(Timestamp::from_second(start.as_second() + seconds).unwrap())
        };

        let less = calendar.previous(seen(one.min(other)), n, true).unwrap();
        let more = calendar.previous(seen(one.max(other)), n, true).unwrap();

        prop_assert_eq!((less.start, less.end), (more.start, more.end));
        prop_assert!(less.as_of <= more.as_of);
    }

    #[test]
    fn a_trailing_window_is_as_long_as_it_says(
        calendar in calendar(), at in instant(), count in 0_i64..500,
        unit in prop::sample::select(vec![TimeUnit::Second, TimeUnit::Minute, TimeUnit::Hour]),
    ) {
        let period = Period::new(calendar.start_of(at, TimeUnit::Month).unwrap(), at);
        let span = TimeSpan::new(count, unit);

        let exact = calendar.trailing(period, span, true).unwrap();
        let days = calendar.trailing(period, TimeSpan::new(count, TimeUnit::Day), false).unwrap();

        let nanoseconds = i128::from(span.seconds().unwrap()) * NANOSECONDS_PER_SECOND;
        prop_assert_eq!(exact.full_nanoseconds(), Some(nanoseconds));
        prop_assert_eq!(exact.end, period.as_of);
        prop_assert_eq!(
            Calendar::days_between(calendar.date_of(days.start), calendar.date_of(days.end)),
            count
        );
    }

    #[test]
    fn literals_are_read_back_and_resolve_to_whole_units(
        calendar in calendar(), year in 0_i16..9_000, quarter in 1_i8..=4, month in 1_i8..=12,
        week in 1_i8..=53,
    ) {
        for literal in [
            PeriodLiteral::Year(year),
            PeriodLiteral::Quarter(year, quarter),
            PeriodLiteral::Month(year, month),
            PeriodLiteral::Week(year, week),
        ] {
            let read = PeriodLiteral::parse(&literal.to_string());
            let resolved = calendar.resolve(literal);
            prop_assert_eq!(read.is_some(), resolved.is_some());
            let Some(period) = resolved else { continue };
            prop_assert_eq!(read, Some(literal));
            prop_assert!(calendar.is_whole(period).is_some());
        }
    }

    #[test]
    fn nothing_panics_and_every_period_is_sound(
        calendar in calendar(), period in any_period(), at in any_instant(), date in any_date(),
        span in any_span(), unit in unit(),
    ) {
        let windows = [
            calendar.shift(period, span),
            calendar.previous(period, span.count, true),
            calendar.previous(period, span.count, false),
            calendar.last(period, unit),
            calendar.trailing(period, span, true),
            calendar.trailing(period, span, false),
            calendar.to_date(period, unit),
            Some(Calendar::lifetime(period)),
            Some(Calendar::running(at, period)),
        ];
        prop_assert!(windows.into_iter().flatten().all(is_sound));

        for bucket in calendar.buckets(period, unit, 20).unwrap_or_default() {
            prop_assert!(is_sound(bucket) && bucket.start < bucket.end);
        }
        prop_assert!(calendar.start_of(at, unit).is_none_or(|start| start <= at));
        prop_assert!(calendar.end_of(at, unit).is_none_or(|end| end > at));
        let _ = (calendar.add(at, span), calendar.add_date(date, span));
        let _ = (calendar.days_in(period), calendar.is_whole(period));
        let _ = (calendar.start_of_day(date), calendar.date_part(date, DatePart::FiscalYear));
        prop_assert!((1..=4).contains(&calendar.part(at, DatePart::Quarter)));
        prop_assert!((1..=7).contains(&calendar.part(at, DatePart::Weekday)));
    }

    #[test]
    fn any_text_may_be_read_as_a_period(text in "\\PC{0,12}|@?[0-9QW-]{0,12}") {
        if let Some(literal) = PeriodLiteral::parse(&text) {
            prop_assert_eq!(PeriodLiteral::parse(&literal.to_string()), Some(literal));
        }
    }
}
