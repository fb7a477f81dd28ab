//! Writing reviews, and what shoppers see of them.

use serde_json::{Value, json};

use super::{ADMIN, REVIEWS, id_of, of_mug};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_review_is_shown_after_its_approval_without_its_author() {
    let (server, store) = TestServer::with_store().await;
    let empty = server.shown(&store, "").await;
    assert_eq!(empty["average_rating"], Value::Null, "none is no bad mark");

    let written = server.review(&Person::customer_a(), &store, json!({})).await;
    assert_eq!((&written["status"], &written["last_name"]), (&json!("pending"), &json!("Shopper")));
    assert_eq!(server.shown(&store, "").await["count"], 0);

    server.approve(&written).await;
    let page = server.shown(&store, "").await;
    let review = page["reviews"][0].as_object().expect("a review");
    let mut keys: Vec<&str> = review.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys.join(" "),
        "content created_at first_name helpful_count id is_verified last_name product_id rating response \
         title unhelpful_count updated_at"
    );
    assert_eq!(page["reviews"][0]["last_name"], "S.");
    assert_eq!(page["rating_counts"], json!({ "1": 0, "2": 0, "3": 0, "4": 0, "5": 1 }));
    let top = [&page["count"], &page["limit"], &page["offset"], &page["average_rating"]];
    assert_eq!(top, [&json!(1), &json!(20), &json!(0), &json!(5)]);
    assert_eq!(server.events_named("review.submitted").await, 1);
    assert_eq!(server.events_named("review.approved").await, 1);
}

#[tokio::test]
async fn the_page_is_filtered_and_ordered_and_the_ratings_are_of_all() {
    let (server, store) = TestServer::with_store().await;
    for rating in [5, 4, 4, 1] {
        let content = format!("A text for {rating}");
        let fields = json!({ "rating": rating, "content": content });
        let review = server.review(&Person::visitor(), &store, fields).await;
        server.approve(&review).await;
        server.clock.advance(1_000);
    }
    for (query, expected) in [
        ("", vec![1, 4, 4, 5]),
        ("?order=-rating", vec![5, 4, 4, 1]),
        ("?order=rating&limit=1&offset=1", vec![4]),
        ("?rating=1&rating=5", vec![1, 5]),
        ("?rating[]=4&limit=1", vec![4]),
        ("?verified=true", vec![]),
        ("?verified=false&rating=1", vec![1]),
    ] {
        let page = server.shown(&store, query).await;
        let ratings: Vec<i64> = page["reviews"]
            .as_array()
            .expect("reviews")
            .iter()
            .filter_map(|review| review["rating"].as_i64())
            .collect();
        assert_eq!(ratings, expected, "{query}");
        assert_eq!(page["average_rating"], json!(3.5), "{query}");
        assert_eq!(page["rating_counts"]["4"], 2, "{query}");
    }
    let path = format!("/store/products/{}?fields=id,rating", store.mug_product);
    let product = server.get(&Person::visitor(), &path).await.ok();
    assert_eq!(product["product"]["rating"], json!({ "average": 3.5, "count": 4 }));
    let plain = server.get(&Person::visitor(), path.trim_end_matches("?fields=id,rating")).await;
    assert!(plain.ok()["product"]["rating"].is_null(), "only where it is named");
}

