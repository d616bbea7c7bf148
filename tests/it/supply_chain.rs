//! Where the code of others comes from: the lock file, the reasons in
//! `docs/decisions.md` and the rules of `deny.toml` agree with what the manifest
//! asks for.

use std::collections::BTreeSet;

use toml::{Table, Value};

const DECISIONS: &str = include_str!("../../docs/decisions.md");

fn table(text: &str) -> Table {
    text.parse().unwrap()
}

fn manifest() -> Table {
    table(include_str!("../../Cargo.toml"))
}

fn packages() -> Vec<Table> {
    let lock = table(include_str!("../../Cargo.lock"));
    let packages = lock["package"].as_array().unwrap().iter();
    packages
        .map(|package| package.as_table().unwrap().clone())
        .collect()
}

fn text<'a>(package: &'a Table, key: &str) -> Option<&'a str> {
    package.get(key).and_then(Value::as_str)
}

/// The names and reasons of the table after `heading`.
fn explained(heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, rest) = DECISIONS.split_once(heading).unwrap();
    let rows = rest.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        (cells.next().unwrap(), cells.next().unwrap())
    })
    .collect()
}

/// Everything comes from one registry, with a checksum.
#[test]
fn the_lock_file_names_sources_and_checksums() {
    let packages = packages();
    assert!(packages.len() > 100);
    let mut sources = BTreeSet::new();
    for package in packages {
        let name = text(&package, "name").unwrap();
        if name == "loatune" {
            assert_eq!(text(&package, "source"), None);
            continue;
        }
        assert_eq!(text(&package, "checksum").unwrap().len(), 64, "{name}");
        sources.insert(text(&package, "source").unwrap().to_owned());
    }
    let sources: Vec<String> = sources.into_iter().collect();
    assert!(
        matches!(&*sources, [only] if only.starts_with("registry+") && only.contains("crates.io")),
        "{sources:?}"
    );
}

#[test]
fn every_crate_has_its_reason() {
    let manifest = manifest();
    let names = |key: &str| -> BTreeSet<String> {
        let table = manifest[key].as_table().unwrap();
        table.keys().cloned().collect()
    };
    let direct = names("dependencies");
    // What the program needs too has its reason there.
    let for_tests = &names("dev-dependencies") - &direct;
    for (heading, expected) in [
        ("## Dependencies\n", direct),
        ("For tests and benchmarks only:\n", for_tests),
    ] {
        let rows = explained(heading);
        let named: BTreeSet<String> = rows.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(named, expected, "the table after {heading:?}");
        assert_eq!(named.len(), rows.len(), "no crate twice");
        for (name, reason) in rows {
            assert!(reason.len() > 5, "{name} has no reason");
        }
    }
}

/// What is ignored is still there, and says why.
#[test]
fn every_ignored_advisory_is_about_a_crate_in_use() {
    let rules = table(include_str!("../../deny.toml"));
    let packages = packages();
    let ignored = rules["advisories"]["ignore"].as_array().unwrap();
    for advisory in ignored {
        let id = advisory["id"].as_str().unwrap();
        assert!(id.starts_with("RUSTSEC-"), "{id}");
        let reason = advisory["reason"].as_str().unwrap();
        let (name, _) = reason.split_once(',').unwrap();
        let is_used = |package: &Table| text(package, "name") == Some(name);
        assert!(packages.iter().any(is_used), "{id}: {name} is gone");
    }
    for section in ["unknown-registry", "unknown-git"] {
        assert_eq!(rules["sources"][section].as_str(), Some("deny"));
    }
    assert!(!rules["licenses"]["allow"].as_array().unwrap().is_empty());
}
