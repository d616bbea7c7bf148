//! The content of each chart: the history's samples as panels with axes and
//! series.

use std::ops::Range;

use super::Chart;
use super::describe::name;
use super::model::{Axis, Block, Panel, Picture, Point, Series, Shape, SharedHead};
use crate::charts::{Column, HallStrength, History, NotedEvent};
use crate::evolve::{Event, Sample, Scholar};

/// The most points of a line; more would not be visible.
const MAX_POINTS: usize = 400;

/// The most intervals in which births and deaths are counted.
const MAX_INTERVALS: usize = 60;

const NO_DATA: &str = "nothing recorded yet";

/// The picture of a chart, as plain numbers.
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

/// The range of the horizontal axis, from the first game to the last.
fn games(history: &History) -> Range<f64> {
    let samples = history.samples.iter().map(|sample| sample.games);
    let hall = history.strengths.iter().map(|one| one.games);
    let scholars = history.scholars.iter().map(|one| 2 * one.at);
    let most = samples
        .chain(hall)
        .chain(scholars)
        .chain([history.budget, 1])
        .max();
    0.0..most.unwrap_or(1) as f64
}

/// At most `most` samples and the last one, evenly spread.
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
    thinned(&history.samples, MAX_POINTS)
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
        // They say when something happened, and have no value.
        Shape::Moments(_) => true,
    };
    Panel {
        title: title.to_owned(),
        unit,
        x: games(history),
        x_axis: Axis::Games,
        y,
        note: series.iter().all(is_empty).then_some(NO_DATA),
        series,
    }
}

fn lines(pairs: [(&'static str, Vec<Point>); 2]) -> Vec<Series> {
    let series = |(colour, (label, points))| Series {
        label: str::to_owned(label),
        colour,
        shape: Shape::Line(points),
    };
    pairs.into_iter().enumerate().map(series).collect()
}

/// A range from 0 to a little above the greatest value.
fn from_zero<'a>(points: impl Iterator<Item = &'a Point>) -> Range<f64> {
    let most = points.fold(0.0, |most: f64, point| most.max(point.1));
    0.0..if most > 0.0 { 1.08 * most } else { 1.0 }
}

/// A range from a little below the least value to a little above the greatest;
/// it includes 0.
fn around_zero(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values.fold((0.0f64, 0.0f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    let slack = 0.08 * (most - least);
    if slack > 0.0 {
        least - slack..most + slack
    } else {
        -1.0..1.0
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
    let samples: Vec<&Sample> = thinned(&history.samples, MAX_INTERVALS).collect();
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
    let mark = |one: &HallStrength| {
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
    let mut series = vec![Series {
        label: "file of the hall, 95 % error".to_owned(),
        colour: 0,
        shape: Shape::Marks(marks),
    }];
    series.extend(moments(history));
    let title = "Strength against the reference weights";
    let mut panel = panel(history, title, "Elo", y, series);
    // The last mark lies inside of the axis.
    panel.x.end *= 1.02;
    panel
}

/// When scholars were learned, and when a finished population was taken further.
fn moments(history: &History) -> Vec<Series> {
    let scholars = |won: bool| -> Vec<f64> {
        let is_so = |one: &&Scholar| one.challenge.is_some_and(|it| it.won) == won;
        let those = history.scholars.iter().filter(is_so);
        those.map(|one| 2.0 * one.at as f64).collect()
    };
    let is_extension = |noted: &&NotedEvent| matches!(noted.event, Event::Extended { .. });
    let extensions = history.events.iter().filter(is_extension);
    let extensions = extensions.map(|noted| noted.games() as f64).collect();
    let all = [
        ("scholar won", scholars(true)),
        ("other scholar", scholars(false)),
        ("extended", extensions),
    ];
    let shown = all.into_iter().enumerate();
    let shown = shown.filter(|(_, (_, games))| !games.is_empty());
    shown
        .map(|(n, (label, games))| Series {
            label: label.to_owned(),
            colour: n + 1,
            shape: Shape::Moments(games),
        })
        .collect()
}

fn genes(history: &History, share: f64) -> Block {
    let legend = match history.genome.phases {
        2 => vec![("opening, mean ± spread", 0), ("endgame, mean ± spread", 1)],
        _ => vec![("mean ± spread", 0), ("consensus", 1)],
    };
    Block {
        columns: 4,
        share,
        small: Some(SharedHead {
            title: "Genes within their bounds, by games played",
            legend,
        }),
        panels: (0..history.genome.table.len())
            .map(|n| gene(history, n))
            .collect(),
    }
}

fn gene(history: &History, n: usize) -> Panel {
    let column = history.column(n, false);
    let row = column.gene;
    let [least, most] = history.genome.bounds[n].map(|bound| row.number(f64::from(bound)));
    // The bounds of a gene that may not evolve are equal.
    let y = if least < most {
        least..most
    } else {
        least - 1.0..least + 1.0
    };
    let band = |column: Column<'_>| {
        let point = |sample: &Sample| {
            let (mean, spread) = (
                column.value_in(&sample.gene_means)?,
                column.value_in(&sample.gene_spreads)?,
            );
            Some((sample.games as f64, mean, spread))
        };
        Shape::Band(
            thinned(&history.samples, MAX_POINTS)
                .filter_map(point)
                .collect(),
        )
    };
    let mut series = vec![Series {
        label: String::new(),
        colour: 0,
        shape: band(column),
    }];
    let endgame = history
        .genome
        .has_phases(n)
        .then(|| history.column(n, true));
    let second = match (history.genome.phases, endgame) {
        (2, endgame) => endgame.map(band),
        _ => {
            let point =
                |sample: &Sample| Some((sample.games as f64, column.value_in(&sample.consensus)?));
            let points = thinned(&history.samples, MAX_POINTS).filter_map(point);
            Some(Shape::Line(points.collect()))
        }
    };
    series.extend(second.map(|shape| Series {
        label: String::new(),
        colour: 1,
        shape,
    }));
    panel(history, &row.name, "", y, series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::sample_history;

    #[test]
    fn lines_have_an_end_and_the_last_sample() {
        for count in [0, 1, 2, 399, 400, 401, 5000] {
            let history = sample_history(count, 1);
            let line = line(&history, |sample| sample.best_points);
            assert!(line.len() <= MAX_POINTS + 1, "{count}");
            assert_eq!(line.len().min(2), (count as usize).min(2));
            let last = history.samples.last().map(|sample| sample.games as f64);
            assert_eq!(line.last().map(|point| point.0), last);
        }
    }

    #[test]
    fn births_are_counted_by_games() {
        let panel = turnover(&sample_history(1000, 1));
        let Shape::Line(births) = &panel.series[0].shape else {
            panic!("births are a line");
        };
        assert!(births.len() <= MAX_INTERVALS + 1);
        let mean = births.iter().map(|point| point.1).sum::<f64>() / births.len() as f64;
        assert!((mean - 200.0).abs() < 10.0, "one in five games: {mean}");
    }

    #[test]
    fn axes_hold_what_is_drawn() {
        let history = sample_history(50, 1);
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
        let mut history = sample_history(3, 1);
        history.genome.bounds[0] = [60, 60];
        assert_eq!(gene(&history, 0).y, 59.0..61.0);
    }
}
