//! Pictures of a history: SVG for pages, PNG for everything else.
//!
//! What a chart shows is put together first, as plain numbers; then the panels
//! are laid out and drawn, in the same way for both formats. Text is measured
//! with a small font that is built in, so that no font needs to be installed.
//!
//! | file | purpose |
//! |---|---|
//! | `kind` | the charts that there are |
//! | `model` | a chart as plain numbers: panels, axes, series |
//! | `content` | the history as such a model |
//! | `points` | scores of the points of an experiment as such a model |
//! | `describe` | the words for those who cannot see a chart |
//! | `painter` | draws a model with plotters |
//! | `theme` | colours |

mod content;
mod describe;
mod kind;
mod model;
mod painter;
mod points;
mod theme;

use std::io;
use std::sync::OnceLock;

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters::style::{FontStyle, register_font};

pub use kind::{Chart, Size};
pub use points::{PointChart, PointSeries, PointUnit};
pub use theme::{SERIES, Theme};

use super::History;
use model::Picture;
use painter::{DrawError, Painter};

/// Why a chart could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The chart cannot be drawn.
    #[error("cannot draw the chart: {0}")]
    Draw(String),
    /// The pixels cannot be encoded as PNG.
    #[error("cannot encode the chart as PNG")]
    Encode(#[from] png::EncodingError),
    /// The encoded picture cannot be written.
    #[error("cannot encode the chart as PNG")]
    Write(#[from] io::Error),
}

/// A chart as SVG, with a title and a description for screen readers.
///
/// # Errors
///
/// [`ChartError::Draw`] where plotters cannot draw it.
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
        &Painter::new(theme, 1.0),
        &backend.into_drawing_area(),
    )?;
    let (title, description) = describe::describe(kind, history);
    Ok(with_words(&text, kind.name(), &title, &description))
}

/// The points of an experiment as SVG, with a title and a description.
///
/// # Errors
///
/// [`ChartError::Draw`] where plotters cannot draw it.
pub fn points_svg(chart: &PointChart, theme: Theme, size: Size) -> Result<String, ChartError> {
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, (size.width, size.height));
    let area = backend.into_drawing_area();
    draw_picture(&points::picture(chart), &Painter::new(theme, 1.0), &area)?;
    drop(area);
    let (title, description) = points::describe(chart);
    Ok(with_words(&text, "points", &title, &description))
}

/// An SVG with the words for those who cannot see it.
fn with_words(text: &str, name: &str, title: &str, description: &str) -> String {
    let opening =
        format!("<svg role=\"img\" aria-labelledby=\"chart-{name}-title chart-{name}-desc\" ");
    let caption = format!(
        ">\n<title id=\"chart-{name}-title\">{}</title>\n<desc id=\"chart-{name}-desc\">{}</desc>\n",
        escaped(title),
        escaped(description)
    );
    text.replacen("<svg ", &opening, 1)
        .replacen(">\n", &caption, 1)
}

/// A chart as PNG, with two pixels in each direction for one of the size.
///
/// # Errors
///
/// [`ChartError`] where plotters cannot draw it, or where it cannot be encoded.
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
    let painter = Painter::new(theme, f64::from(PIXELS));
    draw(kind, history, &painter, &backend.into_drawing_area())?;
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
    painter: &Painter,
    area: &DrawingArea<DB, Shift>,
) -> Result<(), ChartError> {
    draw_picture(&content::picture(kind, history), painter, area)
}

fn draw_picture<DB: DrawingBackend>(
    picture: &Picture,
    painter: &Painter,
    area: &DrawingArea<DB, Shift>,
) -> Result<(), ChartError> {
    register_built_in_font()?;
    painter
        .picture(picture, area)
        .and_then(|()| Ok(area.present()?))
        .map_err(|DrawError(what)| ChartError::Draw(what))
}

/// Makes the built-in font known to plotters, once.
fn register_built_in_font() -> Result<(), ChartError> {
    static FONT: &[u8] = include_bytes!("../font/DejaVuSans-Latin.ttf");
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let is_known =
        KNOWN.get_or_init(|| register_font("sans-serif", FontStyle::Normal, FONT).is_ok());
    if *is_known {
        Ok(())
    } else {
        Err(ChartError::Draw(String::from(
            "the built-in font is broken",
        )))
    }
}

/// A text that may stand between tags.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
