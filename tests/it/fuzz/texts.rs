//! What people and programs write: parameters, weights, positions, moves,
//! games, openings, players, settings and commands.

use std::path::Path;

use loatune::arena::spec::PlayerSpec;
use loatune::arena::{MoveLimits, Openings};
use loatune::board::Board;
use loatune::book::Book;
use loatune::game::Game;
use loatune::game::Rules;
use loatune::notation::{
    parse_move, parse_moves, parse_position, parse_sgf, position_text, write_sgf,
};
use loatune::params::{Layers, Params, Source, keys};
use loatune::stats::Sprt;
use loatune::ugi;
use loatune::weights::WeightFile;
use proptest::prelude::*;

use super::mutation::text;
use super::{check_line, check_message, check_plain, config, demand};

const PARAMS: &[&str] = &[
    include_str!("../../../params.toml"),
    include_str!("../../data/fuzz/params.toml"),
];
const WEIGHTS: &[&str] = &[
    include_str!("../../data/fuzz/weights.toml"),
    include_str!("../../data/fuzz/weights.json"),
];
const CHAMPIONS: &[&str] = &[
    include_str!("../../data/fuzz/champion.toml"),
    include_str!("../../data/fuzz/champion.json"),
];
const POSITIONS: &[&str] = &[
    "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x",
    "8/2x5/8/3x4/3oo3/8/6o1/x7 o",
    "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1",
    "startpos",
];
const MOVES: &[&str] = &["b1-b3", "c1xa3", "b1b3", "c1:a3", "pass", "h2-f2"];
const GAMES: &[&str] = &["b1-b3 a2-c2 b3-b1 c2-a2", "d1-d3 a4xd1 c1-e3"];
const SGF: &[&str] = &[
    include_str!("../../data/fuzz/game.sgf"),
    include_str!("../../data/fuzz/setup.sgf"),
];
const BOOKS: &[&str] = &[
    include_str!("../../data/fuzz/openings.txt"),
    include_str!("../../data/fuzz/game.sgf"),
];
const PLAYERS: &[&str] = &[
    "default@alphabeta:3",
    "random:7@mtdf:n20000",
    "default@mtdf:t0.25",
    "mine.toml@memory",
    "default@selective:n100,book=mine.book,book_games=4",
    "ugi:./engine --net 'a b'",
];
const BOOK_LINES: &[&str] = &[include_str!("../../data/fuzz/book.txt")];
const SPRT: &[&str] = &["elo0=0,elo1=10", "elo0=-5,elo1=5,alpha=0.01,beta=0.1"];
const UGI: &[&str] = &[
    "position fen 8/2x5/8/3x4/3oo3/8/6o1/x7 o moves d4-b2",
    "position startpos moves b1-b3 a2-c2",
    "setoption name Weights value my file.toml",
    "go p1time 1000 p2time -5 p1inc 10 p2inc 20 movestogo 3 depth 7 nodes 9 infinite",
    "query result",
];

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn parameters(text in text(PARAMS)) {
        match Params::parse(&text, "params.toml") {
            Ok(params) => {
                let again = Params::parse(&params.to_toml(), "again.toml");
                prop_assert_eq!(again.map_err(|error| error.to_string()), Ok(params));
            }
            Err(error) => demand!(check_message(&error.to_string())),
        }
    }

    #[test]
    fn parameters_by_flag(number in any::<prop::sample::Index>(), text in text(&["0..200", "mover-wins", "quads,mobility", "127.0.0.1:80", "-2.5"])) {
        let all: Vec<_> = keys().collect();
        let key = all[number.index(all.len())];
        let mut layers = Layers::new();
        match layers.set(key, &text, Source::Flag(key.flag_name())) {
            Ok(()) => match layers.finish() {
                Ok(found) => {
                    let again = Params::parse(&found.params.to_toml(), "again.toml");
                    prop_assert_eq!(again.unwrap(), found.params);
                }
                Err(error) => demand!(check_message(&error.to_string())),
            },
            Err(error) => demand!(check_line(&error)),
        }
    }

    #[test]
    fn weight_files(text in text(WEIGHTS)) {
        demand!(weight_file(&text));
    }

    #[test]
    fn certificates(text in text(CHAMPIONS)) {
        demand!(weight_file(&text));
    }

    #[test]
    fn positions(text in text(POSITIONS)) {
        match parse_position(&text) {
            Ok(board) => prop_assert_eq!(parse_position(&position_text(&board)), Ok(board)),
            Err(error) => demand!(check_line(&error.to_string())),
        }
    }

    #[test]
    fn moves(text in text(MOVES)) {
        let board = Board::start();
        match parse_move(&board, &text) {
            Ok(mv) => prop_assert_eq!(parse_move(&board, &mv.to_string()), Ok(mv)),
            Err(error) => demand!(check_line(&error.to_string())),
        }
    }

    #[test]
    fn lists_of_moves(text in text(GAMES)) {
        let mut game = Game::new(Rules::default());
        if let Err(error) = parse_moves(&mut game, &text) {
            demand!(check_line(&error.to_string()));
        }
    }

    #[test]
    fn sgf(text in text(SGF)) {
        let rules = Rules::default();
        match parse_sgf(&text, &rules) {
            Ok(games) => for sgf in games {
                let again = parse_sgf(&write_sgf(&sgf), &rules);
                let again = again.map_err(|error| error.to_string());
                prop_assert_eq!(again.as_ref().map(Vec::len), Ok(1));
                let again = &again.unwrap()[0];
                prop_assert_eq!(again.game.played(), sgf.game.played());
                prop_assert_eq!(again.game.first_board(), sgf.game.first_board());
                prop_assert_eq!(again.resigned, sgf.resigned);
            },
            Err(error) => demand!(check_line(&error.to_string())),
        }
    }

    #[test]
    fn players(text in text(PLAYERS)) {
        let here = Path::new("/nowhere");
        match PlayerSpec::parse(&text, MoveLimits::default(), here) {
            Ok(player) => prop_assert_eq!(player.text, text),
            Err(error) => demand!(check_plain(&error.to_string())),
        }
    }

    #[test]
    fn sequential_tests(text in text(SPRT)) {
        match text.parse::<Sprt>() {
            Ok(sprt) => {
                prop_assert!(sprt.elo0() < sprt.elo1());
                let again: Sprt = sprt.to_string().parse().unwrap();
                prop_assert_eq!(again.to_string(), sprt.to_string());
            }
            Err(error) => demand!(check_line(&error.to_string())),
        }
    }

    #[test]
    fn ugi_lines(text in text(UGI)) {
        if let Err(error) = ugi::parse(&text) {
            demand!(check_line(&error.to_string()));
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn openings(text in text(BOOKS)) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("book.txt");
        std::fs::write(&path, &text).unwrap();
        let rules = Rules::default();
        match Openings::read(&path, &rules, 1) {
            Ok(openings) => {
                let mut opener = openings.opener(&rules);
                for number in 0..openings.count().unwrap().min(20) {
                    let start = opener.get(number).unwrap();
                    prop_assert!(start.opening.game(&rules).is_some());
                }
            }
            Err(error) => demand!(check_line(&error.to_string())),
        }
    }

    #[test]
    fn opening_books(content in text(BOOK_LINES)) {
        let sum = blake3::hash(content.as_bytes()).to_hex();
        for text in [content.clone(), format!("{content}checksum {sum}\n")] {
            match Book::parse(&text) {
                Ok(book) => prop_assert_eq!(Book::parse(&book.text()).unwrap(), book),
                Err(problem) => demand!(check_line(&problem.to_string())),
            }
        }
    }

    /// A whole dialogue of bad lines; searches are left out, they take time.
    #[test]
    fn ugi_dialogues(lines in prop::collection::vec(text(&UGI[..3]), 1..6)) {
        let is_search = |line: &str| line.trim_start().starts_with("go");
        let input: String = lines
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| !is_search(line) && line.trim() != "quit")
            .map(|line| format!("{line}\n"))
            .collect();
        let input = std::io::Cursor::new((input + "isready\n").into_bytes());
        let mut out = Vec::new();
        ugi::run(input, &mut out, ugi::Settings::new(Rules::default())).unwrap();
        let printed = String::from_utf8(out).unwrap();
        prop_assert!(printed.ends_with("readyok\n"), "{}", printed);
        for line in printed.lines() {
            demand!(check_line(line));
        }
    }
}

fn weight_file(text: &str) -> Result<(), String> {
    match WeightFile::parse(text, "mine") {
        Ok(file) => {
            let json = file.to_json().to_string();
            for written in [file.to_toml(), json] {
                let again =
                    WeightFile::parse(&written, "again").map_err(|error| error.to_string())?;
                if again != file {
                    return Err(format!("{again:?} is not {file:?}"));
                }
            }
            Ok(())
        }
        Err(error) => check_message(&error.to_string()),
    }
}
