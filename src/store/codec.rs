//! Values as bytes: a schema byte, then postcard.
//!
//! The schema byte says how the rest is to be read. It must grow when a stored
//! type changes its shape (postcard is positional: fields and variants are
//! stored by their order); there is one number for all values of this store.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The schema that this program reads and writes.
pub const SCHEMA: u8 = 1;

/// Why a value cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// There are no bytes.
    #[error("an empty value")]
    Empty,
    /// Another version of the program wrote the value.
    #[error("a value of schema {found}, this program knows schema {SCHEMA}")]
    Schema {
        /// The schema byte of the value.
        found: u8,
    },
    /// The bytes after the schema byte cannot be read.
    #[error("a broken value: {0}")]
    Broken(String),
    /// The value cannot be encoded.
    #[error("a value that cannot be written: {0}")]
    Unwritable(String),
}

/// Encodes a value.
///
/// # Errors
///
/// [`CodecError::Unwritable`] if postcard refuses the value.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    postcard::to_extend(value, vec![SCHEMA])
        .map_err(|error| CodecError::Unwritable(error.to_string()))
}

/// Decodes what [`encode`] wrote. All bytes must be used up.
///
/// # Errors
///
/// [`CodecError`] if the bytes are no value of this type and schema.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    decode_from(bytes)
}

/// [`decode`] for values that borrow from the bytes.
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
