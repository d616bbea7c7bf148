//! The journal alone: cut anywhere, with any bit flipped.

use std::path::PathBuf;

use super::*;

struct Place {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    Place { _dir: dir, path }
}

fn payloads() -> Vec<Vec<u8>> {
    (1..7_u8).map(|n| vec![n; 3 + 5 * n as usize]).collect()
}

/// Writes a journal and gives the places where its frames end.
fn write(path: &Path) -> Vec<u64> {
    let mut journal = Journal::create(path).unwrap();
    let mut ends = vec![journal.length()];
    for payload in payloads() {
        journal.append(&[payload]).unwrap();
        ends.push(journal.length());
    }
    ends
}

/// What can be read.
pub(super) fn read(path: &Path) -> Result<(Vec<Vec<u8>>, JournalTail), JournalError> {
    let mut frames = FrameReader::open(path)?;
    let mut found = Vec::new();
    while let Some(payload) = frames.next_frame()? {
        found.push(payload.to_vec());
    }
    Ok((found, frames.tail()?))
}

#[test]
fn what_is_written_is_read() {
    let Place { path, _dir } = place();
    write(&path);
    assert_eq!(read(&path).unwrap(), (payloads(), JournalTail::Clean));
    let (mut journal, tail) = Journal::open(&path).unwrap();
    assert_eq!((journal.position().entries, tail), (6, JournalTail::Clean));
    let positions = journal
        .append(&[b"seven".to_vec(), b"eight".to_vec()])
        .unwrap();
    assert_eq!((positions[0].entries, positions[1].entries), (7, 8));
    assert_eq!(positions[1], journal.position());
    drop(journal);
    let (found, tail) = read(&path).unwrap();
    assert_eq!((found.len(), tail), (8, JournalTail::Clean));
    assert_eq!(found[7], b"eight");
    assert!(Journal::open(&path).unwrap().0.append(&[[]]).is_err());
}

#[test]
fn a_group_has_the_same_chain_as_single_entries() {
    let (one, other) = (place(), place());
    write(&one.path);
    let mut journal = Journal::create(&other.path).unwrap();
    journal.append(&payloads()).unwrap();
    let (single, _) = Journal::open(&one.path).unwrap();
    assert_eq!(journal.position(), single.position());
    assert_eq!(read(&one.path).unwrap(), read(&other.path).unwrap());
}

