//! One image of a disk as a power cut may leave it, and the files that it has.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::disk::{Content, Disk, Id, Names, Node};

/// What of the unsynced changes has reached the disk.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Nothing,
    Everything,
    /// Everything up to some change.
    InOrder,
    /// Each change for itself, with this probability.
    Each(f64),
}

impl Fate {
    fn draw(rng: &mut ChaCha8Rng) -> Fate {
        match rng.random_range(0..8) {
            0 => Fate::Nothing,
            1 => Fate::Everything,
            2 | 3 => Fate::InOrder,
            _ => Fate::Each([0.1, 0.5, 0.9][rng.random_range(0..3)]),
        }
    }
}

/// What a disk is written in, as a whole.
const UNITS: [usize; 2] = [512, 4096];

/// The directory tree after a power cut.
pub(super) struct Image {
    directories: BTreeMap<Id, BTreeMap<String, Id>>,
    files: BTreeMap<Id, Vec<u8>>,
    /// How many files and directories are neither as they were synced last nor
    /// as they were in memory.
    pub(super) torn: usize,
}

impl Image {
    /// The image of a disk that keeps what was synced and whatever chance leaves
    /// of the rest.
    pub(super) fn draw(disk: &Disk, rng: &mut ChaCha8Rng) -> Image {
        let names_fate = Fate::draw(rng);
        let last = rng.random_range(0..=disk.name_changes());
        let usual = Fate::draw(rng);
        let mut image = Image::empty();
        for (id, node) in disk.nodes.iter().enumerate() {
            match node {
                Node::Directory(names) => {
                    let found = draw_names(names, names_fate, last, rng);
                    image.torn += usize::from(found != names.safe && found != names.now);
                    image.directories.insert(id, found);
                }
                Node::File(content) => {
                    // Some files fare otherwise than the rest.
                    let fate = match rng.random_range(0..3) {
                        0 => Fate::draw(rng),
                        _ => usual,
                    };
                    let found = draw_content(content, fate, rng);
                    image.torn += usize::from(found != content.safe && found != whole(content));
                    image.files.insert(id, found);
                }
            }
        }
        image
    }

    /// The image of a disk on which everything has arrived.
    pub(super) fn whole(disk: &Disk) -> Image {
        let mut image = Image::empty();
        for (id, node) in disk.nodes.iter().enumerate() {
            match node {
                Node::Directory(names) => {
                    image.directories.insert(id, names.now.clone());
                }
                Node::File(content) => {
                    image.files.insert(id, whole(content));
                }
            }
        }
        image
    }

    fn empty() -> Image {
        Image {
            directories: BTreeMap::new(),
            files: BTreeMap::new(),
            torn: 0,
        }
    }

    /// Writes its files below `dir`.
    pub(super) fn write(&self, dir: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(dir)?;
        self.write_directory(Disk::ROOT, dir)
    }

    fn write_directory(&self, id: Id, dir: &Path) -> anyhow::Result<()> {
        for (name, entry) in &self.directories[&id] {
            let path = dir.join(name);
            match self.files.get(entry) {
                Some(content) => fs::write(path, content)?,
                None => {
                    fs::create_dir(&path)?;
                    self.write_directory(*entry, &path)?;
                }
            }
        }
        Ok(())
    }
}

fn draw_names(names: &Names, fate: Fate, last: u64, rng: &mut ChaCha8Rng) -> BTreeMap<String, Id> {
    let mut found = names.safe.clone();
    for (number, change) in &names.pending {
        let is_kept = match fate {
            Fate::Nothing => false,
            Fate::Everything => true,
            Fate::InOrder => *number <= last,
            Fate::Each(probability) => rng.random_bool(probability),
        };
        if is_kept {
            change.apply(&mut found);
        }
    }
    found
}

fn whole(content: &Content) -> Vec<u8> {
    let mut bytes = content.safe.clone();
    for change in &content.pending {
        change.apply(&mut bytes);
    }
    bytes
}

fn draw_content(content: &Content, fate: Fate, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let count = content.pending.len();
    match fate {
        _ if count == 0 => content.safe.clone(),
        Fate::Nothing => content.safe.clone(),
        Fate::Everything => whole(content),
        Fate::InOrder => {
            let kept = rng.random_range(0..=count);
            let mut bytes = content.safe.clone();
            for change in &content.pending[..kept] {
                change.apply(&mut bytes);
            }
            bytes
        }
        Fate::Each(probability) => {
            let unit = UNITS[rng.random_range(0..UNITS.len())];
            torn(content, unit, probability, rng)
        }
    }
}

/// A file of which each sector or page has the content of some moment since the
/// last sync, with the probability of being the newest, and which has the length
/// of some moment. What was never written there is zero.
fn torn(content: &Content, unit: usize, newest: f64, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut moments = vec![content.safe.clone()];
    for change in &content.pending {
        let mut next = moments.last().cloned().unwrap_or_default();
        change.apply(&mut next);
        moments.push(next);
    }
    let last = moments.len() - 1;
    let moment = |rng: &mut ChaCha8Rng| match rng.random_bool(newest) {
        true => last,
        false => rng.random_range(0..last),
    };
    let length = moments[moment(rng)].len();
    let mut bytes = vec![0; length];
    for (n, part) in bytes.chunks_mut(unit).enumerate() {
        let from = &moments[moment(rng)];
        let start = (n * unit).min(from.len());
        let end = (n * unit + part.len()).min(from.len());
        part[..end - start].copy_from_slice(&from[start..end]);
    }
    bytes
}
