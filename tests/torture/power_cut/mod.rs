//! Power cuts: the program is recorded, and images of its directory are made as
//! a cut at a random moment may leave them. The same command must go on from
//! each to the same champion.
//!
//! | file | purpose |
//! |---|---|
//! | `recording` | the records of a population's life |
//! | `disk` | what is safe on the disk at a moment, and what is not |
//! | `image` | one disk after a power cut |

mod disk;
mod image;
mod recording;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use self::disk::{Disk, Node};
use self::image::Image;
use self::recording::POPULATION;
use super::io_shim::Shim;
use super::io_shim::record::Record;
use super::parallel;
use super::victim::{Victim, Way};

/// What the population is like when its recording begins.
const BEGINNINGS: [Beginning; 4] = [
    Beginning::Nothing,
    Beginning::Nothing,
    Beginning::NoStore,
    Beginning::NoJournal,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    /// There is none yet.
    Nothing,
    /// It is on its way, and the store must be rebuilt from the journal.
    NoStore,
    /// It is on its way, and the journal must be rebuilt from the store.
    NoJournal,
}

/// Recorded lives of a population.
pub(super) struct Recordings {
    /// Where the logs are.
    dir: PathBuf,
    lives: Vec<Vec<Record>>,
    seed: u64,
}

/// What was seen in all images.
#[derive(Default)]
struct Tally {
    torn: AtomicU64,
    begun_anew: AtomicU64,
    repaired: AtomicU64,
}

