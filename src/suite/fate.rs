//! What is proved of a position or a move, seen by the side to move.

use std::fmt;

/// What becomes of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It wins, whatever the other side plays.
    Win,
    /// The game ends drawn: a move ends it at once, and all others lose.
    Draw,
    /// Neither side wins within the horizon, and no longer win was found.
    Open,
    /// The other side wins, whatever it plays.
    Loss,
}

impl Fate {
    /// Every fate with its name in a suite.
    pub const NAMES: [(&'static str, Fate); 4] = [
        ("win", Fate::Win),
        ("draw", Fate::Draw),
        ("open", Fate::Open),
        ("loss", Fate::Loss),
    ];

    /// Its name in a suite.
    pub const fn name(self) -> &'static str {
        Fate::NAMES[self as usize].0
    }
}

/// What proved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every line within the horizon was looked at: the distance is the shortest.
    Exhaustive,
    /// Proof-number search: the distance is one that suffices.
    Solver,
}

impl Proof {
    /// Every kind with its name in a suite.
    pub const NAMES: [(&'static str, Proof); 2] =
        [("exhaustive", Proof::Exhaustive), ("df-pn", Proof::Solver)];

    /// Its name in a suite.
    pub const fn name(self) -> &'static str {
        Proof::NAMES[self as usize].0
    }
}

/// A fate, how far away it is, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What becomes of the side to move.
    pub fate: Fate,
    /// Plies to the end of the game; for an open fate the horizon.
    pub plies: u32,
    /// What proved it.
    pub proof: Proof,
}

/// How a position was spoilt: what the side to move had, and what it was left
/// with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    /// What it had.
    pub before: Fate,
    /// What the move left.
    pub after: Fate,
}

impl ErrorKind {
    /// All that there are, the worst first.
    pub const ALL: [ErrorKind; 5] = [
        ErrorKind::new(Fate::Win, Fate::Loss),
        ErrorKind::new(Fate::Win, Fate::Draw),
        ErrorKind::new(Fate::Win, Fate::Open),
        ErrorKind::new(Fate::Draw, Fate::Loss),
        ErrorKind::new(Fate::Open, Fate::Loss),
    ];

    const fn new(before: Fate, after: Fate) -> ErrorKind {
        ErrorKind { before, after }
    }

    /// The error that leads from one fate to the other, where it is one.
    pub fn of(before: Fate, after: Fate) -> Option<ErrorKind> {
        let kind = ErrorKind::new(before, after);
        ErrorKind::ALL.contains(&kind).then_some(kind)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.before.name(), self.after.name())
    }
}
