//! The lines of the protocol: those that an engine says, read, and those that
//! it is told, written. Knows no process and no clock.

use std::fmt::Write as _;
use std::str::SplitWhitespace;

use crate::arena::clock::Clocks;
use crate::board::{Board, Side};
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
                // An engine may say the value on our scale, which tells wins apart
                // that `mate` does not.
                "string" => {
                    if words.next() == Some("value") {
                        let exact = words.next().and_then(|text| text.parse().ok());
                        let most = win_in(0, 0) + 64;
                        self.value = exact
                            .filter(|it| (-most..=most).contains(it))
                            .or(self.value);
                    }
                    return;
                }
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

/// `query features` about a position. `readyok` follows what it answers, and is
/// all that a program says which does not know the question.
pub(super) fn ask_features(board: &Board) -> String {
    format!(
        "position fen {}\nquery features\nisready\n",
        position_text(board)
    )
}

/// The line that ends the features of a position.
pub(super) const FEATURES_END: &str = "response features";

/// The name and the number in `feature name NAME value X`.
pub(super) fn feature(line: &str) -> Option<(String, f64)> {
    let rest = line.trim().strip_prefix("feature ")?.trim_start();
    let (name, value) = rest.strip_prefix("name ")?.rsplit_once(" value ")?;
    let value: f64 = value.trim().parse().ok()?;
    let name: Vec<&str> = name.split_whitespace().collect();
    (value.is_finite() && !name.is_empty()).then(|| (name.join(" "), value))
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

/// A whole number that an engine can be told: `option name NAME type spin …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpinOption {
    /// Its name, which may have spaces.
    pub name: String,
    /// The least value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
    /// The value that it has at first.
    pub default: i64,
}

impl SpinOption {
    /// The option that a line announces; `None` for another line, one of another
    /// type, or one without both bounds. A default that is missing or out of the
    /// bounds is the nearest value to it, or to 0.
    pub(super) fn announced(line: &str) -> Option<SpinOption> {
        let rest = line.trim().strip_prefix("option ")?.trim_start();
        let rest = rest.strip_prefix("name ")?;
        let (name, kind) = rest.split_once(" type ")?;
        let mut words = kind.split_whitespace();
        if words.next() != Some("spin") {
            return None;
        }
        let (mut min, mut max, mut default) = (None, None, 0);
        while let Some(word) = words.next() {
            let number = words.next().and_then(|text| text.parse::<i64>().ok());
            match word {
                "min" => min = number,
                "max" => max = number,
                "default" => default = number.unwrap_or(0),
                _ => {}
            }
        }
        let (min, max) = (min?, max?);
        let name: Vec<&str> = name.split_whitespace().collect();
        (min <= max && !name.is_empty()).then(|| SpinOption {
            name: name.join(" "),
            min,
            max,
            default: default.clamp(min, max),
        })
    }
}

/// `setoption name NAME value VALUE` for a number.
pub(super) fn set_value(name: &str, value: i64) -> String {
    format!("setoption name {name} value {value}\n")
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

/// `go …` for the side to move, without the end of the line. A player with a
/// clock is told both; an opponent that has none counts as one with the same,
/// because programs expect two.
pub(super) fn go(limits: &MoveLimits, clocks: &Clocks, turn: Side) -> String {
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
    if let Some(own) = clocks.of(turn) {
        let [black, white] = Side::BOTH.map(|side| clocks.of(side).unwrap_or(own));
        let _ = write!(
            text,
            " p1time {} p2time {} p1inc {} p2inc {}",
            black.left.as_millis(),
            white.left.as_millis(),
            black.increment.as_millis(),
            white.increment.as_millis()
        );
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
    fn features_of_a_position() {
        let found = feature("feature name Pawn  Value value -2.5");
        assert_eq!(found, Some((String::from("Pawn Value"), -2.5)));
        for other in [
            "feature name a value",
            "feature name a value many",
            "feature name a value inf",
            "feature name value 3",
            "info string feature name a value 3",
        ] {
            assert_eq!(feature(other), None, "{other}");
        }
        let asked = ask_features(&Board::start());
        assert!(asked.starts_with("position fen 1xxxxxx1/"), "{asked}");
        assert!(asked.ends_with(" x\nquery features\nisready\n"), "{asked}");
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
    fn numbers_that_can_be_told() {
        let found =
            SpinOption::announced("option name Pawn  Value type spin default 9 min -1 max 50");
        let wanted = SpinOption {
            name: String::from("Pawn Value"),
            min: -1,
            max: 50,
            default: 9,
        };
        assert_eq!(found, Some(wanted));
        let found = SpinOption::announced("option name a type spin max 7 min 3").unwrap();
        assert_eq!(found.default, 3);
        for other in [
            "option name a type check default true",
            "option name a type spin min 3",
            "option name a type spin min 3 max 2",
            "option name type spin min 3 max 4",
            "info string option name a type spin min 1 max 2",
        ] {
            assert_eq!(SpinOption::announced(other), None, "{other}");
        }
        assert_eq!(
            set_value("Pawn Value", -3),
            "setoption name Pawn Value value -3\n"
        );
        assert_eq!(
            heard(&["info score mate 3", "info string value 29955"]).0,
            Some(29955)
        );
        assert_eq!(heard(&["info string value 99999999"]).0, None);
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
        let none = Clocks::default();
        assert_eq!(go(&limits, &none, Side::X), "go depth 5");
        limits.nodes = Some(1000);
        limits.time = Some(Duration::ZERO);
        assert_eq!(
            go(&limits, &none, Side::X),
            "go depth 5 nodes 1000 movetime 1"
        );
        let control = |text: &str| Some(text.parse().unwrap());
        let clocks = Clocks::new([control("1+0.1"), control("2+0.2")]);
        let told = "go p1time 1000 p2time 2000 p1inc 100 p2inc 200";
        assert_eq!(go(&MoveLimits::default(), &clocks, Side::O), told);
        let one = Clocks::new([None, control("2+0.2")]);
        let told = "go p1time 2000 p2time 2000 p1inc 200 p2inc 200";
        assert_eq!(go(&MoveLimits::default(), &one, Side::O), told);
        assert_eq!(go(&MoveLimits::default(), &one, Side::X), "go");
    }
}
