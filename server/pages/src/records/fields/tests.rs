//! Tests of what is sent for the input.

use serde_json::json;

use super::*;

const NEW: FormSpec = FormSpec {
    fields: &[
        field("title", "Title", "/title", Input::Line).required(),
        field("value", "Value", "/method/value", Input::Amount),
        field("price", "Price", "/variants/0/prices", Input::Prices),
        field("tags", "Tags", "/tags", Input::Words),
        field("pictures", "Pictures", "/images", Input::Lines("url")),
        field("limit", "Limit", "/limit", Input::Count),
        field("is_on", "On", "/is_on", Input::Yes),
    ],
    fixed: &[("/owner_id", Fixed::Id)],
    ..FORM
};

fn body(typed: &str, present: Option<&Value>) -> Result<Value, String> {
    let currencies = ["eur".to_owned(), "gbp".to_owned()];
    let about = About {
        id: "own",
        of: "row",
        options: &[],
        variant: None,
        currencies: &currencies,
        locale: Locale::default(),
        present,
        zone: "UTC",
    };
    NEW.body(&Parameters::parse(typed.as_bytes()), &about)
}

#[test]
fn form_input_becomes_the_body_of_the_api() {
    let typed = "title=Mug&value=3&price-gbp=12.5&tags=a,+b&pictures=x%0D%0Ay&is_on=yes";
    let price = json!({ "amount": 12.5, "currency_code": "gbp" });
    let sent = json!({ "title": "Mug", "variants": [{ "prices": [price] }], "tags": ["a", "b"],
                       "images": [{ "url": "x" }, { "url": "y" }], "is_on": true, "owner_id": "own",
                       "method": { "value": 3 } });
    assert_eq!(body(typed, None), Ok(sent));
}

#[test]
fn an_empty_field_is_left_out_of_a_new_record_and_clears_that_of_a_present_one() {
    let sent = body("title=Mug", None).expect("a request");
    assert!(sent.get("limit").is_none() && sent.get("tags").is_none());
    let sent = body("title=Mug", Some(&Value::Null)).expect("a request");
    assert_eq!((sent.get("limit"), sent.get("tags")), (Some(&Value::Null), Some(&json!([]))));
}

#[test]
fn prices_that_no_control_shows_stay_when_the_others_change() {
    let rows = json!({ "amount": 10, "currency_code": "gbp", "min_quantity": 5, "max_quantity": null, "rules": {} });
    let plain = json!({ "id": "price_1", "title": "Usual", "amount": 12, "currency_code": "gbp", "min_quantity": null,
        "rules": {} });
    let left =
        json!({ "id": "price_2", "amount": 15, "currency_code": "usd", "min_quantity": null });
    let present = json!({ "variants": [{ "prices": [rows, plain, left] }] });
    let sent = body("title=Mug&price-gbp=13", Some(&present)).expect("a request");
    let kept = json!({ "amount": 10, "currency_code": "gbp", "min_quantity": 5, "rules": {} });
    let left = json!({ "id": "price_2", "amount": 15, "currency_code": "usd" });
    let changed = json!({ "id": "price_1", "title": "Usual", "amount": 13, "currency_code": "gbp", "rules": {} });
    assert_eq!(sent.pointer("/variants/0/prices"), Some(&json!([kept, left, changed])));
    let field = NEW.fields.iter().find(|field| field.name == "price").expect("a field");
    assert_eq!(
        (
            &*field.price_in(&present, "gbp", Locale::default()),
            &*field.price_in(&present, "eur", Locale::default())
        ),
        ("12", "")
    );
}

#[test]
fn unreadable_values_are_reported_by_field_name() {
    assert_eq!(body("value=1", None), Err("Title is missing.".to_owned()));
    let wrong = body("title=a&price-gbp=1,50", None).expect_err("no number");
    assert_eq!(wrong, "Price in GBP must be a number, such as 12.50.");
    assert!(body("title=a&limit=-1", None).is_err());
}

#[test]
fn a_field_is_known_by_the_path_of_the_api() {
    assert_eq!(NEW.label_of("variants[0].prices[0].amount"), Some("Price"));
    assert_eq!(NEW.label_of("images[1].url"), Some("Pictures"));
    assert_eq!(NEW.label_of("other"), None);
}
