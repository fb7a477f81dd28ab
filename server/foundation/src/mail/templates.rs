//! The templates of e-mails: `server/mails`, as plain text and as HTML. The first line of the plain text is the subject.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use super::MailMessage;

/// The templates of an e-mail.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    text: &'static str,
    html: &'static str,
}

macro_rules! template {
    ($name:literal) => {
        Template {
            text: include_str!(concat!("../../../mails/", $name, ".txt")),
            html: include_str!(concat!("../../../mails/", $name, ".html")),
        }
    };
}

/// A link that sets a new password.
pub const PASSWORD_RESET: Template = template!("password_reset");
/// A link that accepts an invitation as an administrator.
pub const INVITATION: Template = template!("invitation");
/// The confirmation of an order, with its lines and total.
pub const ORDER_PLACED: Template = template!("order_placed");
/// The items of a shipment, with its tracking numbers.
pub const ORDER_SHIPPED: Template = template!("order_shipped");
/// The notice that an endpoint of webhooks was disabled.
pub const ENDPOINT_DISABLED: Template = template!("endpoint_disabled");

impl Template {
    /// Fills in the values, which are texts. In HTML they are escaped.
    ///
    /// # Errors
    /// If the template needs a value that is not there.
    pub fn message(
        &self,
        (to, id): (String, String),
        values: &impl Serialize,
    ) -> Result<MailMessage, String> {
        let text = render(self.text, AutoEscape::None, values)?;
        let html = render(self.html, AutoEscape::Html, values)?;
        let (subject, text) = text.split_once('\n').unwrap_or((&text, ""));
        let (subject, text) = (subject.trim().to_owned(), text.trim_start().to_owned());
        Ok(MailMessage { to, id, subject, text, html: Some(html) })
    }
}

fn render(source: &str, escape: AutoEscape, values: &impl Serialize) -> Result<String, String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(|error| error.to_string())?);
    environment.set_auto_escape_callback(move |_name| escape.clone());
    environment.render_str(source, Serde(values)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_mail_is_complete_and_escapes_its_values() {
        let shop = "Ada & Sons <shop>";
        let link = Some("https://shop.example/a?token=tok_1");
        let lines = json!([{ "title": "Mug", "quantity": "2", "total": "£25.98" }]);
        for (template, values, parts) in [
            (
                PASSWORD_RESET,
                json!({ "shop": shop, "token": "tok_1", "link": link, "minutes": "15" }),
                &["tok_1", "15 minutes"][..],
            ),
            (
                INVITATION,
                json!({ "shop": shop, "token": "inv_1", "link": link, "days": "7" }),
                &["7 days"],
            ),
            (
                ORDER_PLACED,
                json!({ "shop": shop, "number": "57", "lines": lines, "shipping": "£9.95", "total": "£35.93" }),
                &["57", "Mug", "£25.98", "£35.93"],
            ),
            (
                ORDER_SHIPPED,
                json!({ "shop": shop, "number": "57", "lines": lines, "tracking": ["TRK1"] }),
                &["57", "Mug", "TRK1"],
            ),
            (
                ENDPOINT_DISABLED,
                json!({ "shop": shop, "url": "https://hooks.shop.example/", "reason": "it answered 410 Gone" }),
                &["hooks.shop.example", "410 Gone"],
            ),
        ] {
            let to = ("a@shop.example".to_owned(), "id".to_owned());
            let message = template.message(to, &values).unwrap();
            let html = message.html.unwrap();
            assert!(
                !message.subject.is_empty() && !message.subject.contains('<'),
                "{}",
                message.subject
            );
            assert!(message.text.contains(shop), "{}", message.text);
            assert!(html.contains("Ada &amp; Sons &lt;shop&gt;"), "{html}");
            insta::assert_snapshot!(format!("{}\n\n{}\n{html}", message.subject, message.text));
            for part in parts {
                assert!(message.text.contains(part) && html.contains(part), "{part}");
            }
        }
    }
}
