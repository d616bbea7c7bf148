//! The certificate of a champion: where its weights come from, and the matches
//! that prove their strength, with all that is needed to play them again.
//!
//! Plain data. A weight file carries it (`certificate_text` reads and writes
//! it); [`crate::run::proof`] plays its matches. It holds no time and no host name:
//! the same run gives the same certificate anywhere.

use crate::eval::Weights;
use crate::game::Rules;
use crate::params::{OpeningParams, Params, PlayerParams};
use crate::stats::{Pentanomial, Record, Tally};

/// What a champion was before it became one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChampionKind {
    /// The running mean of the consensus: a file that never lived in the
    /// population.
    Elder,
    /// The file that survived all others.
    Last,
}

impl ChampionKind {
    /// Every kind, with its name in files.
    pub const NAMES: [(&'static str, ChampionKind); 2] =
        [("elder", ChampionKind::Elder), ("last", ChampionKind::Last)];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        ChampionKind::NAMES[self as usize].0
    }

    /// What it is, in words.
    pub const fn meaning(self) -> &'static str {
        match self {
            ChampionKind::Elder => "the elder, the running mean of the consensus",
            ChampionKind::Last => "the last file, the one that survived all others",
        }
    }
}

/// How the games of a proof are played. With the weights, it determines them to
/// the last move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// How a game ends.
    pub rules: Rules,
    /// Who plays; the same for both sides.
    pub player: PlayerParams,
    /// How the openings are made.
    pub openings: OpeningParams,
    /// The seed from which they follow.
    pub seed: u64,
}

impl Conditions {
    /// Those of a run: held-out openings from the run's own seed.
    pub fn of(params: &Params) -> Conditions {
        Conditions {
            rules: params.rules,
            player: params.player,
            openings: params.openings.clone(),
            seed: params.run.seed,
        }
    }
}

/// A match of the champion, from its point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofMatch {
    /// The opponent's name.
    pub opponent: String,
    /// What it played with.
    pub weights: Weights,
    /// Games played.
    pub games: u64,
    /// Games won, drawn and lost.
    pub record: Record,
    /// The pairs by the champion's points.
    pub pairs: Pentanomial,
    /// The difference in Elo, to a tenth; `None` where it is infinite.
    pub elo: Option<f64>,
    /// Its 95 % error, to a tenth; `None` where the games do not bound it.
    pub elo_error: Option<f64>,
    /// The likelihood of superiority, to four digits.
    pub los: f64,
}

impl ProofMatch {
    /// A match that was played. Elo, error and LOS follow from the counts; they
    /// are rounded so that no platform's logarithm shows.
    pub fn of(opponent: &str, weights: &Weights, tally: &Tally) -> ProofMatch {
        let moments = tally.moments();
        let elo = moments.map(|moments| moments.elo());
        let tenth = |number: f64| number.is_finite().then(|| rounded(number, 10.0));
        ProofMatch {
            opponent: opponent.to_owned(),
            weights: *weights,
            games: tally.games(),
            record: tally.record(),
            pairs: tally.pairs,
            elo: elo.and_then(|elo| tenth(elo.value)),
            elo_error: elo.and_then(|elo| elo.error()).and_then(tenth),
            los: moments.map_or(0.5, |moments| rounded(moments.los(), 10_000.0)),
        }
    }

    /// `+12.3 +/- 8.9`; `?` for what the games do not bound.
    pub fn elo_text(&self) -> String {
        match (self.elo, self.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:+.1} +/- {error:.1}"),
            (Some(elo), None) => format!("{elo:+.1} +/- ?"),
            (None, _) if self.record.wins > self.record.losses => String::from("+inf"),
            (None, _) if self.record.wins < self.record.losses => String::from("-inf"),
            (None, _) => String::from("?"),
        }
    }

    /// `+12.3 +/- 8.9 Elo, LOS 99.7 %, 1000 games (W 520, D 20, L 460)`.
    pub fn text(&self) -> String {
        let Record {
            wins,
            draws,
            losses,
        } = self.record;
        format!(
            "{} Elo, LOS {:.1} %, {} games (W {wins}, D {draws}, L {losses})",
            self.elo_text(),
            100.0 * self.los,
            self.games
        )
    }
}

/// The number to so many parts of a unit; zero has no sign.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts + 0.0
}

/// Where a champion comes from, and how strong it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What the champion was.
    pub champion: ChampionKind,
    /// The number of its file in the run.
    pub file: u64,
    /// Its forebears, in the words of whoever exported it.
    pub ancestry: Vec<String>,
    /// The run's seed.
    pub seed: u64,
    /// The fingerprint of the run's parameters, in hexadecimal digits.
    pub params: String,
    /// The engine's signature: the node total of its bench.
    pub engine: u64,
    /// Games that the run played.
    pub games: u64,
    /// Matches that it played.
    pub matches: u64,
    /// How the games of the proof were played.
    pub conditions: Conditions,
    /// The proof: a match against each opponent.
    pub results: Vec<ProofMatch>,
}
