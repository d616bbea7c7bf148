//! The games of a book, played by a worker pool and counted in their order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::planner::{BookGame, Growth, Plan, Planner, WrongGame};
use crate::arena::openings::{NoOpening, RandomOpenings, Start};
use crate::arena::spec::PlayerKind;
use crate::arena::{
    Contender, Opening, Openings, PlayerSpec, PoolError, PoolEvent, StartError, Worker,
    WorkerPanic, WorkerPool, play_game,
};
use crate::game::Rules;
use crate::random::{self, Stream};

/// How long a wait for a game lasts before the caller is asked whether to go on.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How a book is made.
#[derive(Clone, Debug)]
pub struct BookBuild {
    /// Who plays itself: a built-in player without a limit of time.
    pub player: PlayerSpec,
    /// The rules of all games.
    pub rules: Rules,
    /// Where games begin; without any all begin at the initial position.
    pub openings: Vec<Opening>,
    /// How the book grows.
    pub growth: Growth,
    /// How many games are played, earlier ones included.
    pub games: u64,
    /// Games at the same time, at least 1.
    pub threads: usize,
}

/// Why a book cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BookBuildError {
    /// Games of such a player cannot be repeated.
    #[error(
        "{0:?} cannot make a book: only a built-in player with a limit of plies, positions or \
         simulations can, because its games can be repeated"
    )]
    Player(String),
    /// The player cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A thread has panicked.
    #[error(transparent)]
    Worker(#[from] WorkerPanic),
    /// A game came back that was not planned.
    #[error(transparent)]
    Game(#[from] WrongGame),
}

/// So many random openings as matches have them, from a seed that no match has.
///
/// # Errors
/// Where no random opening is level enough.
pub fn book_openings(
    random: RandomOpenings,
    count: u64,
    seed: u64,
    rules: &Rules,
) -> Result<Vec<Opening>, NoOpening> {
    let openings = Openings::random(random, random::book_seed(seed), Stream::Match);
    let mut opener = openings.opener(rules);
    let opening = |number| Ok(opener.get(number)?.opening);
    (0..count).map(opening).collect()
}

impl BookBuild {
    /// A book without games.
    ///
    /// # Errors
    /// [`BookBuildError::Player`] where the player's games cannot be repeated.
    pub fn planner(&self) -> Result<Planner, BookBuildError> {
        let PlayerKind::Builtin { weights, .. } = &self.player.kind else {
            return Err(BookBuildError::Player(self.player.text.clone()));
        };
        if !self.player.is_repeatable() {
            return Err(BookBuildError::Player(self.player.text.clone()));
        }
        let openings = self.openings.clone();
        Ok(Planner::new(self.growth, openings, weights, &self.rules))
    }

    /// Plays on where the planner stands. `counted` sees each game in order, once
    /// the planner has it; `waiting` is called several times a second and may
    /// break: then what is counted stays. Returns whether all games are played.
    ///
    /// # Errors
    /// The player or the threads cannot be started, or fail.
    pub fn play<E: From<BookBuildError>>(
        &self,
        planner: &mut Planner,
        counted: &mut dyn FnMut(&BookGame) -> Result<(), E>,
        waiting: &mut dyn FnMut(&Planner) -> ControlFlow<()>,
    ) -> Result<bool, E> {
        let halt = Arc::new(AtomicBool::new(false));
        let mut workers = Vec::new();
        for _ in 0..self.threads.max(1) {
            let player = || self.player.contender(&halt).map_err(BookBuildError::from);
            workers.push(BookWorker {
                players: [player()?, player()?],
                rules: self.rules,
                halt: Arc::clone(&halt),
            });
        }
        let played = WorkerPool::run(workers, &halt, |pool| {
            self.drive(pool, planner, counted, waiting)
        });
        played.map_err(BookBuildError::from)?
    }

    fn drive<E: From<BookBuildError>>(
        &self,
        pool: &WorkerPool<Plan, BookGame>,
        planner: &mut Planner,
        counted: &mut dyn FnMut(&BookGame) -> Result<(), E>,
        waiting: &mut dyn FnMut(&Planner) -> ControlFlow<()>,
    ) -> Result<bool, E> {
        planner.plan(self.games);
        for plan in planner.under_way() {
            pool.submit(plan.clone());
        }
        let mut finished: BTreeMap<u64, BookGame> = BTreeMap::new();
        while planner.counted() < self.games {
            match pool.wait(LOOK_UP) {
                PoolEvent::Finished(game) => {
                    finished.insert(game.number, game);
                }
                PoolEvent::Idle => {}
                PoolEvent::Panicked(panic) => return Err(BookBuildError::from(panic).into()),
            }
            while let Some(game) = finished.remove(&planner.counted()) {
                planner.count(&game).map_err(BookBuildError::from)?;
                counted(&game)?;
                let new = planner.plan(self.games);
                let plans: Vec<&Plan> = planner.under_way().collect();
                for plan in &plans[plans.len() - new..] {
                    pool.submit((*plan).clone());
                }
            }
            if waiting(planner).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The player twice: for Black and for White.
struct BookWorker {
    players: [Box<dyn Contender>; 2],
    rules: Rules,
    halt: Arc<AtomicBool>,
}

impl Worker for BookWorker {
    type Job = Plan;
    type Output = BookGame;

    fn play(&mut self, plan: Plan) -> Option<BookGame> {
        let path = plan.opening.moves.len();
        let start = Start {
            opening: plan.opening,
            seed: plan.number,
        };
        let [black, white] = &mut self.players;
        let players: [&mut dyn Contender; 2] = [&mut **black, &mut **white];
        let stop = || self.halt.load(Ordering::Relaxed);
        let record = play_game(players, &self.rules, &start, &stop)?;
        let moves = record.moves.into_iter().take(path + 1);
        Some(BookGame {
            number: plan.number,
            moves: moves.skip(plan.opening_plies).collect(),
            winner: record.outcome.winner,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::arena::MoveLimits;
    use crate::book::Book;

    fn build(player: &str, threads: usize) -> BookBuild {
        let rules = Rules::default();
        let random = RandomOpenings {
            plies: 2,
            ..RandomOpenings::default()
        };
        BookBuild {
            player: PlayerSpec::parse(player, MoveLimits::default(), Path::new("")).unwrap(),
            rules,
            openings: book_openings(random, 5, 1, &rules).unwrap(),
            growth: Growth {
                plies: 6,
                explore: 0.3,
                widening: 0.5,
                from_start: 10,
            },
            games: 60,
            threads,
        }
    }

    fn played(build: &BookBuild) -> (Book, Vec<BookGame>) {
        let mut planner = build.planner().unwrap();
        let mut games = Vec::new();
        let mut counted = |game: &BookGame| -> Result<(), BookBuildError> {
            games.push(game.clone());
            Ok(())
        };
        let go_on = &mut |_: &Planner| ControlFlow::Continue(());
        assert!(build.play(&mut planner, &mut counted, go_on).unwrap());
        (planner.book().clone(), games)
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let (book, games) = played(&build("default@mtdf:1", 1));
        assert_eq!(games.len(), 60);
        let (again, others) = played(&build("default@mtdf:1", 3));
        assert_eq!((&again, &others), (&book, &games));
        // Twenty games are known; the others are played.
        let rest = build("default@mtdf:1", 2);
        let mut planner = rest.planner().unwrap();
        for game in &games[..20] {
            planner.plan(60);
            planner.count(game).unwrap();
        }
        let mut counted = |_: &BookGame| -> Result<(), BookBuildError> { Ok(()) };
        let go_on = &mut |_: &Planner| ControlFlow::Continue(());
        rest.play(&mut planner, &mut counted, go_on).unwrap();
        assert_eq!(planner.book(), &book);
    }

    #[test]
    fn players_whose_games_cannot_be_repeated_are_refused() {
        for player in ["default@mtdf:t0.1", "ugi:engine"] {
            let error = build(player, 1).planner().err().unwrap().to_string();
            assert!(error.contains(player), "{error}");
        }
    }
}
