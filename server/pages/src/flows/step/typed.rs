//! Converts the input of a step's form to the API's format.
//!
//! A control is named by its place in the step, such as `accept_next[0].to`, like findings.

use serde_json::{Map, Number, Value, json};

use crate::parameters::Parameters;

/// Limit: rows of one kind in a form: paths, or fields of a question.
pub(super) const MAX_ROWS: usize = 20;

/// An invalid control, by its name, with the reason.
pub(super) type Misfit = (String, String);

/// The texts of a step, with the types of steps whose forms have them; all types if there are none.
const TEXTS: &[(&str, &[&str])] = &[
    ("title", &[]),
    ("body", &[]),
    ("image_url", &[]),
    ("show_when", &["offer", "question", "notice"]),
    ("accept_label", &["offer", "question", "notice"]),
    ("decline_label", &["offer", "question"]),
    ("redirect_url", &["end"]),
];

/// Returns a step with the typed input; `variant` is the id for the SKU, if such a variant exists. Members that the
/// form does not show stay.
pub(super) fn step(
    present: &Value,
    typed: &Parameters,
    variant: Option<&str>,
) -> Result<Value, Misfit> {
    let mut step = present.as_object().cloned().unwrap_or_default();
    let shown = typed.text("shown");
    put(&mut step, "type", typed.text("type"));
    for (name, kinds) in TEXTS {
        if kinds.is_empty() || kinds.contains(&shown) {
            put(&mut step, name, typed.text(name));
        }
    }
    if !typed.has("title") {
        return Err(("title".to_owned(), "Each step has a title.".to_owned()));
    }
    if shown == "offer" {
        step.insert("offer".to_owned(), offer(present, typed, variant)?);
    }
    if shown == "question" {
        step.insert("fields".to_owned(), fields(present, typed)?);
    }
    for (name, kinds) in [
        ("accept_next", &["offer", "question", "notice"][..]),
        ("decline_next", &["offer", "question"]),
    ] {
        if kinds.contains(&shown) {
            step.insert(name.to_owned(), ways(present, typed, name)?);
        }
    }
    // A step that changes its type loses the members specific to the old one.
    let kind = typed.text("type");
    for (name, kinds) in
        [("offer", &["offer"][..]), ("fields", &["question"]), ("redirect_url", &["end"])]
    {
        if kind != shown && !kinds.contains(&kind) {
            step.remove(name);
        }
    }
    Ok(Value::Object(step))
}

/// Sets a text, or removes it if it is empty.
fn put(members: &mut Map<String, Value>, name: &str, text: &str) {
    if text.is_empty() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), text.into());
    }
}

fn offer(present: &Value, typed: &Parameters, variant: Option<&str>) -> Result<Value, Misfit> {
    let mut offer = present.get("offer").and_then(Value::as_object).cloned().unwrap_or_default();
    let sku = "offer.variant_id";
    let Some(variant) = variant else {
        let message = format!("There is no variant with the SKU {}.", typed.text(sku));
        let empty = "What is offered? Its SKU stands on the page of its product.".to_owned();
        return Err((sku.to_owned(), if typed.has(sku) { message } else { empty }));
    };
    offer.insert("variant_id".to_owned(), variant.into());
    for name in ["quantity", "max_quantity"] {
        let control = format!("offer.{name}");
        let text = typed.text(&control);
        if text.is_empty() {
            offer.remove(name);
            continue;
        }
        let number = text.parse::<u32>();
        let number = number.map_err(|_other| (control, "A whole number, such as 2.".to_owned()))?;
        offer.insert(name.to_owned(), number.into());
    }
    let kind = typed.text("offer.price.type");
    let mut price = Map::from_iter([("type".to_owned(), kind.into())]);
    if kind != "none" {
        let control = "offer.price.value";
        let value = serde_json::from_str::<Number>(typed.text(control));
        let value = value
            .map_err(|_other| (control.to_owned(), "A number, such as 20 or 12.50.".to_owned()))?;
        price.insert("value".to_owned(), Value::Number(value));
    }
    offer.insert("price".to_owned(), Value::Object(price));
    Ok(Value::Object(offer))
}

