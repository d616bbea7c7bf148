//! The charts that there are: their names, titles and sizes.

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
    /// The hall's files against the reference weights.
    Strength,
    /// All of them in one picture.
    All,
}

impl Chart {
    /// Every chart, in the order in which the page shows them.
    pub const ALL: [Chart; 6] = [
        Chart::Population,
        Chart::Turnover,
        Chart::Points,
        Chart::Strength,
        Chart::Genes,
        Chart::All,
    ];

    /// Its title, for people.
    pub const fn title(self) -> &'static str {
        match self {
            Chart::Population => "Population and capacity",
            Chart::Turnover => "Births and deaths",
            Chart::Points => "Points",
            Chart::Genes => "Genes",
            Chart::Strength => "Strength against the reference weights",
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

    /// The size that it is drawn in unless another one is asked for.
    pub const fn default_size(self) -> Size {
        match self {
            Chart::Genes => Size::new(960, 640),
            Chart::All => Size::new(1100, 1320),
            _ => Size::new(720, 360),
        }
    }
}

/// Width and height of a chart, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Size {
    /// A size in pixels; what is too small for a chart or too large for a picture
    /// is brought to the nearest size that can be drawn.
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
