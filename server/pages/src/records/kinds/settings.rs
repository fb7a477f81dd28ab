//! Permissions: people, invitations and keys.

use super::prelude::*;
use super::selling::CHANNELS;

const ROLES: &[(&str, &str)] = &[
    ("viewer", "viewer: sees"),
    ("analyst", "analyst: sees, and edits metrics"),
    ("admin", "admin: may do everything"),
];

const ROLE: Field = field("role", "Role", "/role", Input::Choice(ROLES)).required();

pub(crate) static PEOPLE: Kind = Kind {
    name: "people",
    title: "People",
    noun: "Person",
    section: Section::Settings,
    api: "/admin/users",
    plural: "users",
    singular: "user",
    sorts: &["email", "first_name", "last_name", "created_at"],
    columns: &[
        column("E-mail", "/email", Cell::Link("people", "/id")),
        column("First name", "/first_name", Cell::Text),
        column("Last name", "/last_name", Cell::Text),
        column("Role", "/role", Cell::Chip),
        CREATED,
    ],
    empty: "Who may log in will be listed here.",
    heading: &["/email"],
    facts: &[
        column("First name", "/first_name", Cell::Text),
        column("Last name", "/last_name", Cell::Text),
        column("Role", "/role", Cell::Chip),
        CREATED,
    ],
    forms: &[
        FormSpec {
            lead: "A role holds from the next page that the person opens.",
            fields: &[
                field("first_name", "First name", "/first_name", Input::Line),
                field("last_name", "Last name", "/last_name", Input::Line),
                ROLE,
            ],
            ..CHANGE
        },
        deletion(
            "The person is logged out at once and cannot log in any more. The last admin cannot be deleted. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

pub(super) static INVITES: Kind = Kind {
    name: "invites",
    title: "Invitations",
    noun: "Invitation",
    section: Section::Settings,
    api: "/admin/invites",
    plural: "invites",
    singular: "invite",
    sorts: &["email", "expires_at", "created_at"],
    columns: &[
        column("E-mail", "/email", Cell::Link("invites", "/id")),
        column("Role", "/role", Cell::Chip),
        column("Accepted", "/accepted", Cell::Text),
        column("Ends", "/expires_at", Cell::Moment),
        CREATED,
    ],
    empty: "Whoever shall log in is invited first. Invitations will be listed here. Begin with Invite somebody.",
    heading: &["/email"],
    facts: &[
        column("Role", "/role", Cell::Chip),
        column("Accepted", "/accepted", Cell::Text),
        column("Ends", "/expires_at", Cell::Moment),
        CREATED,
    ],
    actions: &[Action {
        word: "resend",
        label: "New invitation",
        meaning: "The invitation holds for another week, with a new code. The old code ends.",
        api: "/admin/invites/{id}/resend",
        answer: Answer::Secret("/invite/token"),
        ..ACTION
    }],
    forms: &[
        FormSpec {
            button: "Invite",
            lead: "The code of the invitation is shown once. Send it to the person, who registers with it.",
            fields: &[field("email", "E-mail", "/email", Input::Email).required(), ROLE],
            then: Then::Secret("/invite/token"),
            ..creation("Invite somebody")
        },
        deletion("Its code ends. Whoever has accepted it stays. It cannot be undone."),
    ],
    ..PLAIN
};

const KEY_TYPES: &[(&str, &str)] = &[
    ("secret", "secret: a program that runs the store"),
    ("publishable", "publishable: a storefront, which shows it to everybody"),
];

pub(crate) static KEYS: Kind = Kind {
    name: "keys",
    title: "Keys",
    noun: "Key",
    section: Section::Settings,
    api: "/admin/api-keys",
    plural: "api_keys",
    singular: "api_key",
    filters: &[filter("type", "Kind", &["publishable", "secret"])],
    sorts: &["title", "last_used_at", "revoked_at"],
    columns: &[
        column("Key", "/title", Cell::Link("keys", "/id")),
        column("Begins with", "/redacted", Cell::Text),
        column("Kind", "/type", Cell::Chip),
        column("Last used", "/last_used_at", Cell::Moment),
        column("Revoked", "/revoked_at", Cell::Moment),
    ],
    empty: "Keys of programs and storefronts will be listed here. Begin with New key.",
    heading: &["/title"],
    facts: &[
        column("Begins with", "/redacted", Cell::Text),
        column("Kind", "/type", Cell::Chip),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
        column("Last used", "/last_used_at", Cell::Moment),
        column("Revoked", "/revoked_at", Cell::Moment),
        CREATED,
    ],
    actions: &[Action {
        word: "revoke",
        label: "Revoke",
        meaning: "Whatever uses this key is refused from now on. This cannot be undone.",
        api: "/admin/api-keys/{id}/revoke",
        ..ACTION
    }],
    forms: &[
        FormSpec {
            lead: "The key is shown once.",
            fields: &[
                field("title", "Title", "/title", Input::Line)
                    .required()
                    .hint("Who or what uses it."),
                field("type", "Kind", "/type", Input::Choice(KEY_TYPES)).required(),
            ],
            then: Then::Secret("/api_key/token"),
            ..creation("New key")
        },
        FormSpec {
            label: "Rename",
            fields: &[field("title", "Title", "/title", Input::Line).required()],
            ..CHANGE
        },
        FormSpec {
            word: "channels",
            label: "Sales channels",
            lead: "A storefront with this key sells through these channels. Only publishable keys have any.",
            api: "/admin/api-keys/{id}/sales-channels",
            present: Present::Own,
            fields: &[CHANNELS],
            ..FORM
        },
        deletion("It is listed no more. A key is revoked first. It cannot be undone."),
    ],
    ..PLAIN
};