#[tokio::test]
async fn a_customer_has_one_review_of_a_product_and_writing_again_changes_it() {
    let (server, store) = TestServer::with_store().await;
    let customer = Person::customer_a();
    let first = server.review(&customer, &store, json!({})).await;
    server.approve(&first).await;
    let same = server.review(&customer, &store, json!({})).await;
    assert_eq!(id_of(&same), id_of(&first));
    assert_eq!(server.shown(&store, "").await["count"], 1, "the same text again changes nothing");

    server.clock.advance(60_000);
    let fields = json!({ "rating": 2, "content": "It broke." });
    let second = server.review(&customer, &store, fields).await;

    assert_eq!(id_of(&second), id_of(&first));
    assert_eq!(server.shown(&store, "").await["count"], 0, "the new text waits for a moderator");
    let path = format!("{ADMIN}/{}?fields=%2Bversions", id_of(&first));
    let review = server.get(&Person::viewer(), &path).await.ok()["review"].clone();
    assert_eq!((&review["version"], &review["status"]), (&json!(2), &json!("pending")));
    assert_eq!(review["versions"][0]["content"], "Half an hour later the tea is still hot.");
    assert_eq!(review["versions"][0]["created_at"], review["created_at"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn invalid_reviews_are_refused() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    for fields in [
        json!({ "rating": 4.5 }),
        json!({ "rating": 0 }),
        json!({ "rating": 6 }),
        json!({ "rating": "5" }),
        json!({ "rating": null }),
        json!({ "content": "" }),
        json!({ "content": "x".repeat(5_001) }),
        json!({ "title": "x".repeat(121) }),
        json!({ "first_name": "" }),
        json!({ "last_name": null }),
        json!({ "last_name": "x".repeat(61) }),
        json!({ "product_id": "mug" }),
        json!({ "variant_id": store.lamp }),
        json!({ "status": "approved" }),
        json!({ "is_verified": true }),
    ] {
        server.post(&visitor, REVIEWS, of_mug(&store, fields.clone())).await.refused(400);
    }
    let nowhere = json!({ "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" });
    server.post(&visitor, REVIEWS, of_mug(&store, nowhere)).await.refused(404);
    server.post(&Person::nobody(), REVIEWS, of_mug(&store, json!({}))).await.refused(401);
    assert_eq!(server.number("select count(*) from review").await, 0);
}

#[tokio::test]
async fn reviews_are_listed_of_products_that_are_sold_here_with_known_filters() {
    let (server, store) = TestServer::with_store().await;
    let path = format!("/store/products/{}/reviews", store.mug_product);
    for query in ["?rating=good", "?order=content", "?verified=maybe", "?unknown=1"] {
        server.get(&Person::visitor(), &format!("{path}{query}")).await.refused(400);
    }
    let unknown = "/store/products/prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ/reviews";
    server.get(&Person::visitor(), unknown).await.refused(404);
    server.get(&Person::nobody(), &path).await.refused(401);
    let product = format!("/admin/products/{}", store.mug_product);
    server.post(&Person::admin(), &product, json!({ "status": "draft" })).await.ok();
    server.get(&Person::visitor(), &path).await.refused(404);
}

#[tokio::test]
async fn an_author_writes_five_reviews_an_hour() {
    let (server, store) = TestServer::with_store().await;
    let guest = Person::visitor();
    for number in 0..5 {
        server.review(&guest, &store, json!({ "content": format!("Text {number}") })).await;
    }
    let sixth = server.post(&guest, REVIEWS, of_mug(&store, json!({}))).await;
    assert_eq!(sixth.status, 429);
    assert_eq!(sixth.headers["retry-after"], "3600");
    server.review(&Person::customer_a(), &store, json!({})).await;
}

#[tokio::test]
async fn refused_reviews_do_not_count_against_an_authors_hour() {
    let (server, store) = TestServer::with_store().await;
    let author = Person::customer_a();
    for _ in 0..6 {
        let wrong = of_mug(&store, json!({ "rating": 6 }));
        server.post(&author, REVIEWS, wrong).await.refused(400);
    }
    for number in 0..5 {
        server.review(&author, &store, json!({ "content": format!("Text {number}") })).await;
    }
    assert_eq!(server.post(&author, REVIEWS, of_mug(&store, json!({}))).await.status, 429);
}

#[tokio::test]
async fn the_store_decides_who_writes() {
    let (server, store) = TestServer::with_store_and(&["--review-authors=customers"]).await;
    server.post(&Person::visitor(), REVIEWS, of_mug(&store, json!({}))).await.refused(401);
    server.review(&Person::customer_a(), &store, json!({})).await;

    let (server, store) = TestServer::with_store_and(&["--review-authors=buyers"]).await;
    server.post(&Person::visitor(), REVIEWS, of_mug(&store, json!({}))).await.refused(401);
    server.post(&Person::customer_a(), REVIEWS, of_mug(&store, json!({}))).await.refused(403);
    server.bought(&Person::customer_a(), &store).await;
    server.review(&Person::customer_a(), &store, json!({})).await;
}

#[tokio::test]
async fn customers_vote_once_on_published_reviews_and_not_on_their_own() {
    let (server, store) = TestServer::with_store().await;
    let (author, reader) = (Person::customer_a(), Person::customer_b());
    let review = server.review(&author, &store, json!({})).await;
    let path = format!("{REVIEWS}/{}/votes", id_of(&review));
    let helpful = json!({ "is_helpful": true });
    server.post(&reader, &path, helpful.clone()).await.refused(404);
    server.approve(&review).await;

    server.post(&author, &path, helpful.clone()).await.refused(400);
    server.post(&Person::visitor(), &path, helpful.clone()).await.refused(401);
    server.post(&reader, &path, json!({ "is_helpful": 1 })).await.refused(400);
    for (vote, counts) in [
        (json!(true), [1, 0]),
        (json!(true), [1, 0]),
        (json!(false), [0, 1]),
        (json!(null), [0, 0]),
    ] {
        let voted = server.post(&reader, &path, json!({ "is_helpful": vote })).await.ok();
        let found = [&voted["review"]["helpful_count"], &voted["review"]["unhelpful_count"]];
        assert_eq!(found, [&json!(counts[0]), &json!(counts[1])], "{vote}");
    }
    let product = format!("/admin/products/{}", store.mug_product);
    server.post(&Person::admin(), &product, json!({ "status": "draft" })).await.ok();
    let hidden = server.post(&reader, &path, helpful).await.refused(404);
    assert!(hidden.contains(id_of(&review)), "as if there were no such review: {hidden}");
    server.assert_sound().await;
}
