//! Populations that nothing happens to, but for the end of their process.

use super::super::open;
use super::super::sled_store::Store;
use super::super::tables::{Checkpoint, Counts, Head, Table};
use super::super::write_buffer::WriteBuffer;
use super::super::writer::{BUFFER_ENTRIES, Writer};
use super::*;
use crate::evolve::{Event, Step};
use std::sync::Arc;

#[test]
fn a_new_population_can_be_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("deep").join("one");
    assert!(!Population::exists(&dir).unwrap());
    let population = Population::create(&dir, &begin()).unwrap();
    assert!(Population::exists(&dir).unwrap());
    assert_eq!(population.params().rules.max_plies, 150);
    assert_eq!(population.plan().seeds, [Genome::default()]);
    assert_eq!(population.layout().name(), "one");
    let before = told(&population);
    assert_eq!(before.counts.births, 32);
    assert_eq!(before.counts.matches, 0);
    drop(population);
    let text = fs::read_to_string(dir.join("params.toml")).unwrap();
    assert_eq!(text, begin().params);
    let (population, notices) = Population::open(&dir).unwrap();
    assert_eq!(notices, []);
    assert_eq!(told(&population), before);
    drop(population);
    let error = Population::create(&dir, &begin()).unwrap_err().to_string();
    assert!(
        error.starts_with("population one exists already"),
        "{error}"
    );
}

#[test]
fn the_state_survives_with_and_without_a_close() {
    for close in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        let mut population = Population::create(dir.path(), &begin()).unwrap();
        play_everything(&mut population);
        let before = told(&population);
        assert_eq!(before.counts.matches, 95);
        assert_eq!(before.counts.games, 190);
        assert_eq!(before.counts.measured_matches, 2);
        assert_eq!(before.state.matches(), 95);
        assert_eq!(before.events.len() as u64, before.counts.events);
        if close {
            population.close().unwrap();
        } else {
            drop(population);
        }
        for _ in 0..2 {
            let (population, notices) = Population::open(dir.path()).unwrap();
            assert_eq!(text(&notices), "");
            assert_eq!(told(&population), before);
            assert_eq!(population.params().rules.max_plies, 160);
        }
        // And it goes on as if nothing had been.
        let (mut population, _) = Population::open(dir.path()).unwrap();
        play(&mut population, 20);
        let other = tempfile::tempdir().unwrap();
        let mut whole = Population::create(other.path(), &begin()).unwrap();
        play_everything(&mut whole);
        play(&mut whole, 20);
        assert_eq!(told(&population), told(&whole));
        population.close().unwrap();
        whole.close().unwrap();
        // How the entries were grouped depends on the time.
        let journals = [dir.path(), other.path()].map(|dir| journal::read(&dir.join("journal")));
        let [one, other] = journals.map(Result::unwrap);
        assert_eq!(one, other);
    }
}

#[test]
fn events_are_told_as_they_happened() {
    let dir = tempfile::tempdir().unwrap();
    let (mut fold, first) = Fold::begin(&begin()).unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    let mut expected: Vec<(u64, Event)> = first.events.into_iter().map(|e| (0, e)).collect();
    for _ in 0..300 {
        let entry = next_match(population.state());
        let Step { events, totals } = population.apply(entry.clone()).unwrap();
        let folded = fold.apply(&entry).unwrap();
        assert_eq!((folded.events, folded.totals), (events.clone(), totals));
        let matches = population.state().matches();
        expected.extend(events.into_iter().map(|event| (matches, event)));
    }
    assert_eq!(fold.state, *population.state());
    population.flush().unwrap();
    let reader = population.reader();
    let told = reader.events(0, usize::MAX).unwrap();
    let found: Vec<(u64, Event)> = told.iter().map(|t| (t.matches, t.event.clone())).collect();
    assert_eq!(found, expected);
    assert!(
        told.iter()
            .enumerate()
            .all(|(n, told)| told.sequence == n as u64)
    );
    assert_eq!(reader.events(30, 5).unwrap(), told[30..35]);
    let count = |kind: fn(&Event) -> bool| found.iter().filter(|(_, event)| kind(event)).count();
    let counts = reader.counts().unwrap();
    assert_eq!(counts.events, found.len() as u64);
    assert_eq!(
        counts.deaths,
        count(|event| matches!(event, Event::Died { .. })) as u64
    );
    assert_eq!(
        counts.files,
        count(|event| matches!(event, Event::Born(_))) as u64
    );
    assert_eq!(counts.samples as usize, reader.samples().unwrap().len());
    // Totals in the store are those of the state.
    for file in population.state().individuals() {
        let (birth, totals) = reader.file(file.id).unwrap().unwrap();
        assert_eq!((birth.weights, totals), (file.weights.clone(), file.totals));
    }
}

