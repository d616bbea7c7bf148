//! The scores or strengths at the points of an experiment as a picture, and in
//! words.

use super::model::{Axis, Block, Panel, Picture, Series, Shape};
use super::theme::SERIES;

/// The scores or strengths of some players at the points of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct PointChart {
    /// What was asked.
    pub title: String,
    /// What the values are.
    pub unit: PointUnit,
    /// What the points are values of.
    pub parameter: String,
    /// The points' names, from left to right.
    pub names: Vec<String>,
    /// The series; those beyond the number of colours are not drawn.
    pub series: Vec<PointSeries>,
}

/// What the values of a chart are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointUnit {
    /// Scores, from 0 to 100 %.
    Percent,
    /// Differences in Elo.
    Elo,
}

impl PointUnit {
    /// The text at the vertical axis.
    const fn title(self) -> &'static str {
        match self {
            PointUnit::Percent => "score of the variant, %",
            PointUnit::Elo => "Elo",
        }
    }

    /// The text behind a value.
    const fn symbol(self) -> &'static str {
        match self {
            PointUnit::Percent => "%",
            PointUnit::Elo => "Elo",
        }
    }
}

/// The scores of one kind of player.
#[derive(Clone, Debug, PartialEq)]
pub struct PointSeries {
    /// Its name; empty where there is one series only.
    pub name: String,
    /// By point: the score and its 95 % error; `None` where no game was played.
    pub scores: Vec<Option<(f64, f64)>>,
}

/// The chart as panels.
pub(super) fn picture(chart: &PointChart) -> Picture {
    let last = chart.names.len().max(1) as f64 - 1.0;
    let mut series = Vec::new();
    for (colour, one) in chart.series.iter().take(SERIES).enumerate() {
        // Series stand a little beside each other, so that errors can be told apart.
        let beside = 0.06 * (colour as f64 - (chart.series.len() as f64 - 1.0) / 2.0);
        let known = one.scores.iter().enumerate();
        let known: Vec<_> = known
            .filter_map(|(n, score)| score.map(|(score, error)| (n as f64 + beside, score, error)))
            .collect();
        series.push(Series {
            label: one.name.clone(),
            colour,
            shape: Shape::Line(known.iter().map(|&(x, score, _)| (x, score)).collect()),
        });
        series.push(Series {
            label: String::new(),
            colour,
            shape: Shape::Marks(
                known
                    .iter()
                    .map(|&(x, score, error)| (x, score, Some(error)))
                    .collect(),
            ),
        });
    }
    let panel = Panel {
        title: chart.title.clone(),
        unit: chart.unit.title(),
        x: -0.5..last + 0.5,
        x_axis: Axis::Names {
            title: chart.parameter.clone(),
            names: chart.names.clone(),
        },
        y: range(chart),
        note: None,
        series,
    };
    Picture {
        title: String::new(),
        blocks: vec![Block {
            columns: 1,
            share: 1.0,
            small: None,
            panels: vec![panel],
        }],
    }
}

/// The values that the vertical axis shows.
fn range(chart: &PointChart) -> std::ops::Range<f64> {
    const STEP: f64 = 50.0;
    if chart.unit == PointUnit::Percent {
        return 0.0..100.0;
    }
    let known = chart.series.iter().take(SERIES);
    let known = known.flat_map(|one| one.scores.iter().flatten());
    let ends = known.flat_map(|&(value, error)| [value - error, value + error]);
    let (low, high) = ends.fold((0.0f64, STEP), |(low, high), x| (low.min(x), high.max(x)));
    (low / STEP).floor() * STEP..(high / STEP).ceil() * STEP
}

/// The title and the points in words.
pub(super) fn describe(chart: &PointChart) -> (String, String) {
    let mut text = String::new();
    for one in &chart.series {
        for (name, score) in chart.names.iter().zip(&one.scores) {
            let series = if one.name.is_empty() {
                String::new()
            } else {
                format!("{}, ", one.name)
            };
            let score = match score {
                Some((score, error)) => {
                    format!("{score:.1} ± {error:.1} {}", chart.unit.symbol())
                }
                None => "no games".to_owned(),
            };
            text += &format!("{series}{} {name}: {score}. ", chart.parameter);
        }
    }
    (chart.title.clone(), text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{Size, Theme, points_svg};

    #[test]
    fn a_picture_has_its_points_their_names_and_words() {
        let scores = vec![Some((25.0, 6.0)), None, Some((61.5, 4.5))];
        let chart = PointChart {
            title: "How much <exploration>".to_owned(),
            unit: PointUnit::Percent,
            parameter: "C".to_owned(),
            names: ["-0.1", "0", "inf"].map(str::to_owned).to_vec(),
            series: vec![PointSeries {
                name: "plain".to_owned(),
                scores,
            }],
        };
        let svg = points_svg(&chart, Theme::Light, Size::new(720, 360)).expect("a picture");
        for part in [
            "-0.1",
            "inf",
            "plain",
            "&lt;exploration&gt;",
            "61.5 ± 4.5 %",
            "no games",
        ] {
            assert!(svg.contains(part), "{part}");
        }
        let document = roxmltree::Document::parse(&svg).expect("it is XML");
        let circles = document
            .descendants()
            .filter(|node| node.has_tag_name("circle"));
        assert_eq!(circles.count(), 2);
    }

    #[test]
    fn differences_in_elo_have_the_room_that_they_need() {
        let chart = PointChart {
            title: String::new(),
            unit: PointUnit::Elo,
            parameter: "games".to_owned(),
            names: ["2,000", "10,000"].map(str::to_owned).to_vec(),
            series: vec![PointSeries {
                name: "spsa".to_owned(),
                scores: vec![Some((-30.0, 25.0)), Some((210.0, 12.0))],
            }],
        };
        assert_eq!(range(&chart), -100.0..250.0);
        let (_, words) = describe(&chart);
        assert!(words.contains("10,000: 210.0 ± 12.0 Elo"), "{words}");
    }
}
