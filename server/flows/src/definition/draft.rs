//! What merchants write: buttons, their offers and questions, and the paths between them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::conditions::Kind;
use crate::database::Word;
use crate::http::{Text, ToSchema};
use crate::ids::VariantId;

/// Limit: buttons of a flow.
pub(super) const MAX_BUTTONS: usize = 50;

/// The buttons of a flow, from its entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowDraft, example = json!({
    "entry": "socks",
    "buttons": {
        "socks": {
            "type": "offer", "title": "Add socks?", "show_when": "order_total >= 30 USD",
            "offer": { "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "price": { "type": "percent_off", "value": 20 } },
            "accept_next": [{ "to": "thanks" }], "decline_next": [{ "to": "thanks" }],
        },
        "thanks": { "type": "end", "title": "Thank you" },
    },
}))]
pub(crate) struct Draft {
    /// The key of the first button.
    #[serde(default)]
    pub(crate) entry: String,
    /// The buttons by their keys, at most 50.
    #[serde(default)]
    pub(crate) buttons: BTreeMap<String, ButtonDraft>,
}

/// What a button is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FlowButtonType)]
pub(crate) enum ButtonKind {
    /// Something to buy.
    Offer,
    /// Fields to fill in.
    Question,
    /// Something to read, which can only be accepted.
    Notice,
    /// The end of the flow.
    End,
}

/// A step of a flow: what is shown, and where it leads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowButtonDraft)]
pub(crate) struct ButtonDraft {
    #[serde(rename = "type")]
    pub(crate) kind: ButtonKind,
    pub(crate) title: Text<2000>,
    #[serde(default)]
    pub(crate) body: Option<Text<2000>>,
    /// A path on this site, or an `https` URL on one of `redirect_hosts`.
    #[serde(default)]
    pub(crate) image_url: Option<Text<2000>>,
    /// A condition. If it is false, the button is skipped as if it had been declined.
    #[serde(default)]
    pub(crate) show_when: Option<Text<8000>>,
    #[serde(default)]
    pub(crate) offer: Option<OfferDraft>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fields: Vec<FieldDraft>,
    #[serde(default)]
    pub(crate) accept_label: Option<Text<200>>,
    #[serde(default)]
    pub(crate) decline_label: Option<Text<200>>,
    /// The first path whose condition holds is taken; the last path has no condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) accept_next: Vec<Way>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) decline_next: Vec<Way>,
    /// Where the shopper goes at the end: a path on this site, or an `https` URL on one of
    /// `redirect_hosts`.
    #[serde(default)]
    pub(crate) redirect_url: Option<Text<2000>>,
}

impl ButtonDraft {
    /// Returns the paths of a skipped button: those for declining, if it can be declined.
    pub(crate) fn skip_next(&self) -> &[Way] {
        if self.decline_next.is_empty() { &self.accept_next } else { &self.decline_next }
    }

