//! The answers of each plan, from merged states.

use roaring::RoaringBitmap;
use rust_decimal::Decimal;

use super::kinds::Repeats;
use super::range::Extents;
use super::reading::{Ask, Loaded, Reading};
use super::shape::{Declined, Draft, Range};
use super::state::State;
use super::tree::{Leaf, Tree};
use crate::check::PeriodPart;
use crate::evaluate::{Evaluation, amount_text};
use crate::schema::MixedCurrency;
use crate::types::{Reason, Value};

/// What a state cannot tell.
const TOO_MUCH: &str = "what its cells hold is too large, or mixed, to be told from them";

impl Reading<'_> {
    pub(super) fn over(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        draft: &Draft,
        range: Range,
    ) -> Result<Vec<Value>, Declined> {
        let Loaded { kind, scale, codes, found } = self.states(evaluation, ask, draft, range)?;
        let policy = evaluation.context().schema.store.mixed_currency;
        let groups = ask.place.group_count();
        let finish = |state: &State| {
            let found = state.finish(ask.function, ask.fraction, scale);
            found.ok_or_else(|| TOO_MUCH.to_owned())
        };
        let mut answers = Vec::with_capacity(ask.place.cell_count());
        for found in found {
            match found {
                None => answers.extend(none(groups, Reason::NoCoverage)),
                Some((slots, _)) if ask.extents.is_void(slots) => {
                    answers.extend(none(groups, Reason::NoRows));
                }
                Some((_, states)) if draft.currency.is_some() => {
                    let empty = finish(&State::empty(kind))?;
                    for group in 0..groups {
                        let first = group.saturating_mul(codes.len());
                        let own = states.iter().skip(first).take(codes.len());
                        let own = codes.iter().zip(own).filter(|(_, state)| !state.is_empty());
                        let own = own.map(|(code, state)| Ok((code.to_value(), finish(state)?)));
                        let own = own.collect::<Result<Vec<_>, Declined>>()?;
                        answers.push(by_currency(&own, &empty, policy));
                    }
                }
                Some((_, states)) => {
                    for state in &states {
                        answers.push(finish(state)?);
                    }
                }
            }
        }
        Ok(answers)
    }

    /// What began before an end of the period, less what had ended by then.
    pub(super) fn running(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        (begun, ended): &(Draft, Draft),
        part: PeriodPart,
    ) -> Result<Vec<Value>, Declined> {
        let range = Range::Between(None, Some(part));
        let Loaded { scale, found: begun, .. } = self.states(evaluation, ask, begun, range)?;
        let ended = self.states(evaluation, ask, ended, range)?.found;
        let mut answers = Vec::with_capacity(ask.place.cell_count());
        for (begun, ended) in begun.into_iter().zip(ended) {
            let (Some((_, begun)), Some((_, ended))) = (begun, ended) else {
                return Err("a source without dates of its own has no coverage".to_owned());
            };
            for (state, ended) in begun.iter().zip(&ended) {
                let (State::Tally(begun), State::Tally(ended)) = (state, ended) else {
                    return Err(TOO_MUCH.to_owned());
                };
                let mut left = begun.clone();
                if left.take_out(ended) == super::kinds::Undone::Rebuild {
                    return Err(TOO_MUCH.to_owned());
                }
                let answer = State::Tally(left).finish(ask.function, ask.fraction, scale);
                answers.push(answer.ok_or_else(|| TOO_MUCH.to_owned())?);
            }
        }
        Ok(answers)
    }

    /// How many keys are in other sets of keys too.
    pub(super) fn also(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        draft: &Draft,
        sets: &[(Draft, Range)],
    ) -> Result<Vec<Value>, Declined> {
        let mut common: Vec<Option<RoaringBitmap>> = vec![None; ask.place.buckets.len()];
        for (draft, range) in sets {
            let found = self.whole(evaluation, ask, draft, *range)?;
            for (state, common) in found.into_iter().zip(&mut common) {
                let Some(State::Keys(keys)) = state else { return Err(TOO_MUCH.to_owned()) };
                let seen = keys.seen();
                *common = Some(common.as_ref().map_or_else(|| seen.clone(), |own| own & seen));
            }
        }
        let groups = ask.place.group_count();
        let mut answers = Vec::with_capacity(ask.place.cell_count());
        let found = self.states(evaluation, ask, draft, Range::Frame)?.found;
        for (found, common) in found.iter().zip(common) {
            let (Some((slots, states)), Some(common)) = (found, common) else {
                answers.extend(none(groups, Reason::NoCoverage));
                continue;
            };
            if ask.extents.is_void(*slots) {
                answers.extend(none(groups, Reason::NoRows));
                continue;
            }
            for state in states {
                let State::Keys(keys) = state else { return Err(TOO_MUCH.to_owned()) };
                answers.push(count(keys.seen().intersection_len(&common)));
            }
        }
        Ok(answers)
    }

    /// How many rows of an entity meet a condition on how many rows lead to them.
    pub(super) fn among(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        (members, range): (&Draft, Range),
        tree: &Tree,
    ) -> Result<Vec<Value>, Declined> {
        let mut counted: Vec<Vec<Option<Repeats>>> = Vec::new();
        for leaf in tree.leaves() {
            counted.push(self.counted(evaluation, ask, leaf)?);
        }
        let groups = ask.place.group_count();
        let mut answers = Vec::with_capacity(ask.place.cell_count());
        let members = self.states(evaluation, ask, members, range)?.found;
        for (bucket, found) in members.into_iter().enumerate() {
            let Some((slots, states)) = found else {
                answers.extend(none(groups, Reason::NoCoverage));
                continue;
            };
            if ask.extents.is_void(slots) {
                answers.extend(none(groups, Reason::NoRows));
                continue;
            }
            for state in &states {
                let State::Keys(keys) = state else { return Err(TOO_MUCH.to_owned()) };
                if !keys.is_complete() {
                    return Err("there are rows without a key".to_owned());
                }
                let mut counts = counted.iter().map(|leaf| leaf.get(bucket).cloned().flatten());
                answers.push(count(tree.among(keys.seen(), &mut counts).len()));
            }
        }
        Ok(answers)
    }

    /// For each bucket which keys rows lead to, once and again, under the windows of a count.
    fn counted(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        leaf: &Leaf,
    ) -> Result<Vec<Option<Repeats>>, Declined> {
        let mut frame = Some(ask.frame);
        for window in &leaf.windows {
            frame = frame.and_then(|frame| evaluation.frames_mut().window(*window, frame));
        }
        // A window that leaves the range of instants is a null for every row.
        let place = frame.and_then(|frame| evaluation.frame(frame).cloned());
        let Some(place) = place else { return Ok(vec![None; ask.place.buckets.len()]) };
        let table = evaluation.context().schema.source_at(leaf.draft.source);
        let dated = !leaf.draft.definition.grain.eq(&super::slot::Grain::Always);
        let extents = Extents {
            kind: table.map(|table| table.kind),
            coverage: table.and_then(|table| table.coverage).filter(|_| dated),
            present: None,
        };
        let ask = Ask { extents: &extents, place: &place, ..*ask };
        let found = self.whole(evaluation, &ask, &leaf.draft, Range::Frame)?.into_iter();
        let repeats = found.map(|state| match state {
            Some(State::Repeats(repeats)) => Ok(Some(repeats)),
            Some(_) => Err(TOO_MUCH.to_owned()),
            None => Ok(None),
        });
        repeats.collect()
    }
}

fn none(groups: usize, reason: Reason) -> Vec<Value> {
    vec![Value::missing(reason); groups]
}

fn count(keys: u64) -> Value {
    Value::Number(Decimal::from(keys))
}

/// One answer over amounts in several currencies, under a policy that does not convert.
fn by_currency(own: &[(Value, Value)], empty: &Value, policy: MixedCurrency) -> Value {
    if own.iter().any(|(code, _)| code.is_missing()) {
        return Value::missing(Reason::NoRate);
    }
    match (policy, own) {
        (MixedCurrency::Split, own) => Value::List(own.iter().map(amount).collect()),
        (_, []) => empty.clone(),
        (_, [(_, value)]) => value.clone(),
        (MixedCurrency::Convert | MixedCurrency::Refuse, _) => {
            Value::missing(Reason::MixedCurrency)
        }
    }
}

fn amount((code, value): &(Value, Value)) -> Value {
    match code {
        Value::Text(code) => amount_text(value, code),
        _ => value.clone(),
    }
}
