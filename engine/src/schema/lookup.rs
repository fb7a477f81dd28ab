//! Case-insensitive lookup by name.

use std::borrow::Cow;

use super::{
    DataType, Dimension, Field, FieldId, Input, Link, LinkId, Path, Placeholder, Population,
    Schema, Source, SourceId,
};

/// Compares two names case-insensitively.
pub fn same_name(left: &str, right: &str) -> bool {
    // Most different names differ in their first letter.
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

/// Folds the case of a name, so that equal names have equal texts.
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
    /// Returns the name as declared.
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
    /// Returns the id of the source with this name.
    pub fn source(&self, name: &str) -> Option<SourceId> {
        position(&self.sources, name).map(SourceId)
    }

    /// Returns the source with this id.
    pub fn source_at(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0)
    }

    /// Returns the dimension with this name.
    pub fn dimension(&self, name: &str) -> Option<&Dimension> {
        position(&self.dimensions, name).and_then(|index| self.dimensions.get(index))
    }

    /// Returns the placeholder with this key.
    pub fn placeholder(&self, key: &str) -> Option<&Placeholder> {
        position(&self.placeholders, key).and_then(|index| self.placeholders.get(index))
    }

    /// Returns the population with this name.
    pub fn population(&self, name: &str) -> Option<&Population> {
        position(&self.populations, name).and_then(|index| self.populations.get(index))
    }

    /// Returns the input with this name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        position(&self.inputs, name).and_then(|index| self.inputs.get(index))
    }

    /// Returns the field at the end of a path from a source, with the source that contains it.
    pub fn field_at(&self, source: SourceId, path: &Path) -> Option<(SourceId, &Field)> {
        let at = self.target(source, &path.links)?;
        Some((at, self.source_at(at)?.fields.get(path.field.0)?))
    }

    /// Returns the column with the currencies of the amounts in a column, if each row has its own.
    pub(crate) fn currency_column(&self, source: SourceId, path: &Path) -> Option<Path> {
        let (_, field) = self.field_at(source, path)?;
        let DataType::MoneyBy { currency, .. } = field.data_type else { return None };
        Some(Path { links: path.links.clone(), field: currency })
    }

    /// Returns the source at the end of a chain of links.
    pub(crate) fn target(&self, source: SourceId, links: &[LinkId]) -> Option<SourceId> {
        let follow = |at, link: &LinkId| Some(self.source_at(at)?.links.get(link.0)?.target);
        links.iter().try_fold(source, follow)
    }
}

impl Source {
    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        position(&self.fields, name).map(FieldId)
    }

    /// Returns the link with this name.
    pub fn link(&self, name: &str) -> Option<LinkId> {
        position(&self.links, name).map(LinkId)
    }
}

/// Returns the shortest chain of links from one source to another; empty for the source itself.
///
/// Among chains of equal length, the first declared wins.
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