#[test]
fn matches_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    play(&mut population, 200);
    population.flush().unwrap();
    let reader = population.reader();
    let all = reader.matches(0, 1000).unwrap();
    assert_eq!(all.len(), 200);
    assert_eq!(reader.matches(190, 3).unwrap(), all[190..193]);
    assert_eq!(reader.match_record(17).unwrap().as_ref(), Some(&all[17]));
    assert_eq!(reader.match_record(200).unwrap(), None);
    let mut back = reader.matches_backwards(50, 4).unwrap();
    back.reverse();
    assert_eq!(back, all[46..50]);
    assert_eq!(reader.matches_backwards(u64::MAX, 1).unwrap(), all[199..]);
    assert_eq!(reader.matches_backwards(0, 1).unwrap(), []);
    let files = reader.files(FileId(0), usize::MAX).unwrap();
    assert!(files.iter().any(|(_, totals)| totals.death.is_some()));
    for (birth, _) in &files {
        let lifetime = reader.lifetime(birth.file).unwrap().unwrap();
        let own = all
            .iter()
            .filter(|record| record.files.contains(&birth.file));
        for record in own {
            assert!(
                lifetime.contains(&record.number),
                "{} {lifetime:?}",
                birth.file
            );
        }
    }
    assert_eq!(reader.lifetime(FileId(99_999)).unwrap(), None);
    assert!(reader.file(FileId(99_999)).unwrap().is_none());
    population.close().unwrap();
    let error = reader.matches(0, 1).unwrap_err().to_string();
    assert_eq!(error, "the population is closed");
}

#[test]
fn a_second_owner_is_told_who_the_first_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("mine");
    let population = Population::create(&dir, &begin()).unwrap();
    let expected = format!(
        "population mine is in use by process {}; `loatune status`, `export` and `stop` talk to it",
        std::process::id()
    );
    assert_eq!(Population::open(&dir).unwrap_err().to_string(), expected);
    let error = Population::create(&dir, &begin()).unwrap_err();
    assert_eq!(error.to_string(), expected);
    drop(population);
    // What a dead process left in the file is no obstacle.
    fs::write(dir.join("lock"), "1\n").unwrap();
    Population::open(&dir).unwrap();
}

/// The number of the process would overwrite the file that a link leads to.
#[test]
#[cfg(unix)]
fn a_lock_that_is_a_link_is_refused() {
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("population");
    drop(Population::create(&path, &begin()).unwrap());
    let lock = path.join("lock");
    let elsewhere = dir.path().join("elsewhere");
    let expected = format!(
        "cannot open {}: it is a symbolic link, which is not followed; remove it",
        lock.display()
    );
    // The link leads to a file, then to none.
    for content in [Some("precious"), None] {
        fs::remove_file(&lock).unwrap();
        symlink(&elsewhere, &lock).unwrap();
        if let Some(content) = content {
            fs::write(&elsewhere, content).unwrap();
        } else {
            fs::remove_file(&elsewhere).unwrap();
        }
        let error = Population::open(&path).unwrap_err().to_string();
        assert_eq!(error, expected);
        assert_eq!(fs::read_to_string(&elsewhere).ok().as_deref(), content);
    }
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let error = Population::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("it is no regular file"), "{error}");
    fs::remove_dir(&lock).unwrap();
    drop(Population::open(&path).unwrap());
    drop(Population::open(&path).unwrap());
}

