//! Honest chances of winning. The value of a position, the mean of two depths so
//! that it does not swing with the turn, is turned into a chance by a curve that
//! is fitted to games of the population and checked on others.
//!
//! Each set of weights has a curve of its own, because weights have no common
//! scale. A curve is computed when it is asked for first, in small tasks of the
//! analysis engine, and kept until the population has twice the matches that it
//! was fitted to; it then serves on while the next one is computed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use tokio::sync::OnceCell;

use super::analysis_engine::{self, CHANCE_DEPTHS, Judgement, PositionOfGame};
use super::app_state::AppState;
use super::positions::parse_game;
use super::reply::{Failure, QueryParams};
use super::weight_files::named_weights;
use crate::api::{
    CalibrationView, ChanceView, ImportanceView, MatchView, ReliabilityView, Source, SourceError,
    Status,
};
use crate::board::Board;
use crate::eval::Weights;
use crate::game::{Game, Rules};
use crate::notation::{parse_moves, parse_position};
use crate::stats::{Calibration, JudgedPosition};
use crate::weights::{DEFAULT_WEIGHTS, WeightFile};

/// The most matches whose games are looked at, half of them for the check.
const MATCHES: u64 = 160;

/// The fewest matches that a curve is fitted to.
const MIN_MATCHES: u64 = 20;

/// Positions of each game.
const POSITIONS: usize = 3;

/// Ranges of chances in the check.
const BINS: usize = 10;

/// The ply at which games usually are at their end, for the curve.
const END_PLY: f64 = 60.0;

/// Positions that one task of the engine judges.
const TASK: usize = 40;

/// The most curves that are kept.
const MAX_CURVES: usize = 16;

/// How long a request waits for a curve that is being computed.
const WAIT: Duration = Duration::from_secs(8);

/// Before a task is given to an engine that was busy.
const RETRY: Duration = Duration::from_millis(200);

/// A curve is fitted again when there are so many times the matches.
const GROWTH: u64 = 2;

/// A curve, its check, and the importance of the features.
pub(super) struct Fitted {
    curve: Calibration,
    view: CalibrationView,
    /// Matches that the population had.
    matches: u64,
}

/// A curve that is there or is being computed.
type CurveCell = Arc<OnceCell<Arc<Fitted>>>;

/// The curve of some weights.
#[derive(Clone)]
struct CurveEntry {
    weights: Weights,
    cell: CurveCell,
    /// An older curve, which serves until the cell has the new one.
    older: Option<Arc<Fitted>>,
}

/// The curves that were asked for, the newest last.
#[derive(Default)]
pub(super) struct Curves(Mutex<Vec<CurveEntry>>);

impl Curves {
    /// The curve of some weights, for a population with so many matches.
    fn of(&self, weights: &Weights, matches: u64) -> CurveEntry {
        let mut curves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = curves.iter().position(|entry| entry.weights == *weights);
        let mut entry = known.map_or_else(
            || CurveEntry {
                weights: *weights,
                cell: CurveCell::default(),
                older: None,
            },
            |place| curves.remove(place),
        );
        let is_old = |fitted: &&Arc<Fitted>| fitted.matches.saturating_mul(GROWTH) <= matches;
        if let Some(old) = entry.cell.get().filter(is_old) {
            entry.older = Some(old.clone());
            entry.cell = CurveCell::default();
        }
        if curves.len() >= MAX_CURVES {
            curves.remove(0);
        }
        curves.push(entry.clone());
        entry
    }
}

impl Fitted {
    /// Black's chance in a position.
    pub(super) fn chance(&self, judgement: Judgement, plies: usize) -> Option<f64> {
        match judgement {
            Judgement::Decided(score) => Some(score),
            Judgement::Value(value) => Some(self.curve.chance(value, progress(plies))),
            Judgement::Unknown => None,
        }
    }
}

/// How far a game is, from 0 to 1.
fn progress(plies: usize) -> f64 {
    (plies as f64 / END_PLY).min(1.0)
}

/// The curve of some weights; `None` where the population has too few games.
/// The computation goes on where the client does not wait for it.
async fn curve_of(app: &Arc<AppState>, file: &WeightFile) -> Result<Option<Arc<Fitted>>, Failure> {
    let matches = app.status().await?.status.matches;
    let CurveEntry { cell, older, .. } = app.curves.of(&file.weights, matches);
    if let Some(found) = cell.get() {
        return Ok(Some(found.clone()));
    }
    let (app, file) = (app.clone(), file.clone());
    let work = tokio::spawn(async move {
        let fit = cell.get_or_try_init(|| fit(&app, &file));
        fit.await.cloned()
    });
    if older.is_some() {
        return Ok(older);
    }
    match tokio::time::timeout(WAIT, work).await {
        Ok(Ok(Ok(found))) => Ok(Some(found)),
        Ok(Ok(Err(failure))) if failure.status == StatusCode::NOT_FOUND => Ok(None),
        Ok(Ok(Err(failure))) => Err(failure),
        Ok(Err(_)) | Err(_) => Err(Failure::busy(
            "the chances of these weights are being computed; try again",
        )),
    }
}

