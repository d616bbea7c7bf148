//! The tables and pictures of the comparison of methods are those of its raw
//! results: `cargo bench --bench ablation -- --report` made them.

use std::fs;
use std::path::Path;

use super::markdown::{ROOT, read};

#[allow(dead_code)]
#[path = "../../../benches/ablation/report/mod.rs"]
mod report;

use report::document::{self, DOCUMENT, RESULTS, VARIANTS};
use report::file::read_judged;
use report::picture;
use report::summary::Summary;

#[test]
fn tables_and_pictures_are_those_of_the_raw_results() {
    let mut judged = Vec::new();
    for file in [VARIANTS, RESULTS] {
        judged.extend(read_judged(&Path::new(ROOT).join(file)).unwrap());
    }
    let summary = Summary::new(&judged);
    assert!(summary.panel.len() >= 5, "{:?}", summary.panel);
    let text = read(DOCUMENT);
    let hint = "cargo bench --bench ablation -- --report";
    for (name, table) in document::tables(&summary) {
        let made = document::with_table(&text, name, &table).unwrap();
        assert_eq!(made, text, "{DOCUMENT}, {name}: {hint}");
    }
    for depth in summary.depths() {
        let path = document::picture_path(depth);
        let there = fs::read_to_string(Path::new(ROOT).join(&path));
        let made = picture::svg(&summary, depth).unwrap();
        assert!(there.unwrap() == made, "{path}: {hint}");
        assert!(text.contains(path.strip_prefix("docs/").unwrap()), "{path}");
    }
}