#[test]
fn refused_entries_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    play(&mut population, 10);
    let before = told(&population);
    let Entry::Match(mut wrong) = next_match(population.state()) else {
        panic!("a match");
    };
    wrong.number += 1;
    for entry in [
        Entry::Match(wrong),
        Entry::Match(before.matches[9].clone()),
        Entry::Changed {
            params: String::from("[rules]\nmax_plies = 3\n"),
            keys: Vec::new(),
        },
    ] {
        assert!(population.apply(entry).is_err());
        assert_eq!(told(&population), before);
    }
    population.close().unwrap();
    let (population, _) = Population::open(dir.path()).unwrap();
    assert_eq!(told(&population), before);
}

#[test]
fn a_creation_that_was_cut_short_can_be_repeated_or_opened() {
    let made = tempfile::tempdir().unwrap();
    drop(Population::create(made.path(), &begin()).unwrap());
    // Before the journal is there, there is no population.
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("journal.new"), "LOAT").unwrap();
    fs::write(dir.path().join("lock"), "12345\n").unwrap();
    assert!(!Population::exists(dir.path()).unwrap());
    let error = Population::open(dir.path()).unwrap_err().to_string();
    assert!(error.starts_with("there is no population "), "{error}");
    drop(Population::create(dir.path(), &begin()).unwrap());
    let one = fs::read(dir.path().join("journal")).unwrap();
    assert_eq!(one, fs::read(made.path().join("journal")).unwrap());
    // The parameters are written after the journal: alone, they are what is left
    // of a population that is gone, and nothing begins anew in its place.
    let gone = tempfile::tempdir().unwrap();
    fs::write(gone.path().join("params.toml"), "old").unwrap();
    let error = Population::create(gone.path(), &begin()).unwrap_err();
    assert!(matches!(error, StoreError::Gone { .. }), "{error}");
    // Once it is there, the rest follows from it.
    let half = tempfile::tempdir().unwrap();
    for name in ["journal", "params.toml"] {
        fs::copy(made.path().join(name), half.path().join(name)).unwrap();
    }
    fs::create_dir(half.path().join("store.new")).unwrap();
    fs::write(half.path().join("store.new").join("db"), "half").unwrap();
    let (population, notices) = Population::open(half.path()).unwrap();
    assert_eq!(
        text(&notices),
        "The store was missing. It was rebuilt from the journal, with 0 matches."
    );
    assert_eq!(population.state().matches(), 0);
    assert!(!half.path().join("store.new").exists());
}

/// A new directory is on the disk once the directory above it is synced.
#[test]
fn a_new_population_is_synced_with_every_directory_that_got_a_name() {
    use crate::store::disk::{parents_of_new, synced};

    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().join("a");
    let path = top.join("b").join("new");
    synced::take();
    drop(Population::create(&path, &begin()).unwrap());
    let found = synced::take();
    for expected in [&path, &top.join("b"), &top, dir.path()] {
        assert!(found.iter().any(|found| found == expected), "{found:?}");
    }
    // The directory was there before: an attempt may have left it.
    let path = top.join("other");
    fs::create_dir(&path).unwrap();
    drop(Population::create(&path, &begin()).unwrap());
    let found = synced::take();
    assert!(found.contains(&path) && found.contains(&top), "{found:?}");
    assert!(!found.contains(&dir.path().to_owned()), "{found:?}");

    let here = parents_of_new(Path::new("no such place/new"));
    assert_eq!(here, [Path::new("no such place"), Path::new(".")]);
    assert_eq!(parents_of_new(Path::new("new")), [Path::new(".")]);
}

#[test]
fn bad_parameters_and_places_are_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let bad = Begin {
        genes: GeneTable::first(),
        params: String::from("[rules]\nmax_plies = 1\n"),
        seeds: Vec::new(),
    };
    let path = dir.path().join("new");
    let error = Population::create(&path, &bad).unwrap_err().to_string();
    assert!(error.contains("rules.max_plies = 1"), "{error}");
    assert!(!path.exists());
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("population");
    let error = Population::create(&inside, &begin())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("cannot create "), "{error}");
    let error = Population::open(&path).unwrap_err().to_string();
    let expected = format!(
        "there is no population new: {} has neither a journal nor a store",
        path.display()
    );
    assert_eq!(error, expected);
}

