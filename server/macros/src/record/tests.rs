//! Tests of the derive's output and of its errors.

use syn::parse_quote;

use super::*;

fn expanded(input: &DeriveInput) -> String {
    match expand(input) {
        Ok(tokens) => tokens.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

fn tag() -> DeriveInput {
    parse_quote! {
        #[record(table = "product_tag g", list(plural = "product_tags", search = ["g.value"]))]
        struct Tag {
            #[column(filter, order)]
            id: TagId,
            #[column(filter)]
            value: String,
            #[serde(rename = "type")]
            kind: String,
            #[column(once)]
            created_by: String,
            #[column(sql = "(select count(*) from product_tag_product)")]
            count: i64,
            #[column(json)]
            rules: Vec<Rule>,
            #[field(on_request, store(hidden))]
            products: Vec<Product>,
            created_at: Timestamp,
            updated_at: Timestamp,
            deleted_at: Option<Timestamp>,
        }
    }
}

#[test]
fn columns_are_read_in_the_order_of_the_select() {
    let tokens = expanded(&tag());

    assert!(tokens.contains(
        "\"g.id, g.value, g.type, g.created_by, (select count(*) from product_tag_product), g.rules, g.created_at, \
         g.updated_at, g.deleted_at\""
    ));
    assert!(tokens.contains("products : :: core :: default :: Default :: default ()"));
}

#[test]
fn a_put_keeps_the_fields_of_the_creation() {
    let tokens = expanded(&tag());

    assert!(tokens.contains(
        "\"insert into product_tag (id, created_by, created_at, value, type, rules, updated_at) values (?1, ?2, ?3, \
         ?4, ?5, ?6, ?7) on conflict (id) do update set value = excluded.value, type = excluded.type, \
         rules = excluded.rules, updated_at = excluded.updated_at\""
    ));
    assert!(tokens.contains(
        "\"update product_tag set value = ?4, type = ?5, rules = ?6, updated_at = ?7 where id = ?1\""
    ));
}

#[test]
fn records_with_deleted_at_are_deleted_softly_and_others_permanently() {
    let soft = "update product_tag set deleted_at = :now, updated_at = :now where id = :id and deleted_at is null";
    assert!(expanded(&tag()).contains(soft));

    let hard = parse_quote! {
        #[record(table = "currency c")]
        struct Currency {
            #[column(key)]
            code: String,
        }
    };
    let tokens = expanded(&hard);
    assert!(tokens.contains("delete from currency where code = :id"));
    assert!(tokens.contains("on conflict (code) do nothing"));
}

#[test]
fn a_usual_list_is_filtered_and_ordered_by_its_id_and_its_times() {
    let usual = parse_quote! {
        #[record(table = "product_tag g", list(plural = "product_tags", usual))]
        struct Tag {
            id: TagId,
            #[column(filter)]
            value: String,
            created_at: Timestamp,
            updated_at: Timestamp,
        }
    };
    let written_out = parse_quote! {
        #[record(table = "product_tag g", list(plural = "product_tags"))]
        struct Tag {
            #[column(filter, order)]
            id: TagId,
            #[column(filter)]
            value: String,
            #[column(filter, order)]
            created_at: Timestamp,
            #[column(filter, order)]
            updated_at: Timestamp,
        }
    };

    assert_eq!(expanded(&usual), expanded(&written_out));
}

#[test]
fn invalid_attributes_are_reported() {
    for (input, expected) in [
        (
            parse_quote! { struct Tag { id: TagId } },
            "error: `#[record(table = \"product_tag g\")]` is missing",
        ),
        (
            parse_quote! { #[record(table = "t", soft)] struct Tag { id: TagId } },
            "error: expected `table`, `title`, `soft_delete` or `list`",
        ),
        (
            parse_quote! { #[record(table = "t", list(order = "id"))] struct Tag { id: TagId } },
            "error: `plural` is missing",
        ),
        (
            parse_quote! { #[record(table = "t")] struct Tag { #[column(index)] id: TagId } },
            "error: expected `skip`, `json`, `key`, `once`, `filter`, `order`, `name`, `sql` or `kind`",
        ),
        (
            parse_quote! { #[record(table = "t", list(plural = "ts"))] struct Tag { value: String } },
            "error: a list is of records with an `id`",
        ),
        (parse_quote! { struct Tag; }, "error: a struct with named fields is expected"),
    ] {
        assert_eq!(expanded(&input), expected);
    }
}
