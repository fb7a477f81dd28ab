//! A dashboard from rollups and from rows, over a year of few orders and of ten times as many.

use quotient::Inputs;

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::measure::{Contestant, measure};
use crate::year::{Year, requests};

/// The goal with ten times the orders: a dashboard reads the partial aggregates of the requested days,
/// however many orders they are of.
const GROWTH: &[(&str, Goal)] = &[("rollups of 1×", Goal::Within(1.2))];

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let orders = if session.testing { 1_000 } else { 100_000 };
    let (small, large) = (Year::open(orders)?, Year::open(orders.saturating_mul(10))?);
    let (few, many) = (small.reading(), large.reading());
    let mut lines = Vec::new();
    for (what, request) in requests() {
        large.check(&many, &request)?;
        small.check(&few, &request)?;
        let (from_few, from_many) = (Inputs::rollups(&few), Inputs::rollups(&many));
        let (rows, more_rows) = (Inputs::data(&small.data), Inputs::data(&large.data));
        let mut contestants = [
            Contestant::new("rollups of 10×", || large.answers(from_many, &request).is_ok()),
            Contestant::new("rollups of 1×", || small.answers(from_few, &request).is_ok()),
            Contestant::new("rows of 10×", || large.answers(more_rows, &request).is_ok()),
            Contestant::new("rows of 1×", || small.answers(rows, &request).is_ok()),
        ];
        let times = measure(&mut contestants, session.effort);
        lines.extend(beside(&format!("dashboard of 10×, {what}"), &times, GROWTH));
    }
    Ok(lines)
}
