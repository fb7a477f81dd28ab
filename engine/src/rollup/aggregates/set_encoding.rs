//! The stored form of sets of numbers.

use std::borrow::Cow;

use roaring::RoaringBitmap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Limit: the size of sets that are stored as distances. Most distances take two bytes. A bitmap also takes two
/// bytes for each number, and eight bytes more for each range of 65,536 numbers that it touches.
const FEW: u64 = 64;

#[derive(Serialize, Deserialize)]
enum SetEncoding<'a> {
    /// The first number, then the distance of each number from the one before.
    Few(Vec<u32>),
    Many(Cow<'a, RoaringBitmap>),
}

pub(super) fn serialize<S: Serializer>(
    set: &RoaringBitmap,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if set.len() > FEW {
        return SetEncoding::Many(Cow::Borrowed(set)).serialize(serializer);
    }
    let mut last = 0;
    let distance = |number: u32| {
        let distance = number.saturating_sub(last);
        last = number;
        distance
    };
    SetEncoding::Few(set.iter().map(distance).collect()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<RoaringBitmap, D::Error> {
    let distances = match SetEncoding::deserialize(deserializer)? {
        SetEncoding::Few(distances) => distances,
        SetEncoding::Many(set) => return Ok(set.into_owned()),
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