    /// Returns all paths with the names of their lists.
    pub(crate) fn ways(&self) -> [(&'static str, &[Way]); 2] {
        [("accept_next", &self.accept_next), ("decline_next", &self.decline_next)]
    }
}

/// A path to another button.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowWay)]
pub(crate) struct Way {
    /// A condition; the last path has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) when: Option<Text<8000>>,
    /// The key of the button.
    pub(crate) to: String,
}

/// What a button offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowOfferDraft)]
pub(crate) struct OfferDraft {
    pub(crate) variant_id: VariantId,
    /// From 1 to 9999; defaults to 1.
    #[serde(default = "one")]
    pub(crate) quantity: i64,
    /// From `quantity` to 9999; defaults to `quantity`.
    #[serde(default)]
    pub(crate) max_quantity: Option<i64>,
    #[serde(default)]
    pub(crate) price: PriceDraft,
}

impl OfferDraft {
    pub(crate) fn max_quantity(&self) -> i64 {
        self.max_quantity.unwrap_or(self.quantity)
    }
}

const fn one() -> i64 {
    1
}

/// The price per item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowPriceDraft)]
pub(crate) struct PriceDraft {
    #[serde(rename = "type", default)]
    pub(crate) kind: PriceKind,
    /// A percentage with at most four decimals, or an amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub(crate) value: Option<serde_json::Number>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FlowPriceType)]
pub(crate) enum PriceKind {
    /// The list price.
    #[default]
    None,
    PercentOff,
    AmountOff,
    Fixed,
}

/// A field of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlowFieldDraft)]
pub(crate) struct FieldDraft {
    /// Conditions name it `answer_<key>`, unless it holds personal data.
    pub(crate) key: String,
    pub(crate) label: Text<200>,
    #[serde(rename = "type")]
    pub(crate) kind: FieldKind,
    #[serde(default)]
    pub(crate) required: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<Text<200>>,
    /// From 1 to 2000; defaults to 200.
    #[serde(default)]
    pub(crate) max_length: Option<usize>,
    /// Defaults to what its type suggests.
    #[serde(default)]
    pub(crate) pii: Option<Pii>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FlowFieldType)]
pub(crate) enum FieldKind {
    Text,
    Email,
    Phone,
    Number,
    Choice,
    Choices,
    Boolean,
    Date,
}

/// The kind of personal data in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
#[schema(as = FlowPii)]
pub(crate) enum Pii {
    None,
    Email,
    Phone,
    Name,
    /// Free text.
    Free,
}

impl FieldDraft {
    pub(crate) fn pii(&self) -> Pii {
        self.pii.unwrap_or(match self.kind {
            FieldKind::Email => Pii::Email,
            FieldKind::Phone => Pii::Phone,
            FieldKind::Text => Pii::Free,
            FieldKind::Number
            | FieldKind::Choice
            | FieldKind::Choices
            | FieldKind::Boolean
            | FieldKind::Date => Pii::None,
        })
    }

    pub(crate) fn max_length(&self) -> usize {
        self.max_length.unwrap_or(200)
    }
}

impl Draft {
    /// Returns the keys of the reachable buttons, in topological order if there are no cycles.
    pub(crate) fn order(&self) -> Vec<&str> {
        self.search().0
    }

    /// Returns the same, and the buttons to which a cycle leads back.
    pub(super) fn search(&self) -> (Vec<&str>, BTreeSet<&str>) {
        let (done, open, circles) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let mut search = Search { draft: self, done, open, circles };
        search.visit(&self.entry);
        search.done.reverse();
        (search.done, search.circles)
    }

    /// Returns the fields that conditions can name: those without personal data.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (&str, Kind)> {
        let fields = self.buttons.values().flat_map(|button| &button.fields);
        fields.filter(|field| field.pii() == Pii::None).map(|field| {
            let kind = match field.kind {
                FieldKind::Number => Kind::Number,
                FieldKind::Choices => Kind::Texts,
                FieldKind::Boolean => Kind::Bool,
                FieldKind::Date => Kind::Date,
                FieldKind::Text | FieldKind::Email | FieldKind::Phone | FieldKind::Choice => {
                    Kind::Text
                }
            };
            (field.key.as_str(), kind)
        })
    }
}

/// A depth-first search, bounded by the number of buttons.
struct Search<'a> {
    draft: &'a Draft,
    done: Vec<&'a str>,
    open: BTreeSet<&'a str>,
    circles: BTreeSet<&'a str>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, key: &'a str) {
        if self.open.contains(key) {
            self.circles.insert(key);
            return;
        }
        // A path longer than `MAX_BUTTONS` is not followed: such a draft is rejected anyway.
        if self.done.contains(&key) || self.open.len() > MAX_BUTTONS {
            return;
        }
        let Some(button) = self.draft.buttons.get(key) else { return };
        self.open.insert(key);
        for way in button.accept_next.iter().chain(&button.decline_next) {
            self.visit(&way.to);
        }
        self.open.remove(key);
        self.done.push(key);
    }
}
