//! Objections to a conversion: pure rules.

/// Limit: an order within this many milliseconds of its click is reported as too fast.
const TOO_FAST_MS: i64 = 5_000;

/// Limit: clicks of a visitor within a day.
const MAX_CLICKS: i64 = 50;

/// The number of orders from which a code's refund rate is checked, and the suspicious rate in
/// percent.
const REFUND_ORDERS: i64 = 20;
const REFUND_PERCENT: i64 = 20;

#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Facts {
    pub(super) partner_email: String,
    /// The e-mail addresses of the order and of its customer.
    pub(super) emails: Vec<String>,
    /// Whether buyer and partner have saved the same card.
    pub(super) shares_card: bool,
    /// Whether it is shipped to one of the partner's addresses.
    pub(super) shares_address: bool,
    /// Milliseconds since the click, if there was one.
    pub(super) age_ms: Option<i64>,
    /// How often the visitor followed links on the preceding day.
    pub(super) clicks: i64,
    /// The orders of the code within 30 days, and how many of them were refunded.
    pub(super) orders: i64,
    pub(super) refunded: i64,
    pub(super) new_customers_only: bool,
    pub(super) is_new_customer: bool,
    /// Whether another customer has paid with the same saved card.
    pub(super) is_known_card: bool,
}

/// The reason for rejecting a conversion immediately.
pub(super) fn rejection(facts: &Facts) -> Option<&'static str> {
    let partner_email = folded(&facts.partner_email);
    let is_partner =
        facts.emails.iter().any(|email| !email.is_empty() && folded(email) == partner_email);
    if is_partner || facts.shares_card || facts.shares_address {
        return Some("self_referral");
    }
    if facts.new_customers_only && !facts.is_new_customer {
        return Some("existing_customer");
    }
    (facts.new_customers_only && facts.is_known_card).then_some("duplicate_customer")
}

/// The findings that a person must decide on.
pub(super) fn flags(facts: &Facts) -> Vec<String> {
    let is_refunded = facts.orders >= REFUND_ORDERS
        && facts.refunded.saturating_mul(100) > facts.orders.saturating_mul(REFUND_PERCENT);
    [
        ("too_fast", facts.age_ms.is_some_and(|age| age < TOO_FAST_MS)),
        ("many_clicks", facts.clicks > MAX_CLICKS),
        ("many_refunds", is_refunded),
    ]
    .into_iter()
    .filter(|(_, is_found)| *is_found)
    .map(|(flag, _)| flag.to_owned())
    .collect()
}

/// Returns an e-mail address without the parts that its owner can vary: case, dots and tags.
fn folded(email: &str) -> String {
    let email = email.trim().to_lowercase();
    let Some((name, host)) = email.rsplit_once('@') else { return email };
    let name = name.split('+').next().unwrap_or_default().replace('.', "");
    format!("{name}@{host}")
}

/// Returns the letters and digits of an address line, for comparison.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            partner_email: "ada.l@blog.example".to_owned(),
            emails: vec!["bob@example.com".to_owned()],
            age_ms: Some(5_000),
            clicks: 50,
            orders: 20,
            refunded: 4,
            ..Facts::default()
        }
    }

    #[test]
    fn partners_earn_nothing_on_their_own_orders() {
        assert_eq!(rejection(&facts()), None);
        for email in ["ada.l@blog.example", "Ada.L+shop@blog.example", "adal@BLOG.example"] {
            let emails = vec!["bob@example.com".to_owned(), email.to_owned()];
            let own = Facts { emails, ..facts() };
            assert_eq!(rejection(&own), Some("self_referral"), "{email}");
        }
        for own in
            [Facts { shares_card: true, ..facts() }, Facts { shares_address: true, ..facts() }]
        {
            assert_eq!(rejection(&own), Some("self_referral"));
        }
        assert_eq!(plain("12, St.-James's Sq."), plain("12 ST JAMES S SQ"));
    }

    #[test]
    fn new_customers_are_new_once() {
        let new = Facts { new_customers_only: true, is_new_customer: true, ..facts() };
        assert_eq!(rejection(&new), None);
        let again = Facts { is_known_card: true, ..new.clone() };
        assert_eq!(rejection(&again), Some("duplicate_customer"));
        let old = Facts { is_new_customer: false, ..new };
        assert_eq!(rejection(&old), Some("existing_customer"));
        assert_eq!(rejection(&Facts { is_known_card: true, ..facts() }), None);
    }

    #[test]
    fn limits_themselves_are_not_found() {
        assert_eq!(flags(&facts()), Vec::<String>::new());
        let all = Facts { age_ms: Some(4_999), clicks: 51, refunded: 5, ..facts() };
        assert_eq!(flags(&all), ["too_fast", "many_clicks", "many_refunds"]);
        let few = Facts { orders: 19, refunded: 19, ..facts() };
        assert_eq!(flags(&few), Vec::<String>::new());
        assert_eq!(flags(&Facts { age_ms: None, ..facts() }), Vec::<String>::new());
    }
}
