//! Populations that something happens to: journals and stores deleted, cut,
//! overwritten or taken from another time.

use std::fs::OpenOptions;

use super::super::rebuild;
use super::super::sled_store::Store;
use super::super::tables::{Change, STATE_KEY, Table};
use super::*;
use crate::store::disk::synced;

/// A population that was closed, and what it told.
struct Closed {
    dir: tempfile::TempDir,
    told: Everything,
}

impl Closed {
    fn new() -> Closed {
        let dir = tempfile::tempdir().unwrap();
        let mut population = Population::create(dir.path(), &begin()).unwrap();
        play_everything(&mut population);
        let told = told(&population);
        population.close().unwrap();
        Closed { dir, told }
    }

    /// The same again, to be broken.
    fn copy(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        copy_dir(self.dir.path(), dir.path());
        dir
    }
}

/// Opens what was broken: it must tell all, and once it was put right there
/// is nothing more to tell.
fn assert_recovers(dir: &Path, expected: &Everything) -> String {
    let (population, notices) = Population::open(dir).unwrap();
    assert_eq!(told(&population), *expected);
    population.close().unwrap();
    let (population, again) = Population::open(dir).unwrap();
    assert_eq!(again, []);
    assert_eq!(told(&population), *expected);
    text(&notices)
}

fn cut(path: &Path, length: u64) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(length).unwrap();
}

fn flip(path: &Path, at: u64) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at as usize] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

#[test]
fn a_lost_or_ruined_store_is_rebuilt() {
    let closed = Closed::new();
    type Ruin = fn(&Path);
    let ruins: [(&str, Ruin); 6] = [
        ("missing", |store| fs::remove_dir_all(store).unwrap()),
        ("directory is empty", |store| {
            fs::remove_dir_all(store).unwrap();
            fs::create_dir(store).unwrap();
        }),
        ("no directory", |store| {
            fs::remove_dir_all(store).unwrap();
            fs::write(store, "a file").unwrap();
        }),
        ("could not be used", |store| {
            fs::write(store.join("db"), vec![0xa5; 700_000]).unwrap();
        }),
        ("could not be used", |store| cut(&store.join("db"), 0)),
        ("could not be used", |store| {
            // Another program's store of the same kind.
            fs::remove_dir_all(store).unwrap();
            drop(sled::open(store).unwrap());
        }),
    ];
    for (n, (what, ruin)) in ruins.into_iter().enumerate() {
        let dir = closed.copy();
        ruin(&dir.path().join("store"));
        let notice = assert_recovers(dir.path(), &closed.told);
        assert!(notice.contains(what), "case {n}: {notice}");
        assert!(
            notice.ends_with("rebuilt from the journal, with 95 matches."),
            "{notice}"
        );
        let moved = dir.path().join("store.broken-1").exists();
        assert_eq!(moved, n != 0, "case {n}");
    }
}

#[test]
fn a_store_cut_anywhere_is_noticed() {
    let closed = Closed::new();
    let whole = size(&closed.dir.path().join("store/db"));
    let mut numbers = Numbers(3);
    let cuts = (0..16)
        .map(|_| numbers.next(whole))
        .chain([whole - 1, whole / 2, 4096]);
    for length in cuts {
        let dir = closed.copy();
        cut(&dir.path().join("store/db"), length);
        assert_recovers(dir.path(), &closed.told);
        let snapshots = closed.copy();
        cut(&snapshots.path().join("store/db"), length);
        for file in fs::read_dir(snapshots.path().join("store")).unwrap() {
            let path = file.unwrap().path();
            if path.display().to_string().contains("snap.") {
                fs::remove_file(path).unwrap();
            }
        }
        assert_recovers(snapshots.path(), &closed.told);
    }
}

#[test]
fn a_store_with_flipped_bits_is_noticed_or_unharmed() {
    let closed = Closed::new();
    let mut numbers = Numbers(11);
    for _ in 0..16 {
        let dir = closed.copy();
        let db = dir.path().join("store/db");
        let at = numbers.next(size(&db));
        flip(&db, at);
        assert_recovers(dir.path(), &closed.told);
    }
}

