//! What the page's engine plays and searches beside an analysis: several best
//! lines, and pairs of games between two sets of weights.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::analysis_engine::{MAX_SEARCH_TIME, TABLE_KIB};
use super::app_state::AppState;
use super::positions::parse_game;
use super::reply::{Failure, QueryParams};
use super::weight_files::named_weights;
use crate::api::{DuelGame, DuelView, LineView, LinesView, move_names};
use crate::arena::openings::RandomOpenings;
use crate::arena::{Builtin, MoveLimits, Openings, play_game};
use crate::board::{Move, Side};
use crate::game::{Game, Rules, Winner};
use crate::params::OpeningParams;
use crate::random::Stream;
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits, value};
use crate::weights::{DEFAULT_WEIGHTS, WeightFile};

type Server = State<Arc<AppState>>;

/// The most lines of a position.
const MAX_LINES: usize = 10;

/// Lines where no number is given.
const DEFAULT_LINES: usize = 3;

/// The greatest depth of lines, in plies.
const MAX_LINE_DEPTH: u32 = 12;

/// The time for lines where none is given.
const DEFAULT_LINE_TIME: Duration = Duration::from_secs(1);

/// The depth of a duel where none is given, in plies.
const DEFAULT_DUEL_DEPTH: u32 = 2;

/// The greatest depth of a duel, in plies.
const MAX_DUEL_DEPTH: u32 = 4;

/// The longest time of the two games of a duel.
const DUEL_TIME: Duration = Duration::from_secs(20);

/// The seed of the openings of duels, the same for all.
const DUEL_SEED: u64 = 1;

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LinesQuery {
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
    /// The greatest number of lines; 3 by default.
    #[param(minimum = 1, maximum = 10)]
    count: Option<usize>,
    /// The longest time, in seconds; 1 by default.
    #[param(exclusive_minimum = 0, maximum = 5)]
    time: Option<f64>,
    /// The greatest depth, in plies; 12 by default.
    #[param(minimum = 2, maximum = 12)]
    depth: Option<u32>,
}