/// The curve of some weights; `None` also where it is still being computed, so
/// that an answer which has more to say does not wait for it for long.
pub(super) async fn known_curve(
    app: &Arc<AppState>,
    file: &WeightFile,
) -> Result<Option<Arc<Fitted>>, Failure> {
    match curve_of(app, file).await {
        Err(failure) if failure.status == StatusCode::SERVICE_UNAVAILABLE => Ok(None),
        found => found,
    }
}

/// Fits and checks the curve of some weights.
async fn fit(app: &Arc<AppState>, file: &WeightFile) -> Result<Arc<Fitted>, Failure> {
    let (rules, weights) = (app.rules, file.weights);
    let (matches, first, [fitting, checking]) = app
        .ask(move |source| {
            let status = source.status()?;
            let matches = status.matches;
            let mut halves = [Vec::new(), Vec::new()];
            if matches < MIN_MATCHES {
                return Ok((matches, 0, halves));
            }
            let first = first_match(source, &status, &weights)?;
            let count = MATCHES.min(matches - first);
            for n in 0..count {
                let number = first + n * (matches - first) / count;
                if let Some(found) = source.match_record(number)? {
                    halves[(n % 2) as usize].extend(positions_of(&rules, &found)?);
                }
            }
            Ok((matches, first, halves))
        })
        .await?;
    if fitting.is_empty() || checking.is_empty() {
        return Err(Failure::missing(format!(
            "chances are fitted to games, and the population has fewer than {MIN_MATCHES} matches"
        )));
    }
    let mut importance = Vec::new();
    let fitting = judge(app, file, fitting, &mut importance).await?;
    let checking = judge(app, file, checking, &mut importance).await?;
    let curve = Calibration::fit(&fitting);
    let bins = curve.reliability(&checking, BINS);
    let view = CalibrationView {
        weights: file.name.clone(),
        depths: CHANCE_DEPTHS,
        from: first,
        fitted: fitting.len(),
        checked: checking.len(),
        bias: curve.bias,
        opening: curve.opening,
        end: curve.end,
        brier: curve.brier(&checking),
        log_likelihood: curve.log_likelihood(&checking),
        bins: bins.iter().map(ReliabilityView::from).collect(),
        importance: importance_views(&importance),
    };
    Ok(Arc::new(Fitted {
        curve,
        view,
        matches,
    }))
}

/// The first match that a curve is fitted to: the later half of a run is played by
/// those who play well. What a scholar has learned from says nothing about its
/// chances elsewhere, so games after its lesson are taken where there are enough.
fn first_match(
    source: &dyn Source,
    status: &Status,
    weights: &Weights,
) -> Result<u64, SourceError> {
    let mut first = status.matches / 2;
    for scholar in &status.scholars {
        let is_enough = scholar.matches + MIN_MATCHES <= status.matches;
        if first < scholar.matches && is_enough {
            let own = source.weights_of(scholar.file)?;
            if own.is_some_and(|own| own.weights == *weights) {
                first = scholar.matches;
            }
        }
    }
    Ok(first)
}

/// Positions of both games of a match, with Black's result.
fn positions_of(rules: &Rules, found: &MatchView) -> Result<Vec<PositionOfGame>, SourceError> {
    let mut positions = Vec::new();
    for (n, one) in found.games.iter().enumerate() {
        let broken = |error: &dyn std::fmt::Display| {
            SourceError::Failed(format!("match {}: {error}", found.number))
        };
        let first: Board = parse_position(&one.first).map_err(|error| broken(&error))?;
        let mut game = Game::from_board(*rules, first);
        parse_moves(&mut game, &one.moves.join(" ")).map_err(|error| broken(&error))?;
        let score = match one.result.as_str() {
            "x" => 1.0,
            "o" => 0.0,
            _ => 0.5,
        };
        let opening = one.opening_plies as usize;
        // The last position is over.
        let played = game.boards().len().saturating_sub(1 + opening);
        let count = POSITIONS.min(played);
        for part in 0..count {
            // Spread over the game, and at another place in each.
            let shift = (found.number as usize + n) % 7;
            let plies = opening + (part * 7 + shift) * played / (count * 7);
            let board = game.boards()[plies];
            positions.push(PositionOfGame {
                board,
                plies,
                score,
            });
        }
    }
    Ok(positions)
}

