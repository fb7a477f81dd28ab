//! Categories and tags by their forms, and the products that have them.

use serde_json::{Value, json};

use super::opening::id_of;
use super::running::led_to;
use super::selling::read;
use super::{Browser, escaped};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_category_is_put_into_another_and_deleted() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let typed = [("name", "Kitchen"), ("shown", "yes")];
    let outer = led_to(&admin.submit("/app/categories/new", &typed).await);
    let kitchen = id_of(&outer);
    let form = admin.page("/app/categories/new").await;
    let choice = format!("<option value=\"{kitchen}\">Kitchen</option>");
    assert!(form.contains(&choice) && form.contains("name=\"shown\" value=\"yes\" checked"));
    let name = "Cups & <mugs>";
    let typed = [("name", name), ("parent", kitchen), ("shown", "yes"), ("position", "first")];

    let shown = admin.submit("/app/categories/new", &typed).await;
    assert!(shown.status == 422 && shown.html.contains("Position must be a whole number"));
    let chosen = format!("<option value=\"{kitchen}\" selected>");
    assert!(
        shown.html.contains("role=\"alert\" tabindex=\"-1\" autofocus>Position"),
        "is read first"
    );
    for kept in [&*chosen, &*escaped(name), "value=\"first\""] {
        assert!(shown.html.contains(kept), "{kept} is lost: {}", shown.html);
    }
    let inner = led_to(&admin.submit("/app/categories/new", &typed[..3]).await);

    let path = inner.replace("/app/categories", "/admin/product-categories");
    let own = read(&server, &path).await["product_category"].clone();
    assert_eq!((&own["parent_category_id"], &own["is_active"]), (&json!(kitchen), &json!(true)));
    let link = format!("<a href=\"{inner}\"><bdi>{}</bdi></a>", escaped(name));
    assert!(admin.page(&outer).await.contains(&link), "the outer one leads to it");
    assert!(admin.page(&inner).await.contains("<bdi>Kitchen</bdi>"), "the one that it is in");
    let list = admin.page("/app/categories?is_active=false").await;
    assert!(list.contains("Nothing matches this."), "{list}");

    let refused = admin.submit(&format!("{outer}/delete"), &[]).await;
    assert!(refused.status == 422 && refused.html.contains("Deleting ProductCategory with"));
    assert!(refused.html.contains(&format!("<a href=\"{outer}\"><bdi>Kitchen</bdi></a>")));
    let change = [("name", "Cups"), ("handle", "cups"), ("parent", "")];
    led_to(&admin.submit(&format!("{inner}/change"), &change).await);
    let own = read(&server, &path).await["product_category"].clone();
    assert_eq!((&own["parent_category_id"], &own["is_active"]), (&Value::Null, &json!(false)));
    let shown = admin.submit(&format!("{outer}/delete"), &[]).await;
    assert_eq!(shown.location(), "/app/categories?done=deleted");
    assert_eq!(admin.get(&outer).await.status, 404);
}

#[tokio::test]
async fn a_product_gets_categories_and_tags() {
    let server = TestServer::empty().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let category = led_to(&admin.submit("/app/categories/new", &[("name", "Kitchen")]).await);
    let tag = led_to(&admin.submit("/app/tags/new", &[("value", "organic")]).await);
    let again = admin.submit("/app/tags/new", &[("value", "organic")]).await;
    assert!(again.status == 422 && again.html.contains("value=\"organic\""), "{}", again.html);
    let new = [("title", "Mug"), ("status", "draft")];
    let product = led_to(&admin.submit("/app/products/new", &new).await);

    for (form, name, group, text) in
        [("categories", "category", &category, "In Kitchen"), ("tags", "tag", &tag, "Tag organic")]
    {
        let (form, id) = (format!("{product}/{form}"), id_of(group));
        assert!(admin.page(&product).await.contains(&format!("href=\"{form}\"")));
        let html = admin.page(&form).await;
        let control = format!("name=\"{name}\" value=\"{id}\"> {text}</label>");
        assert!(html.contains(&control), "{control}: {html}");

        led_to(&admin.submit(&form, &[(name, id)]).await);

        let html = admin.page(&form).await;
        assert!(html.contains(&control.replace("> ", " checked> ")), "{html}");
        let link = format!("<a href=\"{product}\"><bdi>Mug</bdi></a>");
        assert!(admin.page(group).await.contains(&link), "{text}");
        let list = format!("/app/products?{name}_id=");
        assert!(admin.page(&format!("{list}{id}")).await.contains(&link), "{text}");
        let none = admin.page(&format!("{list}none")).await;
        assert!(none.contains("Nothing matches this."), "{none}");
    }

    for (word, group) in [("Kitchen", &category), ("organic", &tag)] {
        let found = admin.page(&format!("/app/search?q={word}")).await;
        assert!(found.contains(&format!("<a href=\"{group}\"><bdi>{word}</bdi></a>")), "{found}");
    }
    let html = admin.page(&product).await;
    assert!(html.contains("<bdi>Kitchen</bdi>") && html.contains("<bdi>organic</bdi>"), "{html}");
    led_to(&admin.submit(&format!("{tag}/change"), &[("value", "fair")]).await);
    assert!(admin.page(&product).await.contains("<bdi>fair</bdi>"));
    led_to(&admin.submit(&format!("{product}/categories"), &[]).await);
    assert!(!admin.page(&product).await.contains("<bdi>Kitchen</bdi>"), "it is in none");
    let shown = admin.submit(&format!("{tag}/delete"), &[]).await;
    assert_eq!(shown.location(), "/app/tags?done=deleted");
    assert!(!admin.page(&product).await.contains("<bdi>fair</bdi>"), "no product has it");
}
