//! The steps of a flow's draft, as forms with the findings beside each field.

use serde_json::{Value, json};

use super::{Browser, between, escaped};
use crate::harness::{Person, TestServer};

/// Creates a flow; returns its path in the API, and the form of a step.
async fn flow(server: &TestServer) -> (String, String) {
    let flow = json!({ "name": "Socks", "kind": "post_purchase" });
    let made = server.post(&Person::admin(), "/admin/flows", flow).await.ok();
    let id = made["flow"]["id"].as_str().expect("an id").to_owned();
    (format!("/admin/flows/{id}"), format!("/app/flows/{id}/step"))
}

async fn draft(server: &TestServer, path: &str) -> Value {
    server.get(&Person::admin(), path).await.ok()["flow"]["draft"].clone()
}

async fn add(admin: &Browser<'_>, form: &str, key: &str, kind: &str) {
    let fields = [("shown", ""), ("key", key), ("type", kind), ("title", "A <title>")];
    let shown = admin.submit(form, &fields).await;
    assert_eq!(shown.location(), format!("{form}?of={key}&done=saved"), "{}", shown.html);
}

/// Returns the message beside a field.
fn wrong<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    between(page, &format!("<p class=\"wrong\" id=\"wrong-{name}\">"), "</p>")
}

#[tokio::test]
async fn a_flow_is_written_step_by_step_with_the_findings_beside_the_fields() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let (path, form) = flow(&server).await;
    let variants = server.get(&Person::admin(), "/admin/product-variants?limit=1").await.ok();
    let [id, sku] = ["id", "sku"].map(|name| variants["variants"][0][name].as_str().expect("text"));
    add(&admin, &form, "socks", "offer").await;
    add(&admin, &form, "thanks", "end").await;
    assert_eq!(draft(&server, &path).await["entry"], "socks", "the flow begins with the first");
    let page = admin.page(&format!("{form}?of=socks")).await;
    assert!(page.contains("A &#60;title&#62;") && page.contains("The flow begins with this step."));
    assert!(page.contains("<ul class=\"findings\">"), "there is no offer yet: {page}");
    assert!(!page.contains("redirect_url"), "only an end leads elsewhere");

    let offer = [
        ("shown", "offer"),
        ("type", "offer"),
        ("title", "Add socks?"),
        ("offer.variant_id", sku),
        ("offer.price.type", "percent_off"),
        ("offer.price.value", "20"),
        ("accept_next[0].to", "thanks"),
        ("decline_next[0].when", "order_total > 30 GBP"),
        ("decline_next[0].to", "thanks"),
        ("decline_next[1].to", "thanks"),
    ];
    let shown = admin.submit(&format!("{form}?of=socks"), &offer).await;
    assert_eq!(shown.status, 303, "{}", shown.html);

    let saved = &draft(&server, &path).await["buttons"]["socks"];
    assert_eq!(saved["offer"]["variant_id"], id);
    assert_eq!(saved["offer"]["price"], json!({ "type": "percent_off", "value": 20 }));
    assert_eq!(saved["decline_next"].as_array().expect("ways").len(), 2, "{saved}");
    let page = admin.page(shown.location()).await;
    assert!(page.contains(&format!("name=\"offer.variant_id\" value=\"{sku}\"")), "{page}");
    assert!(page.contains("Saved.") && !page.contains("class=\"wrong\""), "{page}");
    assert!(page.contains("name=\"decline_next[2].to\""), "a row to add a way: {page}");

    let lost = [&offer[..], &[("accept_next[1].to", "nowhere")]].concat();
    let shown = admin.submit(&format!("{form}?of=socks"), &lost).await;
    let page = admin.page(shown.location()).await;
    let said = wrong(&page, "accept_next[1].to").unwrap_or_else(|| panic!("nothing: {page}"));
    assert!(said.contains("there is no button nowhere"), "{said}");
    let draft_page = admin.page(&form.replace("/step", "/draft")).await;
    assert!(
        draft_page.contains(&format!("<a href=\"{form}?of=thanks\"><code>thanks")),
        "{draft_page}"
    );
}

