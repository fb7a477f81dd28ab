//! The store's settings, from all files.

use jiff::civil::Weekday;

use super::SchemaLowering;
use super::registry::Namespace;
use crate::calendar::Retail454;
use crate::file::syntax::{CalendarKind, Located, StoreSetting};

/// The settings that together make a calendar.
#[derive(Debug, Default)]
pub(super) struct CalendarSettings {
    zone: Option<String>,
    week_start: Option<Weekday>,
    fiscal_start: Option<i8>,
    kind: Option<CalendarKind>,
}

impl SchemaLowering<'_> {
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
            if self.declare(Namespace::Settings, file, &Located::new(name.to_owned(), *span)) {
                self.setting(setting);
            }
        }
    }

    fn setting(&mut self, setting: &StoreSetting) {
        let store = &mut self.out.schema.store;
        match setting {
            StoreSetting::Currency(currency) => store.currency = *currency,
            StoreSetting::MixedCurrency(policy) => store.mixed_currency = *policy,
            StoreSetting::TimeZone(zone) => self.calendar.zone = Some(zone.clone()),
            StoreSetting::WeekStart(weekday) => self.calendar.week_start = Some(*weekday),
            StoreSetting::FiscalYearStart(month) => self.calendar.fiscal_start = Some(*month),
            StoreSetting::Calendar(kind) => self.calendar.kind = Some(*kind),
        }
    }

    /// Builds the calendar once all settings are known. The line parsers have rejected unknown
    /// zones and months.
    pub(super) fn finish_store(&mut self) {
        let CalendarSettings { zone, week_start, fiscal_start, kind } = &self.calendar;
        let mut calendar = std::mem::take(&mut self.out.schema.store.calendar);
        if let Some(zone) = zone {
            calendar = calendar.clone().in_zone(zone).unwrap_or(calendar);
        }
        if *kind == Some(CalendarKind::Retail454) {
            let month = fiscal_start.unwrap_or_else(|| Retail454::NRF.start_month());
            let weekday = week_start.unwrap_or_else(|| Retail454::NRF.start_weekday());
            calendar =
                calendar.with_retail(Retail454::new(month, weekday).unwrap_or(Retail454::NRF));
        } else {
            calendar = calendar.with_week_start(week_start.unwrap_or(Weekday::Monday));
            calendar =
                calendar.clone().with_fiscal_start(fiscal_start.unwrap_or(1)).unwrap_or(calendar);
        }
        self.out.schema.store.calendar = calendar;
    }
}
