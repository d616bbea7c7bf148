//! The bytes of a journal: header, frames and their chained CRCs.

/// The newest format version, which this program writes. Version 1 had no frames
/// that continue a group; it is read, too.
pub const VERSION: u32 = 2;

/// The first bytes of every journal.
pub(super) const MAGIC: [u8; 8] = *b"LOATUNEJ";

/// Bytes of the header.
pub(super) const HEADER_BYTES: u64 = 16;

/// Bytes of a frame beside its payload: the length before it, the CRC after it.
pub(super) const FRAME_BYTES: u64 = 8;

/// Bytes that a frame which continues a group has beside those: how far before
/// it the group begins.
pub(super) const DISTANCE_BYTES: u64 = 4;

/// The bit of a frame's length that says that it continues the group of the frame
/// before it. A frame without it begins a group, or is of version 1.
pub(super) const CONTINUES: u32 = 1 << 31;

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

/// The CRC that the first frame follows: that of a header of version 1, whatever
/// the version, so that the chain depends on the entries alone.
pub(super) fn first_chain() -> u32 {
    number(&header(1)[12..])
}

/// The CRC of a frame that follows the CRC `before`. How the entries were grouped
/// is no part of it, so a journal that is written again has the same chain.
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
