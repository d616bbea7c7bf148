//! The certificate of a champion: where its weights come from, and the matches
//! that prove their strength, with all that is needed to play them again.
//!
//! Plain data that a weight file carries: `[certificate]`, a
//! `[[certificate.match]]` for each opponent and its weights. It holds no time
//! and no host name: the same run gives the same certificate on every machine.
//! Reading checks the range of every key; whether the numbers are true is
//! found out by [`crate::run::proof`], which plays the matches again.
//!
//! | file | purpose |
//! |---|---|
//! | `keys` | the keys, one row each |
//! | `values` | the types of their values |
//! | `read` | from the entries of a weight file |
//! | `toml` | as TOML |
//! | `json` | as JSON |

mod json;
mod keys;
mod read;
mod toml;
mod values;

pub(super) use json::to_json;
pub(super) use keys::{CERTIFICATE, names};
pub(super) use read::read;
pub(super) use toml::to_toml;

use serde::{Deserialize, Serialize};

use crate::eval::Weights;
use crate::game::Rules;
use crate::params::{OpeningParams, Params, PlayerParams};
use crate::stats::{Pentanomial, Record, Tally};

/// What a champion was before it became one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChampionKind {
    /// The running mean of the consensus, which was never a member of the
    /// population.
    Elder,
    /// The last file of the population, which survived all others.
    Last,
    /// A file that was learned from the positions of the run's games.
    Scholar,
}

impl ChampionKind {
    /// Every kind, with its name in files.
    pub const NAMES: [(&'static str, ChampionKind); 3] = [
        ("elder", ChampionKind::Elder),
        ("last", ChampionKind::Last),
        ("scholar", ChampionKind::Scholar),
    ];

    /// The name of this kind in files.
    pub const fn name(self) -> &'static str {
        ChampionKind::NAMES[self as usize].0
    }

    /// The kind with this name in files.
    pub fn from_name(name: &str) -> Option<ChampionKind> {
        let found = ChampionKind::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind)
    }

    /// The kind in words, to follow "The champion is".
    pub const fn meaning(self) -> &'static str {
        match self {
            ChampionKind::Elder => "the elder, the running mean of the consensus",
            ChampionKind::Last => "the last file, the one that survived all others",
            ChampionKind::Scholar => "a scholar, learned from the positions of the run's games",
        }
    }
}

/// How the games of a proof are played. Together with the weights of both
/// sides, the conditions determine every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The rules of the game.
    pub rules: Rules,
    /// Search, limits and table, the same for both sides.
    pub player: PlayerParams,
    /// How the openings are drawn.
    pub openings: OpeningParams,
    /// The seed from which the openings are drawn.
    pub seed: u64,
}

/// The conditions of a run: openings that its evolution never saw, drawn from
/// the run's own seed.
///
/// ```
/// use loatune::params::Params;
/// use loatune::weights::Conditions;
///
/// let params = Params::parse("[run]\nseed = 7\n[player]\ndepth = 4", "params.toml")?;
/// let conditions = Conditions::from(&params);
/// assert_eq!((conditions.seed, conditions.player.depth), (7, 4));
/// # Ok::<(), loatune::document::FileError>(())
/// ```
impl From<&Params> for Conditions {
    fn from(params: &Params) -> Conditions {
        Conditions {
            rules: params.rules,
            player: params.player,
            openings: params.openings.clone(),
            seed: params.run.seed,
        }
    }
}

/// How an opponent of another kind plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelPlayer {
    /// Its search, limit and options as a player's text has them behind the `@`:
    /// `selective:n2000`.
    pub search: String,
    /// The signature of its engine.
    pub engine: u64,
}

/// A match of the champion, from its point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofMatch {
    /// The opponent's name, on one line.
    pub opponent: String,
    /// The opponent's weights.
    pub weights: Weights,
    /// How the opponent plays; `None` where it plays as the champion does.
    pub player: Option<PanelPlayer>,
    /// The number of games, two for each opening.
    pub games: u64,
    /// Games that the champion won, drew and lost.
    pub record: Record,
    /// The pairs of games by the champion's points.
    pub pairs: Pentanomial,
    /// The difference in Elo, rounded to a tenth; `None` where it is infinite.
    pub elo: Option<f64>,
    /// The half-width of the 95 % interval of `elo`, rounded to a tenth; `None`
    /// where the games do not bound it.
    pub elo_error: Option<f64>,
    /// The likelihood of superiority from 0 to 1, rounded to four digits.
    pub los: f64,
}

impl ProofMatch {
    /// A match that was played. Elo, error and LOS follow from the counts; they
    /// are rounded so that differences between the logarithms of platforms do
    /// not show.
    pub fn new(opponent: &str, weights: &Weights, tally: &Tally) -> ProofMatch {
        let moments = tally.moments();
        let elo = moments.map(|moments| moments.elo());
        let tenth = |number: f64| number.is_finite().then(|| rounded(number, 10.0));
        ProofMatch {
            opponent: opponent.to_owned(),
            weights: *weights,
            player: None,
            games: tally.games(),
            record: tally.record(),
            pairs: tally.pairs,
            elo: elo.and_then(|elo| tenth(elo.value)),
            elo_error: elo.and_then(|elo| elo.error()).and_then(tenth),
            los: moments.map_or(0.5, |moments| rounded(moments.los(), 10_000.0)),
        }
    }

    /// The same match against an opponent that plays like this.
    #[must_use]
    pub fn with_player(mut self, player: Option<PanelPlayer>) -> ProofMatch {
        self.player = player;
        self
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

/// The number rounded to one part in `parts`; zero has no sign.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts + 0.0
}

/// Where a champion comes from, and how strong it is.
///
/// ```
/// use loatune::params::Params;
/// use loatune::weights::{Certificate, ChampionKind, Conditions, WeightFile};
///
/// let params = Params::default();
/// let file = WeightFile {
///     certificate: Some(Certificate {
///         champion: ChampionKind::Elder,
///         file: 0,
///         ancestry: Vec::new(),
///         seed: params.run.seed,
///         params: params.fingerprint(),
///         command: params.run_command(),
///         engine: 7_287_305,
///         games: 150_000,
///         matches: 75_000,
///         conditions: Conditions::from(&params),
///         results: Vec::new(),
///     }),
///     ..WeightFile::source()
/// };
/// let text = file.to_toml();
/// assert!(text.contains("\n[certificate]\nchampion = \"elder\"\n"));
/// assert_eq!(WeightFile::parse(&text, "champion.toml")?, file);
/// # Ok::<(), loatune::document::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What the champion was before it became one.
    pub champion: ChampionKind,
    /// The champion's number in the population of the run.
    pub file: u64,
    /// The champion's forebears, one line each, as the export worded them.
    pub ancestry: Vec<String>,
    /// The seed of the run.
    pub seed: u64,
    /// The fingerprint of the run's parameters, in hexadecimal digits.
    pub params: String,
    /// The command that begins a run with these parameters; `None` where parameters
    /// alone do not make this champion, and in files from before there was this key.
    pub command: Option<String>,
    /// The engine's signature: the node total of its bench.
    pub engine: u64,
    /// The number of games that the run played.
    pub games: u64,
    /// The number of matches that the run played.
    pub matches: u64,
    /// How the games of the proof were played.
    pub conditions: Conditions,
    /// The proof: a match against each opponent.
    pub results: Vec<ProofMatch>,
}
