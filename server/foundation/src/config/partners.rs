//! Settings of partners, who refer shoppers.

use clap::{Args, ValueEnum};

/// Partners who send shoppers.
#[derive(Debug, Clone, Args)]
pub struct PartnerSettings {
    /// Whether the link of a partner sets its cookie also for browsers that ask not to be tracked (`Sec-GPC`)
    #[arg(long, value_enum, default_value_t = PartnerCookie::Always)]
    pub partner_cookie: PartnerCookie,
    /// Days after which the clicks of partners' links are deleted; their conversions stay
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    pub partner_click_days: u32,
}

/// Whether the link of a partner sets its cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PartnerCookie {
    /// For every browser.
    Always,
    /// Unless the browser sends `Sec-GPC: 1`.
    UnlessGpc,
}
