//! Fills slots from a record, by name.

use super::Runner;
use crate::data::{Record, RecordValue};
use crate::evaluate::record_values::read;
use crate::plan::SlotKind;
use crate::types::{Reason, Value};

impl Runner<'_> {
    /// Fills every input from a record; an input that is not in the record becomes a missing input.
    ///
    /// Returns the names whose values do not have the slot's type; these are missing inputs too.
    pub fn bind(&mut self, record: &Record) -> Vec<String> {
        let plan = self.plan;
        let mut unread = Vec::new();
        for (index, slot) in plan.program.slots.iter().enumerate() {
            let Some(name) = slot.name().filter(|_| slot.kind() == SlotKind::Input) else {
                continue;
            };
            let value = match record.get(name) {
                None | Some(RecordValue::Null) => None,
                Some(given) => {
                    let value = read(given, slot.ty(), &self.calendar, None);
                    if value.is_none() {
                        unread.push(name.to_owned());
                    }
                    value
                }
            };
            self.set(index, value.unwrap_or(Value::missing(Reason::MissingInput)));
        }
        unread
    }
}