#[test]
fn a_torn_tail_is_cut_off_wherever_it_is_torn() {
    let Place { path, _dir } = place();
    let ends = write(&path);
    let whole = fs::read(&path).unwrap();
    for cut in ends[0]..=ends[6] {
        fs::write(&path, &whole[..cut as usize]).unwrap();
        let left = ends.iter().filter(|&&end| end <= cut).count() - 1;
        let (found, tail) = read(&path).unwrap();
        assert_eq!(found, payloads()[..left], "cut at {cut}");
        let torn = cut - ends[left];
        let expected = if torn == 0 {
            JournalTail::Clean
        } else {
            JournalTail::Torn(torn)
        };
        assert_eq!(tail, expected, "cut at {cut}");
        // And it goes on from there.
        let (mut journal, _) = Journal::open(&path).unwrap();
        for payload in &payloads()[left..] {
            journal.append(&[payload]).unwrap();
        }
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn zeros_and_garbage_at_the_end_are_a_torn_tail() {
    let Place { path, _dir } = place();
    write(&path);
    let whole = fs::read(&path).unwrap();
    for (byte, count) in [(0, 1), (0, 4096), (0xff, 77), (b'J', 100)] {
        let mut longer = whole.clone();
        longer.extend(vec![byte; count]);
        fs::write(&path, longer).unwrap();
        let (found, tail) = read(&path).unwrap();
        assert_eq!((found, tail), (payloads(), JournalTail::Torn(count as u64)));
    }
}

#[test]
fn no_flipped_bit_is_silent() {
    let Place { path, _dir } = place();
    let ends = write(&path);
    let whole = fs::read(&path).unwrap();
    for byte in 0..whole.len() {
        for bit in 0..8 {
            let mut broken = whole.clone();
            broken[byte] ^= 1 << bit;
            fs::write(&path, &broken).unwrap();
            let at = byte as u64;
            if at < ends[0] {
                assert!(read(&path).is_err(), "byte {byte} of the header");
                continue;
            }
            let (found, tail) = read(&path).unwrap();
            let good = ends.iter().filter(|&&end| end <= at).count() - 1;
            assert_eq!(found, payloads()[..good], "byte {byte}");
            if good == 5 {
                assert_eq!(tail, JournalTail::Torn(ends[6] - ends[5]), "byte {byte}");
            } else {
                assert!(
                    matches!(tail, JournalTail::Damaged(_)),
                    "byte {byte}: {tail:?}"
                );
            }
        }
    }
}

/// In a journal of groups every flipped bit ends the good part. It is damage
/// where a later group has been begun, else a torn tail.
#[test]
fn no_flipped_bit_in_a_group_is_silent() {
    let Place { path, _dir } = place();
    let mut journal = Journal::create(&path).unwrap();
    journal.append(&payloads()[..4]).unwrap();
    let last_group = journal.length() as usize;
    journal.append(&payloads()[4..]).unwrap();
    let whole = fs::read(&path).unwrap();
    for byte in 16..whole.len() {
        for bit in 0..8 {
            let mut broken = whole.clone();
            broken[byte] ^= 1 << bit;
            fs::write(&path, &broken).unwrap();
            let (found, tail) = read(&path).unwrap();
            assert!(found.len() < 6 && found == payloads()[..found.len()]);
            assert_eq!(found.len() >= 4, byte >= last_group, "byte {byte}");
            assert_eq!(
                matches!(tail, JournalTail::Damaged(_)),
                byte < last_group,
                "byte {byte}: {tail:?}"
            );
        }
    }
}

/// A journal of groups, the last of which was written but never acknowledged.
struct Interrupted {
    /// The file as if the disk had got everything.
    bytes: Vec<u8>,
    payloads: Vec<Vec<u8>>,
    /// Where each group begins, and the end.
    groups: Vec<usize>,
    /// Entries before the last group.
    acknowledged: usize,
}

impl Interrupted {
    fn new(numbers: &mut Numbers, path: &Path) -> Interrupted {
        let mut journal = Journal::create(path).unwrap();
        let mut payloads = Vec::new();
        let mut groups = vec![journal.length() as usize];
        let mut acknowledged = 0;
        for _ in 0..2 + numbers.next(5) {
            acknowledged = payloads.len();
            let count = 2 + numbers.next(63);
            let group: Vec<Vec<u8>> = (0..count).map(|_| some_payload(numbers)).collect();
            journal.append(&group).unwrap();
            groups.push(journal.length() as usize);
            payloads.extend(group);
        }
        Interrupted {
            bytes: fs::read(path).unwrap(),
            payloads,
            groups,
            acknowledged,
        }
    }

    /// Where the last group begins.
    fn last(&self) -> usize {
        self.groups[self.groups.len() - 2]
    }

    /// What a power cut may leave: each block of the last group is there or
    /// not, and the file may end early. `before` is what lay there earlier.
    fn torn(&self, numbers: &mut Numbers, block: usize, before: &[u8]) -> Vec<u8> {
        let mut image = self.bytes.clone();
        let from = self.last();
        for start in (from / block * block..image.len()).step_by(block) {
            let block = start.max(from)..(start + block).min(image.len());
            match numbers.next(4) {
                0 => image[block].fill(0),
                1 => {
                    for at in block {
                        image[at] = before.get(at).copied().unwrap_or(0);
                    }
                }
                _ => {}
            }
        }
        if numbers.next(3) == 0 {
            let left = numbers.next((image.len() - from) as u64 + 1) as usize;
            image.truncate(from + left);
        }
        image
    }
}

/// Bytes about as long as a match with its games.
fn some_payload(numbers: &mut Numbers) -> Vec<u8> {
    let length = 1 + numbers.next(300);
    (0..length).map(|_| numbers.next(256) as u8).collect()
}

/// Power cuts while the last group is written, by sectors and by pages: what was
/// acknowledged is there, the rest is a beginning of what was written, and the
/// journal goes on.
#[test]
fn a_group_torn_in_any_way_is_cut_off() {
    let mut numbers = Numbers(13);
    let mut with_good_frames_behind = 0;
    for round in 0..40 {
        let Place { path, _dir } = place();
        let journal = Interrupted::new(&mut numbers, &path);
        // A group of an earlier attempt in the same place, which was torn, too.
        let last = journal.last();
        fs::write(&path, &journal.bytes[..last]).unwrap();
        let (mut earlier, _) = Journal::open(&path).unwrap();
        let group: Vec<Vec<u8>> = (0..30).map(|_| some_payload(&mut numbers)).collect();
        earlier.append(&group).unwrap();
        let before = fs::read(&path).unwrap();
        for image in 0..10 {
            let block = [512, 4096][image % 2];
            let image = journal.torn(&mut numbers, block, &before);
            fs::write(&path, &image).unwrap();
            let (mut opened, tail) = Journal::open(&path).unwrap_or_else(|error| {
                panic!("round {round}: what was not acknowledged is no damage: {error}")
            });
            let good = opened.length() as usize;
            // The end of the image is whole, and so are frames in it.
            let is_end_whole = image.len() == journal.bytes.len()
                && image[image.len() - 400..] == journal.bytes[image.len() - 400..];
            if matches!(tail, JournalTail::Torn(_)) && is_end_whole && good + 400 < image.len() {
                with_good_frames_behind += 1;
            }
            opened.append(&[b"one", b"two"]).unwrap();
            let (found, tail) = read(&path).unwrap();
            assert_eq!(tail, JournalTail::Clean);
            let kept = found.len() - 2;
            assert!(kept >= journal.acknowledged, "round {round}");
            // The beginning of the last group may be the earlier attempt's.
            let acknowledged = &journal.payloads[..journal.acknowledged];
            assert_eq!(found[..journal.acknowledged], *acknowledged);
            let rest = &found[journal.acknowledged..kept];
            assert!(
                journal.payloads[journal.acknowledged..].starts_with(rest)
                    || group.starts_with(rest),
                "round {round}"
            );
            assert_eq!(found[kept..], [b"one", b"two"]);
        }
    }
    assert!(with_good_frames_behind > 50, "{with_good_frames_behind}");
}

/// What was acknowledged is damage if it is bad, also where the bad bytes reach
/// into the last group or the last group is torn behind a good frame.
#[test]
fn bad_bytes_before_the_last_group_are_damage() {
    let mut numbers = Numbers(14);
    for round in 0..200 {
        let Place { path, _dir } = place();
        let journal = Interrupted::new(&mut numbers, &path);
        let last = journal.last();
        let mut image = journal.bytes.clone();
        let from = 16 + numbers.next(last as u64 - 16) as usize;
        // Some frames of the last group stay good.
        let room = image.len().saturating_sub(700).max(from + 1);
        let to = (from + 1 + numbers.next(5000) as usize).min(room);
        for byte in &mut image[from..to] {
            *byte ^= 1 + numbers.next(255) as u8;
        }
        fs::write(&path, &image).unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert!(error.contains("is damaged at byte "), "{round}: {error}");
        assert!(error.contains("what follows is good again from byte "));
        assert_eq!(fs::read(&path).unwrap(), image);
    }
}

/// A file that is written under another name is whole when it gets its own, so
/// any bad frame in it is damage.
#[test]
fn bad_bytes_in_a_rebuilt_journal_are_damage() {
    let (one, other) = (place(), place());
    let ends = write(&one.path);
    let mut rebuilt = Journal::create(&other.path).unwrap();
    rebuilt.append_unnamed(&payloads()).unwrap();
    let mut bytes = fs::read(&other.path).unwrap();
    assert_eq!(bytes, fs::read(&one.path).unwrap());
    bytes[ends[3] as usize] ^= 1;
    fs::write(&other.path, bytes).unwrap();
    assert!(matches!(
        read(&other.path).unwrap().1,
        JournalTail::Damaged(_)
    ));
}

/// The same entries as a file of version 1.
fn as_version_1(path: &Path) -> Vec<u8> {
    write(path);
    let mut bytes = fs::read(path).unwrap();
    bytes[..16].copy_from_slice(&crate::store::journal::header(1));
    fs::write(path, &bytes).unwrap();
    bytes
}

#[test]
fn a_journal_of_version_1_goes_on() {
    let Place { path, _dir } = place();
    let old = as_version_1(&path);
    assert_eq!(read(&path).unwrap(), (payloads(), JournalTail::Clean));
    // Nothing is known about its groups: good frames after a bad one are damage.
    let mut broken = old.clone();
    broken[20] ^= 1;
    fs::write(&path, &broken).unwrap();
    assert!(Journal::open(&path).is_err());
    fs::write(&path, &old).unwrap();

    let (mut journal, _) = Journal::open(&path).unwrap();
    // A single entry may be one that an earlier program does not know.
    journal.append(&[b"single"]).unwrap();
    let now = fs::read(&path).unwrap();
    assert_eq!(now[..16], crate::store::journal::header(JOURNAL_VERSION));
    journal.append(&[b"one", b"two"]).unwrap();
    let now = fs::read(&path).unwrap();
    assert_eq!(now[..16], crate::store::journal::header(JOURNAL_VERSION));
    assert_eq!(now[16..old.len()], old[16..]);
    let (found, tail) = read(&path).unwrap();
    assert_eq!((found.len(), tail), (9, JournalTail::Clean));
    assert_eq!(
        Journal::open(&path).unwrap().0.position(),
        journal.position()
    );
}

#[test]
fn frames_that_are_missing_or_swapped_are_damage() {
    let Place { path, _dir } = place();
    let ends: Vec<usize> = write(&path).iter().map(|&end| end as usize).collect();
    let whole = fs::read(&path).unwrap();
    let without = [&whole[..ends[1]], &whole[ends[2]..]].concat();
    let swapped = [
        &whole[..ends[1]],
        &whole[ends[2]..ends[3]],
        &whole[ends[1]..ends[2]],
        &whole[ends[3]..],
    ];
    for bytes in [without, swapped.concat()] {
        fs::write(&path, bytes).unwrap();
        let (found, tail) = read(&path).unwrap();
        assert_eq!(found.len(), 1);
        assert!(matches!(tail, JournalTail::Damaged(_)), "{tail:?}");
        let before = fs::read(&path).unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert!(error.contains("is damaged at byte "), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn other_files_are_refused() {
    let Place { path, _dir } = place();
    assert!(FrameReader::open(&path).unwrap_err().is_missing());
    for bytes in [&b""[..], b"LOATUNEJ", b"something else, and long enough"] {
        fs::write(&path, bytes).unwrap();
        let error = FrameReader::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("does not begin with the header of a journal"));
    }
}

/// A header that a later program may write.
pub(super) fn newer_header() -> Vec<u8> {
    let mut header = b"LOATUNEJ".to_vec();
    header.extend((JOURNAL_VERSION + 1).to_le_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    header
}

#[test]
fn a_newer_version_is_refused() {
    let Place { path, _dir } = place();
    fs::write(&path, newer_header()).unwrap();
    let error = FrameReader::open(&path).unwrap_err().to_string();
    assert!(
        error.contains("format version 3, this program knows 2"),
        "{error}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = Path::new("/dev/full");
    let position = JournalPosition {
        entries: 1,
        chain: 1,
    };
    let mut journal = Journal::open_at(full, 0, position).unwrap();
    let error = journal.append(&[b"entry"]).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot write /dev/full: No space left"),
        "{error}"
    );
    assert_eq!(journal.position(), position);
}
