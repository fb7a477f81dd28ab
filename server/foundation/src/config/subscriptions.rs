//! Settings of subscriptions, which rules use within transactions.

use clap::Args;

use super::invalid;

/// Limit: attempts after the first refusal of a cycle.
const MAX_RETRIES: usize = 7;

/// Subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SubscriptionSettings {
    /// Days after the first refusal of a renewal on which it is charged again; at most seven, ascending, up to 28
    #[arg(long, default_value = "1,3,5,7", value_delimiter = ',',
          value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=28))]
    pub subscription_retry_days: Vec<u32>,
    /// Days before a renewal at another price on which the customer is told
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=365))]
    pub subscription_price_notice_days: u32,
    /// Days before a renewal on which it is announced
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=28))]
    pub subscription_reminder_days: u32,
}

impl Default for SubscriptionSettings {
    fn default() -> Self {
        Self {
            subscription_retry_days: vec![1, 3, 5, 7],
            subscription_price_notice_days: 30,
            subscription_reminder_days: 3,
        }
    }
}

impl SubscriptionSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        let days = &self.subscription_retry_days;
        if days.len() > MAX_RETRIES || !days.is_sorted_by(|day, next| day < next) {
            let message = "expected at most seven days in ascending order";
            return Err(invalid("subscription_retry_days", message));
        }
        Ok(())
    }
}