#[test]
fn half_a_snapshot_is_no_obstacle() {
    let closed = Closed::new();
    let dir = closed.copy();
    let half = dir.path().join("store/snap.0000000000000ABC.generating");
    fs::write(&half, "half").unwrap();
    assert_eq!(assert_recovers(dir.path(), &closed.told), "");
    assert!(!half.exists());
}

#[test]
fn a_lost_or_ruined_journal_is_written_again() {
    let closed = Closed::new();
    let path = closed.dir.path().join("journal");
    let whole = journal::read(&path).unwrap();
    let length = size(&path);
    let dir = closed.copy();
    fs::remove_file(dir.path().join("journal")).unwrap();
    let notice = assert_recovers(dir.path(), &closed.told);
    assert_eq!(
        notice,
        "The journal could not be used (it is missing). \
         It was written again from the store, with 95 matches."
    );
    let again = journal::read(&dir.path().join("journal")).unwrap();
    assert_eq!(again, whole);
    let mut numbers = Numbers(7);
    let cuts = (0..12)
        .map(|_| numbers.next(length))
        .chain([0, 7, 16, length - 1]);
    for at in cuts {
        let dir = closed.copy();
        let journal = dir.path().join("journal");
        cut(&journal, at);
        let notice = assert_recovers(dir.path(), &closed.told);
        assert!(notice.contains("written again from the store"), "{notice}");
        assert_eq!(journal::read(&journal).unwrap(), whole);
        assert!(dir.path().join("journal.broken-1").exists());
        // A flipped bit in the same place.
        let dir = closed.copy();
        let journal = dir.path().join("journal");
        flip(&journal, at);
        let notice = assert_recovers(dir.path(), &closed.told);
        assert!(notice.contains("written again from the store"), "{notice}");
        assert_eq!(journal::read(&journal).unwrap(), whole);
    }
}

#[test]
fn a_torn_journal_without_a_store_goes_on_from_its_last_whole_entry() {
    let closed = Closed::new();
    let dir = closed.copy();
    let journal = dir.path().join("journal");
    cut(&journal, size(&journal) - 1);
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let (mut population, notices) = Population::open(dir.path()).unwrap();
    let notice = text(&notices);
    assert!(
        notice.starts_with("The journal ended in the middle of an entry: "),
        "{notice}"
    );
    assert!(notice.contains("142 entries are whole"), "{notice}");
    assert_eq!(population.state().matches(), 94);
    play(&mut population, 1);
    assert_eq!(told(&population), closed.told);
}

#[test]
fn a_store_from_an_earlier_time_catches_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    play(&mut population, 17);
    population.close().unwrap();
    let old = tempfile::tempdir().unwrap();
    copy_dir(&dir.path().join("store"), &old.path().join("store"));
    let (mut population, _) = Population::open(dir.path()).unwrap();
    play_everything(&mut population);
    let expected = told(&population);
    population.close().unwrap();
    for keeps_checkpoint in [true, false] {
        fs::remove_dir_all(dir.path().join("store")).unwrap();
        copy_dir(&old.path().join("store"), &dir.path().join("store"));
        if !keeps_checkpoint {
            let store = Store::open(&dir.path().join("store")).unwrap();
            store.put(Table::Checkpoint, STATE_KEY, b"garbage").unwrap();
            store.sync().unwrap();
        }
        let notice = assert_recovers(dir.path(), &expected);
        assert_eq!(
            notice,
            "The last 142 of 160 entries were in the journal only: the store has them now."
        );
    }
}

#[test]
fn a_store_of_another_story_is_replaced() {
    let closed = Closed::new();
    let other = tempfile::tempdir().unwrap();
    let difference_count = Begin {
        params: String::new(),
        ..begin()
    };
    let mut population = Population::create(other.path(), &difference_count).unwrap();
    play(&mut population, 20);
    population.close().unwrap();
    // Shorter than the journal: the journal is right.
    let dir = closed.copy();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    copy_dir(&other.path().join("store"), &dir.path().join("store"));
    let notice = assert_recovers(dir.path(), &closed.told);
    assert!(
        notice.contains("does not tell the same story as the journal"),
        "{notice}"
    );
    // Longer than the journal: nobody knows which is right.
    let dir = tempfile::tempdir().unwrap();
    copy_dir(other.path(), dir.path());
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    copy_dir(&closed.dir.path().join("store"), &dir.path().join("store"));
    let error = assert_damaged(
        dir.path(),
        "does not tell the same story as the journal's good part",
    );
    // The owner may know. The journal is whole, so nothing of it is cut.
    assert!(error.contains("or run `loatune repair --cut`"), "{error}");
    let repaired = repair(dir.path(), true).unwrap();
    assert_eq!((repaired.cut, repaired.counts.matches), (None, 20));
    assert!(dir.path().join("store.broken-1").exists());
    let (population, notices) = Population::open(dir.path()).unwrap();
    assert_eq!(
        (text(&notices).as_str(), population.state().matches()),
        ("", 20)
    );
}

