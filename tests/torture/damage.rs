//! Broken, missing, foreign and newer files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::Case;
use super::victim::{Stock, Victim, Way, copy};
use loatune::store::{FrameReader, Layout, mark_journal_newer, mark_store_newer};

/// A way to break a file.
#[derive(Clone, Copy)]
enum Harm {
    Missing,
    Empty,
    Half,
    JournalTail,
    Zeroes,
    FirstBit,
    MiddleBit,
    LastBit,
}

impl Harm {
    const ALL: [Harm; 8] = [
        Harm::Half,
        Harm::MiddleBit,
        Harm::Missing,
        Harm::Empty,
        Harm::JournalTail,
        Harm::Zeroes,
        Harm::FirstBit,
        Harm::LastBit,
    ];

    /// How many of them a short torture has.
    const SHORT: usize = 2;

    const fn name(self) -> &'static str {
        match self {
            Harm::Missing => "missing",
            Harm::Empty => "cut to nothing",
            Harm::Half => "cut to a half",
            Harm::JournalTail => "7 bytes cut off",
            Harm::Zeroes => "a page of zeros",
            Harm::FirstBit => "first byte flipped",
            Harm::MiddleBit => "middle byte flipped",
            Harm::LastBit => "last byte flipped",
        }
    }

    fn apply(self, path: &Path) -> anyhow::Result<()> {
        if matches!(self, Harm::Missing) {
            return Ok(fs::remove_file(path)?);
        }
        let mut bytes = fs::read(path)?;
        // What is behind the last byte that is not zero is room for more.
        let size = bytes.iter().rposition(|&byte| byte != 0);
        let size = size.map_or(0, |last| last + 1);
        let middle = size / 2;
        match self {
            Harm::Missing => {}
            Harm::Empty => bytes.clear(),
            Harm::Half => bytes.truncate(middle),
            Harm::JournalTail => bytes.truncate(size.saturating_sub(7)),
            Harm::Zeroes => {
                let from = if size > 8192 { middle & !4095 } else { 0 };
                let to = size.min(from + 4096);
                bytes[from..to].fill(0);
            }
            Harm::FirstBit => flip(&mut bytes, 0),
            Harm::MiddleBit => flip(&mut bytes, middle),
            Harm::LastBit => flip(&mut bytes, size.saturating_sub(1)),
        }
        Ok(fs::write(path, bytes)?)
    }
}

fn flip(bytes: &mut [u8], at: usize) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 0x10;
    }
}

/// All cases.
pub(super) fn cases(stock: &Stock, short: bool) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    let harms = match short {
        true => &Harm::ALL[..Harm::SHORT],
        false => &Harm::ALL[..],
    };
    for file in files(&stock.half, &stock.half)? {
        for &harm in harms {
            let (from, file) = (stock.half.clone(), file.clone());
            let name = format!("{}: {}", file.display(), harm.name());
            cases.push(Case::new(name, move |victim| {
                broken(victim, &from, &|dir| harm.apply(&dir.join(&file)))
            }));
        }
    }
    for &harm in harms {
        let whole = stock.whole.clone();
        let name = format!("champion.toml, at the end: {}", harm.name());
        cases.push(Case::new(name, move |victim| {
            broken(victim, &whole, &|dir| {
                harm.apply(&dir.join("champion.toml"))
            })
        }));
    }
    cases.extend(mixed(stock));
    Ok(cases)
}

/// Several things at once.
fn mixed(stock: &Stock) -> Vec<Case> {
    type Break = Box<dyn Fn(&Path) -> anyhow::Result<()> + Send + Sync>;
    let (half, whole, other) = (&stock.half, &stock.whole, &stock.other);
    let journal = |dir: &Path| Layout::new(dir).journal();
    let store = |dir: &Path| Layout::new(dir).store();
    let all: Vec<(&str, &PathBuf, Break)> = vec![
        (
            "store/: missing",
            half,
            Box::new(move |dir| Ok(fs::remove_dir_all(store(dir))?)),
        ),
        (
            "store/: empty",
            half,
            Box::new(move |dir| {
                fs::remove_dir_all(store(dir))?;
                Ok(fs::create_dir(store(dir))?)
            }),
        ),
        (
            "store/: a file instead",
            half,
            Box::new(move |dir| {
                fs::remove_dir_all(store(dir))?;
                Ok(fs::write(store(dir), "no directory")?)
            }),
        ),
        (
            "journal: cut between two entries",
            half,
            Box::new(move |dir| {
                let bytes = fs::read(journal(dir))?;
                let mut frames = FrameReader::open(&journal(dir))?;
                while frames.offset() < bytes.len() as u64 / 2 {
                    frames.next_frame()?;
                }
                Ok(fs::write(journal(dir), &bytes[..frames.offset() as usize])?)
            }),
        ),
        ("store/: of an earlier time", whole, {
            let half = half.clone();
            Box::new(move |dir| {
                fs::remove_dir_all(store(dir))?;
                copy(&store(&half), &store(dir))
            })
        }),
        ("journal: of an earlier time", whole, {
            let half = half.clone();
            Box::new(move |dir| {
                fs::copy(journal(&half), journal(dir))?;
                Ok(())
            })
        }),
        ("store/: of another population", half, {
            let other = other.clone();
            Box::new(move |dir| {
                fs::remove_dir_all(store(dir))?;
                copy(&store(&other), &store(dir))
            })
        }),
        (
            "leftovers: journal.new, store.new, half a snapshot",
            half,
            Box::new(move |dir| {
                fs::write(dir.join("journal.new"), "half written")?;
                fs::create_dir(dir.join("store.new"))?;
                fs::write(dir.join("store.new/db"), "half written")?;
                Ok(fs::write(store(dir).join("snap.00FF.generating"), "half")?)
            }),
        ),
        (
            "lock: a stale one, of another process",
            half,
            Box::new(move |dir| Ok(fs::write(dir.join("lock"), "1\n")?)),
        ),
        (
            "control.sock: a file in its place",
            half,
            Box::new(move |dir| Ok(fs::write(dir.join("control.sock"), "")?)),
        ),
        (
            "journal damaged, store missing",
            half,
            Box::new(move |dir| {
                Harm::MiddleBit.apply(&journal(dir))?;
                Ok(fs::remove_dir_all(store(dir))?)
            }),
        ),
        (
            "journal damaged, store cut",
            half,
            Box::new(move |dir| {
                Harm::Zeroes.apply(&journal(dir))?;
                Harm::Half.apply(&store(dir).join("db"))
            }),
        ),
    ];
    let mut cases: Vec<Case> = all
        .into_iter()
        .map(|(name, from, harm)| {
            let from = from.clone();
            Case::new(name, move |victim| broken(victim, &from, &*harm))
        })
        .collect();
    let from = half.clone();
    cases.push(Case::new("journal and store missing", move |victim| {
        gone(victim, &from)
    }));
    type Mark = fn(&Path) -> Result<(), loatune::store::StoreError>;
    let marks: [(&str, Mark); 2] = [
        ("store of a newer format", mark_store_newer),
        ("journal of a newer format", mark_journal_newer),
    ];
    for (name, mark) in marks {
        let from = half.clone();
        cases.push(Case::new(name, move |victim| newer(victim, &from, mark)));
    }
    cases
}

