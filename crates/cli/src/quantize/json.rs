//! Reads tensors from JSON, as the trainer marlinflow writes them.
//!
//! ```text
//!   {"perspective.weight": [[0.5, -1.25, ..], ..], "perspective.bias": [..], ..}     lists in lists have shapes
//! ```
//!
//! Numbers go into the tensor as they are read, so memory is in proportion to the file.

use std::fmt;

use nnue_tools::quantize::{FloatTensor, QuantizeError};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Most characters of the library's message that are shown, since it may contain a name from the file.
const SHOWN: usize = 200;

pub(super) fn read(file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let mut reader = serde_json::Deserializer::from_slice(file);
    let tensors = reader.deserialize_map(Tensors);
    tensors
        .and_then(|tensors| reader.end().map(|()| tensors))
        .map_err(|error| {
            let message: String = error.to_string().chars().take(SHOWN).collect();
            QuantizeError::Text {
                message: format!(
                    "expected JSON of named lists of numbers, as marlinflow writes it: {}",
                    message.escape_debug()
                ),
            }
        })
}

/// Reads the outer object.
struct Tensors;

impl<'de> Visitor<'de> for Tensors {
    type Value = Vec<FloatTensor>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut tensors = Vec::new();
        while let Some(name) = map.next_key()? {
            let mut tensor = Numbers::default();
            map.next_value_seed(List {
                tensor: &mut tensor,
                depth: 0,
            })?;
            tensors.push(tensor.named(name));
        }
        Ok(tensors)
    }
}

/// The numbers of a tensor so far.
#[derive(Default)]
struct Numbers {
    /// the length of the lists at each depth, once one of them has ended
    shape: Vec<Option<usize>>,
    /// how many lists each number is in
    rank: Option<usize>,
    values: Vec<f32>,
}

impl Numbers {
    fn named(self, name: String) -> FloatTensor {
        FloatTensor {
            name,
            shape: self.shape.into_iter().flatten().collect(),
            values: self.values,
        }
    }

    fn push<E: Error>(&mut self, value: f32, depth: usize) -> Result<(), E> {
        if *self.rank.get_or_insert(depth) != depth {
            return Err(E::custom("a number beside a list"));
        }
        self.values.push(value);
        Ok(())
    }

    fn end_list<E: Error>(&mut self, depth: usize, length: usize) -> Result<(), E> {
        if self.rank.is_some_and(|rank| rank <= depth) {
            return Err(E::custom("a list beside a number"));
        }
        if self.shape.len() <= depth {
            self.shape.resize(depth + 1, None);
        }
        let expected = *self.shape[depth].get_or_insert(length);
        if expected != length {
            let message = format!("a list of {length} beside one of {expected}");
            return Err(E::custom(message));
        }
        Ok(())
    }
}

/// Reads a number, or a list of them or of lists.
struct List<'a> {
    tensor: &'a mut Numbers,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.tensor.push(value as f32, self.depth)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.tensor.push(value as f32, self.depth)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.tensor.push(value as f32, self.depth)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let (mut length, depth) = (0, self.depth);
        while list
            .next_element_seed(List {
                tensor: &mut *self.tensor,
                depth: depth + 1,
            })?
            .is_some()
        {
            length += 1;
        }
        self.tensor.end_list(depth, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_lists_have_shapes() {
        let tensors = read(br#" {"out.weight": [[0.5, -1], [2, 1e-3]], "out.bias": [0.25]} "#);
        let tensor = |name: &str, shape: &[usize], values: &[f32]| FloatTensor {
            name: name.into(),
            shape: shape.into(),
            values: values.into(),
        };
        assert_eq!(
            tensors.expect("it is right"),
            [
                tensor("out.weight", &[2, 2], &[0.5, -1.0, 2.0, 0.001]),
                tensor("out.bias", &[1], &[0.25])
            ]
        );
    }

    #[test]
    fn texts_without_tensors_are_refused() {
        let error = |text: &str| read(text.as_bytes()).expect_err("it is wrong").to_string();
        for (text, words) in [
            (r#"{"a": "text"}"#, "expected a list of numbers"),
            (r#"{"a": [1, 2"#, "EOF while parsing a list"),
            (r#"{"a": [[1], [1, 2]]}"#, "a list of 2 beside one of 1"),
            (r#"{"a": [1, [2]]}"#, "a number beside a list"),
            (r#"{"a": [[2], 1]}"#, "a number beside a list"),
            (r#"{"a": [1, []]}"#, "a list beside a number"),
            (r#"{"a": [1]} {"#, "trailing characters"),
            (
                &format!(r#"{{"a": {}"#, "[".repeat(1000)),
                "recursion limit",
            ),
        ] {
            assert!(error(text).contains(words), "{text}: {}", error(text));
        }
    }
}
