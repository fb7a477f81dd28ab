//! What a form is: where it begins, what it asks, which route takes it, and what is shown then.

use super::Field;

/// A form of a kind of record.
#[derive(Debug)]
pub(in crate::pages::records) struct FormSpec {
    /// The word in the address.
    pub(in crate::pages::records) word: &'static str,
    /// The title, and what its button says.
    pub(in crate::pages::records) label: &'static str,
    pub(in crate::pages::records) button: &'static str,
    /// What will happen.
    pub(in crate::pages::records) lead: &'static str,
    pub(in crate::pages::records) place: Place,
    /// The route that takes it; `{id}` is the record, `{of}` the row of it.
    pub(in crate::pages::records) api: &'static str,
    /// The route and the place of the present values, for a form that changes them.
    pub(in crate::pages::records) present: Option<(&'static str, &'static str)>,
    pub(in crate::pages::records) fields: &'static [Field],
    /// What is sent beside the fields.
    pub(in crate::pages::records) fixed: &'static [(&'static str, Fixed)],
    pub(in crate::pages::records) then: Then,
    /// The states in which it is possible; any if there are none.
    pub(in crate::pages::records) states: &'static [&'static str],
    /// Whether it cannot be undone.
    pub(in crate::pages::records) is_final: bool,
}

/// A form to begin with.
pub(in crate::pages::records) const FORM: FormSpec = FormSpec {
    word: "",
    label: "",
    button: "Save",
    lead: "",
    place: Place::Record,
    api: "",
    present: None,
    fields: &[],
    fixed: &[],
    then: Then::Record,
    states: &[],
    is_final: false,
};

/// Returns the form that deletes a record, with what happens then.
pub(in crate::pages::records) const fn deletion(api: &'static str, lead: &'static str) -> FormSpec {
    FormSpec {
        word: "delete",
        label: "Delete",
        button: "Delete for good",
        lead,
        api,
        then: Then::Deleted,
        is_final: true,
        ..FORM
    }
}

/// Returns the form that deletes a row of a record, with what happens then.
pub(in crate::pages::records) const fn removal(
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
pub(in crate::pages::records) enum Place {
    /// On the list: it makes a new record.
    List,
    Record,
    /// In a row of a record.
    Row,
}

/// What is shown after a form was taken.
#[derive(Debug, Clone, Copy)]
pub(in crate::pages::records) enum Then {
    /// The record.
    Record,
    /// The record that was made, by the place of its id.
    Made(&'static str),
    /// The list.
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
pub(in crate::pages::records) enum Fixed {
    Text(&'static str),
    /// The id of the record.
    Id,
    /// The id of the row.
    Of,
    /// What the row has at a place.
    Present(&'static str),
}
