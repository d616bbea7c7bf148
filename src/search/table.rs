//! The transposition table: bounds and best moves of positions that were
//! searched before, in a fixed amount of memory.
//!
//! An entry is 16 bytes: 48 bits of the key (the others choose its bucket) and
//! the age; a lower and an upper bound, the best move, the depth. Four entries
//! share a bucket of one cache line. A new entry takes the place of the same
//! position, else of the least useful one: older searches first, then lesser
//! depths.

use crate::board::Move;

use super::value::{INFINITY, PER_PLY, WIN_THRESHOLD};

/// The bounds and the best move of a position that was searched to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    /// The value is at least this.
    pub(super) lower: i32,
    /// The value is at most this.
    pub(super) upper: i32,
    /// The best move when the position was searched. Keys may collide, so the
    /// caller checks that it is legal before it plays it.
    pub(super) mv: Option<Move>,
    /// The depth in plies to which the bounds hold.
    pub(super) depth: u32,
}

/// A [`TableEntry`] as it is stored, in 16 bytes.
#[derive(Clone, Copy, Default)]
struct PackedEntry {
    /// Key above, age in the low 16 bits; age 0 means empty.
    tag: u64,
    lower: i16,
    upper: i16,
    mv: u16,
    depth: u16,
}

/// One cache line of entries.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([PackedEntry; 4]);

/// The bits of a tag that hold the age.
const AGE: u64 = 0xffff;

/// A transposition table of four-entry buckets.
pub struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
    /// The present search; grows by one with each.
    age: u64,
    /// The first search of this game: entries of older ones count as empty.
    oldest: u64,
}

impl Table {
    /// The least and the most memory a table may have, in KiB.
    pub const KIB: std::ops::RangeInclusive<u32> = 64..=16 * 1024 * 1024;

    /// A table of at most `kib` KiB (clamped to [`Table::KIB`]), rounded down to
    /// a power of two.
    pub fn new(kib: u32) -> Table {
        let kib = kib.clamp(*Table::KIB.start(), *Table::KIB.end()) as usize;
        let wanted = kib * 1024 / size_of::<Bucket>();
        let count = 1usize << wanted.ilog2();
        Table {
            buckets: vec![Bucket::default(); count],
            mask: count - 1,
            age: 1,
            oldest: 1,
        }
    }

    /// Empties the table in constant time: entries of earlier ages count as
    /// empty from now on.
    pub fn clear(&mut self) {
        // A game of 2,000 plies must not run out of ages.
        if self.age + 4096 > AGE {
            self.buckets.fill(Bucket::default());
            self.age = 0;
        }
        self.age += 1;
        self.oldest = self.age;
    }

    /// Begins the age of a new search: its entries replace older ones first.
    pub(super) fn next_search(&mut self) {
        if self.age == AGE {
            self.clear();
        } else {
            self.age += 1;
        }
    }

    #[inline(always)]
    fn is_live(&self, entry: &PackedEntry) -> bool {
        entry.tag & AGE >= self.oldest
    }

    /// The entry of the position with this key, its wins counted from the root,
    /// `ply` plies above.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64, ply: u32) -> Option<TableEntry> {
        let bucket = &self.buckets[key as usize & self.mask];
        for entry in &bucket.0 {
            if (entry.tag ^ key) & !AGE == 0 && self.is_live(entry) {
                return Some(TableEntry {
                    lower: from_root(entry.lower.into(), ply),
                    upper: from_root(entry.upper.into(), ply),
                    mv: (entry.mv != 0).then_some(Move::from_bits(entry.mv)),
                    depth: entry.depth.into(),
                });
            }
        }
        None
    }

    /// Stores the entry of a position `ply` plies below the root.
    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, found: TableEntry, ply: u32) {
        let oldest = self.oldest;
        let bucket = &mut self.buckets[key as usize & self.mask];
        let mut place = 0;
        let mut least = u32::MAX;
        for (n, entry) in bucket.0.iter().enumerate() {
            let entry_age = entry.tag & AGE;
            if (entry.tag ^ key) & !AGE == 0 && entry_age >= oldest {
                place = n;
                break;
            }
            // Empty first, then other searches', then the shallowest.
            let worth = if entry_age < oldest {
                0
            } else {
                u32::from(entry.depth) + 1 + if entry_age == self.age { 1 << 16 } else { 0 }
            };
            if worth < least {
                least = worth;
                place = n;
            }
        }
        bucket.0[place] = PackedEntry {
            tag: key & !AGE | self.age,
            lower: from_node(found.lower, ply) as i16,
            upper: from_node(found.upper, ply) as i16,
            mv: found.mv.map_or(0, Move::to_bits),
            depth: found.depth as u16,
        };
    }

    /// How full it is, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.0)
            .filter(|entry| self.is_live(entry));
        (used.count() * 1000 / (sample.len() * 4)) as u32
    }
}

/// Wins count plies from the root in the search, from the node in the table.
#[inline(always)]
fn from_node(value: i32, ply: u32) -> i32 {
    moved(value, PER_PLY * ply as i32)
}

#[inline(always)]
fn from_root(value: i32, ply: u32) -> i32 {
    moved(value, -PER_PLY * ply as i32)
}

/// A win made larger by `by`, a loss smaller; anything else is left alone.
#[inline(always)]
fn moved(value: i32, by: i32) -> i32 {
    if value.abs() < WIN_THRESHOLD || value.abs() == INFINITY {
        value
    } else {
        value + by * value.signum()
    }
}
