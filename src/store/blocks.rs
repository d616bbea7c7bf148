//! Many small values under one key of sled.
//!
//! sled keeps some hundred bytes in memory for every page of its trees, whether
//! the page is cached or not, and divides a page as soon as it has more than 16
//! keys. With a key for every match the memory of a run would grow by 50 MB a
//! million games. So the values of tables that grow with the games lie together,
//! [`Table::block_size`](super::tables::Table::block_size) of them under a key: value n is
//! in block n / size, at the place n % size. A block is rewritten until it is
//! full; several of its values that are written together are one write.
//!
//! A block is a schema byte and, in postcard, a list of (place, value) by
//! ascending place.

use super::codec::{CodecError, decode_plain, encode_plain};

/// The block that a number is in, and its place there. `size` is at most 256.
pub(super) fn locate(number: u64, size: u64) -> (u64, u8) {
    let place = u8::try_from(number % size).unwrap_or(u8::MAX);
    (number / size, place)
}

/// The values of a block, each with its place.
pub(super) fn items(block: &[u8]) -> Result<Vec<(u8, &[u8])>, CodecError> {
    let items: Vec<(u8, &[u8])> = decode_plain(block)?;
    if items.is_sorted_by(|a, b| a.0 < b.0) {
        Ok(items)
    } else {
        Err(CodecError::Broken(String::from("places out of order")))
    }
}

/// The value at a place of a block.
pub(super) fn item(block: &[u8], place: u8) -> Result<Option<&[u8]>, CodecError> {
    let found = items(block)?.into_iter().find(|item| item.0 == place);
    Ok(found.map(|(_, value)| value))
}

/// A block with some values put in; later ones replace earlier ones.
pub(super) fn merge(block: Option<&[u8]>, writes: &[(u8, &[u8])]) -> Result<Vec<u8>, CodecError> {
    let mut merged = block.map_or_else(|| Ok(Vec::new()), items)?;
    for &(place, value) in writes {
        match merged.binary_search_by_key(&place, |item| item.0) {
            Ok(at) => merged[at].1 = value,
            Err(at) => merged.insert(at, (place, value)),
        }
    }
    encode_plain(&merged)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_places() {
        assert_eq!(locate(0, 8), (0, 0));
        assert_eq!(locate(7, 8), (0, 7));
        assert_eq!(locate(8, 8), (1, 0));
        assert_eq!(locate(u64::MAX, 64), (u64::MAX / 64, 63));
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let first = merge(None, &[(3, b"three"), (1, b"one")]).unwrap();
        assert_eq!(items(&first).unwrap(), [(1, &b"one"[..]), (3, b"three")]);
        let second = merge(Some(&first), &[(2, b""), (1, b"uno"), (1, b"ein")]).unwrap();
        assert_eq!(
            items(&second).unwrap(),
            [(1, &b"ein"[..]), (2, b""), (3, b"three")]
        );
        assert_eq!(item(&second, 2).unwrap(), Some(&b""[..]));
        assert_eq!(item(&second, 4).unwrap(), None);
    }

    #[test]
    fn broken_blocks_are_no_blocks() {
        let block = merge(None, &[(1, b"one"), (2, b"two")]).unwrap();
        for length in 0..block.len() {
            assert!(items(&block[..length]).is_err(), "{length}");
        }
        let swapped = encode_plain(&[(2_u8, &b"two"[..]), (1, b"one")].to_vec()).unwrap();
        assert!(items(&swapped).is_err());
        assert!(merge(Some(b"garbage"), &[(0, b"x")]).is_err());
    }
}
