//! Flows: offers to customers before and after a purchase.

use super::prelude::*;

const MOMENTS: &[(&str, &str)] =
    &[("post_purchase", "after the purchase"), ("pre_purchase", "before the purchase")];

pub(super) static FLOWS: Kind = Kind {
    name: "flows",
    title: "Flows",
    noun: "Flow",
    section: Section::Flows,
    api: "/admin/flows",
    plural: "flows",
    singular: "flow",
    filters: &[filter("kind", "When", &["pre_purchase", "post_purchase"])],
    sorts: &["name", "updated_at"],
    columns: &[
        column("Flow", "/name", Cell::Link("flows", "/id")),
        column("When", "/kind", Cell::Chip),
        column("Currency", "/currency_code", Cell::Code),
        column("For everybody", "/is_public", Cell::Text),
        column("Published version", "/version", Cell::Count),
        column("Changed", "/updated_at", Cell::Moment),
    ],
    empty: "A flow offers something before or after a purchase, and asks questions. Flows will be listed here. Begin with New flow; its steps are then written as its draft.",
    facts: &[
        column("When", "/kind", Cell::Chip),
        column("Currency", "/currency_code", Cell::Code),
        column("For everybody", "/is_public", Cell::Text),
        column("Published version", "/version", Cell::Count),
        column("First step of the draft", "/draft/entry", Cell::Text),
        column("On the sites", "/allowed_origins", Cell::Names("")),
        column("Leads to", "/redirect_hosts", Cell::Names("")),
        column("Minutes to answer", "/offer_window_minutes", Cell::Count),
        CREATED,
        column("Changed", "/updated_at", Cell::Moment),
    ],
    parts: &[
        RecordPart {
            title: "Versions",
            none: "What is published will be listed here. Begin with Publish, when the steps are ready.",
            source: Source::Route("/admin/flows/{id}/versions", "versions"),
            columns: &[
                column("Version", "/version", Cell::Text),
                column("Note", "/note", Cell::Text),
                column("By", "/created_by", Cell::Record),
                column("Published", "/created_at", Cell::Moment),
                Column {
                    label: "Go back",
                    ..row_form("Go back to it", "flows", "roll-back", "/version")
                },
            ],
        },
        RecordPart {
            title: "Latest results",
            none: "What visitors answer will be listed here.",
            source: Source::Route("/admin/flows/{id}/submissions?limit=50", "submissions"),
            columns: &[
                column("When", "/created_at", Cell::Moment),
                column("Step", "/button_key", Cell::Text),
                column("Answer", "/action", Cell::Chip),
                column("State", "/state", Cell::Chip),
                column("Offered", "/title", Cell::Text),
                column("Order", "/order_id", Cell::Record),
                column("Quantity", "/quantity", Cell::Count),
                column("Amount", "/amount", Cell::Money("/currency_code")),
            ],
        },
    ],
    actions: &[Action {
        word: "copy",
        label: "Copy",
        meaning: "A new flow is made with the same draft. Nobody sees it until it is published.",
        api: "/admin/flows/{id}/copy",
        ..ACTION
    }],
    forms: &[
        FormSpec {
            lead: "Nobody sees it until it is published.",
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("kind", "When", "/kind", Input::Choice(MOMENTS)).required(),
                field("currency", "Currency", "/currency_code", Input::Currency).required(),
                field("public", "For everybody", "/is_public", Input::Yes)
                    .hint("Pages of other sites can show it, without a cart of the shop."),
            ],
            ..creation("New flow")
        },
        FormSpec {
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("public", "For everybody", "/is_public", Input::Yes),
                field("sites", "On the sites", "/allowed_origins", Input::Words)
                    .hint("Their addresses, with commas between them."),
                field("hosts", "Leads to", "/redirect_hosts", Input::Words)
                    .hint("The hosts that it may lead to, with commas between them."),
                field("minutes", "Minutes to answer", "/offer_window_minutes", Input::Count)
                    .required(),
            ],
            ..CHANGE
        },
        FormSpec {
            word: "publish",
            label: "Publish",
            button: "Publish",
            lead: "The draft becomes a version, which new visitors see at once. Whoever is in the middle of the flow ends it as it was.",
            api: "/admin/flows/{id}/publish",
            fields: &[field("note", "Note", "/note", Input::Line).hint("What has changed.")],
            ..FORM
        },
        FormSpec {
            word: "roll-back",
            label: "Go back to a version",
            button: "Go back",
            lead: "The version is published again, as a new one.",
            api: "/admin/flows/{id}/rollback",
            fields: &[field("of", "Version", "/version", Input::Count).required()],
            ..ROW
        },
        deletion(
            "It begins for nobody any more. Whoever is in the middle of it ends it as it was. It cannot be undone.",
        ),
    ],
    pages: &[("Steps", "draft", &[])],
    ..PLAIN
};
