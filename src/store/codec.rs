//! Values as bytes: a schema byte, then postcard.
//!
//! The schema byte says how the rest is to be read. It must grow when a stored
//! type changes its shape (postcard is positional: fields and variants are
//! stored by their order).
//!
//! | schema | values |
//! |---|---|
//! | 1 | genomes of eleven genes, without their number ([`super::first_schema`]); all values without genomes |
//! | 2 | genomes of any number of genes, each with its number |
//!
//! A value is written in the lowest schema that can hold it. So a value has one
//! form, and a population of the first genes stays what it was, byte for byte.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::first_schema::{FirstBegin, FirstBirth, FirstEntry};
use super::record::{Begin, Entry, MatchRecord};
use super::tables::{Checkpoint, Head, StoredEvent};
use crate::evolve::{Birth, Sample, State, Totals};

/// The highest schema that this program reads and writes.
pub const SCHEMA: u8 = 2;

/// The schema of values without genomes.
const FIRST: u8 = 1;

/// Why a value cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// There are no bytes.
    #[error("an empty value")]
    Empty,
    /// Another version of the program wrote the value.
    #[error("a value of schema {found}, this program knows the schemas up to {SCHEMA}")]
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

/// A value that is stored.
pub trait Stored: Sized {
    /// The value as bytes.
    ///
    /// # Errors
    /// [`CodecError::Unwritable`] if postcard refuses the value.
    fn to_bytes(&self) -> Result<Vec<u8>, CodecError>;

    /// The value that the bytes after the schema byte stand for.
    ///
    /// # Errors
    /// [`CodecError`] if they stand for none.
    fn from_bytes(schema: u8, rest: &[u8]) -> Result<Self, CodecError>;
}

/// Encodes a value.
///
/// # Errors
///
/// [`CodecError::Unwritable`] if postcard refuses the value.
pub fn encode<T: Stored>(value: &T) -> Result<Vec<u8>, CodecError> {
    value.to_bytes()
}

/// Decodes what [`encode`] wrote. All bytes must be used up.
///
/// # Errors
///
/// [`CodecError`] if the bytes are no value of this type.
pub fn decode<T: Stored>(bytes: &[u8]) -> Result<T, CodecError> {
    let (&schema, rest) = bytes.split_first().ok_or(CodecError::Empty)?;
    T::from_bytes(schema, rest)
}

/// Encodes a value of the store's own, which has no genomes.
pub(super) fn encode_plain<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    write(FIRST, value)
}

/// Decodes what [`encode_plain`] wrote; the value may borrow from the bytes.
pub(super) fn decode_plain<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, CodecError> {
    let (&schema, rest) = bytes.split_first().ok_or(CodecError::Empty)?;
    if schema == FIRST {
        read(rest)
    } else {
        Err(CodecError::Schema { found: schema })
    }
}

fn write<T: Serialize>(schema: u8, value: &T) -> Result<Vec<u8>, CodecError> {
    postcard::to_extend(value, vec![schema])
        .map_err(|error| CodecError::Unwritable(error.to_string()))
}

fn read<'a, T: Deserialize<'a>>(rest: &'a [u8]) -> Result<T, CodecError> {
    match postcard::take_from_bytes(rest) {
        Ok((value, [])) => Ok(value),
        Ok((_, more)) => Err(CodecError::Broken(format!("{} bytes too many", more.len()))),
        Err(error) => Err(CodecError::Broken(error.to_string())),
    }
}

/// Writes a value with genomes: in its form of the first schema where there is
/// one.
fn write_lowest<F: Serialize, T: Serialize>(
    first: Option<F>,
    value: &T,
) -> Result<Vec<u8>, CodecError> {
    match first {
        Some(first) => write(FIRST, &first),
        None => write(SCHEMA, value),
    }
}

/// Reads a value with genomes, whose form in the first schema is `F`.
fn read_any<F: DeserializeOwned + Into<T>, T: DeserializeOwned>(
    schema: u8,
    rest: &[u8],
) -> Result<T, CodecError> {
    match schema {
        FIRST => read::<F>(rest).map(Into::into),
        SCHEMA => read(rest),
        found => Err(CodecError::Schema { found }),
    }
}

impl Stored for Begin {
    fn to_bytes(&self) -> Result<Vec<u8>, CodecError> {
        write_lowest(FirstBegin::new(self), self)
    }

    fn from_bytes(schema: u8, rest: &[u8]) -> Result<Begin, CodecError> {
        read_any::<FirstBegin, Begin>(schema, rest)
    }
}

impl Stored for Entry {
    fn to_bytes(&self) -> Result<Vec<u8>, CodecError> {
        match self {
            // Without genomes both forms are the same, and no copy is needed.
            Entry::Match(_) | Entry::Changed { .. } | Entry::Engine(_) => write(FIRST, self),
            _ => write_lowest(FirstEntry::new(self), self),
        }
    }

    fn from_bytes(schema: u8, rest: &[u8]) -> Result<Entry, CodecError> {
        read_any::<FirstEntry, Entry>(schema, rest)
    }
}

impl Stored for Birth {
    fn to_bytes(&self) -> Result<Vec<u8>, CodecError> {
        write_lowest(FirstBirth::new(self), self)
    }

    fn from_bytes(schema: u8, rest: &[u8]) -> Result<Birth, CodecError> {
        read_any::<FirstBirth, Birth>(schema, rest)
    }
}

/// Values that have one form.
macro_rules! stored {
    ($only:expr; $($kind:ty),*) => {$(
        impl Stored for $kind {
            fn to_bytes(&self) -> Result<Vec<u8>, CodecError> {
                write($only, self)
            }

            fn from_bytes(schema: u8, rest: &[u8]) -> Result<$kind, CodecError> {
                if schema == $only {
                    read(rest)
                } else {
                    Err(CodecError::Schema { found: schema })
                }
            }
        }
    )*};
}

// Without genomes.
stored!(FIRST; MatchRecord, Totals, Sample, Head, (u64, StoredEvent));
// States are read only by the program that wrote them.
stored!(SCHEMA; Checkpoint, State);