/// It is an error that says what to do, and the journal and the store are as
/// before.
fn assert_damaged(dir: &Path, what: &str) -> String {
    let journal = fs::read(dir.join("journal")).ok();
    let error = Population::open(dir).unwrap_err().to_string();
    assert!(
        error.contains("is damaged and was left as it is"),
        "{error}"
    );
    assert!(error.contains("What to do: bring "), "{error}");
    assert!(error.contains(what), "{what:?} not in {error}");
    assert_eq!(fs::read(dir.join("journal")).ok(), journal);
    assert!(!dir.join("journal.broken-1").exists());
    assert!(!dir.join("store.broken-1").exists());
    error
}

#[test]
fn nothing_begins_anew_when_both_are_broken() {
    let closed = Closed::new();
    // Not in the last group, where bad bytes may be a torn write.
    let early = size(&closed.dir.path().join("journal")) / 4;
    // A damaged journal, with no store or a broken one.
    let dir = closed.copy();
    flip(&dir.path().join("journal"), early);
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let error = assert_damaged(dir.path(), "store: it is missing");
    assert!(error.contains("or run `loatune repair --cut`"), "{error}");
    // What it advises works, and the copy that it keeps is on the disk.
    let whole = fs::read(dir.path().join("journal")).unwrap();
    synced::take();
    repair(dir.path(), true).unwrap();
    let kept = dir.path().join("journal.broken-1");
    assert_eq!(fs::read(&kept).unwrap(), whole);
    assert_eq!(synced::take()[..2], [kept, dir.path().to_owned()]);
    let (population, _) = Population::open(dir.path()).unwrap();
    let left = population.state().matches() as usize;
    assert!(left > 10 && left < 95);
    assert_eq!(told(&population).matches, closed.told.matches[..left]);
    drop(population);

    let dir = closed.copy();
    flip(&dir.path().join("journal"), early);
    fs::write(dir.path().join("store/db"), vec![1; 600_000]).unwrap();
    assert_damaged(dir.path(), "journal: damaged at byte ");

    let dir = closed.copy();
    fs::write(dir.path().join("journal"), "").unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    assert_damaged(dir.path(), "does not begin with the header of a journal");

    let dir = closed.copy();
    cut(&dir.path().join("journal"), 16);
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    assert_damaged(dir.path(), "journal: it has 0 entries");

    let dir = closed.copy();
    fs::remove_file(dir.path().join("journal")).unwrap();
    fs::write(dir.path().join("store/db"), vec![1; 600_000]).unwrap();
    assert_damaged(dir.path(), "journal: it is missing");
}

#[test]
fn a_damaged_journal_with_a_store_that_is_behind_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    play(&mut population, 3);
    population.close().unwrap();
    let old = tempfile::tempdir().unwrap();
    copy_dir(&dir.path().join("store"), &old.path().join("store"));
    let (mut population, _) = Population::open(dir.path()).unwrap();
    play_everything(&mut population);
    population.close().unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    copy_dir(&old.path().join("store"), &dir.path().join("store"));
    let journal = dir.path().join("journal");
    flip(&journal, size(&journal) / 4);
    assert_damaged(dir.path(), "store: it has only 4 entries");
}

#[test]
fn newer_formats_are_refused_and_left_alone() {
    let closed = Closed::new();
    let dir = closed.copy();
    let header = journal::newer_header();
    fs::write(dir.path().join("journal"), &header).unwrap();
    let error = Population::open(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("journal has the format version 3"),
        "{error}"
    );
    assert_eq!(fs::read(dir.path().join("journal")).unwrap(), header);

    let dir = closed.copy();
    let store = Store::open(&dir.path().join("store")).unwrap();
    let newer = (STORE_FORMAT + 1).to_be_bytes();
    store.put(Table::Meta, b"format", &newer).unwrap();
    store.sync().unwrap();
    drop(store);
    let error = Population::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("store has the format version 3"), "{error}");
    assert!(error.contains("use the newer loatune"), "{error}");
    assert!(!dir.path().join("store.broken-1").exists());
}