/// Where nobody, not even the administrator, can write.
#[test]
#[cfg(target_os = "linux")]
fn a_place_that_cannot_be_written_is_named() {
    let error = Population::create(Path::new("/proc/population"), &begin()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("cannot create /proc/population: "),
        "{error}"
    );
    let error = Population::create(Path::new("/proc"), &begin()).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("cannot open /proc/lock: "), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_error_while_writing_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::new(dir.path());
    let opened = open::create(&layout, &begin()).unwrap();
    let position = opened.journal.position();
    let full = Journal::open_at(Path::new("/dev/full"), 0, position).unwrap();
    let writer = Writer::start(
        "full",
        full,
        Arc::new(WriteBuffer::new(opened.store)),
        opened.head,
    )
    .unwrap();
    let mut fold = opened.fold;
    let entry = next_match(&fold.state);
    let step = fold.apply(&entry).unwrap();
    writer.commit(entry.clone(), step.clone(), 8, None).unwrap();
    for _ in 0..2 {
        let error = writer.flush().unwrap_err().to_string();
        let expected = "cannot save population full: cannot write /dev/full: No space left";
        assert!(error.starts_with(expected), "{error}");
    }
    assert!(writer.check().is_err());
    assert!(writer.commit(entry, step, 8, None).is_err());
    assert!(writer.close(None).is_err());
    // Nothing of it is in the store.
    let store = Store::open(&layout.store()).unwrap();
    let Head {
        entries, counts, ..
    } = store.head().unwrap().unwrap();
    assert_eq!((entries, counts.matches), (1, 0));
    assert_eq!(
        counts,
        Counts {
            matches: 0,
            ..counts
        }
    );
}

#[test]
fn checkpoints_are_written_on_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    let every = population.params().run.checkpoint as usize;
    play(&mut population, every + 5);
    let before = told(&population);
    let load = population.writer_load();
    assert_eq!(load.entries as usize, every + 5);
    assert!(load.groups < load.entries && load.busy.as_nanos() > 0);
    drop(population);
    let store = Store::open(&dir.path().join("store")).unwrap();
    let kept: Checkpoint = store
        .get_by_key(Table::Checkpoint, b"state")
        .unwrap()
        .unwrap();
    assert_eq!(kept.state.matches() as usize, every);
    drop(store);
    let (population, _) = Population::open(dir.path()).unwrap();
    assert_eq!(told(&population), before);
}

#[test]
fn what_waits_for_the_store_is_found_like_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut population = Population::create(dir.path(), &begin()).unwrap();
    // Groups come to the store at some multiple of its share, and the rest waits.
    let count = 2 * BUFFER_ENTRIES as usize + 37;
    play(&mut population, count);
    let before = told(&population);
    assert_eq!(before.matches.len(), count);
    assert_eq!(before.counts.matches, count as u64);
    let reader = population.reader();
    let numbers = |found: Vec<MatchRecord>| -> Vec<u64> {
        found.into_iter().map(|record| record.number).collect()
    };
    let last = count as u64;
    for from in [0, 15, 16, 250, BUFFER_ENTRIES, last - 40, last - 1, last] {
        let found = reader.matches(from, 30).unwrap();
        assert_eq!(
            numbers(found),
            (from..last.min(from + 30)).collect::<Vec<_>>()
        );
        let found = reader.matches_backwards(from, 30).unwrap();
        let expected = (from.saturating_sub(30)..from).rev();
        assert_eq!(numbers(found), expected.collect::<Vec<_>>());
    }
    for number in 0..last {
        assert_eq!(reader.match_record(number).unwrap().unwrap().number, number);
    }
    assert_eq!(reader.match_record(last).unwrap(), None);
    population.close().unwrap();
    let (population, notices) = Population::open(dir.path()).unwrap();
    assert_eq!(text(&notices), "");
    assert_eq!(told(&population), before);
}

