//! Colours. Those of the series are from the palette of Okabe and Ito, which
//! people with any kind of colour blindness can tell apart; each theme takes
//! those that stand out from its background.

use plotters::style::RGBColor;

/// The most series of one panel.
pub const SERIES: usize = 5;

/// The background that a chart is shown on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

/// The colours of a theme.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colours {
    /// The colour of the background.
    pub(super) paper: RGBColor,
    /// The colour of text.
    pub(super) ink: RGBColor,
    /// The colour of axes and ticks.
    pub(super) axis: RGBColor,
    /// The colour of the grid's lines.
    pub(super) grid: RGBColor,
    /// The colours of the series, in their order.
    pub(super) series: [RGBColor; SERIES],
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 2] = [Theme::Light, Theme::Dark];

    /// Its name in addresses and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub(super) const fn colours(self) -> Colours {
        match self {
            Theme::Light => Colours {
                paper: RGBColor(255, 255, 255),
                ink: RGBColor(28, 28, 30),
                axis: RGBColor(110, 110, 115),
                grid: RGBColor(228, 228, 232),
                series: [
                    RGBColor(0, 114, 178),
                    RGBColor(213, 94, 0),
                    RGBColor(0, 158, 115),
                    RGBColor(204, 121, 167),
                    RGBColor(120, 100, 80),
                ],
            },
            Theme::Dark => Colours {
                paper: RGBColor(22, 24, 28),
                ink: RGBColor(232, 232, 236),
                axis: RGBColor(150, 152, 160),
                grid: RGBColor(52, 55, 62),
                series: [
                    RGBColor(86, 180, 233),
                    RGBColor(240, 160, 20),
                    RGBColor(0, 178, 130),
                    RGBColor(220, 140, 185),
                    RGBColor(190, 175, 150),
                ],
            },
        }
    }
}
