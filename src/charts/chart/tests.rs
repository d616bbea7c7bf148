//! Charts are read back as XML and as pixels.

use roxmltree::Document;

use super::*;
use crate::charts::tests::{history_with_events, sample_history};
use crate::eval::features::FEATURES;
use crate::eval::genes::TABLE;

fn svg(kind: Chart, history: &History) -> String {
    chart_svg(kind, history, Theme::Light, kind.default_size()).unwrap()
}

/// Elements with this tag and, where given, a colour of their line.
fn count(text: &str, tag: &str, stroke: Option<&str>) -> usize {
    let document = Document::parse(text).unwrap();
    let wanted = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name(("http://www.w3.org/2000/svg", tag))
            && stroke.is_none_or(|colour| node.attribute("stroke") == Some(colour))
    };
    document.descendants().filter(wanted).count()
}

/// The colours of the first and the second series on light paper.
const FIRST: &str = "#0072B2";
const SECOND: &str = "#D55E00";

fn texts(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap();
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned())
        .collect()
}

#[test]
fn every_series_has_a_line() {
    let history = sample_history(300, 1);
    for (kind, title, unit) in [
        (Chart::Population, "Population", "files"),
        (
            Chart::Turnover,
            "Births and deaths",
            "files per 1,000 games",
        ),
        (Chart::Points, "Points", "points"),
    ] {
        let text = svg(kind, &history);
        for colour in [FIRST, SECOND] {
            // The line, and the stroke in the legend.
            let lines = count(&text, "polyline", Some(colour));
            assert_eq!(lines, 2, "{title}");
        }
        let texts = texts(&text);
        for wanted in [title, unit, "games played", "0", "100k"] {
            assert!(
                texts.iter().any(|text| text == wanted),
                "{wanted}: {texts:?}"
            );
        }
    }
}

#[test]
fn every_gene_has_a_panel() {
    for (phases, second) in [(1, TABLE.len()), (2, FEATURES)] {
        let text = svg(Chart::Genes, &sample_history(50, phases));
        assert_eq!(count(&text, "polyline", Some(FIRST)), TABLE.len() + 1);
        assert_eq!(count(&text, "polyline", Some(SECOND)), second + 1);
        let bands = if phases == 1 {
            TABLE.len()
        } else {
            TABLE.len() + FEATURES
        };
        assert_eq!(count(&text, "polygon", None), bands);
        let texts = texts(&text);
        for gene in &TABLE {
            assert_eq!(texts.iter().filter(|text| *text == gene.name).count(), 1);
        }
    }
}

#[test]
fn strengths_have_error_bars() {
    let text = svg(Chart::Strength, &sample_history(50, 1));
    assert_eq!(count(&text, "circle", None), 9);
    // Three strokes an error, one in the legend.
    assert_eq!(count(&text, "polyline", Some(FIRST)), 8 * 3 + 1);
    assert!(
        text.contains("± 45.0 Elo from the reference weights"),
        "{text}"
    );
}

#[test]
fn scholars_and_extensions_are_marked() {
    let text = svg(Chart::Strength, &history_with_events(50));
    let said = texts(&text);
    for (colour, label) in [
        (SECOND, "scholar won"),
        ("#009E73", "other scholar"),
        ("#CC79A7", "extended"),
    ] {
        // The upright line, and the stroke in the legend.
        assert_eq!(count(&text, "polyline", Some(colour)), 2, "{label}");
        assert!(said.iter().any(|text| text == label), "{label}");
    }
    let told = "2 scholars were learned, 1 won its challenge. Taken further after 100000 games.";
    assert!(text.contains(told), "{text}");
    let without = svg(Chart::Strength, &sample_history(50, 1));
    assert!(!without.contains("scholar"), "{without}");
}

#[test]
fn all_of_it_is_in_one_picture() {
    let history = sample_history(50, 1);
    let all = texts(&svg(Chart::All, &history));
    for title in [
        "Population",
        "Points",
        "euler",
        "mobility_centre",
        "Births and deaths",
    ] {
        assert!(all.iter().any(|text| text == title), "{title}");
    }
}

#[test]
fn screen_readers_get_title_and_description() {
    for kind in Chart::ALL {
        let text = svg(kind, &sample_history(20, 1));
        let document = Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let ids = root.attribute("aria-labelledby").unwrap();
        for id in ids.split(' ') {
            let told = root
                .children()
                .find(|node| node.attribute("id") == Some(id));
            assert!(told.unwrap().text().unwrap().len() > 20, "{id}");
        }
        let title = root.children().find(|node| node.has_tag_name("title"));
        let title = title.unwrap().text().unwrap().to_owned();
        assert!(title.starts_with("made <up> & \"quoted\": "), "{title}");
    }
}

#[test]
fn broken_histories_can_be_drawn() {
    let mut broken = sample_history(5, 1);
    broken.name = String::from("a\u{1}\nb]]>\u{fffe}");
    broken.budget = 0;
    broken.samples[2].best_points = f64::NAN;
    broken.samples[3].gene_means = vec![f32::INFINITY; 22];
    broken.samples[4].gene_spreads.clear();
    broken.strengths[4].elo = Some(f64::INFINITY);
    let backwards = {
        let mut history = sample_history(5, 2);
        history.samples.reverse();
        history.genome.bounds = vec![[3, 3]; TABLE.len()];
        history
    };
    let histories = [
        sample_history(0, 1),
        sample_history(1, 2),
        sample_history(2, 1),
        broken,
        backwards,
    ];
    for history in &histories {
        for kind in Chart::ALL {
            for (theme, size) in [
                (Theme::Light, Size::new(0, 0)),
                (Theme::Dark, kind.default_size()),
                (Theme::Dark, Size::new(330, 3000)),
            ] {
                let text = chart_svg(kind, history, theme, size).unwrap();
                assert!(Document::parse(&text).is_ok(), "{text}");
                assert!(!text.contains("NaN") && !text.contains("inf,"), "{text}");
            }
        }
    }
    assert!(svg(Chart::Points, &sample_history(0, 1)).contains("nothing recorded yet"));
}

#[test]
fn the_same_history_is_the_same_picture() {
    let history = sample_history(30, 1);
    for kind in Chart::ALL {
        assert_eq!(svg(kind, &history), svg(kind, &history));
    }
    let dark = chart_svg(Chart::Points, &history, Theme::Dark, Size::new(500, 300)).unwrap();
    assert!(!dark.contains("#FFFFFF"), "{dark}");
}

#[test]
fn png_has_the_size_and_something_on_it() {
    let size = Size::new(400, 300);
    let file = chart_png(Chart::Points, &sample_history(30, 1), Theme::Light, size).unwrap();
    let mut reader = png::Decoder::new(io::Cursor::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (800, 600));
    let blue = pixels
        .chunks(3)
        .filter(|pixel| *pixel == [0, 114, 178])
        .count();
    assert!(blue > 300, "{blue}");
    let paper = pixels
        .chunks(3)
        .filter(|pixel| *pixel == [255, 255, 255])
        .count();
    assert!(paper > 300_000, "{paper}");
}
