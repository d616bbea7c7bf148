//! Text in and out: whatever is written is read back the same, independent
//! positions and games are read as meant, and no text makes a parser panic.

use loatune::board::{Bitboard, Board, Side, Square};
use loatune::game::Game;
use loatune::game::{NoMoves, Rules, Simultaneous};
use loatune::notation::{
    SgfGame, parse_move, parse_moves, parse_position, parse_sgf, position_text, write_sgf,
};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// The position that a seed draws: 1 to 12 pieces a side, anywhere.
fn random_board(rng: &mut ChaCha8Rng) -> Board {
    let mut pieces = [Bitboard::EMPTY; 2];
    for side in Side::BOTH {
        let count = rng.random_range(1..=Board::MAX_PIECES);
        while pieces[side.index()].len() < count {
            let square = Bitboard::from_square(Square::from_index(rng.random_range(0..64)));
            if (square & (pieces[0] | pieces[1])).is_empty() {
                pieces[side.index()] |= square;
            }
        }
    }
    Board::new(pieces, Side::BOTH[rng.random_range(0..2)]).unwrap()
}

/// Plays at random, at most `plies` further.
fn play_on(game: &mut Game, plies: usize, rng: &mut ChaCha8Rng) {
    for _ in 0..plies {
        let moves = game.moves();
        if moves.is_empty() {
            return;
        }
        game.play(moves[rng.random_range(0..moves.len())]).unwrap();
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let simultaneous = prop_oneof![Just(Simultaneous::MoverWins), Just(Simultaneous::Draw)];
    let no_moves = prop_oneof![Just(NoMoves::Loses), Just(NoMoves::Passes)];
    (simultaneous, no_moves, 0..4u32, 20..300u32).prop_map(
        |(simultaneous, no_moves, repetition, max_plies)| Rules {
            simultaneous,
            no_moves,
            repetition: if repetition == 1 { 2 } else { repetition },
            max_plies,
        },
    )
}

/// Names and comments, rich in what has to be escaped.
const ANY_TEXT: &str = r"[\s\[\]\\:;()a-c\u{e9}\u{0}]{0,30}";

/// Gives a text to everything that reads one.
fn read_as_everything(text: &str) {
    let _ = parse_position(text);
    for board in [Board::start(), stuck()] {
        let _ = parse_move(&board, text);
        let _ = parse_moves(&mut Game::from_board(Rules::default(), board), text);
    }
    let _ = parse_sgf(text, &Rules::default());
}

/// White cannot move.
fn stuck() -> Board {
    parse_position("6xo/6xx/8/8/8/8/xx6/ox6 o").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_position_is_read_as_it_was_written(seed: u64) {
        let board = random_board(&mut ChaCha8Rng::seed_from_u64(seed));
        let text = position_text(&board);
        prop_assert_eq!(parse_position(&text).unwrap(), board);
        prop_assert_eq!(parse_position(&text.to_uppercase()).unwrap(), board);

        let (pieces, turn) = text.split_once(' ').unwrap();
        let fen = pieces.replace('x', "L").replace('o', "l");
        let turn = if turn == "x" { "w" } else { "b" };
        prop_assert_eq!(parse_position(&format!("{fen} {turn}")).unwrap(), board);
        prop_assert_eq!(parse_position(&format!("{fen} {turn} - - 3 17")).unwrap(), board);
        let our_side = format!("{fen} {}", board.turn());
        prop_assert!(parse_position(&our_side).is_err());
    }

    #[test]
    fn a_move_is_read_as_it_was_written(seed: u64) {
        let board = random_board(&mut ChaCha8Rng::seed_from_u64(seed));
        for &mv in board.moves().iter() {
            let text = mv.to_string();
            let (from, to) = (mv.from(), mv.to());
            prop_assert_eq!(parse_move(&board, &text).unwrap(), mv);
            prop_assert_eq!(parse_move(&board, &text.to_uppercase()).unwrap(), mv);
            prop_assert_eq!(parse_move(&board, &format!("{from}-{to}")).unwrap(), mv);
            prop_assert_eq!(parse_move(&board, &format!(" {from}{to}\n")).unwrap(), mv);
            for sign in ['x', ':'] {
                let read = parse_move(&board, &format!("{from}{sign}{to}"));
                prop_assert_eq!(read.ok(), mv.is_capture().then_some(mv));
            }
        }
    }

    /// Two squares are a move exactly if the board says so, and the reason
    /// given for a refusal is a true one.
    #[test]
    fn only_legal_moves_are_read(seed: u64) {
        let board = random_board(&mut ChaCha8Rng::seed_from_u64(seed));
        let mut read = 0;
        for from in Square::all() {
            for to in Square::all() {
                match parse_move(&board, &format!("{from}{to}")) {
                    Ok(mv) => {
                        prop_assert!(board.is_legal(mv));
                        read += 1;
                    }
                    Err(error) => {
                        let own_target = board.pieces(board.turn()).has(to);
                        let message = error.to_string();
                        prop_assert!(own_target || !message.contains("of its own side"));
                    }
                }
            }
        }
        prop_assert_eq!(read, board.moves().len());
    }

    #[test]
    fn a_move_list_is_read_as_it_was_played(seed: u64, rules in any_rules()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new(rules);
        play_on(&mut game, 400, &mut rng);
        let list: Vec<String> = game.played().iter().map(ToString::to_string).collect();
        let mut again = Game::new(rules);
        parse_moves(&mut again, &list.join(" ")).unwrap();
        prop_assert_eq!(again.boards(), game.boards());
        prop_assert_eq!(again.outcome(), game.outcome());
    }

    #[test]
    fn a_game_is_read_as_it_was_written(
        seed: u64,
        rules in any_rules(),
        from_start: bool,
        plies in 0..400usize,
        players in [ANY_TEXT, ANY_TEXT],
        comment in prop::option::of(ANY_TEXT),
        resigns: bool,
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let first = if from_start { Board::start() } else { random_board(&mut rng) };
        let mut game = Game::from_board(rules, first);
        play_on(&mut game, plies, &mut rng);
        let resigned = (resigns && game.outcome().is_none()).then_some(game.turn());
        let sgf = SgfGame { players, comment, resigned, ..SgfGame::new(game) };

        let text = write_sgf(&sgf);
        let read = parse_sgf(&format!("{text}{text}"), &rules).unwrap();
        prop_assert_eq!(read.len(), 2);
        for again in &read {
            prop_assert_eq!(again.game.boards(), sgf.game.boards());
            prop_assert_eq!(again.game.played(), sgf.game.played());
            prop_assert_eq!(again.game.outcome(), sgf.game.outcome());
            prop_assert_eq!(again.resigned, sgf.resigned);
            for (read, given) in again.players.iter().zip(&sgf.players) {
                let same = |letter: &char| !letter.is_whitespace();
                prop_assert!(read.chars().filter(same).eq(given.chars().filter(same)));
            }
            // White space may have changed, but not a second time.
            let second = write_sgf(again);
            let third = write_sgf(&parse_sgf(&second, &rules).unwrap()[0]);
            prop_assert_eq!(third, second);
        }
    }

    #[test]
    fn no_bytes_make_a_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_as_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_string_makes_a_parser_panic(text in ".{0,100}") {
        read_as_everything(&text);
    }

    #[test]
    fn nothing_that_looks_right_makes_a_parser_panic(
        text in r"[xoLl0-9/ a-hABWPEGMSUF;:()\[\]\\+-]{0,80}",
    ) {
        read_as_everything(&text);
    }

    #[test]
    fn no_damage_makes_a_parser_panic(
        seed: u64,
        damages in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<char>(), 0..3u8),
            1..6,
        ),
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::from_board(Rules::default(), random_board(&mut rng));
        play_on(&mut game, 20, &mut rng);
        let list: Vec<String> = game.played().iter().map(ToString::to_string).collect();
        for text in [
            position_text(game.board()),
            list.join(" "),
            write_sgf(&SgfGame::new(game.clone())),
        ] {
            let mut letters: Vec<char> = text.chars().collect();
            for &(place, letter, kind) in &damages {
                if letters.is_empty() {
                    break;
                }
                let place = place.index(letters.len());
                match kind {
                    0 => letters[place] = letter,
                    1 => letters.insert(place, letter),
                    _ => {
                        letters.remove(place);
                    }
                }
            }
            read_as_everything(&letters.into_iter().collect::<String>());
        }
    }
}

