//! Values as bytes: a schema byte, then postcard.
//!
//! The schema byte says how the rest is to be read. It grows when a type
//! changes its shape; there is one number for all values of this store.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The schema that this program writes.
pub const SCHEMA: u8 = 1;

/// Bytes that are no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Nothing at all.
    #[error("an empty value")]
    Empty,
    /// Written by another version of the program.
    #[error("a value of schema {found}, this program knows schema {SCHEMA}")]
    Schema {
        /// What the first byte says.
        found: u8,
    },
    /// The rest cannot be read.
    #[error("a broken value: {0}")]
    Broken(String),
    /// It cannot be written.
    #[error("a value that cannot be written: {0}")]
    Unwritable(String),
}

/// A value as bytes.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    postcard::to_extend(value, vec![SCHEMA])
        .map_err(|error| CodecError::Unwritable(error.to_string()))
}

/// What [`encode`] was given. All bytes must be used up.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    decode_from(bytes)
}

/// The same for values that point into the bytes.
pub(super) fn decode_from<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, CodecError> {
    let (&schema, rest) = bytes.split_first().ok_or(CodecError::Empty)?;
    if schema != SCHEMA {
        return Err(CodecError::Schema { found: schema });
    }
    match postcard::take_from_bytes(rest) {
        Ok((value, [])) => Ok(value),
        Ok((_, more)) => Err(CodecError::Broken(format!("{} bytes too many", more.len()))),
        Err(error) => Err(CodecError::Broken(error.to_string())),
    }
}
