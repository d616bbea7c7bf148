//! The strength of every plain method over the games that it learned from.

use loatune::charts::{PointChart, PointSeries, PointUnit, Size, Theme, points_svg};
use loatune::util::numbers::thousands;

use super::summary::{METHODS, Summary};

/// The picture of a depth as SVG.
pub(crate) fn svg(summary: &Summary, depth: u32) -> Result<String, String> {
    let budgets = summary.budgets(depth);
    let series = METHODS.iter().map(|method| PointSeries {
        name: (*method).to_owned(),
        scores: budgets
            .iter()
            .map(|&games| {
                let mean = summary.strength(summary.cell(method, depth, games)?)?;
                Some((mean.value, mean.error.unwrap_or(0.0)))
            })
            .collect(),
    });
    let chart = PointChart {
        title: format!("Elo over the panel at depth {depth}"),
        unit: PointUnit::Elo,
        parameter: String::from("games learned from"),
        names: budgets.iter().map(|&games| thousands(games)).collect(),
        series: series.collect(),
    };
    points_svg(&chart, Theme::Light, Size::new(720, 400)).map_err(|error| error.to_string())
}
