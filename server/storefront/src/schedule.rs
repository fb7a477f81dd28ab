//! Time windows in which content is shown.

use crate::clock::Timestamp;
use crate::http::Refusal;

/// From one instant until before another; open-ended where an end is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Window {
    pub(crate) starts_at: Option<Timestamp>,
    pub(crate) ends_at: Option<Timestamp>,
}

impl Window {
    pub(crate) const fn new(starts_at: Option<Timestamp>, ends_at: Option<Timestamp>) -> Self {
        Self { starts_at, ends_at }
    }

    /// Returns the window, unless both ends are missing.
    pub(crate) fn of_some_end(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    pub(crate) fn is_open(self, at: Timestamp) -> bool {
        self.starts_at.is_none_or(|start| start <= at) && self.ends_at.is_none_or(|end| at < end)
    }

    /// Returns the next instant at which it opens or closes.
    pub(crate) fn next_change(self, at: Timestamp) -> Option<Timestamp> {
        let opens = self.starts_at.filter(|start| *start > at);
        let closes = self.ends_at.filter(|end| *end > at);
        opens.into_iter().chain(closes).min()
    }

    /// Rejects a window that never opens.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        match (self.starts_at, self.ends_at) {
            (Some(start), Some(end)) if end <= start => {
                Err(Refusal::invalid("the end of the window must be after its start"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    #[test]
    fn a_window_is_half_open_and_knows_its_next_change() {
        let window = Window::new(Some(at(10)), Some(at(20)));
        for (now, is_open, next) in
            [(9, false, Some(10)), (10, true, Some(20)), (19, true, Some(20)), (20, false, None)]
        {
            assert_eq!(window.is_open(at(now)), is_open, "{now}");
            assert_eq!(window.next_change(at(now)), next.map(at), "{now}");
        }
        assert!(Window::default().is_open(at(0)));
        assert_eq!(Window::default().of_some_end(), None);
    }
}
