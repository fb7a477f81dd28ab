//! Serializes only the selected fields: a serializer that skips the others.
//!
//! No intermediate value of a resource is built. The inner serializer writes selected fields, so that only objects
//! and lists of objects pass through this one.

use std::fmt::{self, Write as _};

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

use super::selection::{Members, Projection, Selection};

/// A value that is serialized with only the selected fields.
#[derive(Debug)]
pub struct Only<'a, T: ?Sized> {
    members: &'a Members,
    value: &'a T,
}

impl Selection {
    /// Wraps a resource, or a list of resources, to serialize only the selected fields.
    pub fn of<'a, T: Serialize + ?Sized>(&'a self, value: &'a T) -> Only<'a, T> {
        Only { members: &self.0, value }
    }
}

impl<T: Serialize + ?Sized> Serialize for Only<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Selecting::new(serializer, self.members))
    }
}

/// A serializer, or its state for a list or an object, that skips fields.
struct Selecting<'a, S> {
    inner: S,
    members: &'a Members,
    /// The index after the last found member.
    place: usize,
    /// The name of the next member, if names are serialized as values.
    name: String,
}

impl<'a, S> Selecting<'a, S> {
    fn new(inner: S, members: &'a Members) -> Self {
        Self { inner, members, place: 0, name: String::new() }
    }
}

/// The error for tuples, which are rejected because their members cannot be selected.
const NO_RESOURCE: &str = "a resource is an object with named members";

/// Scalars are passed on unchanged.
macro_rules! scalars {
    ($($method:ident: $scalar:ty),* $(,)?) => {
        $(fn $method(self, value: $scalar) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        })*
    };
}

impl<'a, S: Serializer> Serializer for Selecting<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Selecting<'a, S::SerializeSeq>;
    type SerializeTuple = Selecting<'a, S::SerializeTuple>;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = Selecting<'a, S::SerializeMap>;
    type SerializeStruct = Selecting<'a, S::SerializeStruct>;
    type SerializeStructVariant = S::SerializeStructVariant;

    scalars! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_struct(name)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let mut object = self.serialize_map(None)?;
        object.serialize_entry(variant, value)?;
        SerializeMap::end(object)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Ok(Selecting::new(self.inner.serialize_seq(len)?, self.members))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        Ok(Selecting::new(self.inner.serialize_tuple(len)?, self.members))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        Err(S::Error::custom(NO_RESOURCE))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        Err(S::Error::custom(NO_RESOURCE))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Ok(Selecting::new(self.inner.serialize_map(None)?, self.members))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        Ok(Selecting::new(self.inner.serialize_struct(name, len)?, self.members))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        Err(S::Error::custom(NO_RESOURCE))
    }
}

impl<S: SerializeSeq> SerializeSeq for Selecting<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_element(&Only { members: self.members, value })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: SerializeTuple> SerializeTuple for Selecting<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_element(&Only { members: self.members, value })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: SerializeStruct> SerializeStruct for Selecting<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        match self.members.next(&mut self.place, name) {
            None => Ok(()),
            Some(Projection::Whole) => self.inner.serialize_field(name, value),
            Some(Projection::Members(members)) => {
                self.inner.serialize_field(name, &Only { members, value })
            }
        }
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: SerializeMap> SerializeMap for Selecting<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), S::Error> {
        self.name.clear();
        write!(self.name, "{}", Name(key)).map_err(S::Error::custom)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        let name = self.name.as_str();
        match self.members.next(&mut self.place, name) {
            None => Ok(()),
            Some(Projection::Whole) => self.inner.serialize_entry(name, value),
            Some(Projection::Members(members)) => {
                self.inner.serialize_entry(name, &Only { members, value })
            }
        }
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

/// Formats a name that is serialized as a value.
struct Name<'k, K: ?Sized>(&'k K);

impl<K: Serialize + ?Sized> fmt::Display for Name<'_, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(formatter)
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Value, json};

    use super::super::selection::tests::PRODUCT;
    use super::*;

    #[derive(Serialize)]
    struct Product {
        id: &'static str,
        metadata: Value,
        title: &'static str,
        collection: Option<Value>,
        #[serde(flatten)]
        rest: Rest,
    }

    #[derive(Serialize)]
    struct Rest {
        description: &'static str,
        variants: Vec<Variant>,
    }

    #[derive(Serialize)]
    struct Variant {
        sku: Option<&'static str>,
        id: &'static str,
        options: Vec<Value>,
    }

    fn answered(fields: &str, resource: &impl Serialize) -> Value {
        let selection = Selection::parse(&PRODUCT, fields).unwrap();
        serde_json::from_slice(&serde_json::to_vec(&selection.of(resource)).unwrap()).unwrap()
    }

    #[test]
    fn unselected_fields_are_omitted_at_every_depth() {
        let variants = vec![
            Variant { sku: Some("A"), id: "v1", options: vec![json!({"value": "S", "no": 1})] },
            Variant { sku: None, id: "v2", options: Vec::new() },
        ];
        let product = Product {
            id: "prod_1",
            metadata: json!({"own": {"id": 1.50}}),
            title: "Mug",
            collection: None,
            rest: Rest { description: "Blue", variants },
        };

        assert_eq!(
            answered("metadata,variants.sku,variants.options.value,collection", &[product]),
            json!([{
                "id": "prod_1", "metadata": {"own": {"id": 1.50}}, "collection": null,
                "variants": [
                    {"id": "v1", "sku": "A", "options": [{"value": "S"}]},
                    {"id": "v2", "sku": null, "options": []},
                ],
            }])
        );
    }

    #[test]
    fn a_tree_of_values_is_a_resource_too() {
        let product = json!({"id": "prod_1", "title": "Mug", "collection": {"id": "c", "no": 1}});

        assert_eq!(
            answered("title,+collection", &product),
            json!({"id": "prod_1", "title": "Mug", "collection": {"id": "c"}})
        );
        assert_eq!(answered("variants.id", &json!({"no": 1})), json!({}));
        assert_eq!(answered("title", &Value::Null), Value::Null);
    }
}