#[test]
fn an_older_format_is_made_anew_from_the_journal() {
    let closed = Closed::new();
    let dir = closed.copy();
    let store = Store::open(&dir.path().join("store")).unwrap();
    store.set_format(STORE_FORMAT - 1).unwrap();
    drop(store);
    let notice = assert_recovers(dir.path(), &closed.told);
    assert!(notice.contains("the older format version 1"), "{notice}");
}

#[test]
fn an_entry_is_applied_once() {
    let closed = Closed::new();
    let dir = closed.copy();
    let store = Store::open(&dir.path().join("store")).unwrap();
    let head = store.head().unwrap().unwrap();
    let change = Change {
        base_entries: head.entries - 1,
        writes: vec![(Table::Matches, vec![0; 8], vec![1])],
        head,
    };
    let error = store.commit(&change).unwrap_err().to_string();
    assert_eq!(error, "the store has 143 entries, 142 were expected");
    drop(store);
    assert_eq!(assert_recovers(dir.path(), &closed.told), "");
}

#[test]
fn values_that_vanish_from_the_store_are_noticed() {
    let closed = Closed::new();
    for (table, number) in [
        (Table::Matches, 40_u64),
        (Table::Events, 3),
        (Table::Files, 2),
        (Table::Entries, 41),
    ] {
        let dir = closed.copy();
        let db = sled::open(dir.path().join("store")).unwrap();
        let key = (number / table.block_size().unwrap_or(1)).to_be_bytes();
        let removed = db.open_tree(table.name()).unwrap().remove(key);
        assert!(removed.unwrap().is_some(), "{table}");
        db.flush().unwrap();
        drop(db);
        let notice = assert_recovers(dir.path(), &closed.told);
        assert!(notice.contains(&format!("({table}: ")), "{notice}");
    }
}

#[test]
fn a_copied_store_holds_the_same() {
    let closed = Closed::new();
    let dir = closed.copy();
    let layout = Layout::new(dir.path());
    let store = Store::open(&layout.store()).unwrap();
    let head = store.head().unwrap();
    let store = rebuild::rewrite_store(&layout, store).unwrap();
    assert_eq!(store.head().unwrap(), head);
    drop(store);
    assert!(!dir.path().join("store.new").exists());
    assert_eq!(assert_recovers(dir.path(), &closed.told), "");
}

#[test]
fn a_store_without_a_journal_is_kept_from_harm() {
    let closed = Closed::new();
    // It opens, and the copy goes.
    let dir = closed.copy();
    fs::remove_file(dir.path().join("journal")).unwrap();
    assert_recovers(dir.path(), &closed.told);
    assert!(!dir.path().join("store.kept").exists());

    // It was ruined while it was opened, and the process was killed.
    let dir = closed.copy();
    fs::remove_file(dir.path().join("journal")).unwrap();
    fs::rename(dir.path().join("store"), dir.path().join("store.kept")).unwrap();
    assert!(Population::exists(dir.path()).unwrap());
    fs::create_dir(dir.path().join("store")).unwrap();
    fs::write(dir.path().join("store/db"), vec![1; 600_000]).unwrap();
    assert_recovers(dir.path(), &closed.told);

    // It does not open, and is left as it was.
    let dir = closed.copy();
    fs::remove_file(dir.path().join("journal")).unwrap();
    cut(&dir.path().join("store/db"), 5000);
    let before = fs::read(dir.path().join("store/db")).unwrap();
    assert_damaged(dir.path(), "journal: it is missing");
    assert_eq!(fs::read(dir.path().join("store/db")).unwrap(), before);

    // With a journal the copy is worthless.
    let dir = closed.copy();
    fs::create_dir(dir.path().join("store.kept")).unwrap();
    assert_recovers(dir.path(), &closed.told);
    assert!(!dir.path().join("store.kept").exists());
}
