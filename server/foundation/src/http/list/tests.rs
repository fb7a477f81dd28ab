//! Tests of list queries, and of their results.

use rusqlite::Connection;

use super::*;
use crate::database::functions;
use crate::database::listing::Kind;
use crate::http::fields::Shape;

static SHAPE: Shape = Shape {
    name: "product",
    defaults: &["id", "title"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static LISTING: Listing = Listing {
    plural: "products",
    table: "product p",
    tie_breaker: "p.id",
    columns: &[
        Column::new("id", "p.id", Kind::Id),
        Column::new("title", "p.title", Kind::Text),
        Column::filter("handle", "lower(p.title)", Kind::LowerCase),
        Column::filter("status", "p.status", Kind::Word(&["draft", "published"])),
        Column::filter("collection_id", "p.collection_id", Kind::Id),
        Column::new("created_at", "p.created_at", Kind::Time),
        Column::new("total", "p.total", Kind::Money { digits: 2 }),
        Column::filter("is_giftcard", "p.is_giftcard", Kind::Boolean),
        Column::filter(
            "tag_id",
            "p.id in (select product_id from tagged where tag_id in ({}))",
            Kind::Link,
        ),
    ],
    search: &[
        "p.title",
        "exists (select 1 from tagged t where t.product_id = p.id and t.tag_id {})",
    ],
    default_limit: 50,
    default_order: "-created_at",
    extra: &["region_id"],
};

#[derive(Debug)]
struct Products;
impl Resource for Products {
    const SHAPE: &'static Shape = &SHAPE;
}
impl Listed for Products {
    const LISTING: &'static Listing = &LISTING;
}

fn store() -> Connection {
    let store = Connection::open_in_memory().unwrap();
    functions::add(&store).unwrap();
    store
        .execute_batch(
            "create table store (time_zone text);
             create table product (id text primary key, title text, status text, collection_id text,
                                   created_at integer, total integer, is_giftcard integer);
             create table tagged (product_id text, tag_id text);
             insert into product values
               ('p1', 'Red mug', 'published', 'c1', 0, 1000, 0),
               ('p2', 'Blue Mug', 'draft', null, 86400000, 1250, 0),
               ('p3', '100% wool', 'published', 'c2', 86400000 + 3600000, 5, 1);
             insert into tagged values ('p1', 'new'), ('p2', 'new'), ('p2', 'old');",
        )
        .unwrap();
    store
}

/// Returns the ids on the page and the count, or the error message.
fn ask(query: &str) -> String {
    let store = store();
    match ListRequest::<Products>::parse(query) {
        Ok(list) => {
            let ids: Vec<String> = list.query.page(&store, "p.id", |row| row.get(0)).unwrap();
            format!("{} of {}", ids.join(" "), list.query.count(&store).unwrap())
        }
        Err(error) => error.message().to_owned(),
    }
}

#[test]
fn filters_order_and_pages_mean_what_they_say() {
    for (query, expected) in [
        ("", "p3 p2 p1 of 3"),
        ("order=title", "p3 p2 p1 of 3"),
        ("order=-title", "p1 p2 p3 of 3"),
        ("order=created_at", "p1 p2 p3 of 3"),
        ("limit=1&offset=1", "p2 of 3"),
        ("limit=0", " of 3"),
        ("offset=10", " of 3"),
        ("id=p1", "p1 of 1"),
        ("id[]=p1&id[]=p3", "p3 p1 of 2"),
        ("id[$in][]=p1&id[$in][]=p3", "p3 p1 of 2"),
        ("id[$nin][]=p1&id[$nin][]=p3", "p2 of 1"),
        ("status=draft", "p2 of 1"),
        ("status[$ne]=draft", "p3 p1 of 2"),
        ("collection_id=null", "p2 of 1"),
        ("collection_id[$ne]=null", "p3 p1 of 2"),
        ("collection_id[$ne]=c1", "p3 p2 of 2"),
        ("collection_id[]=null&collection_id[]=c1", "p2 p1 of 2"),
        ("created_at[$gte]=1970-01-02", "p3 p2 of 2"),
        ("created_at[$gt]=1970-01-01T00:00:00.000Z&created_at[$lt]=1970-01-03", "p3 p2 of 2"),
        ("created_at[$lte]=1970-01-02", "p3 p2 p1 of 3"),
        ("created_at[$lte]=1970-01-01", "p1 of 1"),
        ("created_at[$gt]=1970-01-01", "p3 p2 of 2"),
        ("created_at[$gt]=1970-01-02", " of 0"),
        ("created_at[$lt]=1970-01-02", "p1 of 1"),
        ("total[$gt]=10&total[$lte]=12.5", "p2 of 1"),
        ("total=0.05", "p3 of 1"),
        ("is_giftcard=true", "p3 of 1"),
        ("title[$like]=%25mug", "p2 p1 of 2"),
        ("handle=RED MUG", "p1 of 1"),
        ("handle[$in][]=RED mug&handle[$in][]=x", "p1 of 1"),
        ("handle[$ne]=RED MUG", "p3 p2 of 2"),
        ("handle[$like]=RED%25", "p1 of 1"),
        ("tag_id=old", "p2 of 1"),
        ("tag_id[]=old&tag_id[]=new", "p2 p1 of 2"),
        ("tag_id[$nin][]=old&tag_id[$nin][]=new", "p3 of 1"),
        ("q=MUG", "p2 p1 of 2"),
        ("q=0%25 w", "p3 of 1"),
        ("q=%25", "p3 of 1"),
        ("q=_", " of 0"),
        ("q=old", "p2 of 1"),
        ("$or[0][title]=Red mug&$or[1][is_giftcard]=true", "p3 p1 of 2"),
        ("$and[0][status]=published&$and[1][is_giftcard]=true", "p3 of 1"),
        ("region_id=reg_1", "p3 p2 p1 of 3"),
    ] {
        assert_eq!(ask(query), expected, "{query}");
    }
}

#[test]
fn a_day_is_a_day_in_the_time_zone_of_the_store() {
    let store = store();
    // `p1` was created on the last day of 1969, the others on the first of 1970; that day was as long as any.
    store.execute("insert into store values ('America/New_York')", []).unwrap();
    for (query, expected) in [
        ("created_at[$gte]=1970-01-01", "p3 p2"),
        ("created_at[$gt]=1969-12-31", "p3 p2"),
        ("created_at[$lte]=1969-12-31", "p1"),
        ("created_at[$lt]=1970-01-01", "p1"),
        ("created_at[$lte]=1970-01-01", "p3 p2 p1"),
        ("created_at[$lte]=9999-12-31", "p3 p2 p1"),
        ("created_at[$gte]=9999-12-31", ""),
        ("created_at=1970-01-01", "p3 p2"),
        ("created_at=1969-12-31", "p1"),
        ("created_at[$ne]=1970-01-01", "p1"),
        ("created_at[]=1969-12-31&created_at[]=1970-01-02T00:00:00Z", "p2 p1"),
        ("created_at[$nin][]=1970-01-01&created_at[$nin][]=1970-01-02", "p1"),
        ("$or[0][created_at][$lt]=1970-01-01&$or[1][id]=p3", "p3 p1"),
    ] {
        let list = ListRequest::<Products>::parse(query).unwrap();
        let ids: Vec<String> = list.query.page(&store, "p.id", |row| row.get(0)).unwrap();
        assert_eq!(ids.join(" "), expected, "{query}");
    }

    store.execute("update product set created_at = 18000000 where id = 'p1'", []).unwrap();
    let list = ListRequest::<Products>::parse("created_at=1970-01-01").unwrap();
    assert_eq!(list.query.count(&store).unwrap(), 3, "one was created as the day began");
}

#[test]
fn invalid_values_are_refused() {
    for query in [
        "limit=-1",
        "limit=201",
        "limit=a",
        "limit[]=1&limit[]=2",
        "limit=1&limit=2",
        "offset=-1",
        "offset=99999999999999999999",
        "order=foo",
        "order=status",
        "order[]=title&order[]=id",
        "foo=1",
        "status=sold",
        "created_at=banana",
        "created_at[$gt]=2026-02-30",
        "created_at[$foo]=2026-01-01",
        "created_at[$gt][]=2026-01-01&created_at[$gt][]=2026-01-02",
        "total=1.005",
        "total=1e400",
        "is_giftcard=1",
        "tag_id[$gt]=a",
        "title[$like]=%25%25%25%25%25a",
        "$or=1",
        "$or[0]=1",
        "$or[0][foo]=1",
        "$or[0][$or][0][title]=1",
        "fields=password",
        "id[a][b]=1",
    ] {
        let error = ListRequest::<Products>::parse(query).map(|list| list.query).unwrap_err();
        assert_eq!(error.status(), 400, "{query}");
    }
}

#[test]
fn an_unknown_word_is_answered_with_the_possible_ones() {
    for (query, refusal) in [
        (
            "status=sold",
            "Invalid request: Value for field 'status' is not valid: 'sold', expected one of draft, published",
        ),
        (
            "created_at[gte]=2026-01-01",
            "Invalid request: Unknown operator 'gte' for field 'created_at', expected one of \
             $eq, $in, $ne, $nin, $gt, $gte, $lt, $lte",
        ),
        (
            "is_giftcard[$gt]=true",
            "Invalid request: Unknown operator '$gt' for field 'is_giftcard', expected one of $eq, $in, $ne, $nin",
        ),
        (
            "order=-foo",
            "Order field foo is not valid, expected one of id, title, created_at, total",
        ),
    ] {
        assert_eq!(ask(query), refusal, "{query}");
    }
}

#[test]
fn a_text_is_only_ever_bound() {
    for text in
        ["' or 1=1 --", "\"; drop table product; --", "p1') or ('1'='1", "\u{0}", "%' or '%"]
    {
        let encoded =
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
        for key in ["id", "title", "tag_id", "id[$nin][0]"] {
            let answer = ask(&format!("{key}={encoded}"));
            assert!(answer.ends_with("of 0") || answer.ends_with("of 3"), "{key}={text}: {answer}");
        }
    }
}

#[test]
fn the_statement_does_not_depend_on_how_many_values_there_are() {
    let sql = |query: &str| ListRequest::<Products>::parse(query).unwrap().query.where_clause().sql;

    assert_eq!(sql("id[]=a&id[]=b"), sql("id[]=a&id[]=b&id[]=c"));
}

#[test]
fn a_route_can_narrow_its_list() {
    let list = ListRequest::<Products>::parse("q=mug").unwrap();

    let query = list.query.narrow("p.status = ?", ["draft".to_owned().into()]);

    assert_eq!(query.count(&store()).unwrap(), 1);
}
