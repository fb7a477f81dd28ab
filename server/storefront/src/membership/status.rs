//! The membership of an order.

use quotient_sales::orders::view::{MEMBERSHIP, OrderView};
use serde::Serialize;
use serde_json::Value;

use crate::auth::Shop;
use crate::clock::{MINUTE_MS, Timestamp};
use crate::http::ToSchema;

/// The state of a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MembershipState {
    /// The order is not paid.
    Pending,
    Active,
    Expired,
    /// The order was canceled or refunded.
    Revoked,
}

/// The membership that an order grants.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = OrderMembership)]
pub(super) struct Membership {
    status: MembershipState,
    plan: Option<String>,
    member_id: Option<String>,
    /// The member's credentials as the merchant stored them; null until the order is paid, and once the membership is
    /// revoked.
    #[schema(value_type = Option<Object>)]
    credentials: Option<Value>,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
}

/// Returns whether a caller may see the membership of an order: anyone with its id for a while after it was placed,
/// then only its customer.
pub(super) fn may_see(order: &OrderView, shop: &Shop, now: Timestamp, open_minutes: u32) -> bool {
    if !shop.sells_in(order.sales_channel_id.as_ref()) {
        return false;
    }
    let open_ms = i64::from(open_minutes).saturating_mul(MINUTE_MS);
    let is_customer = shop.customer_id.is_some() && shop.customer_id == order.customer_id;
    is_customer || now < order.created_at.plus_ms(open_ms)
}

/// Returns the membership of an order; none if it grants none.
pub(super) fn of(order: &OrderView, now: Timestamp) -> Option<Membership> {
    let stored = order.metadata.as_ref()?.get(MEMBERSHIP)?.as_object()?;
    let text = |name: &str| stored.get(name).and_then(Value::as_str).map(str::to_owned);
    let at = |name: &str| stored.get(name).and_then(Value::as_str).and_then(|at| at.parse().ok());
    let ends_at: Option<Timestamp> = at("ends_at");
    let status = state(order.status, order.payment_status, ends_at.is_some_and(|end| end <= now));
    let is_shown = matches!(status, MembershipState::Active | MembershipState::Expired);
    let credentials = stored.get("credentials").filter(|value| is_shown && !value.is_null());
    Some(Membership {
        status,
        plan: text("plan"),
        member_id: text("member_id"),
        credentials: credentials.cloned(),
        starts_at: at("starts_at"),
        ends_at,
    })
}

fn state(order: &str, payment: &str, is_over: bool) -> MembershipState {
    match (order, payment) {
        ("canceled", _) | (_, "refunded" | "canceled") => MembershipState::Revoked,
        (_, "captured" | "partially_refunded") if is_over => MembershipState::Expired,
        (_, "captured" | "partially_refunded") => MembershipState::Active,
        _ => MembershipState::Pending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payment_decides_the_state() {
        for (order, payment, is_over, expected) in [
            ("pending", "authorized", false, MembershipState::Pending),
            ("pending", "not_paid", true, MembershipState::Pending),
            ("pending", "captured", false, MembershipState::Active),
            ("completed", "partially_refunded", false, MembershipState::Active),
            ("completed", "captured", true, MembershipState::Expired),
            ("pending", "refunded", false, MembershipState::Revoked),
            ("canceled", "captured", false, MembershipState::Revoked),
        ] {
            assert_eq!(state(order, payment, is_over), expected, "{order} {payment}");
        }
    }
}
