//! A chart as plain numbers: panels with their axes and series. Knows neither
//! the history nor how anything is drawn.

use std::ops::Range;

/// A number of games played, and a value.
pub(super) type Point = (f64, f64);

/// A picture: rows of panels, from top to bottom.
pub(super) struct Picture {
    /// The title above all panels; may be empty.
    pub(super) title: String,
    /// The blocks, from top to bottom.
    pub(super) blocks: Vec<Block>,
}

/// A grid of panels that have one size.
pub(super) struct Block {
    /// Panels in a row, as far as the width allows.
    pub(super) columns: usize,
    /// Its part of the picture's height, from 0 to 1.
    pub(super) share: f64,
    /// The title and legend of small panels, which have none of their own;
    /// `None` where the panels are large.
    pub(super) small: Option<SharedHead>,
    pub(super) panels: Vec<Panel>,
}

/// The title and the legend that small panels share.
pub(super) struct SharedHead {
    pub(super) title: &'static str,
    /// Labels, and the indices of their colours in the theme.
    pub(super) legend: Vec<(&'static str, usize)>,
}

/// One pair of axes and what is drawn in it.
pub(super) struct Panel {
    pub(super) title: String,
    /// The unit of the vertical axis.
    pub(super) unit: &'static str,
    pub(super) x: Range<f64>,
    pub(super) x_axis: Axis,
    pub(super) y: Range<f64>,
    pub(super) series: Vec<Series>,
    /// A text in the middle where there is nothing to show.
    pub(super) note: Option<&'static str>,
}

/// What stands at the horizontal axis.
pub(super) enum Axis {
    /// Games played.
    Games,
    /// The names of the points 0, 1, 2 and so on.
    Names {
        /// What the names are values of.
        title: String,
        names: Vec<String>,
    },
}

impl Axis {
    pub(super) fn title(&self) -> &str {
        match self {
            Axis::Games => "games played",
            Axis::Names { title, .. } => title,
        }
    }
}

/// A line, a band or marks in a panel.
pub(super) struct Series {
    pub(super) label: String,
    /// The index of its colour in the theme.
    pub(super) colour: usize,
    pub(super) shape: Shape,
}

/// How the points of a series are drawn.
pub(super) enum Shape {
    /// A line through points.
    Line(Vec<Point>),
    /// A line of means and the band of their spread: games, mean, spread.
    Band(Vec<(f64, f64, f64)>),
    /// Single values with their error bars: games, value, error.
    Marks(Vec<(f64, f64, Option<f64>)>),
    /// Moments: upright lines from the bottom to the top, at numbers of games.
    Moments(Vec<f64>),
}
