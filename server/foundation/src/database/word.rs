//! Enums that are stored and serialized as words.

/// An enum of words, declared by [`stored_as_word!`](crate::stored_as_word).
pub trait Word: Copy + 'static {
    const WORDS: &'static [&'static str];

    fn as_str(self) -> &'static str;

    fn from_word(word: &str) -> Option<Self>;
}

/// Stores an enum as words: `stored_as_word!(Role: Admin = "admin", Viewer = "viewer");`. Lists can filter by the words.
#[macro_export]
macro_rules! stored_as_word {
    ($name:ident: $($variant:ident = $word:literal),+ $(,)?) => {
        impl $crate::database::Word for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::database::Filtered for $name {
            const KIND: $crate::database::listing::Kind =
                $crate::database::listing::Kind::Word(<Self as $crate::database::Word>::WORDS);
        }

        impl ::rusqlite::ToSql for $name {
            fn to_sql(&self) -> ::rusqlite::Result<::rusqlite::types::ToSqlOutput<'_>> {
                Ok($crate::database::Word::as_str(*self).into())
            }
        }

        impl ::rusqlite::types::FromSql for $name {
            fn column_result(
                value: ::rusqlite::types::ValueRef<'_>,
            ) -> ::rusqlite::types::FromSqlResult<Self> {
                <Self as $crate::database::Word>::from_word(value.as_str()?)
                    .ok_or(::rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}
