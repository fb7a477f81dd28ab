//! What a form is: where it begins, what it asks, which route takes it, and what is shown then.

use super::Field;

/// A form of a kind of record.
#[derive(Debug)]
pub(crate) struct FormSpec {
    /// The word in the address.
    pub(crate) word: &'static str,
    /// The title, and what its button says.
    pub(crate) label: &'static str,
    pub(crate) button: &'static str,
    /// What will happen.
    pub(crate) lead: &'static str,
    pub(crate) place: Place,
    /// The route that takes it; empty for that of the list or the record. `{id}` is the record, `{of}` the row of it.
    pub(crate) api: &'static str,
    /// The values that it changes.
    pub(crate) present: Present,
    pub(crate) fields: &'static [Field],
    /// What is sent beside the fields.
    pub(crate) fixed: &'static [(&'static str, Fixed)],
    pub(crate) then: Then,
    /// The states in which it is possible; any if there are none.
    pub(crate) states: &'static [&'static str],
    /// Whether it cannot be undone.
    pub(crate) is_final: bool,
}

/// A form to begin with.
pub(crate) const FORM: FormSpec = FormSpec {
    word: "",
    label: "",
    button: "Save",
    lead: "",
    place: Place::Record,
    api: "",
    present: Present::None,
    fields: &[],
    fixed: &[],
    then: Then::Record,
    states: &[],
    is_final: false,
};

/// A form that changes a record.
pub(crate) const CHANGE: FormSpec =
    FormSpec { word: "change", label: "Change", present: Present::Own, ..FORM };

/// Returns the form that makes a record.
pub(crate) const fn creation(label: &'static str) -> FormSpec {
    FormSpec { word: "new", label, place: Place::List, then: Then::Made, ..FORM }
}

/// Returns the form that deletes a record, with what happens then.
pub(crate) const fn deletion(lead: &'static str) -> FormSpec {
    FormSpec {
        word: "delete",
        label: "Delete",
        button: "Delete for good",
        lead,
        then: Then::Deleted,
        is_final: true,
        ..FORM
    }
}

/// Returns the form that deletes a row of a record, with what happens then.
pub(crate) const fn removal(
    word: &'static str,
    label: &'static str,
    api: &'static str,
    lead: &'static str,
) -> FormSpec {
    FormSpec {
        word,
        label,
        button: "Delete for good",
        lead,
        place: Place::Row,
        api,
        then: Then::Removed,
        is_final: true,
        ..FORM
    }
}

/// Where a form begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the list: it makes a new record.
    List,
    Record,
    /// In a row of a record.
    Row,
}

/// The values that a form changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Present {
    /// None: it makes something new.
    None,
    /// The record's.
    Own,
    /// Those that a route has, at a place of its answer.
    At(&'static str, &'static str),
}

/// What is shown after a form was taken.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Then {
    Record,
    /// The record that was made.
    Made,
    List,
    /// The list, without the record: the route deletes it.
    Deleted,
    /// The record, without the row: the route deletes it.
    Removed,
    /// A secret, by its place, which cannot be seen again.
    Secret(&'static str),
}

/// A value that is not asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fixed {
    Text(&'static str),
    /// The id of the record.
    Id,
    /// The id of the row.
    Of,
    /// What the row has at a place.
    Present(&'static str),
}