/// The best moves of a position, each with what follows.
#[utoipa::path(
    get,
    path = "/api/lines",
    operation_id = "getLines",
    tag = "positions",
    params(LinesQuery),
    responses(
        (status = 200, description = "The answer", body = LinesView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn lines(
    State(app): Server,
    QueryParams(query): QueryParams<LinesQuery>,
) -> Result<Json<LinesView>, Failure> {
    let count = query.count.unwrap_or(DEFAULT_LINES);
    if !(1..=MAX_LINES).contains(&count) {
        let message = format!("count {count}: must be from 1 to {MAX_LINES}");
        return Err(Failure::bad(message));
    }
    let depth = query.depth.unwrap_or(MAX_LINE_DEPTH);
    if !(2..=MAX_LINE_DEPTH).contains(&depth) {
        let message = format!("depth {depth}: must be from 2 to {MAX_LINE_DEPTH}");
        return Err(Failure::bad(message));
    }
    let longest = MAX_SEARCH_TIME.as_secs_f64();
    let time = match query.time {
        None => DEFAULT_LINE_TIME,
        Some(time) if time > 0.0 && time <= longest => Duration::from_secs_f64(time),
        Some(time) => {
            let message = format!("time {time}: must be more than 0 and at most {longest} seconds");
            return Err(Failure::bad(message));
        }
    };
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let game = parse_game(&app.rules, query.position, query.moves)?;
    let task = move |stop: &_| best_lines(&game, &file, count, depth, time, stop);
    app.analysis_engine.ask(task).await.map(Json)
}

/// A root move, its value for the side to move, and what follows it.
struct RootMove {
    mv: Move,
    after: Game,
    value: i32,
    rest: Vec<Move>,
}

/// Searches every move of a position, deeper and deeper, and keeps the best of
/// the last depth that was finished. All share one table.
fn best_lines(
    game: &Game,
    file: &WeightFile,
    count: usize,
    most: u32,
    time: Duration,
    stop: &AtomicBool,
) -> LinesView {
    let mut moves: Vec<RootMove> = Vec::new();
    if game.outcome().is_none() {
        for mv in game.moves() {
            let mut after = game.clone();
            if after.play(mv).is_ok() {
                let (value, rest) = (0, Vec::new());
                moves.push(RootMove {
                    mv,
                    after,
                    value,
                    rest,
                });
            }
        }
    }
    let mut engine = Engine::new(Algorithm::Mtdf, &file.weights, *game.rules(), TABLE_KIB);
    let deadline = Deadline {
        soft: None,
        hard: Instant::now().checked_add(time),
    };
    let mut depth = 0;
    let mut finished: Vec<LineView> = Vec::new();
    let turn = game.board().turn();
    'deepening: for next in 2..=most {
        if moves.is_empty() {
            break;
        }
        for one in &mut moves {
            let Some((value, rest)) =
                reply_value(&mut engine, &one.after, next - 1, deadline, stop)
            else {
                break 'deepening;
            };
            (one.value, one.rest) = (-value, rest);
        }
        moves.sort_by_key(|one| std::cmp::Reverse(one.value));
        depth = next;
        finished = moves
            .iter()
            .take(count)
            .map(|one| line(one, turn))
            .collect();
    }
    LinesView {
        weights: file.name.clone(),
        depth,
        lines: finished,
    }
}

fn line(one: &RootMove, turn: Side) -> LineView {
    let mut moves = vec![one.mv];
    moves.extend(&one.rest);
    LineView {
        value: if turn == Side::X {
            one.value
        } else {
            -one.value
        },
        plies_to_end: value::plies_to_end(one.value),
        moves: move_names(&moves),
    }
}

/// The value after a move for the side that replies, and the best play; `None`
/// where the time was over. An end is one ply further away than it is there.
fn reply_value(
    engine: &mut Engine,
    after: &Game,
    depth: u32,
    deadline: Deadline,
    stop: &AtomicBool,
) -> Option<(i32, Vec<Move>)> {
    if let Some(outcome) = after.outcome() {
        let value = match outcome.winner {
            Winner::Draw => 0,
            Winner::Side(_) => value::terminal_value(after.board(), after.rules(), 1).unwrap_or(0),
        };
        return Some((value, Vec::new()));
    }
    engine.set_past(after.reversible_keys());
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let plies = after.played().len();
    let board = after.board();
    let report = timed_search(engine, board, plies, limits, deadline, stop, &mut |_| {});
    let value = report.value();
    let is_decided = value::plies_to_end(value).is_some() && report.depth() > 0;
    let further = match value::plies_to_end(value) {
        Some(_) => value - value.signum(),
        None => value,
    };
    (report.depth() == depth || is_decided).then(|| (further, report.pv().to_vec()))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DuelQuery {
    /// The first set of weights: `default`, `champion`, `leader`, the number of
    /// a file, or the name of a published champion.
    a: String,
    /// The second set of weights.
    b: String,
    /// The number of the opening; 0 by default.
    #[serde(default)]
    opening: u64,
    /// The search depth of both, in plies; 2 by default.
    #[param(minimum = 1, maximum = 4)]
    depth: Option<u32>,
}

/// Two games of one opening between two sets of weights, colours swapped.
#[utoipa::path(
    get,
    path = "/api/duel",
    operation_id = "playDuel",
    tag = "positions",
    params(DuelQuery),
    responses(
        (status = 200, description = "The answer", body = DuelView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn duel(
    State(app): Server,
    QueryParams(query): QueryParams<DuelQuery>,
) -> Result<Json<DuelView>, Failure> {
    let depth = query.depth.unwrap_or(DEFAULT_DUEL_DEPTH);
    if !(1..=MAX_DUEL_DEPTH).contains(&depth) {
        let message = format!("depth {depth}: must be from 1 to {MAX_DUEL_DEPTH}");
        return Err(Failure::bad(message));
    }
    let files = [
        named_weights(&app, &query.a).await?,
        named_weights(&app, &query.b).await?,
    ];
    let (rules, opening) = (app.rules, query.opening);
    let task = move |stop: &_| play_duel(&files, &rules, opening, depth, stop);
    let played = app.analysis_engine.ask(task).await?;
    played
        .map(Json)
        .ok_or_else(|| Failure::busy("the games took too long; try a smaller depth"))
}

/// Plays both games; `None` where they took too long.
fn play_duel(
    files: &[WeightFile; 2],
    rules: &Rules,
    number: u64,
    depth: u32,
    stop: &AtomicBool,
) -> Option<DuelView> {
    let settings = OpeningParams::default();
    let random = RandomOpenings {
        plies: settings.plies,
        bound: settings.bound,
    };
    let openings = Openings::random(random, DUEL_SEED, Stream::Match);
    let start = openings.opener(rules).get(number).ok()?;
    let limits = MoveLimits {
        depth: Some(depth),
        ..MoveLimits::default()
    };
    let player = |file: &WeightFile| {
        Builtin::new(&file.name, Algorithm::Mtdf, &file.weights, limits).with_table(TABLE_KIB)
    };
    let mut players = files.each_ref().map(player);
    let begun = Instant::now();
    let is_over = || stop.load(Ordering::Relaxed) || begun.elapsed() > DUEL_TIME;
    let [one, other] = &mut players;
    let first = play_game([&mut *one, &mut *other], rules, &start, &is_over)?;
    let second = play_game([&mut *other, &mut *one], rules, &start, &is_over)?;
    let score = |winner: Winner, own: Side| match winner {
        Winner::Draw => 0.5,
        Winner::Side(side) => f64::from(u8::from(side == own)),
    };
    Some(DuelView {
        weights: files.each_ref().map(|file| file.name.clone()),
        opening: number,
        depth,
        scores: [
            score(first.outcome.winner, Side::X),
            score(second.outcome.winner, Side::O),
        ],
        games: [DuelGame::from(&first), DuelGame::from(&second)],
    })
}