#[test]
fn size_alone_makes_no_parser_panic() {
    for unit in [
        "x", "8", "/", " ", "(", "(;", "(;B[", ")", "[", "\\", "b1-b3 ", "\0", "é",
    ] {
        read_as_everything(&unit.repeat(300_000));
    }
}

/// The histories come from other rules, under which a game may go on longer.
#[test]
fn independent_positions_and_histories_are_read_as_meant() {
    let data: serde_json::Value =
        serde_json::from_str(include_str!("../../data/positions.json")).unwrap();
    let positions = data["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 100);
    let rules = Rules {
        repetition: 0,
        max_plies: *Rules::MAX_PLIES.end(),
        ..Rules::default()
    };
    for position in positions {
        let fen = position["fen"].as_str().unwrap();
        let board = parse_position(fen).unwrap();
        assert_eq!(position_text(&board), fen);

        let mut game = Game::new(rules);
        let history = position["history"].as_str().unwrap();
        parse_moves(&mut game, history).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position_text(game.board()), fen);
        let written: Vec<String> = game.played().iter().map(ToString::to_string).collect();
        assert_eq!(written.join(" "), history);

        // Their captures carry no sign, unlike their histories.
        for text in position["legal_moves"].as_array().unwrap() {
            let text = text.as_str().unwrap();
            let mv = parse_move(&board, text).unwrap();
            let captures = position["captures"].as_array().unwrap();
            assert_eq!(
                mv.is_capture(),
                captures.contains(&text.into()),
                "{fen}: {text}"
            );
        }
    }
}
