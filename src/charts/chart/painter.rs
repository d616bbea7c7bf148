//! Draws a chart's panels with plotters: their places, axes, titles, legends and
//! series.

use std::error::Error;

use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::model::{Axis, Block, Panel, Picture, Series, Shape};
use super::theme::{Colours, Theme};

/// What the drawing backend reported. Its error types differ from backend to
/// backend, so only the text is kept.
#[derive(Debug)]
pub(super) struct DrawError(pub(super) String);

impl<E: Error> From<E> for DrawError {
    fn from(error: E) -> DrawError {
        DrawError(error.to_string())
    }
}

type DrawResult = Result<(), DrawError>;

/// Draws in the colours of a theme. Lengths are given in units, each `unit`
/// pixels wide.
pub(super) struct Painter {
    colours: Colours,
    unit: f64,
}

const FONT: &str = "sans-serif";

/// The least width of a small panel, in units.
const LEAST_WIDTH: i32 = 200;

impl Painter {
    pub(super) fn new(theme: Theme, unit: f64) -> Painter {
        Painter {
            colours: theme.colours(),
            unit,
        }
    }

    /// A length in pixels.
    fn px(&self, length: i32) -> i32 {
        (f64::from(length) * self.unit).round() as i32
    }

    /// A text style with so many units an em.
    fn text(&self, size: i32, colour: RGBColor) -> TextStyle<'static> {
        // Sizes of plotters are those of a line, not of an em.
        let line = 1.24 * f64::from(size) * self.unit;
        (FONT, line).into_font().color(&colour)
    }

    /// A line of a colour, with its width in tenths of a unit.
    fn stroke(&self, colour: RGBColor, tenths: i32) -> ShapeStyle {
        let width = (self.unit * f64::from(tenths) / 10.0).round().max(1.0);
        colour.stroke_width(width as u32)
    }

    /// Draws a picture onto an area.
    pub(super) fn picture<DB: DrawingBackend>(
        &self,
        picture: &Picture,
        area: &DrawingArea<DB, Shift>,
    ) -> DrawResult {
        area.fill(&self.colours.paper)?;
        let mut rest = area.margin(self.px(8), self.px(8), self.px(8), self.px(8));
        if !picture.title.is_empty() {
            let (head, below) = rest.split_vertically(self.px(30));
            self.title(&head, &picture.title, 18, self.px(4))?;
            rest = below;
        }
        let height = f64::from(rest.dim_in_pixel().1);
        for block in &picture.blocks {
            let (mine, below) = rest.split_vertically((height * block.share) as i32);
            self.block(block, &mine)?;
            rest = below;
        }
        Ok(())
    }

    fn block<DB: DrawingBackend>(
        &self,
        block: &Block,
        area: &DrawingArea<DB, Shift>,
    ) -> DrawResult {
        let mut area = area.clone();
        if let Some(shared) = &block.small {
            let (head, below) = area.split_vertically(self.px(52));
            self.title(&head, shared.title, 16, self.px(4))?;
            self.legend(&head, &shared.legend, (self.px(5), self.px(34)), 12)?;
            area = below;
        }
        let width = area.dim_in_pixel().0.cast_signed();
        let fits = (width / self.px(LEAST_WIDTH)).max(1) as usize;
        let columns = block.columns.min(fits);
        let rows = block.panels.len().div_ceil(columns);
        for (panel, place) in block.panels.iter().zip(area.split_evenly((rows, columns))) {
            self.panel(panel, block.small.is_some(), &place)?;
        }
        Ok(())
    }

    fn title<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        text: &str,
        size: i32,
        x: i32,
    ) -> DrawResult {
        let style = self.text(size, self.colours.ink);
        area.draw(&Text::new(text.to_owned(), (x, self.px(2)), style))?;
        Ok(())
    }

    /// Draws a row of coloured strokes with their labels.
    fn legend<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        rows: &[(&str, usize)],
        (mut x, y): (i32, i32),
        size: i32,
    ) -> DrawResult {
        let style = self.text(size, self.colours.ink);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        for &(label, colour) in rows {
            let stroke = self.stroke(self.colours.series[colour], 30);
            let from = x;
            x += self.px(18);
            area.draw(&PathElement::new(vec![(from, y), (x, y)], stroke))?;
            x += self.px(6);
            area.draw(&Text::new(label.to_owned(), (x, y), style.clone()))?;
            let (width, _) = area.estimate_text_size(label, &style)?;
            x += width.cast_signed() + self.px(18);
        }
        Ok(())
    }

    fn panel<DB: DrawingBackend>(
        &self,
        panel: &Panel,
        is_small: bool,
        area: &DrawingArea<DB, Shift>,
    ) -> DrawResult {
        let (head, title_size, label_size, left, bottom) = if is_small {
            (20, 13, 11, 44, 22)
        } else {
            (46, 16, 12, 64, 42)
        };
        let below = if is_small { 6 } else { 12 };
        let area = area.margin(self.px(2), self.px(below), self.px(4), self.px(10));
        let (top, body) = area.split_vertically(self.px(head));
        let title_x = self.px(if is_small { left } else { 4 });
        self.title(&top, &panel.title, title_size, title_x)?;
        if !is_small {
            let rows: Vec<_> = panel
                .series
                .iter()
                .filter(|one| !one.label.is_empty())
                .map(|one| (one.label.as_str(), one.colour))
                .collect();
            self.legend(&top, &rows, (self.px(5), self.px(32)), 12)?;
        }

        let (width, height) = body.dim_in_pixel();
        let room = |pixels: u32, each: i32| (pixels.cast_signed() / self.px(each)).clamp(2, 12);
        let mut chart = ChartBuilder::on(&body)
            .margin_top(self.px(6))
            .margin_right(self.px(14))
            .x_label_area_size(self.px(bottom))
            .y_label_area_size(self.px(left))
            .build_cartesian_2d(panel.x.clone(), panel.y.clone())?;
        let labels = self.text(label_size, self.colours.ink);
        let mut mesh = chart.configure_mesh();
        let y_text = {
            let span = panel.y.end - panel.y.start;
            move |value: &f64| plain(*value, span)
        };
        let x_text = |value: &f64| x_label(&panel.x_axis, *value);
        let x_labels = match &panel.x_axis {
            Axis::Games => room(width, if is_small { 64 } else { 80 }) as usize,
            // Ticks at whole and half places: those between two names stay empty.
            Axis::Names { names, .. } => 2 * names.len() + 1,
        };
        mesh.label_style(labels.clone())
            .axis_desc_style(labels)
            .axis_style(self.stroke(self.colours.axis, 10))
            .bold_line_style(self.stroke(self.colours.grid, 10))
            .light_line_style(self.colours.paper)
            .max_light_lines(0)
            .set_all_tick_mark_size(self.px(5))
            .x_labels(x_labels)
            .y_labels(room(height, if is_small { 28 } else { 34 }) as usize)
            .x_label_formatter(&x_text)
            .y_label_formatter(&y_text);
        if !is_small {
            mesh.x_desc(panel.x_axis.title()).y_desc(panel.unit);
        }
        mesh.draw()?;

        let plot = chart.plotting_area();
        if panel.y.start < 0.0 && panel.y.end > 0.0 {
            let zero = vec![(panel.x.start, 0.0), (panel.x.end, 0.0)];
            plot.draw(&PathElement::new(zero, self.stroke(self.colours.axis, 10)))?;
        }
        // Moments and bands come first, so that they hide neither lines nor marks.
        for series in &panel.series {
            if let Shape::Moments(games) = &series.shape {
                let stroke = self.stroke(self.colours.series[series.colour], 10);
                for &x in games {
                    let path = vec![(x, panel.y.start), (x, panel.y.end)];
                    plot.draw(&PathElement::new(path, stroke))?;
                }
            }
            if let Shape::Band(points) = &series.shape {
                let hold = |value: f64| value.clamp(panel.y.start, panel.y.end);
                let upper = points
                    .iter()
                    .map(|&(x, mean, spread)| (x, hold(mean + spread)));
                let lower = points
                    .iter()
                    .map(|&(x, mean, spread)| (x, hold(mean - spread)));
                let outline: Vec<_> = upper.chain(lower.rev()).collect();
                if points.len() > 1 {
                    let colour = self.colours.series[series.colour].mix(0.22);
                    plot.draw(&Polygon::new(outline, colour))?;
                }
            }
        }
        for series in &panel.series {
            self.series(series, panel, plot)?;
        }
        if let Some(note) = panel.note {
            let style = self.text(label_size + 1, self.colours.axis);
            let style = style.pos(Pos::new(HPos::Center, VPos::Center));
            let middle = |range: &std::ops::Range<f64>| (range.start + range.end) / 2.0;
            plot.draw(&Text::new(
                note,
                (middle(&panel.x), middle(&panel.y)),
                style,
            ))?;
        }
        Ok(())
    }

    fn series<DB: DrawingBackend, X>(
        &self,
        series: &Series,
        panel: &Panel,
        plot: &DrawingArea<DB, X>,
    ) -> DrawResult
    where
        X: plotters::coord::CoordTranslate<From = (f64, f64)>,
    {
        let colour = self.colours.series[series.colour];
        let stroke = self.stroke(colour, 20);
        let dot = |point: (f64, f64)| Circle::new(point, self.px(4), colour.filled());
        let hold = |value: f64| value.clamp(panel.y.start, panel.y.end);
        match &series.shape {
            Shape::Line(points) => match points[..] {
                [] => {}
                [(x, y)] => plot.draw(&dot((x, hold(y))))?,
                _ => {
                    let points: Vec<_> = points.iter().map(|&(x, y)| (x, hold(y))).collect();
                    plot.draw(&PathElement::new(points, stroke))?;
                }
            },
            Shape::Band(points) => match points[..] {
                [] => {}
                [(x, mean, _)] => plot.draw(&dot((x, hold(mean))))?,
                _ => {
                    let points = points.iter().map(|&(x, mean, _)| (x, hold(mean)));
                    plot.draw(&PathElement::new(points.collect::<Vec<_>>(), stroke))?;
                }
            },
            Shape::Marks(marks) => {
                let cap = (panel.x.end - panel.x.start) / 150.0;
                for &(x, value, error) in marks {
                    if let Some(error) = error {
                        let (low, high) = (value - error, value + error);
                        for path in [
                            vec![(x, low), (x, high)],
                            vec![(x - cap, low), (x + cap, low)],
                            vec![(x - cap, high), (x + cap, high)],
                        ] {
                            plot.draw(&PathElement::new(path, self.stroke(colour, 15)))?;
                        }
                    }
                    plot.draw(&dot((x, value)))?;
                }
            }
            Shape::Moments(_) => {}
        }
        Ok(())
    }
}

