//! The e-mails, each with its two templates in `server/mails`. The first line of the plain text is the subject.

use askama::Template;

use super::MailMessage;

pub trait Mail {
    /// Returns the plain text, and the HTML.
    fn forms(&self) -> askama::Result<(String, String)>;

    /// Returns the e-mail to an address, under an id.
    fn message(&self, (to, id): (String, String)) -> Result<MailMessage, String> {
        let (text, html) = self.forms().map_err(|error| error.to_string())?;
        let (subject, text) = text.split_once('\n').unwrap_or((&text, ""));
        let (subject, text) = (subject.trim().to_owned(), text.trim_start().to_owned());
        Ok(MailMessage { to, id, subject, text, html: Some(html) })
    }
}

/// A line of an order or of a shipment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailLine {
    pub title: String,
    pub quantity: String,
    /// With its currency; empty in a shipment.
    pub total: String,
}

macro_rules! mail {
    ($(#[$doc:meta])* $name:ident, $text:tt, $html:tt, { $($field:ident: $kind:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a> {
            $(pub $field: $kind,)+
        }

        impl Mail for $name<'_> {
            fn forms(&self) -> askama::Result<(String, String)> {
                #[derive(Template)]
                #[template(path = $text)]
                struct Text<'a> {
                    $($field: $kind,)+
                }
                #[derive(Template)]
                #[template(path = $html)]
                struct Html<'a> {
                    $($field: $kind,)+
                }
                let Self { $($field),+ } = *self;
                Ok((Text { $($field),+ }.render()?, Html { $($field),+ }.render()?))
            }
        }
    };
}

mail!(
    /// A link, or a token, that sets a new password.
    PasswordReset, "password_reset.txt", "password_reset.html",
    { shop: &'a str, token: &'a str, link: Option<&'a str>, minutes: i64 }
);
mail!(
    /// A link, or a token, that accepts an invitation as an administrator.
    Invitation, "invitation.txt", "invitation.html",
    { shop: &'a str, token: &'a str, link: Option<&'a str>, days: i64 }
);
mail!(
    /// The confirmation of an order, with its lines and total.
    OrderPlaced, "order_placed.txt", "order_placed.html",
    { shop: &'a str, number: i64, lines: &'a [MailLine], shipping: &'a str, total: &'a str }
);
mail!(
    /// The items of a shipment, with its tracking numbers.
    OrderShipped, "order_shipped.txt", "order_shipped.html",
    { shop: &'a str, number: i64, lines: &'a [MailLine], tracking: &'a [String] }
);
mail!(
    /// The notice that an endpoint of webhooks was disabled.
    EndpointDisabled, "endpoint_disabled.txt", "endpoint_disabled.html",
    { shop: &'a str, url: &'a str, reason: &'a str }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mail_is_complete_and_escapes_its_values() {
        let shop = "Ada & Sons <shop>";
        let link = Some("https://shop.example/a?token=tok_1");
        let item = |title: &str, quantity: &str, total: &str| MailLine {
            title: title.into(),
            quantity: quantity.into(),
            total: total.into(),
        };
        let lines = &[item("Mug", "2", "£25.98")];
        let mails: [(&dyn Mail, &[&str]); 5] = [
            (&PasswordReset { shop, token: "tok_1", link, minutes: 15 }, &["tok_1", "15 minutes"]),
            (&Invitation { shop, token: "inv_1", link, days: 7 }, &["7 days"]),
            (
                &OrderPlaced { shop, number: 57, lines, shipping: "£9.95", total: "£35.93" },
                &["57", "Mug", "£25.98", "£35.93"],
            ),
            (
                &OrderShipped { shop, number: 57, lines, tracking: &["TRK1".to_owned()] },
                &["57", "Mug", "TRK1"],
            ),
            (
                &EndpointDisabled {
                    shop,
                    url: "https://hooks.shop.example/",
                    reason: "it answered 410 Gone",
                },
                &["hooks.shop.example", "410 Gone"],
            ),
        ];
        for (mail, parts) in mails {
            let message = mail.message(("a@shop.example".to_owned(), "id".to_owned())).unwrap();
            let html = message.html.unwrap();
            assert!(
                !message.subject.is_empty() && !message.subject.contains('<'),
                "{}",
                message.subject
            );
            assert!(message.text.contains(shop), "{}", message.text);
            assert!(html.contains("Ada &#38; Sons &#60;shop&#62;"), "{html}");
            insta::assert_snapshot!(format!("{}\n\n{}\n{html}", message.subject, message.text));
            for part in parts {
                assert!(message.text.contains(part) && html.contains(part), "{part}");
            }
        }
    }
}
