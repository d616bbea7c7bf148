//! What charts show, as plain numbers: panels with their axes and series, and
//! the words for those who cannot see them.

use std::ops::Range;

use super::Chart;
use crate::charts::{Column, History};
use crate::eval::genes::TABLE;
use crate::evolve::Sample;

/// A number of games, and a value.
pub(super) type Point = (f64, f64);

/// A picture: rows of panels, from top to bottom.
pub(super) struct Picture {
    /// Above all of it; may be empty.
    pub(super) title: String,
    /// One below the other.
    pub(super) blocks: Vec<Block>,
}

/// Panels of one size in a grid.
pub(super) struct Block {
    /// Panels in a row where there is room for them.
    pub(super) columns: usize,
    /// Its part of the height.
    pub(super) share: f64,
    /// Many small ones have one title and one legend for all of them.
    pub(super) small: Option<Shared>,
    pub(super) panels: Vec<Panel>,
}

/// What small panels have in common.
pub(super) struct Shared {
    pub(super) title: &'static str,
    /// Labels and the numbers of their colours.
    pub(super) legend: Vec<(&'static str, usize)>,
}

/// One pair of axes.
pub(super) struct Panel {
    pub(super) title: String,
    /// The unit of the vertical axis.
    pub(super) unit: &'static str,
    pub(super) x: Range<f64>,
    pub(super) y: Range<f64>,
    pub(super) series: Vec<Series>,
    /// Where there is nothing to show.
    pub(super) note: Option<&'static str>,
}

/// Something drawn in a panel.
pub(super) struct Series {
    pub(super) label: &'static str,
    pub(super) colour: usize,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Line(Vec<Point>),
    /// A line, and how far the values lie around it.
    Band(Vec<(f64, f64, f64)>),
    /// Values with their errors, where they have one.
    Marks(Vec<(f64, f64, Option<f64>)>),
}

/// The most points of a line: more than there are pixels to show.
const MOST: usize = 400;

/// The most intervals in which births and deaths are counted.
const INTERVALS: usize = 60;

const EMPTY: &str = "nothing recorded yet";

/// The picture of a chart.
pub(super) fn picture(kind: Chart, history: &History) -> Picture {
    let one = |panel| Block {
        columns: 1,
        share: 1.0,
        small: None,
        panels: vec![panel],
    };
    let blocks = match kind {
        Chart::Population => vec![one(population(history))],
        Chart::Turnover => vec![one(turnover(history))],
        Chart::Points => vec![one(points(history))],
        Chart::Strength => vec![one(strength(history))],
        Chart::Genes => vec![genes(history, 1.0)],
        Chart::All => {
            let panels = vec![
                population(history),
                turnover(history),
                points(history),
                strength(history),
            ];
            let top = Block {
                columns: 2,
                share: 0.5,
                small: None,
                panels,
            };
            vec![top, genes(history, 0.5)]
        }
    };
    let title = match kind {
        Chart::All => name(history),
        _ => String::new(),
    };
    Picture { title, blocks }
}

/// The name, fit for one line.
fn name(history: &History) -> String {
    // Neither control characters nor U+FFFE and U+FFFF are allowed in XML.
    let is_text = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let line: String = history.name.chars().filter(is_text).collect();
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// A title and a description.
pub(super) fn words(kind: Chart, history: &History) -> (String, String) {
    let name = name(history);
    let what = match kind {
        Chart::Population => "population against capacity",
        Chart::Turnover => "births and deaths",
        Chart::Points => "best and mean points",
        Chart::Genes => "means and spread of the genes",
        Chart::Strength => "strength of the hall's files against the default weights",
        Chart::All => "population, births and deaths, points, strength and genes",
    };
    let mut said = match history.samples.last() {
        None => String::from("Nothing recorded yet."),
        Some(last) => format!(
            "After {} of {} games: {} files live, {} may; {} were born, {} died; the best has \
             {:.2} points, the mean is {:.2}.",
            last.games,
            history.budget,
            last.population,
            last.capacity,
            last.births,
            last.deaths,
            last.best_points,
            last.mean_points
        ),
    };
    if matches!(kind, Chart::Genes | Chart::All)
        && let Some(last) = history.samples.last()
    {
        let mean = |column: Column| {
            let (mean, spread) = (
                column.value_in(&last.gene_means)?,
                column.value_in(&last.gene_spreads)?,
            );
            Some(format!("{} {mean:.2} ± {spread:.2}", column.name()))
        };
        let means: Vec<String> = history.columns().into_iter().filter_map(mean).collect();
        said += &format!(" Means: {}.", means.join(", "));
    }
    if matches!(kind, Chart::Strength | Chart::All)
        && let Some(last) = history.strengths.iter().rev().find(|one| one.elo.is_some())
    {
        let error = last
            .error
            .map_or_else(|| String::from("?"), |error| format!("{error:.1}"));
        said += &format!(
            " The newest file of the hall is {:+.1} ± {error} Elo from the default weights.",
            last.elo.unwrap_or_default()
        );
    }
    (format!("{name}: {what}"), said)
}

/// From the first game to the last.
fn games(history: &History) -> Range<f64> {
    let samples = history.samples.iter().map(|sample| sample.games);
    let hall = history.strengths.iter().map(|one| one.games);
    let most = samples.chain(hall).chain([history.budget, 1]).max();
    0.0..most.unwrap_or(1) as f64
}

/// Some of the samples, spread evenly, the last one among them.
fn thinned(samples: &[Sample], most: usize) -> impl Iterator<Item = &Sample> {
    let step = samples.len().div_ceil(most).max(1);
    let last = samples.len().saturating_sub(1);
    let wanted = move |n: usize| n.is_multiple_of(step) || n == last;
    samples
        .iter()
        .enumerate()
        .filter(move |(n, _)| wanted(*n))
        .map(|(_, sample)| sample)
}

fn line(history: &History, value: impl Fn(&Sample) -> f64) -> Vec<Point> {
    thinned(&history.samples, MOST)
        .map(|sample| (sample.games as f64, value(sample)))
        .filter(|(_, value)| value.is_finite())
        .collect()
}

fn panel(
    history: &History,
    title: &str,
    unit: &'static str,
    y: Range<f64>,
    series: Vec<Series>,
) -> Panel {
    let is_empty = |series: &Series| match &series.shape {
        Shape::Line(points) => points.is_empty(),
        Shape::Band(points) => points.is_empty(),
        Shape::Marks(points) => points.is_empty(),
    };
    Panel {
        title: title.to_owned(),
        unit,
        x: games(history),
        y,
        note: series.iter().all(is_empty).then_some(EMPTY),
        series,
    }
}

fn lines(pairs: [(&'static str, Vec<Point>); 2]) -> Vec<Series> {
    let series = |(colour, (label, points))| Series {
        label,
        colour,
        shape: Shape::Line(points),
    };
    pairs.into_iter().enumerate().map(series).collect()
}

/// From 0 to a little above the most.
fn from_zero<'a>(points: impl Iterator<Item = &'a Point>) -> Range<f64> {
    let most = points.fold(0.0, |most: f64, point| most.max(point.1));
    0.0..if most > 0.0 { 1.08 * most } else { 1.0 }
}

/// From a little below the least to a little above the most, 0 included.
fn around_zero(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values.fold((0.0f64, 0.0f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    let slack = 0.08 * (most - least);
    match slack > 0.0 {
        true => least - slack..most + slack,
        false => -1.0..1.0,
    }
}

fn population(history: &History) -> Panel {
    let living = line(history, |sample| f64::from(sample.population));
    let capacity = line(history, |sample| f64::from(sample.capacity));
    let y = from_zero(living.iter().chain(&capacity));
    let series = lines([("living", living), ("capacity", capacity)]);
    panel(history, "Population", "files", y, series)
}

fn turnover(history: &History) -> Panel {
    let samples: Vec<&Sample> = thinned(&history.samples, INTERVALS).collect();
    let rate = |count: fn(&Sample) -> u64| -> Vec<Point> {
        samples
            .windows(2)
            .filter_map(|two| {
                let games = two[1].games.checked_sub(two[0].games).filter(|&n| n > 0)?;
                let events = count(two[1]).saturating_sub(count(two[0]));
                let middle = (two[0].games + two[1].games) as f64 / 2.0;
                Some((middle, 1000.0 * events as f64 / games as f64))
            })
            .collect()
    };
    let (births, deaths) = (rate(|sample| sample.births), rate(|sample| sample.deaths));
    let y = from_zero(births.iter().chain(&deaths));
    let series = lines([("births", births), ("deaths", deaths)]);
    panel(
        history,
        "Births and deaths",
        "files per 1,000 games",
        y,
        series,
    )
}

fn points(history: &History) -> Panel {
    let best = line(history, |sample| sample.best_points);
    let mean = line(history, |sample| sample.mean_points);
    let y = around_zero(best.iter().chain(&mean).map(|point| point.1));
    let series = lines([("best file", best), ("mean", mean)]);
    panel(history, "Points", "points", y, series)
}

fn strength(history: &History) -> Panel {
    let mark = |one: &crate::charts::HallStrength| {
        let elo = one.elo.filter(|elo| elo.is_finite())?;
        let error = one.error.filter(|error| error.is_finite());
        Some((one.games as f64, elo, error))
    };
    let marks: Vec<_> = history.strengths.iter().filter_map(mark).collect();
    let ends = marks.iter().flat_map(|&(_, elo, error)| {
        let error = error.unwrap_or(0.0);
        [elo - error, elo + error]
    });
    let y = around_zero(ends);
    let series = vec![Series {
        label: "file of the hall, 95 % error",
        colour: 0,
        shape: Shape::Marks(marks),
    }];
    let title = "Strength against the default weights";
    let mut panel = panel(history, title, "Elo", y, series);
    // Room for the last mark.
    panel.x.end *= 1.02;
    panel
}

fn genes(history: &History, share: f64) -> Block {
    let legend = match history.genome.phases {
        2 => vec![("opening, mean ± spread", 0), ("endgame, mean ± spread", 1)],
        _ => vec![("mean ± spread", 0), ("consensus", 1)],
    };
    Block {
        columns: 4,
        share,
        small: Some(Shared {
            title: "Genes within their bounds, by games played",
            legend,
        }),
        panels: (0..TABLE.len()).map(|n| gene(history, n)).collect(),
    }
}

fn gene(history: &History, n: usize) -> Panel {
    let row = &TABLE[n];
    let [least, most] =
        history.genome.bounds[n].map(|bound| f64::from(bound) / f64::from(row.grid));
    // A gene that may not evolve has no range of its own.
    let y = match least < most {
        true => least..most,
        false => least - 1.0..least + 1.0,
    };
    let column = Column {
        gene: n,
        is_endgame: false,
    };
    let band = |column: Column| {
        let point = |sample: &Sample| {
            let (mean, spread) = (
                column.value_in(&sample.gene_means)?,
                column.value_in(&sample.gene_spreads)?,
            );
            Some((sample.games as f64, mean, spread))
        };
        Shape::Band(thinned(&history.samples, MOST).filter_map(point).collect())
    };
    let mut series = vec![Series {
        label: "",
        colour: 0,
        shape: band(column),
    }];
    let endgame = history.columns();
    let endgame = endgame.into_iter().find(|it| it.gene == n && it.is_endgame);
    let second = match (history.genome.phases, endgame) {
        (2, endgame) => endgame.map(band),
        _ => {
            let point =
                |sample: &Sample| Some((sample.games as f64, column.value_in(&sample.consensus)?));
            let points = thinned(&history.samples, MOST).filter_map(point);
            Some(Shape::Line(points.collect()))
        }
    };
    series.extend(second.map(|shape| Series {
        label: "",
        colour: 1,
        shape,
    }));
    panel(history, row.name, "", y, series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::made_up;

    #[test]
    fn lines_have_an_end_and_the_last_sample() {
        for count in [0, 1, 2, 399, 400, 401, 5000] {
            let history = made_up(count, 1);
            let line = line(&history, |sample| sample.best_points);
            assert!(line.len() <= MOST + 1, "{count}");
            assert_eq!(line.len().min(2), (count as usize).min(2));
            let last = history.samples.last().map(|sample| sample.games as f64);
            assert_eq!(line.last().map(|point| point.0), last);
        }
    }

    #[test]
    fn births_are_counted_by_games() {
        let panel = turnover(&made_up(1000, 1));
        let Shape::Line(births) = &panel.series[0].shape else {
            panic!("births are a line");
        };
        assert!(births.len() <= INTERVALS + 1);
        let mean = births.iter().map(|point| point.1).sum::<f64>() / births.len() as f64;
        assert!((mean - 200.0).abs() < 10.0, "one in five games: {mean}");
    }

    #[test]
    fn axes_hold_what_is_drawn() {
        let history = made_up(50, 1);
        let strength = strength(&history);
        assert!(strength.y.contains(&0.0) && strength.y.contains(&220.0));
        assert_eq!(strength.x, 0.0..153_000.0);
        assert_eq!(points(&history).x, 0.0..150_000.0);
        let Shape::Marks(marks) = &strength.series[0].shape else {
            panic!("the hall has marks");
        };
        assert_eq!(marks.len(), 9, "one has no Elo");
        assert_eq!(marks.iter().filter(|mark| mark.2.is_none()).count(), 1);
        let spread_power = gene(&history, 5);
        assert_eq!(spread_power.y, 0.5..3.0);
    }

    #[test]
    fn a_gene_that_may_not_evolve_has_an_axis() {
        let mut history = made_up(3, 1);
        history.genome.bounds[0] = [60, 60];
        assert_eq!(gene(&history, 0).y, 59.0..61.0);
    }
}
