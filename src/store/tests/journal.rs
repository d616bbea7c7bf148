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
fn read(path: &Path) -> Result<(Vec<Vec<u8>>, JournalTail), JournalError> {
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
fn a_group_has_the_same_bytes_as_single_entries() {
    let (one, other) = (place(), place());
    write(&one.path);
    let mut journal = Journal::create(&other.path).unwrap();
    journal.append(&payloads()).unwrap();
    assert_eq!(fs::read(&one.path).unwrap(), fs::read(&other.path).unwrap());
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
        journal.append(&payloads()[left..]).unwrap();
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
        error.contains("format version 2, this program knows 1"),
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
