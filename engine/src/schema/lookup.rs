//! Finding things by name, without regard to case.

use std::borrow::Cow;

use super::{
    Dimension, Field, FieldId, Input, Link, LinkId, Placeholder, Population, Schema, Source,
    SourceId,
};

/// Whether two names are the same name.
pub fn same_name(left: &str, right: &str) -> bool {
    // Most names that differ do so in their first letter.
    if let ([one, ..], [two, ..]) = (left.as_bytes(), right.as_bytes())
        && one.is_ascii()
        && two.is_ascii()
        && !one.eq_ignore_ascii_case(two)
    {
        return false;
    }
    left.eq_ignore_ascii_case(right)
        || (!left.is_ascii() && left.to_lowercase() == right.to_lowercase())
}

/// A name in the letters under which equal names are one text.
pub(crate) fn folded(name: &str) -> Cow<'_, str> {
    if !name.is_ascii() {
        Cow::Owned(name.to_lowercase())
    } else if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// Something that has a name.
pub trait Names {
    /// Its name as declared.
    fn name(&self) -> &str;
}

macro_rules! names {
    ($($ty:ty: $field:ident),*) => { $(
        impl Names for $ty {
            fn name(&self) -> &str { &self.$field }
        }
    )* };
}
names!(Source: name, Field: name, Link: name, Dimension: name, Placeholder: key, Population: name, Input: name);

fn position<T: Names>(items: &[T], name: &str) -> Option<usize> {
    items.iter().position(|item| same_name(item.name(), name))
}

impl Schema {
    /// The source of that name.
    pub fn source(&self, name: &str) -> Option<SourceId> {
        position(&self.sources, name).map(SourceId)
    }

    /// The source itself.
    pub fn source_at(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0)
    }

    /// The dimension of that name.
    pub fn dimension(&self, name: &str) -> Option<&Dimension> {
        position(&self.dimensions, name).and_then(|index| self.dimensions.get(index))
    }

    /// The placeholder of that key.
    pub fn placeholder(&self, key: &str) -> Option<&Placeholder> {
        position(&self.placeholders, key).and_then(|index| self.placeholders.get(index))
    }

    /// The population of that name.
    pub fn population(&self, name: &str) -> Option<&Population> {
        position(&self.populations, name).and_then(|index| self.populations.get(index))
    }

    /// The input of that name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        position(&self.inputs, name).and_then(|index| self.inputs.get(index))
    }

    /// The field at the end of a path from a source, with the source that holds it.
    pub fn field_at(&self, source: SourceId, path: &super::Path) -> Option<(SourceId, &Field)> {
        let mut at = source;
        for link in &path.links {
            at = self.source_at(at)?.links.get(link.0)?.target;
        }
        Some((at, self.source_at(at)?.fields.get(path.field.0)?))
    }
}

impl Source {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        position(&self.fields, name).map(FieldId)
    }

    /// The link of that name.
    pub fn link(&self, name: &str) -> Option<LinkId> {
        position(&self.links, name).map(LinkId)
    }
}

/// The shortest chain of links from one source to another; empty for the source itself.
///
/// Among chains of one length the first declared wins.
pub fn link_chain(schema: &Schema, from: SourceId, to: SourceId) -> Option<Vec<LinkId>> {
    let mut seen = vec![from];
    let mut reached = vec![(from, Vec::new())];
    let mut next = 0;
    while let Some((at, chain)) = reached.get(next).cloned() {
        if at == to {
            return Some(chain);
        }
        next = next.saturating_add(1);
        for (index, link) in schema.source_at(at)?.links.iter().enumerate() {
            if !seen.contains(&link.target) {
                seen.push(link.target);
                let mut longer = chain.clone();
                longer.push(LinkId(index));
                reached.push((link.target, longer));
            }
        }
    }
    None
}
