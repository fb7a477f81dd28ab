//! Sets of numbers as they are kept.

use std::borrow::Cow;

use roaring::RoaringBitmap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Limit: numbers that are kept by their distances, of which most take two bytes; a bitmap takes as much for each, and
/// eight bytes for each 65,536 numbers that it touches.
const FEW: u64 = 64;

#[derive(Serialize, Deserialize)]
enum Kept<'a> {
    /// The first number, and how far each of the others is from the one before.
    Few(Vec<u32>),
    Many(Cow<'a, RoaringBitmap>),
}

pub(super) fn serialize<S: Serializer>(
    set: &RoaringBitmap,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if set.len() > FEW {
        return Kept::Many(Cow::Borrowed(set)).serialize(serializer);
    }
    let mut last = 0;
    let distance = |number: u32| {
        let distance = number.saturating_sub(last);
        last = number;
        distance
    };
    Kept::Few(set.iter().map(distance).collect()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<RoaringBitmap, D::Error> {
    let distances = match Kept::deserialize(deserializer)? {
        Kept::Few(distances) => distances,
        Kept::Many(set) => return Ok(set.into_owned()),
    };
    let mut numbers = Vec::with_capacity(distances.len());
    let mut last = 0_u32;
    for distance in distances {
        let past = || D::Error::custom("a number past 32 bits");
        last = last.checked_add(distance).ok_or_else(past)?;
        numbers.push(last);
    }
    RoaringBitmap::from_sorted_iter(numbers).map_err(D::Error::custom)
}