impl Recordings {
    /// Records populations into `dir`.
    pub(super) fn make(
        victim: &Victim,
        shim: &Shim,
        dir: &Path,
        seed: u64,
    ) -> anyhow::Result<Recordings> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut lives: Vec<Vec<Record>> = Vec::new();
        fs::create_dir_all(dir)?;
        for (number, beginning) in BEGINNINGS.into_iter().enumerate() {
            let root = dir.join(format!("life-{number}"));
            if beginning != Beginning::Nothing {
                half_way(&lives[0])?.write(&root)?;
                let population = root.join(POPULATION);
                match beginning {
                    Beginning::NoStore => fs::remove_dir_all(population.join("store"))?,
                    _ => fs::remove_file(population.join("journal"))?,
                }
            }
            let log = log_path(dir, number);
            let life = recording::record(victim, shim, &root, &log, &mut rng);
            lives.push(life.with_context(|| format!("life {number}, {beginning:?}"))?);
            fs::remove_dir_all(&root)?;
        }
        let dir = dir.to_owned();
        Ok(Recordings { dir, lives, seed })
    }

    /// Reads what an earlier torture has recorded.
    pub(super) fn read(dir: &Path, seed: u64) -> anyhow::Result<Recordings> {
        let lives = (0..BEGINNINGS.len()).map(|number| recording::read(&log_path(dir, number)));
        Ok(Recordings {
            dir: dir.to_owned(),
            lives: lives.collect::<anyhow::Result<_>>()?,
            seed,
        })
    }

    /// A population half way through its life, with every file, in `dir`.
    pub(super) fn half_way(&self, dir: &Path) -> anyhow::Result<PathBuf> {
        half_way(&self.lives[0])?.write(dir)?;
        Ok(dir.join(POPULATION))
    }

    /// Draws image `number`; says which life and moment it is of, and whether a
    /// population was safe by then.
    fn draw(&self, number: u64) -> (Image, String, bool) {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number + 1);
        let which = rng.random_range(0..self.lives.len());
        let life = &self.lives[which];
        let settled = life.iter().position(|record| *record == Record::Settled);
        let cut = rng.random_range(settled.map_or(0, |at| at + 1)..=life.len());
        let disk = Disk::after(&life[..cut]);
        let image = Image::draw(&disk, &mut rng);
        let place = format!("life {which}, after {cut} of {} records", life.len());
        (image, place, has_safe_journal(&disk))
    }

    /// Makes images and goes on from each.
    pub(super) fn torture(&self, victim: &Victim, images: u64) -> anyhow::Result<String> {
        let tally = Tally::default();
        let numbers: Vec<u64> = (0..images).collect();
        let bad = parallel::filter_map(&numbers, |number| {
            Some((*number, self.go_on(victim, *number, &tally).err()?))
        });
        if !bad.is_empty() {
            let kept = self.keep()?;
            let texts: Vec<String> = bad.iter().take(5).map(|(_, e)| format!("{e:#}")).collect();
            bail!(
                "{} of {images} images: {}; again: --recordings {} --seed {} --image {}",
                bad.len(),
                texts.join("; "),
                kept.display(),
                self.seed,
                bad[0].0
            );
        }
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Ok(format!(
            "each to the same champion, of {} recorded lives with {} records; {} images have a \
             torn file or directory, {} no population yet, {} had to be repaired at the start",
            self.lives.len(),
            self.lives.iter().map(Vec::len).sum::<usize>(),
            read(&tally.torn),
            read(&tally.begun_anew),
            read(&tally.repaired),
        ))
    }

    /// Rebuilds one image, leaves it in `dir` and goes on from a copy.
    pub(super) fn rebuild(
        &self,
        victim: &Victim,
        number: u64,
        dir: &Path,
    ) -> anyhow::Result<String> {
        let (image, place, _) = self.draw(number);
        image.write(dir)?;
        let found = self.go_on(victim, number, &Tally::default());
        let message = format!("{place}; left in {}", dir.display());
        found.map(|()| message.clone()).context(message)
    }

    fn go_on(&self, victim: &Victim, number: u64, tally: &Tally) -> anyhow::Result<()> {
        let (image, place, must_exist) = self.draw(number);
        let root = victim.dir("image");
        let context = || format!("image {number} ({place})");
        image.write(&root).with_context(context)?;
        let dir = root.join(POPULATION);
        let ended = victim.run(&dir, &Way::Threads(1)).with_context(context)?;
        victim.must_be_done(&dir, &ended).with_context(context)?;
        let is_new = ended.stderr.contains("new population");
        ensure!(!is_new || !must_exist, "{}: a new beginning", context());
        let add = |number: &AtomicU64, is_so: bool| {
            number.fetch_add(u64::from(is_so), Ordering::Relaxed);
        };
        add(&tally.torn, image.torn > 0);
        add(&tally.begun_anew, is_new);
        let repairs = ["was rebuilt", "was written again", "cut off", "catch"];
        add(
            &tally.repaired,
            repairs.iter().any(|word| ended.stderr.contains(word)),
        );
        Ok(fs::remove_dir_all(root)?)
    }

    /// Copies the logs to where they outlive the torture.
    fn keep(&self) -> anyhow::Result<PathBuf> {
        let kept = tempfile::Builder::new()
            .prefix("loatune-recordings-")
            .disable_cleanup(true)
            .tempdir()?;
        for number in 0..self.lives.len() {
            fs::copy(log_path(&self.dir, number), log_path(kept.path(), number))?;
        }
        Ok(kept.path().to_owned())
    }
}

fn log_path(dir: &Path, number: usize) -> PathBuf {
    dir.join(format!("life-{number}.log"))
}

/// A population half way through a life that began with nothing, or as soon
/// after that as it has a journal and a store.
fn half_way(life: &[Record]) -> anyhow::Result<Image> {
    for cut in life.len() / 2..=life.len() {
        let disk = Disk::after(&life[..cut]);
        let has = |name: &str| disk.find(&format!("{POPULATION}/{name}")).is_some();
        if has("journal") && has("store") {
            return Ok(Image::whole(&disk));
        }
    }
    bail!("a life ends without a journal or a store");
}

/// Whether a journal is on the disk with its name and all names above it, so that
/// no population may be begun in its place.
fn has_safe_journal(disk: &Disk) -> bool {
    let mut at = Disk::ROOT;
    for part in POPULATION.split('/').chain(["journal"]) {
        let Node::Directory(names) = &disk.nodes[at] else {
            return false;
        };
        match names.safe.get(part) {
            Some(&next) => at = next,
            None => return false,
        }
    }
    true
}
