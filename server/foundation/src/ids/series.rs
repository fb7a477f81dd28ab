//! Deterministic ids, for the duration of one piece of work on its own thread.

use std::cell::RefCell;

use ulid::Ulid;

type Series = Box<dyn FnMut() -> Ulid>;

thread_local! {
    static SERIES: RefCell<Option<Series>> = const { RefCell::new(None) };
}

/// Restores the previous series after a piece of work, even if it panics.
struct Before(Option<Series>);

impl Drop for Before {
    fn drop(&mut self) {
        SERIES.set(self.0.take());
    }
}

/// Runs the work; every id generated in it has the time `at_ms` (milliseconds since 1970) and the next 80 bits of
/// `bits`. Used to create stores reproducibly.
pub fn within<T>(
    at_ms: i64,
    mut bits: impl FnMut() -> u128 + 'static,
    work: impl FnOnce() -> T,
) -> T {
    let at_ms = u64::try_from(at_ms).unwrap_or(0);
    let series: Series = Box::new(move || Ulid::from_parts(at_ms, bits()));
    let _before = Before(SERIES.replace(Some(series)));
    work()
}

/// Returns the next id of the series, if the thread is within one.
pub(super) fn next() -> Option<Ulid> {
    SERIES.with_borrow_mut(|series| series.as_mut().map(|next| next()))
}

#[cfg(test)]
mod tests {
    use super::super::CartId;
    use super::within;

    #[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
    fn three(from: u128) -> Vec<CartId> {
        let mut last = from;
        let bits = move || {
            last += 1;
            last
        };
        within(5, bits, || (0..3).map(|_| CartId::new()).collect())
    }

    #[test]
    fn ids_of_a_series_are_the_same_every_time_and_sort_as_they_were_made() {
        let ids = three(1);
        assert_eq!(ids, three(1));
        assert_ne!(ids, three(10));
        assert!(ids.is_sorted());
    }

    #[test]
    fn a_series_ends_with_its_work_and_is_its_threads_own() {
        let (elsewhere, here) = within(
            5,
            || 7,
            || {
                let other = std::thread::spawn(CartId::new).join().unwrap();
                (other, CartId::new())
            },
        );
        assert_eq!(here, CartId::seeded(5, 7));
        assert_ne!(elsewhere, here);
        assert_ne!(CartId::new(), here);

        let failed = std::panic::catch_unwind(|| {
            within(5, || 7, || std::panic::resume_unwind(Box::new(())))
        });
        assert!(failed.is_err());
        assert_ne!(CartId::new(), here);
    }
}