/// The text below a place of the horizontal axis.
fn x_label(axis: &Axis, value: f64) -> String {
    match axis {
        Axis::Games => counted(value),
        Axis::Names { names, .. } => {
            let place = value.round();
            let is_whole = (value - place).abs() < 0.01 && place >= 0.0;
            let name = is_whole.then(|| names.get(place as usize)).flatten();
            name.cloned().unwrap_or_default()
        }
    }
}

/// A number of games as axes show it: `500`, `50k`, `1.5M`.
fn counted(games: f64) -> String {
    let short = |number: f64, unit: &str| {
        let text = format!("{number:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}{unit}")
    };
    match games {
        _ if games >= 999_999.5 => short(games / 1e6, "M"),
        _ if games >= 1000.0 => short(games / 1e3, "k"),
        _ => short(games, ""),
    }
}

/// A value with the digits that an axis of this span needs.
fn plain(value: f64, span: f64) -> String {
    let digits = match span {
        _ if span >= 20.0 => 0,
        _ if span >= 2.0 => 1,
        _ => 2,
    };
    format!("{:.digits$}", value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        let cases = [
            (0.0, "0"),
            (500.0, "500"),
            (50_000.0, "50k"),
            (1.5e6, "1.5M"),
        ];
        for (games, text) in cases {
            assert_eq!(counted(games), text);
        }
        assert_eq!(counted(2500.0), "2.5k");
        assert_eq!(plain(-0.0, 1.0), "0.00");
        assert_eq!(plain(150.0, 300.0), "150");
        assert_eq!(plain(1.5, 2.5), "1.5");
    }
}
