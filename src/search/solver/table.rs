//! The numbers of positions that were looked at before, in a fixed amount of
//! memory. Two entries share a bucket; a new one takes the place of its own
//! position, else of the one that took less work.

use super::numbers::Numbers;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// The nodes that it took; 0 for an empty entry.
    work: u32,
}

/// A table of numbers by key.
pub(super) struct ProofTable {
    buckets: Vec<[Entry; 2]>,
}

impl ProofTable {
    /// A table of at most `kib` KiB, rounded down to a power of two of entries.
    pub(super) fn new(kib: u32) -> ProofTable {
        let wanted = kib.max(1) as usize * 1024 / size_of::<[Entry; 2]>();
        let empty = Entry {
            key: 0,
            numbers: Numbers::PREVENTED,
            work: 0,
        };
        ProofTable {
            buckets: vec![[empty; 2]; 1 << wanted.max(1).ilog2()],
        }
    }

    fn place(&self, key: u64) -> usize {
        // The low bits of a key choose the bucket; the whole key is compared.
        key as usize & (self.buckets.len() - 1)
    }

    /// The numbers of the position with this key.
    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.buckets[self.place(key)];
        let found = bucket
            .iter()
            .find(|entry| entry.work > 0 && entry.key == key);
        found.map(|entry| entry.numbers)
    }

    /// Stores the numbers of a position that took `work` nodes.
    pub(super) fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        let place = self.place(key);
        let [first, second] = &mut self.buckets[place];
        let entry = if first.work > 0 && first.key == key {
            first
        } else if (second.work > 0 && second.key == key) || second.work <= first.work {
            second
        } else {
            first
        };
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        *entry = Entry { key, numbers, work };
    }
}
