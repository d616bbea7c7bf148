//! The lines of the protocol: those that an engine says, read, and those that
//! it is told, written. Knows no process and no clock.

use std::fmt::Write as _;
use std::str::SplitWhitespace;

use crate::board::Board;
use crate::game::Game;
use crate::game::Rules;
use crate::notation::position_text;
use crate::search::value::{MAX_DEPTH, WIN_THRESHOLD, win_in};

use super::MoveLimits;

/// What an engine says of the search so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    /// For the side to move, on our scale.
    pub(super) value: Option<i32>,
    pub(super) nodes: u64,
}

impl Info {
    /// Takes over what an `info` line says; other lines say nothing. Bounds
    /// and lines of second choice are no values.
    pub(super) fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut value, mut is_value) = (None, true);
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "score" => value = score(&mut words),
                "nodes" => {
                    let nodes = words.next().and_then(|text| text.parse().ok());
                    self.nodes = nodes.unwrap_or(self.nodes);
                }
                "multipv" => is_value &= words.next() == Some("1"),
                "lowerbound" | "upperbound" => is_value = false,
                _ => {}
            }
        }
        if is_value {
            self.value = value.or(self.value);
        }
    }
}

/// `cp N`, which never says that the game is decided, or `mate N`, which
/// does, in N plies: lost where N is 0 or less.
fn score(words: &mut SplitWhitespace<'_>) -> Option<i32> {
    let unit = words.next()?;
    let number: i64 = words.next()?.parse().ok()?;
    match unit {
        "cp" => {
            let most = i64::from(WIN_THRESHOLD);
            i32::try_from(number.clamp(-most, most)).ok()
        }
        "mate" => {
            let plies = u32::try_from(number.unsigned_abs()).unwrap_or(MAX_DEPTH);
            let win = win_in(plies.min(MAX_DEPTH), 0);
            Some(if number > 0 { win } else { -win })
        }
        _ => None,
    }
}

/// The word after `bestmove`, empty where there is none; `None` for another
/// line.
pub(super) fn best_move(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next() == Some("bestmove")).then(|| words.next().unwrap_or(""))
}

/// Whether a line is this word alone.
pub(super) fn is_word(line: &str, word: &str) -> bool {
    line.trim() == word
}

/// The name in `id name NAME`.
pub(super) fn id_name(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("id ")?.trim_start();
    let name = rest.strip_prefix("name ")?.trim();
    (!name.is_empty()).then_some(name)
}

/// A rule that an engine can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleOption {
    Simultaneous,
    NoMoves,
    Repetition,
    MaxPlies,
}

impl RuleOption {
    pub(super) const ALL: [RuleOption; 4] = [
        RuleOption::Simultaneous,
        RuleOption::NoMoves,
        RuleOption::Repetition,
        RuleOption::MaxPlies,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            RuleOption::Simultaneous => "Simultaneous",
            RuleOption::NoMoves => "NoMoves",
            RuleOption::Repetition => "Repetition",
            RuleOption::MaxPlies => "MaxPlies",
        }
    }

    /// The option that a line `option name NAME type …` announces.
    pub(super) fn announced(line: &str) -> Option<RuleOption> {
        let mut words = line.split_whitespace();
        if (words.next(), words.next()) != (Some("option"), Some("name")) {
            return None;
        }
        let (name, end) = (words.next()?, words.next());
        let is_this = |option: &RuleOption| option.name().eq_ignore_ascii_case(name);
        let found = RuleOption::ALL.into_iter().find(is_this);
        found.filter(|_| matches!(end, None | Some("type")))
    }

    /// Its value under these rules, as in `params.toml`.
    pub(super) fn value(self, rules: &Rules) -> String {
        match self {
            RuleOption::Simultaneous => rules.simultaneous.name().to_owned(),
            RuleOption::NoMoves => rules.no_moves.name().to_owned(),
            RuleOption::Repetition => rules.repetition.to_string(),
            RuleOption::MaxPlies => rules.max_plies.to_string(),
        }
    }
}

/// `setoption name NAME value VALUE`.
pub(super) fn set_option(option: RuleOption, rules: &Rules) -> String {
    let (name, value) = (option.name(), option.value(rules));
    format!("setoption name {name} value {value}\n")
}

/// `position …` for a game.
pub(super) fn position(game: &Game) -> String {
    let first = game.first_board();
    let mut text = if first.same_position(&Board::start()) {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", position_text(first))
    };
    if !game.played().is_empty() {
        text += " moves";
        for mv in game.played() {
            let _ = write!(text, " {mv}");
        }
    }
    text + "\n"
}

