//! The store's settings, from every file together.

use super::Lowering;
use super::registry::Space;
use crate::file::syntax::{CalendarKind, Located, StoreSetting};

impl Lowering<'_> {
    /// Takes the settings of one `store` item.
    pub(super) fn settings(&mut self, file: usize, settings: &[Located<StoreSetting>]) {
        for Located { value: setting, span } in settings {
            let name = match setting {
                StoreSetting::Currency(_) => "currency",
                StoreSetting::TimeZone(_) => "timezone",
                StoreSetting::WeekStart(_) => "week_start",
                StoreSetting::FiscalYearStart(_) => "fiscal_year_start",
                StoreSetting::Calendar(_) => "calendar",
                StoreSetting::MixedCurrency(_) => "mixed_currency",
            };
            if self.declare(Space::Settings, file, &Located::new(name.to_owned(), *span)) {
                self.setting(setting);
            }
        }
    }

    fn setting(&mut self, setting: &StoreSetting) {
        let store = &mut self.out.schema.store;
        match setting {
            StoreSetting::Currency(currency) => store.currency = *currency,
            StoreSetting::MixedCurrency(policy) => store.mixed_currency = *policy,
            StoreSetting::TimeZone(_)
            | StoreSetting::WeekStart(_)
            | StoreSetting::FiscalYearStart(_)
            | StoreSetting::Calendar(CalendarKind::Gregorian | CalendarKind::Retail454) => {}
        }
    }

    /// Builds what depends on several settings.
    pub(super) fn finish_store(&mut self) {}
}