/// Breaks a copy of a population. Verifying changes nothing; running goes on to
/// the same champion, or explains itself, and then a repair helps.
fn broken(
    victim: &Victim,
    from: &Path,
    harm: &dyn Fn(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let dir = victim.copy_of(from, "broken")?;
    harm(&dir).context("cannot break it")?;
    let before = contents(&dir)?;
    let verified = victim.command(&["verify"], &dir)?;
    verified.check().context("verify")?;
    ensure!(
        matches!(verified.code, Some(0 | 1)),
        "verify: {}",
        verified.describe()
    );
    ensure!(contents(&dir)? == before, "verify has changed something");
    let seen = match verified.code {
        Some(0) => "not seen by verify",
        _ => "seen by verify",
    };
    let ended = victim.run(&dir, &Way::Threads(2))?;
    ensure!(
        !ended.stderr.contains("new population"),
        "a new beginning: {}",
        ended.describe()
    );
    if ended.code == Some(0) {
        victim.must_be_done(&dir, &ended)?;
        return Ok(format!("the same champion; {seen}"));
    }
    let message = victim.must_explain(&ended)?;
    let mut repaired = victim.command(&["repair"], &dir)?;
    let mut how = "repair";
    if repaired.code != Some(0) {
        victim.must_explain(&repaired).context("repair")?;
        repaired = victim.command(&["repair", "--cut"], &dir)?;
        how = "repair --cut";
    }
    repaired.check().context("repair")?;
    if repaired.code != Some(0) {
        let advice = victim.must_explain(&repaired).context("repair --cut")?;
        return Ok(format!("refused: {message}; repair: {advice}"));
    }
    let ended = victim.run(&dir, &Way::Threads(2)).context("after repair")?;
    victim.must_be_done(&dir, &ended).context("after repair")?;
    Ok(format!(
        "refused: {message}; after {how} the same champion; {seen}"
    ))
}

/// Nothing is left but the parameters: no new population in its place.
fn gone(victim: &Victim, from: &Path) -> anyhow::Result<String> {
    let dir = victim.copy_of(from, "gone")?;
    fs::remove_file(Layout::new(&dir).journal())?;
    fs::remove_dir_all(Layout::new(&dir).store())?;
    let ended = victim.run(&dir, &Way::Threads(1))?;
    let message = victim.must_explain(&ended)?;
    Ok(format!("refused: {message}"))
}

/// A newer format is refused, and nothing is touched.
fn newer(
    victim: &Victim,
    from: &Path,
    mark: fn(&Path) -> Result<(), loatune::store::StoreError>,
) -> anyhow::Result<String> {
    let dir = victim.copy_of(from, "newer")?;
    mark(&dir)?;
    let journal = Layout::new(&dir).journal();
    let before = fs::read(&journal)?;
    let ended = victim.run(&dir, &Way::Threads(1))?;
    let message = victim.must_explain(&ended)?;
    ensure!(message.contains("newer"), "it does not say so: {message}");
    ensure!(fs::read(&journal)? == before, "the journal was changed");
    let aside = files(&dir, &dir)?
        .into_iter()
        .find(|file| file.to_string_lossy().contains("broken"));
    ensure!(aside.is_none(), "something was moved aside");
    Ok(format!("refused: {message}"))
}

/// All files of a population, seen from its directory.
fn files(root: &Path, dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(root, &path)?);
        } else {
            found.push(path.strip_prefix(root)?.to_owned());
        }
    }
    found.sort();
    Ok(found)
}

/// Everything that lies in a directory.
fn contents(dir: &Path) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let read = |file: PathBuf| {
        let bytes = fs::read(dir.join(&file)).unwrap_or_default();
        (file, bytes)
    };
    Ok(files(dir, dir)?.into_iter().map(read).collect())
}