/// Judges positions, a few at a time, so that visitors do not wait for long.
/// What is decided teaches nothing about values.
async fn judge(
    app: &Arc<AppState>,
    file: &WeightFile,
    positions: Vec<PositionOfGame>,
    importance: &mut Vec<(&'static str, f64)>,
) -> Result<Vec<JudgedPosition>, Failure> {
    let rules = app.rules;
    let mut judged = Vec::new();
    for some in positions.chunks(TASK) {
        let found = loop {
            let (some, weights) = (some.to_vec(), file.weights);
            let task = move |stop: &_| analysis_engine::judge_all(&some, &weights, &rules, stop);
            match app.analysis_engine.ask(task).await {
                Err(failure) if failure.status == StatusCode::SERVICE_UNAVAILABLE => {
                    tokio::time::sleep(RETRY).await;
                }
                found => break found?,
            }
        };
        for (position, (judgement, terms)) in some.iter().zip(found) {
            importance.resize(terms.len(), ("", 0.0));
            for (sum, (gene, points)) in importance.iter_mut().zip(terms) {
                *sum = (gene, sum.1 + points.abs() / positions.len() as f64);
            }
            if let Judgement::Value(value) = judgement {
                judged.push(JudgedPosition {
                    value,
                    progress: progress(position.plies),
                    score: position.score,
                });
            }
        }
    }
    Ok(judged)
}

/// Means over both halves, the greatest first.
fn importance_views(sums: &[(&'static str, f64)]) -> Vec<ImportanceView> {
    let all: f64 = sums.iter().map(|(_, points)| points).sum();
    let view = |&(gene, points): &(&'static str, f64)| ImportanceView {
        gene: gene.to_owned(),
        points: points / 2.0,
        share: if all > 0.0 { points / all } else { 0.0 },
    };
    let mut views: Vec<ImportanceView> = sums.iter().map(view).collect();
    views.sort_by(|a, b| b.points.total_cmp(&a.points));
    views
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CalibrationQuery {
    /// `default`, which is the default, `champion`, `leader`, the number of a
    /// file, or the name of a published champion (`published:NAME` where it is
    /// called like one of these).
    #[param(pattern = "^[^/]+$")]
    weights: Option<String>,
}

/// How honest the chances of some weights are, and how much each feature counts.
#[utoipa::path(
    get,
    path = "/api/calibration",
    operation_id = "getCalibration",
    tag = "positions",
    params(CalibrationQuery),
    responses(
        (status = 200, description = "The answer", body = CalibrationView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn calibration(
    State(app): State<Arc<AppState>>,
    QueryParams(query): QueryParams<CalibrationQuery>,
) -> Result<Json<CalibrationView>, Failure> {
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let fitted = curve_of(&app, &file).await?;
    let fitted = fitted.ok_or_else(|| {
        Failure::missing(format!(
            "chances are fitted to games, and the population has fewer than {MIN_MATCHES} matches"
        ))
    })?;
    let mut view = fitted.view.clone();
    view.weights = file.name;
    Ok(Json(view))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ChanceQuery {
    /// A position, or `startpos`, which is the default.
    position: Option<String>,
    /// Moves from there, separated by spaces.
    #[param(pattern = "^[a-hxps1-8 -]*$")]
    moves: Option<String>,
    /// `default`, which is the default, `champion`, `leader`, the number of a
    /// file, or the name of a published champion (`published:NAME` where it is
    /// called like one of these).
    #[param(pattern = "^[^/]+$")]
    weights: Option<String>,
}

/// Black's chance in a position, calibrated on the population's games.
#[utoipa::path(
    get,
    path = "/api/chance",
    operation_id = "getChance",
    tag = "positions",
    params(ChanceQuery),
    responses(
        (status = 200, description = "The answer", body = ChanceView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn chance(
    State(app): State<Arc<AppState>>,
    QueryParams(query): QueryParams<ChanceQuery>,
) -> Result<Json<ChanceView>, Failure> {
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let game = parse_game(&app.rules, query.position, query.moves)?;
    let fitted = known_curve(&app, &file).await?;
    let weights = file.name.clone();
    let plies = game.played().len();
    let task = move |stop: &_| analysis_engine::judge_last(&game, &file, stop);
    let judgement = app.analysis_engine.ask(task).await?;
    let value = match judgement {
        Judgement::Value(value) => Some(value),
        _ => None,
    };
    let chance = match judgement {
        // What is decided needs no curve.
        Judgement::Decided(score) => Some(score),
        other => fitted.and_then(|fitted| fitted.chance(other, plies)),
    };
    Ok(Json(ChanceView {
        weights,
        chance,
        value,
    }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fitted(matches: u64) -> Arc<Fitted> {
        let view = CalibrationView {
            weights: String::from("default"),
            depths: CHANCE_DEPTHS,
            from: 0,
            fitted: 0,
            checked: 0,
            bias: 0.0,
            opening: 0.0,
            end: 0.0,
            brier: 0.25,
            log_likelihood: -0.693,
            bins: Vec::new(),
            importance: Vec::new(),
        };
        let curve = Calibration::default();
        Arc::new(Fitted {
            curve,
            view,
            matches,
        })
    }

    #[test]
    fn a_curve_is_fitted_again_when_the_matches_have_doubled() {
        let curves = Curves::default();
        let weights = Weights::source();
        let first = curves.of(&weights, 30);
        assert!(first.cell.get().is_none() && first.older.is_none());
        first.cell.set(fitted(30)).ok().unwrap();
        assert_eq!(curves.of(&weights, 59).cell.get().unwrap().matches, 30);
        // The old one serves until the new one is there.
        for _ in 0..2 {
            let next = curves.of(&weights, 60);
            assert!(next.cell.get().is_none());
            assert_eq!(next.older.unwrap().matches, 30);
        }
        curves.of(&weights, 60).cell.set(fitted(60)).ok().unwrap();
        assert_eq!(curves.of(&weights, 100).cell.get().unwrap().matches, 60);
    }
}
