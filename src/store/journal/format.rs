//! The bytes of a journal: header, frames and their chained CRCs.

/// The format version that this program reads and writes.
pub const VERSION: u32 = 1;

/// The first bytes of every journal.
pub(super) const MAGIC: [u8; 8] = *b"LOATUNEJ";

/// Bytes of the header.
pub(super) const HEADER_BYTES: u64 = 16;

/// Bytes of a frame beside its payload: the length before it, the CRC after it.
pub(super) const FRAME_BYTES: u64 = 8;

/// The longest payload, in bytes.
pub(super) const MAX_PAYLOAD: usize = 1 << 20;

/// The header of a journal with a format version.
pub(in crate::store) fn header(version: u32) -> [u8; HEADER_BYTES as usize] {
    let mut header = [0; HEADER_BYTES as usize];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&version.to_le_bytes());
    let chain = crc32fast::hash(&header[..12]);
    header[12..].copy_from_slice(&chain.to_le_bytes());
    header
}

/// The CRC of a frame that follows the CRC `before`.
pub(super) fn chain(before: u32, length: u32, payload: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&before.to_le_bytes());
    crc.update(&length.to_le_bytes());
    crc.update(payload);
    crc.finalize()
}

/// The number that four bytes are, the lowest byte first.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}
