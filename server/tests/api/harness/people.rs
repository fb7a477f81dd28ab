//! The people who call the API, each with their credentials.

use quotient_server::auth::SecretDigest;
use quotient_server::database::{Db, Error, Tx};

/// A caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    /// The name in failure messages.
    pub(crate) name: &'static str,
    bearer: Option<String>,
    publishable: Option<String>,
    header: Option<(&'static str, String)>,
}

const PUBLISHABLE: &str = "pk_00000000000000000000000000000000000000000000000000000000000000aa";
const SECRET: &str = "sk_00000000000000000000000000000000000000000000000000000000000000bb";

/// The tokens of people: name, kind of actor, and id.
const TOKENS: [(&str, &str, &str); 5] = [
    ("admin", "user", "user_01JD2Q8Z5M6T3W9XKCV4B7N001"),
    ("analyst", "user", "user_01JD2Q8Z5M6T3W9XKCV4B7N002"),
    ("viewer", "user", "user_01JD2Q8Z5M6T3W9XKCV4B7N003"),
    ("customer A", "customer", "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A"),
    ("customer B", "customer", "cus_01JD2Q8Z5M6T3W9XKCV4B7N00B"),
];

/// The token of the partner.
const PARTNER_TOKEN: &str = "ptok_00000000000000000000000000000000000000000000000000000000000000cc";

fn token(number: usize) -> String {
    format!("{number:064x}")
}

impl Person {
    /// The publishable key that visitors send.
    pub(crate) const PUBLISHABLE: &'static str = PUBLISHABLE;
    /// The secret key of a program.
    pub(crate) const SECRET: &'static str = SECRET;

    /// Returns a caller without credentials.
    pub(crate) fn nobody() -> Self {
        Self { name: "nobody", bearer: None, publishable: None, header: None }
    }

    /// Returns a visitor of the storefront.
    pub(crate) fn visitor() -> Self {
        Self {
            name: "visitor",
            bearer: None,
            publishable: Some(PUBLISHABLE.to_owned()),
            header: None,
        }
    }

    /// Returns a customer with an account.
    pub(crate) fn customer_a() -> Self {
        Self { publishable: Some(PUBLISHABLE.to_owned()), ..Self::with_token(3) }
    }

    /// Returns another customer with an account.
    pub(crate) fn customer_b() -> Self {
        Self { publishable: Some(PUBLISHABLE.to_owned()), ..Self::with_token(4) }
    }

    /// Returns an administrator with full access.
    pub(crate) fn admin() -> Self {
        Self::with_token(0)
    }

    /// Returns an administrator with read access and access to metrics.
    pub(crate) fn analyst() -> Self {
        Self::with_token(1)
    }

    /// Returns an administrator with read access.
    pub(crate) fn viewer() -> Self {
        Self::with_token(2)
    }

    /// Returns a program with a secret key.
    pub(crate) fn program() -> Self {
        Self { name: "program", bearer: Some(SECRET.to_owned()), publishable: None, header: None }
    }

    /// Returns a partner, who sends shoppers.
    pub(crate) fn partner() -> Self {
        Self {
            name: "partner",
            bearer: Some(PARTNER_TOKEN.to_owned()),
            publishable: None,
            header: None,
        }
    }

    fn with_token(number: usize) -> Self {
        let (name, _, _) = TOKENS[number];
        Self { name, bearer: Some(token(number)), publishable: None, header: None }
    }

    /// Returns the same person with another bearer token.
    pub(crate) fn with_bearer(self, bearer: &str) -> Self {
        Self { bearer: Some(bearer.to_owned()), ..self }
    }

    /// Returns the same person in the storefront of another publishable key.
    pub(crate) fn in_storefront(self, key: &str) -> Self {
        Self { publishable: Some(key.to_owned()), ..self }
    }

    /// Returns the same person with another header.
    pub(crate) fn with_header(self, name: &'static str, value: &str) -> Self {
        Self { header: Some((name, value.to_owned())), ..self }
    }

    /// Returns the headers of each call.
    pub(crate) fn headers(&self) -> Vec<(&'static str, String)> {
        let bearer = self.bearer.iter().map(|token| ("authorization", format!("Bearer {token}")));
        let key = self.publishable.iter().map(|key| ("x-publishable-api-key", key.clone()));
        bearer.chain(key).chain(self.header.clone()).collect()
    }

    /// Returns the headers of each call as lines of a request.
    pub(crate) fn header_lines(&self) -> String {
        let mut lines = String::new();
        for (name, value) in self.headers() {
            lines.extend([name, ": ", &value, "\r\n"]);
        }
        lines
    }
}

/// Inserts all people into a new database, with keys that are not linked to a channel yet.
pub(crate) async fn make_all(db: &Db) {
    db.write(make).await.expect("people");
}

fn make(tx: &Tx<'_>) -> Result<(), Error> {
    for (number, (name, kind, id)) in TOKENS.iter().enumerate() {
        let email = format!("{}@example.com", name.replace(' ', "-"));
        if *kind == "user" {
            tx.execute(
                "insert into user (id, email, role, created_at, updated_at) values (?1, ?2, ?3, ?4, ?4)",
                (id, &email, name, tx.now()),
            )?;
        } else {
            tx.execute(
                "insert into customer (id, email, has_account, created_at, updated_at) values (?1, ?2, 1, ?3, ?3)",
                (id, &email, tx.now()),
            )?;
        }
        let identity = format!("authid_01JD2Q8Z5M6T3W9XKCV4B7N0{number:02}");
        tx.execute(
            "insert into identity (id, actor_type, email, password_hash, actor_id, created_at, updated_at)
             values (?1, ?2, ?3, '', ?4, ?5, ?5)",
            (&identity, kind, &email, id, tx.now()),
        )?;
        tx.execute(
            "insert into token (hash, kind, actor_type, identity_id, created_at, expires_at)
             values (?1, 'access', ?2, ?3, ?4, ?5)",
            (
                SecretDigest::of(&token(number)),
                kind,
                identity,
                tx.now(),
                tx.now().plus_ms(86_400_000),
            ),
        )?;
    }
    tx.execute(
        "insert into partner (id, name, email, created_at, updated_at) values (?1, 'Blog', 'partner@example.com', ?2, ?2)",
        (PARTNER_ID, tx.now()),
    )?;
    tx.execute(
        "insert into token (hash, kind, actor_type, actor_id, created_at, expires_at)
         values (?1, 'partner', 'partner', ?2, ?3, 253402300799999)",
        (SecretDigest::of(PARTNER_TOKEN), PARTNER_ID, tx.now()),
    )?;
    for (id, kind, key) in [
        ("apk_01JD2Q8Z5M6T3W9XKCV4B7N00P", "publishable", PUBLISHABLE),
        ("apk_01JD2Q8Z5M6T3W9XKCV4B7N00S", "secret", SECRET),
    ] {
        tx.execute(
            "insert into api_key (id, type, title, token_hash, redacted, created_at, updated_at)
             values (?1, ?2, 'Tests', ?3, '***', ?4, ?4)",
            (id, kind, SecretDigest::of(key), tx.now()),
        )?;
    }
    Ok(())
}

/// The id of the partner.
pub(crate) const PARTNER_ID: &str = "partner_01JD2Q8Z5M6T3W9XKCV4B7N00X";

/// The id of the publishable key that visitors send.
pub(crate) const PUBLISHABLE_ID: &str = "apk_01JD2Q8Z5M6T3W9XKCV4B7N00P";