/// A pair that is in the journal twice is no result that may count.
#[test]
fn a_pair_that_is_there_twice_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("twice");
    let mut population = Population::create(&dir, &begin()).unwrap();
    population.apply(measured_pair(3, 0)).unwrap();
    population.apply(measured_pair(3, 1)).unwrap();
    let again = population.apply(measured_pair(3, 1)).unwrap_err();
    assert!(
        again
            .to_string()
            .contains("pair 1 of #3 against default is there twice")
    );
    let gap = population.apply(measured_pair(3, 5)).unwrap_err();
    assert!(gap.to_string().contains("comes where pair 2 should"));
    population.close().unwrap();

    let path = dir.join("journal");
    let (mut journal, _) = Journal::open(&path).unwrap();
    let payload = encode(&measured_pair(3, 1)).unwrap();
    journal.append(&[payload]).unwrap();
    drop(journal);
    let scratch = tempfile::tempdir().unwrap();
    let found = audit(&dir, scratch.path(), &mut |_, _, _| Ok(())).unwrap();
    assert!(found.differences[0].contains("is there twice"), "{found:?}");
    let error = Population::open(&dir).unwrap_err().to_string();
    assert_eq!(
        error,
        "entry 3 does not follow from those before it: pair 1 of #3 against default is there twice"
    );
}

/// What is written into a file that has no name is not safe, and nobody may be
/// told that it is.
#[test]
fn a_journal_that_is_deleted_or_replaced_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    for is_replaced in [false, true] {
        let dir = dir.path().join(format!("{is_replaced}"));
        let mut population = Population::create(&dir, &begin()).unwrap();
        play(&mut population, 3);
        population.flush().unwrap();
        let journal = dir.join("journal");
        let bytes = fs::read(&journal).unwrap();
        fs::remove_file(&journal).unwrap();
        if is_replaced {
            fs::write(&journal, &bytes).unwrap();
        }
        play(&mut population, 1);
        let error = population.flush().unwrap_err().to_string();
        let what = if is_replaced { "replaced" } else { "deleted" };
        assert!(error.contains(&format!("journal was {what}")), "{error}");
        assert!(population.check().is_err());
        assert!(population.close().is_err());
        let left = fs::read(&journal).unwrap_or_default();
        assert_eq!(left, if is_replaced { bytes } else { Vec::new() });
    }
}

/// It is noticed also while nothing is written: a game may take minutes.
#[test]
fn a_journal_that_is_deleted_is_noticed_in_a_pause() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("pause");
    let population = Population::create(&dir, &begin()).unwrap();
    population.flush().unwrap();
    fs::rename(&dir, dir.with_extension("elsewhere")).unwrap();
    let begin = std::time::Instant::now();
    while population.check().is_ok() {
        assert!(begin.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
#[cfg(unix)]
fn a_journal_that_cannot_be_looked_at_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let journal = dir.path().join("journal");
    // A link to itself: the system cannot tell whether there is a file.
    std::os::unix::fs::symlink(&journal, &journal).unwrap();
    let unknown = Population::exists(dir.path()).unwrap_err();
    assert!(matches!(unknown, StoreError::Io { .. }), "{unknown}");
    let refused = Population::create(dir.path(), &begin()).unwrap_err();
    assert!(matches!(refused, StoreError::Io { .. }), "{refused}");
    assert!(journal.symlink_metadata().unwrap().is_symlink());
}

#[test]
#[cfg(unix)]
fn parameters_that_cannot_be_read_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    Population::create(dir.path(), &begin())
        .unwrap()
        .close()
        .unwrap();
    let params = dir.path().join("params.toml");
    fs::remove_file(&params).unwrap();
    // A link to itself cannot be read.
    std::os::unix::fs::symlink(&params, &params).unwrap();
    let (_population, notices) = Population::open(dir.path()).unwrap();
    assert_eq!(notices, []);
    assert!(params.symlink_metadata().unwrap().is_symlink());
}