/// Returns the fields of a question; a row without key and label is ignored.
fn fields(present: &Value, typed: &Parameters) -> Result<Value, Misfit> {
    let mut fields = Vec::new();
    for index in 0..MAX_ROWS {
        let control = |name: &str| format!("fields[{index}].{name}");
        let text = |name: &str| typed.text(&control(name)).to_owned();
        if text("key").is_empty() && text("label").is_empty() {
            continue;
        }
        if text("label").is_empty() {
            return Err((control("label"), "What does the shopper read?".to_owned()));
        }
        let own = present.pointer(&format!("/fields/{index}")).and_then(Value::as_object);
        let mut field = own.cloned().unwrap_or_default();
        for name in ["key", "label", "type"] {
            field.insert(name.to_owned(), text(name).into());
        }
        field.insert("required".to_owned(), (!text("required").is_empty()).into());
        let options = text("options");
        let options = options.split('\n').map(str::trim).filter(|own| !own.is_empty());
        let options: Vec<&str> = options.collect();
        if options.is_empty() {
            field.remove("options");
        } else {
            field.insert("options".to_owned(), options.into());
        }
        fields.push(Value::Object(field));
    }
    Ok(fields.into())
}

/// Returns the paths of a list; a row without a target is ignored. Those without a row stay.
fn ways(present: &Value, typed: &Parameters, list: &str) -> Result<Value, Misfit> {
    let mut ways = Vec::new();
    for index in 0..MAX_ROWS {
        let control = |name: &str| format!("{list}[{index}].{name}");
        let (when, to) = (control("when"), control("to"));
        match (typed.text(&when), typed.text(&to)) {
            ("", "") => {}
            (_, "") => return Err((to, "Where does it lead?".to_owned())),
            ("", key) => ways.push(json!({ "to": key })),
            (condition, key) => ways.push(json!({ "when": condition, "to": key })),
        }
    }
    let rest = present.get(list).and_then(Value::as_array).into_iter().flatten().skip(MAX_ROWS);
    ways.extend(rest.cloned());
    Ok(ways.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(pairs: &[(&str, &str)]) -> Parameters {
        let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Parameters::parse(text.as_bytes())
    }

    #[test]
    fn fields_that_the_form_does_not_show_stay() {
        let present = json!({ "type": "question", "title": "Old", "body": "Gone", "accept_next": [{ "to": "a" }],
            "fields": [{ "key": "size", "label": "Size", "type": "choice", "pii": "none", "options": ["S"] }] });
        let typed = typed(&[
            ("shown", "question"),
            ("type", "question"),
            ("title", "New"),
            ("fields[0].key", "size"),
            ("fields[0].label", "Your size"),
            ("fields[0].type", "choice"),
            ("fields[0].options", "S, slim\n\n M \n"),
            ("fields[1].key", ""),
            ("accept_next[0].when", "answer_size = 'S'"),
            ("accept_next[0].to", "b"),
            ("accept_next[1].to", "a"),
        ]);

        let step = step(&present, &typed, None).expect("a step");

        assert_eq!(
            step,
            json!({ "type": "question", "title": "New", "decline_next": [],
                "accept_next": [{ "when": "answer_size = 'S'", "to": "b" }, { "to": "a" }],
                "fields": [{ "key": "size", "label": "Your size", "type": "choice", "pii": "none", "required": false,
                             "options": ["S, slim", "M"] }] })
        );
    }

    #[test]
    fn an_offer_needs_its_variant_and_a_price_that_is_a_number() {
        let of = |more: &[(&str, &str)], variant| {
            let base = [("shown", "offer"), ("type", "offer"), ("title", "Socks")];
            step(&json!({}), &typed(&[&base[..], more].concat()), variant)
        };
        let name = |result: Result<Value, Misfit>| result.expect_err("a misfit").0;

        assert_eq!(name(of(&[("offer.variant_id", "SOCKS")], None)), "offer.variant_id");
        let price = [("offer.price.type", "percent_off"), ("offer.price.value", "a fifth")];
        assert_eq!(name(of(&price, Some("variant_1"))), "offer.price.value");
        let many = [("offer.price.type", "none"), ("offer.quantity", "two")];
        assert_eq!(name(of(&many, Some("variant_1"))), "offer.quantity");
        let way = [("offer.price.type", "none"), ("decline_next[1].when", "true")];
        assert_eq!(name(of(&way, Some("variant_1"))), "decline_next[1].to");
        let fine = of(
            &[("offer.price.type", "percent_off"), ("offer.price.value", "20")],
            Some("variant_1"),
        );
        assert_eq!(
            fine.expect("an offer")["offer"],
            json!({ "variant_id": "variant_1", "price": { "type": "percent_off", "value": 20 } })
        );
    }

    #[test]
    fn a_step_of_another_type_loses_what_only_the_old_one_has() {
        let present = json!({ "type": "end", "title": "Bye", "redirect_url": "/thanks" });
        let pairs =
            [("shown", "end"), ("type", "notice"), ("title", "Bye"), ("redirect_url", "/thanks")];
        let step = step(&present, &typed(&pairs), None).expect("a step");
        assert_eq!(step, json!({ "type": "notice", "title": "Bye" }));
    }
}
