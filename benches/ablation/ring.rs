//! One match after the other: two games of one opening of the evolution's
//! stream, scored as the evolution scores them.

use loatune::arena::openings::RandomOpenings;
use loatune::arena::{Builtin, Contender, MoveLimits, Openings, play_game};
use loatune::eval::Weights;
use loatune::evolve::{FileId, Pairing};
use loatune::genome::Genome;
use loatune::params::Params;
use loatune::random::Stream;
use loatune::store::MatchRecord;

pub(crate) struct Ring {
    params: Params,
    openings: Openings,
    players: [Builtin; 2],
    games: u64,
}

impl Ring {
    pub(crate) fn new(params: Params) -> Ring {
        let random = RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        };
        let player = || {
            let limits = MoveLimits::from(&params.player);
            Builtin::new("", params.player.search, &Weights::source(), limits)
                .with_table(params.player.table_kib)
        };
        Ring {
            openings: Openings::random(random, params.run.seed, Stream::Evolution),
            players: [player(), player()],
            games: 0,
            params,
        }
    }

    /// Plays matches of one opening; the scores of the first ones, from -1 to 1.
    pub(crate) fn play(&mut self, opening: u64, matches: &[[Weights; 2]]) -> Vec<f64> {
        let rules = &self.params.rules;
        let start = self.openings.opener(rules).get(opening).unwrap();
        let mut scores = Vec::with_capacity(matches.len());
        for &weights in matches {
            let [a, b] = &mut self.players;
            a.become_player("a", &weights[0]);
            b.become_player("b", &weights[1]);
            let game = |seats: [&mut dyn Contender; 2]| {
                play_game(seats, rules, &start, &|| false).unwrap()
            };
            let games = [game([a, b]), game([b, a])];
            let pairing = Pairing {
                number: opening,
                files: [FileId(0), FileId(1)],
                weights: weights.map(Genome::from),
                is_final: false,
            };
            scores.push(MatchRecord::new(&pairing, &games).unwrap().result().score);
            self.games += 2;
        }
        scores
    }

    /// Games played.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }
}
