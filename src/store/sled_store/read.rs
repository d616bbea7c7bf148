//! Reading values: one by its key or number, or many in order.

use std::ops::Range;

use sled::IVec;

use super::Store;
use super::error::{TableError, missing, unreadable};
use crate::store::blocks;
use crate::store::codec::{Stored, decode};
use crate::store::record::Entry;
use crate::store::tables::{self, Table, key, key_number};

impl Store {
    /// A value by its own key.
    pub(in crate::store) fn get_by_key<T: Stored>(
        &self,
        table: Table,
        key: &[u8],
    ) -> Result<Option<T>, TableError> {
        let found = self.raw_value(table, key)?;
        found
            .map(|bytes| decode_value(table, key, &bytes))
            .transpose()
    }

    /// The bytes of a value. `key` is the key that it would have outside of a
    /// block.
    pub(in crate::store) fn raw_value(
        &self,
        table: Table,
        key: &[u8],
    ) -> Result<Option<Vec<u8>>, TableError> {
        let place = table.block_size().zip(key_number(key));
        let place = place.map(|(size, number)| blocks::locate(number, size));
        let found = match place {
            Some((block, _)) => self.tree(table).get(tables::key(block)),
            None => self.tree(table).get(key),
        };
        let Some(bytes) = found.map_err(|error| self.failed(error))? else {
            return Ok(None);
        };
        let Some((_, place)) = place else {
            return Ok(Some(bytes.to_vec()));
        };
        let item = blocks::item(&bytes, place);
        let item = item.map_err(|source| unreadable(table, key, source))?;
        Ok(item.map(<[u8]>::to_vec))
    }

    /// How many values a table has.
    pub(in crate::store) fn count(&self, table: Table) -> Result<u64, TableError> {
        let mut count = 0;
        for pair in self.tree(table) {
            count += self.pair_values(table, pair)?.len() as u64;
        }
        Ok(count)
    }

    /// A value by its number.
    pub(in crate::store) fn get<T: Stored>(
        &self,
        table: Table,
        number: u64,
    ) -> Result<Option<T>, TableError> {
        self.get_by_key(table, &key(number))
    }

    /// Values from a number on, in ascending order, with their numbers.
    pub(in crate::store) fn values_from<T: Stored>(
        &self,
        table: Table,
        first: u64,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let first_key = key(first / table.block_size().unwrap_or(1));
        let found = self.tree(table).range(first_key..);
        let found = found.flat_map(move |pair| flatten(self.pair_values(table, pair)));
        decode_in_range(table, found, first..u64::MAX)
    }

    /// Every entry that is neither a match nor the beginning, with its number, in
    /// order.
    pub(in crate::store) fn other_entries(
        &self,
    ) -> impl Iterator<Item = Result<(u64, Entry), TableError>> {
        let tables = [Table::Entries, Table::Pairs];
        let mut found = tables.map(|table| self.values_from(table, 1).peekable());
        std::iter::from_fn(move || {
            let [entries, pairs] = &mut found;
            // An error is passed on at once, wherever it belongs.
            let number = |next: Option<&Result<(u64, Entry), TableError>>| match next {
                Some(Ok((number, _))) => *number,
                Some(Err(_)) => 0,
                None => u64::MAX,
            };
            if number(entries.peek()) <= number(pairs.peek()) {
                entries.next()
            } else {
                pairs.next()
            }
        })
    }

    /// Values of a range of numbers, in descending order, with their numbers.
    pub(in crate::store) fn values_backwards<T: Stored>(
        &self,
        table: Table,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let size = table.block_size().unwrap_or(1);
        let end = numbers.end.max(numbers.start);
        let keys = key(numbers.start / size)..key(end.div_ceil(size));
        let found = self.tree(table).range(keys).rev();
        let found = found.flat_map(move |pair| flatten(self.pair_values(table, pair)).rev());
        decode_in_range(table, found, numbers)
    }

    /// The bytes of the values under a key, which may be a block, with their
    /// numbers.
    pub(super) fn pair_values(
        &self,
        table: Table,
        pair: sled::Result<(IVec, IVec)>,
    ) -> Result<Vec<(u64, IVec)>, TableError> {
        let (key, bytes) = pair.map_err(|error| self.failed(error))?;
        let number = key_number(&key);
        let number = number.ok_or_else(|| missing(table, "a key that is no number"))?;
        let Some(size) = table.block_size() else {
            return Ok(vec![(number, bytes)]);
        };
        let items = blocks::items(&bytes);
        let items = items.map_err(|source| unreadable(table, &key, source))?;
        let numbered = |(place, value): (u8, &[u8])| {
            let first = number.checked_mul(size)?;
            let inside = u64::from(place) < size;
            let number = first.checked_add(u64::from(place)).filter(|_| inside)?;
            Some((number, IVec::from(value)))
        };
        let values: Option<Vec<_>> = items.into_iter().map(numbered).collect();
        values.ok_or_else(|| missing(table, "a block with a place that it does not have"))
    }
}

/// The values one by one, or the one error.
fn flatten<T>(
    values: Result<Vec<T>, TableError>,
) -> impl DoubleEndedIterator<Item = Result<T, TableError>> {
    let (values, error) = match values {
        Ok(values) => (values, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    values.into_iter().map(Ok).chain(error.map(Err))
}

/// Decodes the values whose numbers are in a range.
fn decode_in_range<T: Stored>(
    table: Table,
    found: impl Iterator<Item = Result<(u64, IVec), TableError>>,
    numbers: Range<u64>,
) -> impl Iterator<Item = Result<(u64, T), TableError>> {
    found.filter_map(move |found| match found {
        Ok((number, _)) if !numbers.contains(&number) => None,
        Ok((number, bytes)) => {
            let read = decode_value(table, &key(number), &bytes);
            Some(read.map(|value| (number, value)))
        }
        Err(error) => Some(Err(error)),
    })
}

/// Decodes a value; an error names its table and key.
pub(in crate::store) fn decode_value<T: Stored>(
    table: Table,
    key: &[u8],
    bytes: &[u8],
) -> Result<T, TableError> {
    decode(bytes).map_err(|source| unreadable(table, key, source))
}
