//! Quotient server.

pub(crate) mod cart;
pub(crate) mod inventory;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod pricing;
pub(crate) mod promotions;
#[cfg_attr(not(test), expect(dead_code, reason = "called by the rules, which await their routes"))]
pub(crate) mod proportion;
pub(crate) mod taxes;
