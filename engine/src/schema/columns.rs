//! The columns used by paths, by source.

use std::collections::{BTreeMap, BTreeSet};

use super::{DataType, FieldId, Path, Schema, SourceId};

/// The fields in use, by source; a source may have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) fields: BTreeMap<SourceId, BTreeSet<FieldId>>,
}

impl Columns {
    /// Adds a source whose rows are read.
    pub(crate) fn source(&mut self, source: SourceId) {
        self.fields.entry(source).or_default();
    }

    pub(crate) fn field(&mut self, source: SourceId, field: FieldId) {
        self.fields.entry(source).or_default().insert(field);
    }

    /// Adds the field of a path and the fields of its links.
    pub(crate) fn path(&mut self, schema: &Schema, source: SourceId, path: &Path) {
        self.source(source);
        let mut at = source;
        for link in &path.links {
            let found = schema.source_at(at).and_then(|source| source.links.get(link.0));
            let Some(link) = found else { return };
            self.field(at, link.by);
            at = link.target;
            let key = schema.source_at(at).and_then(|source| source.key);
            if let Some(key) = key {
                self.field(at, key);
            }
        }
        self.field(at, path.field);
        // An amount in any currency needs its currency and rate columns.
        let field = schema.source_at(at).and_then(|source| source.fields.get(path.field.0));
        if let Some(DataType::MoneyBy { currency, rate }) = field.map(|field| &field.data_type) {
            self.field(at, *currency);
            if let Some(rate) = rate {
                self.field(at, *rate);
            }
        }
    }
}