/// `go …`, without the end of the line.
pub(super) fn go(limits: &MoveLimits) -> String {
    let mut text = "go".to_owned();
    if let Some(depth) = limits.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(time) = limits.time {
        let _ = write!(text, " movetime {}", time.as_millis().max(1));
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{NoMoves, Simultaneous};
    use crate::notation::{parse_moves, parse_position};
    use crate::search::value::plies_to_end;
    use std::time::Duration;

    fn heard(lines: &[&str]) -> (Option<i32>, u64) {
        let mut info = Info::default();
        lines.iter().for_each(|line| info.read(line));
        (info.value, info.nodes)
    }

    #[test]
    fn values_and_nodes() {
        let last = "info depth 2 score cp -17 nodes 900 nps 5 time 3 pv b1-b3";
        assert_eq!(heard(&[last]), (Some(-17), 900));
        assert_eq!(heard(&["info pv b1-b3 score cp 4"]), (Some(4), 0));
        assert_eq!(heard(&[last, "info time 1000"]), (Some(-17), 900));
        assert_eq!(heard(&[last, "info nodes 1000"]), (Some(-17), 1000));
        for other in [
            "",
            "info",
            "score cp 5",
            "information score cp 5",
            "info string score cp 5 nodes 7",
            "info score",
            "info score cp",
            "info score cp many nodes none",
            "info score wdl 5",
            "info score cp 5 lowerbound",
            "info multipv 2 score cp 5",
        ] {
            assert_eq!(heard(&[last, other]), (Some(-17), 900), "{other}");
        }
    }

    #[test]
    fn only_a_mate_is_decided() {
        let value = |text: &str| heard(&[&format!("info score {text}")]).0.unwrap();
        assert_eq!(plies_to_end(value("cp 9223372036854775807")), None);
        assert_eq!(plies_to_end(value("cp -99999999")), None);
        assert_eq!(value("mate 3"), win_in(3, 0));
        assert_eq!(value("mate -4"), -win_in(4, 0));
        assert_eq!(value("mate 0"), -win_in(0, 0));
        assert!(plies_to_end(value("mate -9223372036854775808")).is_some());
    }

    #[test]
    fn answers_are_told_apart() {
        assert_eq!(best_move("bestmove b1-b3 ponder a2-c2"), Some("b1-b3"));
        assert_eq!(best_move(" bestmove "), Some(""));
        assert_eq!(best_move("bestmoves b1-b3"), None);
        assert!(is_word("readyok ", "readyok") && !is_word("readyok?", "readyok"));
        assert_eq!(id_name("id name  My Engine 2 "), Some("My Engine 2"));
        assert_eq!(id_name("id author Me"), None);
        assert_eq!(id_name("id name "), None);
    }

    #[test]
    fn rules_as_options() {
        let rules = Rules {
            simultaneous: Simultaneous::Draw,
            no_moves: NoMoves::Passes,
            repetition: 0,
            max_plies: 20,
        };
        let told = RuleOption::ALL.map(|option| set_option(option, &rules));
        assert_eq!(
            told.concat(),
            "setoption name Simultaneous value draw\n\
             setoption name NoMoves value passes\n\
             setoption name Repetition value 0\n\
             setoption name MaxPlies value 20\n"
        );
        let announced = RuleOption::announced("option name maxplies type spin default 200");
        assert_eq!(announced, Some(RuleOption::MaxPlies));
        assert_eq!(RuleOption::announced("option name Hash type spin"), None);
        assert_eq!(RuleOption::announced("option name NoMoves Ever type"), None);
        assert_eq!(RuleOption::announced("option NoMoves"), None);
    }

    #[test]
    fn what_an_engine_is_told() {
        let mut game = Game::new(Rules::default());
        assert_eq!(position(&game), "position startpos\n");
        parse_moves(&mut game, "b1-h1 a2-c2").unwrap();
        assert_eq!(position(&game), "position startpos moves b1-h1 a2-c2\n");
        let text = "8/2x5/2x5/8/o6o/8/2x5/o7 o";
        let mut game = Game::from_board(Rules::default(), parse_position(text).unwrap());
        assert_eq!(position(&game), format!("position fen {text}\n"));
        game.play(game.moves()[0]).unwrap();
        let expected = format!("position fen {text} moves {}\n", game.played()[0]);
        assert_eq!(position(&game), expected);

        let mut limits = MoveLimits {
            depth: Some(5),
            ..MoveLimits::default()
        };
        assert_eq!(go(&limits), "go depth 5");
        limits.nodes = Some(1000);
        limits.time = Some(Duration::ZERO);
        assert_eq!(go(&limits), "go depth 5 nodes 1000 movetime 1");
    }
}
