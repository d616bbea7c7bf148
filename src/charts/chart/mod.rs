//! Pictures of a history: SVG for pages, PNG for everything else.
//!
//! What a chart shows is put together first, as plain numbers (`content`);
//! then any number of panels is laid out and drawn (`panel`), the same for
//! both formats. Text is measured with a small font that is built in, so that
//! no font needs to be installed.

mod content;
mod panel;
mod theme;

use std::io;
use std::sync::OnceLock;

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters::style::{FontStyle, register_font};

pub use theme::Theme;

use super::History;
use panel::{Broken, Pen};

/// What a chart shows, by the number of games played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chart {
    /// Files that live, against the capacity.
    Population,
    /// Births and deaths.
    Turnover,
    /// The best and the mean of the points.
    Points,
    /// Every gene's mean and spread, a panel each.
    Genes,
    /// The hall's files against the default weights.
    Strength,
    /// All of them.
    All,
}

impl Chart {
    /// Every chart.
    pub const ALL: [Chart; 6] = [
        Chart::Population,
        Chart::Turnover,
        Chart::Points,
        Chart::Strength,
        Chart::Genes,
        Chart::All,
    ];

    /// What it shows, for people.
    pub const fn title(self) -> &'static str {
        match self {
            Chart::Population => "Population and capacity",
            Chart::Turnover => "Births and deaths",
            Chart::Points => "Points",
            Chart::Genes => "Genes",
            Chart::Strength => "Strength against the default weights",
            Chart::All => "The whole run",
        }
    }

    /// Its name in addresses and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Chart::Population => "population",
            Chart::Turnover => "turnover",
            Chart::Points => "points",
            Chart::Genes => "genes",
            Chart::Strength => "strength",
            Chart::All => "all",
        }
    }

    /// A size that suits it.
    pub const fn default_size(self) -> Size {
        match self {
            Chart::Genes => Size::new(960, 640),
            Chart::All => Size::new(1100, 1320),
            _ => Size::new(720, 360),
        }
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// A size; what is too small for a chart or too large for a picture is
    /// brought to what can be drawn.
    pub const fn new(width: u32, height: u32) -> Size {
        const fn between(number: u32, least: u32) -> u32 {
            const MOST: u32 = 8000;
            if number < least {
                least
            } else if number > MOST {
                MOST
            } else {
                number
            }
        }
        Size {
            width: between(width, 320),
            height: between(height, 200),
        }
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// It cannot be drawn.
    #[error("cannot draw the chart: {0}")]
    Draw(String),
    /// It cannot be packed into a file.
    #[error("cannot encode the chart as PNG")]
    Encode(#[from] png::EncodingError),
    /// There is no memory or no place for it.
    #[error("cannot encode the chart as PNG")]
    Write(#[from] io::Error),
}

/// The chart as SVG, with a title and a description for screen readers.
pub fn chart_svg(
    kind: Chart,
    history: &History,
    theme: Theme,
    size: Size,
) -> Result<String, ChartError> {
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, (size.width, size.height));
    draw(
        kind,
        history,
        &Pen::new(theme, 1.0),
        &backend.into_drawing_area(),
    )?;
    let (title, description) = content::words(kind, history);
    let name = kind.name();
    let opening =
        format!("<svg role=\"img\" aria-labelledby=\"chart-{name}-title chart-{name}-desc\" ");
    let words = format!(
        ">\n<title id=\"chart-{name}-title\">{}</title>\n<desc id=\"chart-{name}-desc\">{}</desc>\n",
        escaped(&title),
        escaped(&description)
    );
    Ok(text
        .replacen("<svg ", &opening, 1)
        .replacen(">\n", &words, 1))
}

/// The chart as PNG, with two pixels, each way, for one of the size.
pub fn chart_png(
    kind: Chart,
    history: &History,
    theme: Theme,
    size: Size,
) -> Result<Vec<u8>, ChartError> {
    const PIXELS: u32 = 2;
    let (width, height) = (PIXELS * size.width, PIXELS * size.height);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    let backend = BitMapBackend::with_buffer(&mut pixels, (width, height));
    let pen = Pen::new(theme, f64::from(PIXELS));
    draw(kind, history, &pen, &backend.into_drawing_area())?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

fn draw<DB: DrawingBackend>(
    kind: Chart,
    history: &History,
    pen: &Pen,
    area: &DrawingArea<DB, Shift>,
) -> Result<(), ChartError> {
    font()?;
    pen.picture(&content::picture(kind, history), area)
        .and_then(|()| Ok(area.present()?))
        .map_err(|Broken(what)| ChartError::Draw(what))
}

/// Makes the built-in font known, once.
fn font() -> Result<(), ChartError> {
    static FONT: &[u8] = include_bytes!("../font/DejaVuSans-Latin.ttf");
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let is_known =
        KNOWN.get_or_init(|| register_font("sans-serif", FontStyle::Normal, FONT).is_ok());
    match is_known {
        true => Ok(()),
        false => Err(ChartError::Draw(String::from(
            "the built-in font is broken",
        ))),
    }
}

/// Text between tags.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use roxmltree::Document;

    use super::*;
    use crate::charts::tests::made_up;
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
    fn a_line_a_series() {
        let history = made_up(300, 1);
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
    fn a_panel_a_gene() {
        for (phases, second) in [(1, TABLE.len()), (2, 8)] {
            let text = svg(Chart::Genes, &made_up(50, phases));
            assert_eq!(count(&text, "polyline", Some(FIRST)), TABLE.len() + 1);
            assert_eq!(count(&text, "polyline", Some(SECOND)), second + 1);
            let bands = if phases == 1 {
                TABLE.len()
            } else {
                TABLE.len() + 8
            };
            assert_eq!(count(&text, "polygon", None), bands);
            let texts = texts(&text);
            for gene in &TABLE {
                assert_eq!(texts.iter().filter(|text| *text == gene.name).count(), 1);
            }
        }
    }

    #[test]
    fn strengths_have_their_errors() {
        let text = svg(Chart::Strength, &made_up(50, 1));
        assert_eq!(count(&text, "circle", None), 9);
        // Three strokes an error, one in the legend.
        assert_eq!(count(&text, "polyline", Some(FIRST)), 8 * 3 + 1);
        assert!(
            text.contains("± 45.0 Elo from the default weights"),
            "{text}"
        );
    }

    #[test]
    fn all_of_it_is_in_one_picture() {
        let history = made_up(50, 1);
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
    fn screen_readers_are_told() {
        for kind in Chart::ALL {
            let text = svg(kind, &made_up(20, 1));
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
    fn whatever_there_is_can_be_drawn() {
        let mut broken = made_up(5, 1);
        broken.name = String::from("a\u{1}\nb]]>\u{fffe}");
        broken.budget = 0;
        broken.samples[2].best_points = f64::NAN;
        broken.samples[3].gene_means = vec![f32::INFINITY; 22];
        broken.samples[4].gene_spreads.clear();
        broken.strengths[4].elo = Some(f64::INFINITY);
        let backwards = {
            let mut history = made_up(5, 2);
            history.samples.reverse();
            history.genome.bounds = [[3, 3]; TABLE.len()];
            history
        };
        let histories = [
            made_up(0, 1),
            made_up(1, 2),
            made_up(2, 1),
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
        assert!(svg(Chart::Points, &made_up(0, 1)).contains("nothing recorded yet"));
    }

    #[test]
    fn the_same_history_is_the_same_picture() {
        let history = made_up(30, 1);
        for kind in Chart::ALL {
            assert_eq!(svg(kind, &history), svg(kind, &history));
        }
        let dark = chart_svg(Chart::Points, &history, Theme::Dark, Size::new(500, 300)).unwrap();
        assert!(!dark.contains("#FFFFFF"), "{dark}");
    }

    #[test]
    fn png_has_the_size_and_something_on_it() {
        let size = Size::new(400, 300);
        let file = chart_png(Chart::Points, &made_up(30, 1), Theme::Light, size).unwrap();
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
}
