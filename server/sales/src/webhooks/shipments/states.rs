//! The states of a parcel, as senders write them.

use crate::fulfillment::parcels::ParcelState;

/// Returns the state of a word, in any case and with any separator.
pub(super) fn parse(word: &str) -> Option<ParcelState> {
    let word: String = word
        .trim()
        .chars()
        .map(|c| if matches!(c, ' ' | '-' | '.') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    Some(match word.as_str() {
        "packed" | "picked" | "ready" | "ready_to_ship" | "pre_transit" | "label_created" => {
            ParcelState::Packed
        }
        "canceled" | "cancelled" => ParcelState::Canceled,
        "shipped"
        | "dispatched"
        | "despatched"
        | "sent"
        | "complete"
        | "completed"
        | "transit"
        | "in_transit"
        | "it"
        | "accepted"
        | "ac"
        | "out_for_delivery"
        | "available_for_pickup" => ParcelState::Shipped,
        "delivered" | "de" => ParcelState::Delivered,
        "returned" | "return_to_sender" => ParcelState::Returned,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_however_they_are_spelled() {
        for (word, expected) in [
            ("shipped", Some(ParcelState::Shipped)),
            (" SHIPPED ", Some(ParcelState::Shipped)),
            ("Out for Delivery", Some(ParcelState::Shipped)),
            ("in-transit", Some(ParcelState::Shipped)),
            ("DE", Some(ParcelState::Delivered)),
            ("cancelled", Some(ParcelState::Canceled)),
            ("return_to_sender", Some(ParcelState::Returned)),
            ("lost", None),
            ("", None),
        ] {
            assert_eq!(parse(word), expected, "{word}");
        }
    }
}
