//! A player's attempt at a position of a suite: what it plays, and from which
//! moment of its search on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::entry::Entry;
use crate::arena::{Builtin, Clocks, Contender, Fault, PlayerSpec, SearchedPosition, StartError};
use crate::board::Move;
use crate::game::{Game, Rules};
use crate::search::Iteration;

/// A player that positions are put to. Each of them is a game of its own: nothing
/// is remembered from one to the next.
pub struct Player(Kind);

enum Kind {
    Builtin(Box<Builtin>),
    /// Another program, which is told the position alone.
    Other(Box<dyn Contender>),
}

/// What came of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The move; none where the player failed.
    pub chosen: Option<Move>,
    /// Whether it is a right one.
    pub is_solved: bool,
    /// Positions visited.
    pub nodes: u64,
    /// The time of the search.
    pub seconds: f64,
    /// From where on the search had a right move; none where it has not, or where
    /// it does not deepen.
    pub solved_at: Option<SolvedAt>,
    /// Why the player failed.
    pub fault: Option<Fault>,
}

/// The moment of a search from which on its move was a right one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedAt {
    /// The finished depth, or that of the last finished one.
    pub depth: u32,
    /// Positions visited until then.
    pub nodes: u64,
    /// The time until then.
    pub seconds: f64,
}

impl Player {
    /// Starts a player; its searches end when `halt` is set.
    ///
    /// # Errors
    /// Where another program cannot be started.
    pub fn start(spec: &PlayerSpec, halt: &Arc<AtomicBool>) -> Result<Player, StartError> {
        Ok(Player(match spec.builtin(halt) {
            Some(builtin) => Kind::Builtin(Box::new(builtin)),
            None => Kind::Other(spec.contender(halt)?),
        }))
    }

    /// Lets the player choose a move.
    pub fn attempt(&mut self, rules: &Rules, entry: &Entry) -> Attempt {
        let begun = match &mut self.0 {
            Kind::Builtin(builtin) => builtin.new_game(rules, &entry.board),
            Kind::Other(contender) => contender.new_game(rules, &entry.board),
        };
        // The time of clearing a table is not that of a search.
        let begin = Instant::now();
        let found = begun.and_then(|()| match &mut self.0 {
            Kind::Builtin(builtin) => search(builtin, entry, begin),
            Kind::Other(contender) => ask(&mut **contender, rules, entry),
        });
        let seconds = begin.elapsed().as_secs_f64();
        let failed = |fault| Attempt {
            chosen: None,
            is_solved: false,
            nodes: 0,
            seconds,
            solved_at: None,
            fault: Some(fault),
        };
        found.map_or_else(failed, |(chosen, nodes, solved_at)| Attempt {
            chosen: Some(chosen),
            is_solved: entry.right.contains(&chosen),
            nodes,
            seconds,
            solved_at,
            fault: None,
        })
    }
}

/// The move, the positions visited, and from where on it was a right move.
type Found = (Move, u64, Option<SolvedAt>);

fn ask(contender: &mut dyn Contender, rules: &Rules, entry: &Entry) -> Result<Found, Fault> {
    let game = Game::from_board(*rules, entry.board);
    let choice = contender.choose(&game, &Clocks::default())?;
    if !entry.board.is_legal(choice.mv) {
        return Err(Fault::Illegal(choice.mv.to_string()));
    }
    Ok((choice.mv, choice.nodes, None))
}

fn search(builtin: &mut Builtin, entry: &Entry, begin: Instant) -> Result<Found, Fault> {
    let position = SearchedPosition {
        board: &entry.board,
        plies: entry.plies as usize,
        past: &[],
    };
    let mut solved_at = None;
    let mut depth = 0;
    let report = builtin.search(&position, None, &mut |iteration: &Iteration| {
        depth = iteration.depth;
        let best = iteration.pv.first();
        if best.is_none_or(|mv| !entry.right.contains(mv)) {
            solved_at = None;
        } else if solved_at.is_none() {
            solved_at = Some(SolvedAt {
                depth,
                nodes: iteration.nodes,
                seconds: begin.elapsed().as_secs_f64(),
            });
        }
    })?;
    let chosen = report
        .best
        .ok_or_else(|| Fault::Dies(String::from("asked for a move in a finished game")))?;
    let at_the_end = || SolvedAt {
        depth,
        nodes: report.nodes,
        seconds: begin.elapsed().as_secs_f64(),
    };
    let is_right = entry.right.contains(&chosen);
    let solved_at = is_right.then(|| solved_at.unwrap_or_else(at_the_end));
    Ok((chosen, report.nodes, solved_at))
}
