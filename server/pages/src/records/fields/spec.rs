//! The definition of a form: where it starts, what it asks for, which route processes it, and what
//! is shown afterwards.

use super::Field;

/// A form of a kind of record.
#[derive(Debug)]
pub(crate) struct FormSpec {
    /// The word in the URL.
    pub(crate) word: &'static str,
    /// The title, and the label of its button.
    pub(crate) label: &'static str,
    pub(crate) button: &'static str,
    /// What will happen.
    pub(crate) lead: &'static str,
    pub(crate) place: Place,
    /// The route that processes it; empty for that of the list or the record. `{id}` is the record, `{of}` its row.
    pub(crate) api: &'static str,
    /// The values that it changes.
    pub(crate) present: Present,
    pub(crate) fields: &'static [Field],
    /// What is sent in addition to the fields.
    pub(crate) fixed: &'static [(&'static str, Fixed)],
    pub(crate) then: Then,
    /// The states in which it is available; any if there are none.
    pub(crate) states: &'static [&'static str],
    /// Whether it cannot be undone.
    pub(crate) is_final: bool,
}

/// The defaults of a form.
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

/// A form about a row of a record.
pub(crate) const ROW: FormSpec = FormSpec { place: Place::Row, ..FORM };

/// A form that changes a record.
pub(crate) const CHANGE: FormSpec =
    FormSpec { word: "change", label: "Change", present: Present::Own, ..FORM };

/// Returns the form that creates a record.
pub(crate) const fn creation(label: &'static str) -> FormSpec {
    FormSpec { word: "new", label, place: Place::List, then: Then::Made, ..FORM }
}

/// Returns the form that deletes a record, with the consequences.
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

/// Returns the form that deletes a row of a record, with the consequences.
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
        api,
        then: Then::Removed,
        is_final: true,
        ..ROW
    }
}

/// Where a form starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the list: it creates a new record.
    List,
    Record,
    /// In a row of a record.
    Row,
}

/// The values that a form changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Present {
    /// None: it creates something new.
    None,
    /// The record's own.
    Own,
    /// From a route, at a place in its response.
    At(&'static str, &'static str),
}

/// What is shown after a form was processed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Then {
    Record,
    /// The created record.
    Made,
    List,
    /// The list, because the record was deleted.
    Deleted,
    /// The record, because the row was deleted.
    Removed,
    /// A secret, by its place in the response, which cannot be shown again.
    Secret(&'static str),
}

/// A value that the form does not ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fixed {
    Text(&'static str),
    /// The id of the record.
    Id,
    /// The id of the row.
    Of,
    /// The row's value at a place.
    Present(&'static str),
}
