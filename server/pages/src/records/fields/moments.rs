//! Days and times in the store's time zone, as forms ask for them.

use jiff::civil::DateTime;
use serde_json::Value;

use super::{About, Field, Input};
use crate::store;

impl Field {
    /// Returns the present instant in the control's format.
    pub(super) fn moment(&self, record: &Value, zone: &str) -> String {
        let Some(at) = self.present_at(record).and_then(|at| store::clock(zone, at)) else {
            return String::new();
        };
        if matches!(self.input, Input::Day) { at.date().to_string() } else { at.to_string() }
    }

    /// Returns the typed instant. If it was left as shown, the milliseconds are kept, as is the choice between two
    /// instants with the same local time.
    pub(super) fn instant(&self, text: &str, about: &About<'_>) -> Result<String, String> {
        let is_day = matches!(self.input, Input::Day);
        let wrong =
            || format!("{} is no {}.", self.label, if is_day { "day" } else { "day and time" });
        let typed = text.parse::<DateTime>().map_err(|_unreadable| wrong())?;
        let read = |own: &str| own.parse::<DateTime>().ok();
        let present =
            about.present.filter(|own| read(&self.moment(own, about.zone)) == Some(typed));
        let kept = present.and_then(|own| self.present_at(own)).map(str::to_owned);
        kept.or_else(|| store::instant(about.zone, typed)).ok_or_else(wrong)
    }

    fn present_at<'v>(&self, record: &'v Value) -> Option<&'v str> {
        record.pointer(self.place())?.as_str()
    }
}
