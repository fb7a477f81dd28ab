//! The name-value pairs of a query or a form.

/// Limit: pairs of one query or form.
const MAX_PAIRS: usize = 500;

/// The pairs of a query or a form, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses pairs. Browsers put a carriage return before line feeds in forms.
    pub(super) fn parse(text: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(text).take(MAX_PAIRS);
        Self(pairs.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n"))).collect())
    }

    /// Returns the first value of a name, trimmed; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// Returns the first value of a name as it was sent.
    pub(super) fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }

    /// Returns every value of a name, trimmed.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let own = self.0.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// Returns whether a name has a value.
    pub(super) fn has(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// Returns the URL with some names changed, or removed if their value is empty.
    pub(super) fn with(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let kept = self.0.iter().filter(|(name, value)| {
            !value.is_empty() && !changes.iter().any(|(changed, _)| changed == name)
        });
        let kept = kept.map(|(name, value)| (&**name, &**value));
        super::client::target(path, &kept.chain(changes.iter().copied()).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_keeps_the_rest_of_the_address() {
        let sent = Parameters::parse(b"range=7d&compare=previous_year&empty=");
        assert_eq!(sent.with("/app", &[("range", "30d"), ("compare", "")]), "/app?range=30d");
        assert_eq!(sent.text("compare"), "previous_year");
        assert!(!sent.has("empty") && !sent.has("none"));
    }

    #[test]
    fn lines_are_as_they_were_typed() {
        assert_eq!(Parameters::parse(b"note=One%0D%0A%0D%0ATwo").raw("note"), "One\n\nTwo");
    }
}
