//! Inputs: arbitrary bytes, and good ones that were changed.

use proptest::collection::vec;
use proptest::prelude::*;

/// One change. Places are shares of the length, so that every length has them.
#[derive(Clone, Debug)]
enum Change {
    Flip(f64, u8),
    Replace(f64, u8),
    Insert(f64, Vec<u8>),
    Remove(f64, usize),
    Repeat(f64, usize, usize),
    Cut(f64),
    /// The end of another seed after the beginning of this one.
    Splice(f64, usize, f64),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0.0..1.0f64;
    prop_oneof![
        3 => (at(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        3 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte)),
        2 => (at(), vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        3 => (at(), token()).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (at(), 1..40usize).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (at(), 1..40usize, 1..50usize).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        1 => at().prop_map(Change::Cut),
        1 => (at(), any::<usize>(), at()).prop_map(|(at, other, from)| Change::Splice(at, other, from)),
    ]
}

/// What parsers stumble over.
fn token() -> impl Strategy<Value = Vec<u8>> {
    let tokens: &[&str] = &[
        "\n",
        "\r\n",
        "\0",
        "\u{feff}",
        "\u{202e}",
        "é",
        "[",
        "]",
        "[[",
        "(",
        ")",
        "{",
        "}",
        ";",
        "\"",
        "\"\"\"",
        "'",
        "\\",
        "\\u0000",
        "=",
        ",",
        ".",
        "/",
        "@",
        ":",
        "-",
        "..",
        "#",
        "//",
        "nan",
        "inf",
        "-inf",
        "-0",
        "1e400",
        "-1",
        "0",
        "9223372036854775808",
        "18446744073709551616",
        "0x10",
        "1_0",
        "true",
        "null",
        "x",
        "o",
        "pass",
        "resign",
        "a1-a1",
        "startpos",
        "moves",
        "random:",
        "ugi:",
        "\u{1b}[31m",
        "%00",
        "&",
        "?",
        "+",
    ];
    prop::sample::select(tokens).prop_map(|token| token.as_bytes().to_vec())
}

fn apply(mut bytes: Vec<u8>, change: &Change, seeds: &[&[u8]]) -> Vec<u8> {
    let place = |share: f64, length: usize| ((share * length as f64) as usize).min(length);
    let length = bytes.len();
    match change {
        Change::Flip(at, bit) => {
            if let Some(byte) = bytes.get_mut(place(*at, length)) {
                *byte ^= 1 << bit;
            }
        }
        Change::Replace(at, new) => {
            if let Some(byte) = bytes.get_mut(place(*at, length)) {
                *byte = *new;
            }
        }
        Change::Insert(at, new) => {
            let at = place(*at, length);
            bytes.splice(at..at, new.iter().copied());
        }
        Change::Remove(at, count) => {
            let at = place(*at, length);
            bytes.drain(at..(at + count).min(length));
        }
        Change::Repeat(at, count, times) => {
            let at = place(*at, length);
            let part = bytes[at..(at + count).min(length)].repeat(*times);
            bytes.splice(at..at, part);
        }
        Change::Cut(at) => bytes.truncate(place(*at, length)),
        Change::Splice(at, other, from) => {
            let other = seeds[other % seeds.len()];
            bytes.truncate(place(*at, length));
            bytes.extend_from_slice(&other[place(*from, other.len())..]);
        }
    }
    bytes
}

/// Arbitrary bytes now and then, else a seed with some changes.
pub fn bytes(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changes = (any::<prop::sample::Index>(), vec(change(), 1..8));
    let mutated = changes.prop_map(move |(seed, changes)| {
        let all: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
        let seed = seeds[seed.index(seeds.len())].clone();
        let change = |bytes, change: &Change| apply(bytes, change, &all);
        changes.iter().fold(seed, change)
    });
    prop_oneof![1 => vec(any::<u8>(), 0..300), 4 => mutated]
}

/// The same as text: what is no UTF-8 shows as it does where lines are read.
pub fn text(seeds: &[&str]) -> impl Strategy<Value = String> + use<> {
    let seeds = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    bytes(seeds).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