#[tokio::test]
async fn errors_are_shown_at_their_field_and_the_input_stays() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let (path, form) = flow(&server).await;
    add(&admin, &form, "socks", "offer").await;
    let before = draft(&server, &path).await;

    let typed = [
        ("shown", "offer"),
        ("type", "offer"),
        ("title", "\"New\""),
        ("offer.variant_id", "NO-SUCH"),
    ];
    let shown = admin.submit(&format!("{form}?of=socks"), &typed).await;
    assert_eq!(shown.status, 422);
    let said = wrong(&shown.html, "offer.variant_id").expect("a finding");
    assert!(said.contains("no variant with the SKU NO-SUCH"), "{said}");
    assert!(shown.html.contains("value=\"&#34;New&#34;\""), "{}", shown.html);
    for key in ["", "socks"] {
        let again = [("shown", ""), ("key", key), ("type", "end"), ("title", "x")];
        let shown = admin.submit(&form, &again).await;
        assert!(shown.status == 422 && wrong(&shown.html, "key").is_some(), "{}", shown.html);
    }
    assert_eq!(draft(&server, &path).await, before, "nothing was saved");

    assert_eq!(admin.get(&format!("{form}?of=nothing")).await.status, 404);
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert_eq!(viewer.get(&format!("{form}?of=socks")).await.status, 403);
    assert_eq!(viewer.submit(&format!("{form}?of=socks"), &typed).await.status, 403);
    let shown = admin.submit(&format!("{form}?of=socks"), &[("action", "remove")]).await;
    assert_eq!(shown.location(), form.replace("/step", "/draft?done=saved"), "{}", shown.html);
    assert_eq!(draft(&server, &path).await["buttons"], json!({}));
}

#[tokio::test]
async fn an_option_may_have_a_comma() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let (path, form) = flow(&server).await;
    add(&admin, &form, "size", "question").await;
    let options = "Yes, please\r\nNo, thanks\r\n";
    let question = [
        ("shown", "question"),
        ("type", "question"),
        ("title", "Socks?"),
        ("fields[0].key", "socks"),
        ("fields[0].label", "Socks?"),
        ("fields[0].type", "choice"),
        ("fields[0].options", options),
    ];
    let form = format!("{form}?of=size");

    let shown = admin.submit(&form, &question).await;

    assert_eq!(shown.status, 303, "{}", shown.html);
    let saved = &draft(&server, &path).await["buttons"]["size"]["fields"][0]["options"];
    assert_eq!(*saved, json!(["Yes, please", "No, thanks"]));
    let page = admin.page(&form).await;
    assert!(page.contains(">Yes, please\nNo, thanks</textarea>"), "{page}");
}

/// Returns the tag of the flow in a form.
fn tag(page: &str) -> String {
    let own = between(page, "name=\"tag\" value=\"", "\"").expect("a tag");
    own.replace("&#34;", "\"")
}

#[tokio::test]
async fn a_form_does_not_replace_a_change_that_its_author_has_not_seen() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let (path, form) = flow(&server).await;
    add(&admin, &form, "thanks", "end").await;
    let (step, text) = (format!("{form}?of=thanks"), form.replace("/step", "/draft"));
    let own = draft(&server, &path).await.to_string().replace("A <title>", "Mine");
    let forms = [
        (&step, vec![("shown", "end"), ("type", "end"), ("title", "Mine")], "value=\"Mine\""),
        (&text, vec![("action", "save"), ("draft", &own)], &escaped("\"Mine\"")),
    ];
    for (page, fields, kept) in forms {
        let old = tag(&admin.page(page).await);
        let mut theirs = draft(&server, &path).await;
        theirs["buttons"]["thanks"]["title"] = json!("Theirs");
        let body = json!({ "draft": theirs });
        server.post(&Person::admin(), &path, body).await.ok();

        let shown = admin.submit(page, &[&fields[..], &[("tag", &old)]].concat()).await;

        assert!(shown.status == 422 && shown.html.contains("changed meanwhile"), "{}", shown.html);
        assert!(shown.html.contains(kept), "{}", shown.html);
        assert_eq!(draft(&server, &path).await, theirs);
        let new = tag(&shown.html);
        let shown = admin.submit(page, &[&fields[..], &[("tag", &new)]].concat()).await;
        assert_eq!(shown.status, 303, "{}", shown.html);
        assert_eq!(draft(&server, &path).await["buttons"]["thanks"]["title"], "Mine");
    }
}
