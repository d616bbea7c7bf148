//! The Universal Game Interface: dialogues with the real binary, and a parser
//! that takes anything.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use loatune::game::Game;
use loatune::game::Rules;
use loatune::notation::{parse_move, parse_moves, parse_position};
use loatune::ugi::parse;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::support::START;
use crate::support::binary::{Place, loatune, output_of};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// x is connected and o is to move.
const WON_BY_X: &str = "1x6/1x6/2x5/6o1/1o5o/5o2/2o5/8 o";
/// o is connected and x is to move.
const WON_BY_O: &str = "1o6/1o6/2o5/6x1/1x5x/5x2/2x5/8 x";

/// A running engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    // The engine runs where no params.toml is.
    _dir: tempfile::TempDir,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_loatune"))
            .arg("ugi")
            .args(args)
            .current_dir(dir.path())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Engine {
            input: child.stdin.take(),
            child,
            lines,
            _dir: dir,
        }
    }

    fn new() -> Engine {
        Engine::start(&[])
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// Lines up to the one that begins with `word`.
    #[track_caller]
    fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// Sends a line and takes the single line of its answer.
    #[track_caller]
    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        let answer = self.line();
        self.is_quiet();
        answer
    }

    /// The message of a line that must be refused.
    #[track_caller]
    fn refused(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        let message = answer.strip_prefix("info string error: ");
        message
            .unwrap_or_else(|| panic!("{line:?} is answered {answer:?}"))
            .to_owned()
    }

    /// Nothing is said before the next answer.
    #[track_caller]
    fn is_quiet(&mut self) {
        self.send("isready");
        assert_eq!(self.line(), "readyok");
    }

    /// Searches, and gives the info lines and the move.
    #[track_caller]
    fn go(&mut self, limits: &str) -> (Vec<String>, String) {
        self.send(&format!("go {limits}"));
        let mut lines = self.until("bestmove");
        let best = lines.pop().unwrap();
        (lines, best["bestmove ".len()..].to_owned())
    }

    fn wait(&mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(began.elapsed() < PATIENCE, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it, which must go well and say nothing on standard error.
    #[track_caller]
    fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.ended()
    }

    #[track_caller]
    fn ended(mut self) -> Vec<String> {
        let code = self.wait();
        let mut said = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!((code, said.as_str()), (Some(0), ""));
        self.lines.iter().collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A test that fails leaves no engine behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The number after a word of a line.
fn number(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ');
    words.find(|found| *found == word)?;
    words.next()?.parse().ok()
}

#[test]
fn the_handshake() {
    let mut engine = Engine::new();
    engine.send("ugi");
    let lines = engine.until("ugiok");
    assert!(lines[0].starts_with("id name loatune "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options: Vec<&str> = lines[2..lines.len() - 1]
        .iter()
        .map(|line| line.strip_prefix("option name ").unwrap())
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(
        options,
        [
            "Weights",
            "Player",
            "PlayerOptions",
            "Hash",
            "Book",
            "Simultaneous",
            "NoMoves",
            "Repetition",
            "MaxPlies"
        ]
    );
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.quit(), [""; 0]);
}

#[test]
fn flags_set_the_first_values() {
    let mut engine = Engine::start(&["--max-plies", "20", "--no-moves", "passes"]);
    engine.send("ugi");
    let lines = engine.until("ugiok").join("\n");
    assert!(lines.contains("MaxPlies type spin default 20 min 20 max 2000"));
    assert!(lines.contains("NoMoves type combo default passes var loses var passes"));
    engine.quit();
}

#[test]
fn a_search_tells_its_progress_and_a_legal_move() {
    for player in [
        "minimax",
        "negamax",
        "alphabeta",
        "memory",
        "mtdf",
        "selective",
    ] {
        let mut engine = Engine::new();
        engine.send(&format!("setoption name Player value {player}"));
        engine.send("position startpos moves b1-b3 a2c2");
        let (mut lines, best) = engine.go("depth 3");
        // A search that takes long shows the time from second to second.
        lines.retain(|line| !line.starts_with("info time "));
        let depths: Vec<_> = lines
            .iter()
            .filter_map(|line| number(line, "depth"))
            .collect();
        assert_eq!(depths, [1, 2, 3, 3], "{player}: {lines:?}");
        for line in &lines {
            assert!(line.starts_with("info depth "), "{line}");
            for word in ["cp", "nodes", "nps", "time"] {
                assert!(number(line, word).is_some(), "no {word}: {line}");
            }
        }
        let last = lines.last().unwrap();
        assert!(number(last, "hashfull").is_some(), "{last}");
        let pv: Vec<&str> = last.split(" pv ").nth(1).unwrap().split(' ').collect();
        assert_eq!(pv[0], best);

        let mut game = Game::new(Rules::default());
        parse_moves(&mut game, "b1-b3 a2-c2").unwrap();
        parse_moves(&mut game, &pv.join(" ")).unwrap();
        engine.quit();
    }
}

#[test]
fn every_limit_ends_a_search() {
    let mut engine = Engine::new();
    for limits in [
        "depth 1",
        "depth 0",
        "nodes 5000",
        "nodes 1",
        "movetime 30",
        "movetime 0",
        "p1time 300 p2time 300 p1inc 10 p2inc 10",
        "p1time 200 p2time 200 movestogo 1",
        "p1time -5 p2time 100",
        "depth 40 movetime 30",
        "depth 2 nodes 100000000",
    ] {
        let began = Instant::now();
        let (_, best) = engine.go(limits);
        let board = parse_position(START).unwrap();
        assert!(parse_move(&board, &best).is_ok(), "{limits}: {best}");
        // Generous: other programs may be running.
        assert!(began.elapsed() < PATIENCE, "{limits}");
    }
    let (lines, _) = engine.go("nodes 5000");
    let nodes = number(lines.last().unwrap(), "nodes").unwrap();
    assert!((5000..6100).contains(&nodes), "{nodes}");
    assert_eq!(engine.refused("go p2time 1000"), "go: p1time is missing");
    engine.quit();
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let mut engine = Engine::new();
    let mut answers = Vec::new();
    for _ in 0..2 {
        engine.send("uginewgame");
        engine.send("position startpos");
        let (lines, best) = engine.go("depth 5");
        answers.push((number(lines.last().unwrap(), "nodes"), best));
    }
    assert_eq!(answers[0], answers[1]);
    engine.quit();
}

#[test]
fn a_decided_game_is_told_in_plies() {
    let mut engine = Engine::new();
    engine.send("position fen 7o/8/8/8/8/x7/8/x6o x");
    let (lines, best) = engine.go("depth 3");
    assert_eq!(number(lines.last().unwrap(), "mate"), Some(1), "{lines:?}");
    engine.send(&format!("position fen 7o/8/8/8/8/x7/8/x6o x moves {best}"));
    assert_eq!(engine.ask("query result"), "response p1win");
    engine.quit();
}

#[test]
fn stop_ends_an_endless_search_at_once() {
    for player in ["minimax", "memory", "mtdf"] {
        let mut engine = Engine::new();
        engine.send(&format!("setoption name Player value {player}"));
        engine.is_quiet();
        for (limits, pause) in [("infinite", 300), ("", 0), ("depth 100", 100)] {
            engine.send(&format!("go {limits}"));
            thread::sleep(Duration::from_millis(pause));
            let began = Instant::now();
            engine.send("stop");
            let lines = engine.until("bestmove");
            let took = began.elapsed();
            println!("{player}, go {limits}: stopped in {took:?}");
            // It would go on for hours.
            assert!(took < PATIENCE, "{took:?}");
            let best = &lines.last().unwrap()["bestmove ".len()..];
            assert!(parse_move(&parse_position(START).unwrap(), best).is_ok());
        }
        // Nothing to stop: nothing to say.
        engine.send("stop");
        engine.is_quiet();
        engine.quit();
    }
}

#[test]
fn what_cannot_be_done_while_searching_is_refused() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    for command in [
        "go depth 1",
        "position startpos moves b1-b3",
        "setoption name Hash value 1",
        "uginewgame",
    ] {
        engine.send(command);
        let name = command.split(' ').next().unwrap();
        let expected = format!("info string error: {name} while searching: stop first");
        while engine.line() != expected {}
    }
    engine.send("isready");
    engine.until("readyok");
    engine.send("query p1turn");
    assert_eq!(engine.until("response").last().unwrap(), "response true");
    engine.send("stop");
    engine.until("bestmove");
    engine.is_quiet();
    engine.quit();
}

#[test]
fn queries_tell_of_running_and_finished_games() {
    let mut engine = Engine::new();
    let repeated = "position startpos moves b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1 c2-a2";
    for (position, p1turn, result) in [
        ("position startpos", true, "none"),
        ("position startpos moves b1-b3", false, "none"),
        ("position startpos moves b1-b3 a2-c2", true, "none"),
        (&format!("position fen {START} moves c1xa3"), false, "none"),
        (&format!("position fen {WON_BY_X}"), false, "p1win"),
        (&format!("position fen {WON_BY_O}"), true, "p2win"),
        (repeated, true, "draw"),
    ] {
        engine.send(position);
        engine.is_quiet();
        assert_eq!(engine.ask("query p1turn"), format!("response {p1turn}"));
        let over = result != "none";
        assert_eq!(
            engine.ask("query gameover"),
            format!("response {over}"),
            "{position}"
        );
        assert_eq!(engine.ask("query result"), format!("response {result}"));
        if over {
            let (lines, best) = engine.go("depth 3");
            assert_eq!(best, "(none)");
            assert!(lines[0].starts_with("info string the game is over: "));
        }
    }
    // The present game follows the rules, where it can.
    engine.send("setoption name Repetition value 0");
    engine.is_quiet();
    assert_eq!(engine.ask("query result"), "response none");
    engine.send(&format!("{repeated} b1-b3"));
    engine.is_quiet();
    assert_eq!(
        engine.refused("setoption name Repetition value 3"),
        "setoption: b1-b3 is played after the end of the game (draw: the position was repeated) \
         under this rule; set it before `position`"
    );
    assert_eq!(engine.ask("query result"), "response none");
    engine.send("setoption name MaxPlies value 20");
    engine.is_quiet();
    engine.quit();
}

#[test]
fn a_side_without_a_move_passes_where_it_may() {
    let mut engine = Engine::new();
    engine.send("position fen 6xo/6xx/8/8/8/8/xx6/ox6 o");
    engine.is_quiet();
    assert_eq!(engine.ask("query result"), "response p1win");
    engine.send("setoption name NoMoves value passes");
    engine.is_quiet();
    assert_eq!(engine.ask("query result"), "response none");
    assert_eq!(engine.go("depth 2").1, "pass");
    engine.quit();
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    let mut engine = Engine::new();
    engine.send("position startpos moves b1-b3");
    let refused = [
        ("xyzzy", "unknown command \"xyzzy\"; "),
        ("UGI", "unknown command \"UGI\"; "),
        ("stop it", "stop takes nothing after it"),
        ("quit now", "quit takes nothing after it"),
        ("go depth", "go: depth needs a number"),
        (
            "go depth two",
            "go: depth needs a whole number, not \"two\"",
        ),
        (
            "go depth 99999999999999999999",
            "go: depth needs a whole number",
        ),
        ("go depth -1", "go: depth cannot be negative, but it is -1"),
        ("go mate 3", "go: unknown word \"mate\""),
        ("query", "query: unknown question \"\""),
        ("query weather", "query: unknown question \"weather\""),
        ("position", "position: write `startpos` or `fen TEXT`"),
        ("position fen", "position: write `startpos` or `fen TEXT`"),
        ("position fen 8/8 x", "position: the board has 2 ranks"),
        ("position startpos b1-b3", "position: expected `moves`"),
        (
            "position startpos moves b1-b4",
            "position: move 1 (\"b1-b4\"): b1-b4 is not legal",
        ),
        (
            "position startpos moves b1-b3 b1",
            "position: move 2 (\"b1\"): cannot read",
        ),
        (
            "setoption",
            "setoption: write `setoption name NAME value VALUE`",
        ),
        (
            "setoption name Threads value 2",
            "setoption: unknown option \"Threads\"",
        ),
        (
            "setoption name Hash value 0",
            "setoption: Hash is \"0\", but must be",
        ),
        (
            "setoption name Hash value 999999999",
            "setoption: Hash is \"999999999\"",
        ),
        (
            "setoption name Player value me",
            "setoption: Player is \"me\", but must be one of",
        ),
        (
            "setoption name MaxPlies value",
            "setoption: MaxPlies is \"\", but must be",
        ),
        (
            "setoption name Weights value /no/such/file",
            "setoption: no weights",
        ),
    ];
    for (line, expected) in refused {
        let message = engine.refused(line);
        assert!(message.starts_with(expected), "{line}: {message}");
        assert_eq!(engine.ask("query p1turn"), "response false", "{line}");
    }
    let long = "a".repeat(3 << 20);
    assert_eq!(engine.refused(&long), "a line of more than 1048576 bytes");
    // Empty lines, tabs and the ends of lines of other systems.
    engine.send("");
    engine.send("   \t ");
    assert_eq!(engine.ask("\tquery \t p1turn\r"), "response false");
    engine.quit();
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    let mut idle = Engine::new();
    idle.is_quiet();
    drop(idle.input.take());
    assert_eq!(idle.ended(), [""; 0]);

    let mut endless = Engine::new();
    endless.send("go infinite");
    drop(endless.input.take());
    let lines = endless.ended();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");

    // A search with a limit is finished first.
    let mut script = Engine::new();
    script.send("position startpos\ngo depth 4");
    drop(script.input.take());
    let lines = script.ended();
    let depth = number(&lines[lines.len() - 2], "depth");
    assert_eq!(depth, Some(4), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");

    // A last line without an end is a line.
    let mut cut = Engine::new();
    write!(cut.input.as_mut().unwrap(), "isready").unwrap();
    drop(cut.input.take());
    assert_eq!(cut.ended(), ["readyok"]);
}

#[test]
fn quit_ends_a_search_with_its_answer() {
    let mut engine = Engine::new();
    engine.send("go depth 100");
    let lines = engine.quit();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
}

#[test]
fn a_reader_that_is_gone_ends_the_program_quietly() {
    for command in ["ugi", "go infinite"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_loatune"))
            .arg("ugi")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // Kept open: only the output is gone.
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{command}").unwrap();
        let mut said = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{command}");
    }
}

// ---- anything at all

/// Lines that mean something, to be damaged.
const LINES: [&str; 14] = [
    "ugi",
    "isready",
    "uginewgame",
    "setoption name Hash value 2",
    "setoption name Player value alphabeta",
    "setoption name NoMoves value passes",
    "setoption name Weights value default",
    "position startpos moves b1-b3 a2-c2 c1xa3",
    "position fen 8/2x5/8/3x4/3oo3/8/6o1/x7 o moves d4-b2",
    "query result",
    "query gameover",
    "stop",
    "go depth 2 nodes 500 movetime 20",
    "go p1time 100 p2time 100 p1inc 1 p2inc 1 movestogo 3",
];

/// A line with some bytes changed, added, left out or doubled.
fn damaged(line: &str, rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..=bytes.len());
        match rng.random_range(0..4) {
            0 if at < bytes.len() => bytes[at] = rng.random(),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, rng.random()),
            _ => bytes.extend_from_within(at..),
        }
    }
    bytes
}

proptest! {
    #[test]
    fn the_parser_takes_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn the_parser_takes_any_text(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn the_parser_takes_damaged_lines(seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for line in LINES {
            let bytes = damaged(line, &mut rng);
            if let Err(error) = parse(&String::from_utf8_lossy(&bytes)) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }

    #[test]
    fn the_parser_takes_words_in_any_order(
        words in prop::collection::vec(prop::sample::select(vec![
            "go", "depth", "position", "startpos", "fen", "moves", "name", "value", "setoption",
            "query", "-1", "0", "18446744073709551615", "infinite", "p1time", "é", "valuevalue",
        ]), 0..12)
    ) {
        let _ = parse(&words.join(" "));
    }
}

#[test]
fn the_engine_survives_garbage() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut engine = Engine::new();
    for round in 0..400 {
        let mut bytes = if rng.random_bool(0.3) {
            (0..rng.random_range(0..60)).map(|_| rng.random()).collect()
        } else {
            damaged(LINES.choose(&mut rng).unwrap(), &mut rng)
        };
        // These would end it or never end, and a table of gigabytes is slow.
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if text.contains("quit") || text.contains("hash") {
            continue;
        }
        bytes.push(b'\n');
        let input = engine.input.as_mut().unwrap();
        input.write_all(&bytes).unwrap();
        if round % 20 == 0 {
            engine.send("stop");
            engine.send("isready");
            engine.until("readyok");
        }
    }
    engine.send("stop");
    // It works as ever, as soon as nothing runs any more.
    let busy = |lines: &[String]| lines.iter().any(|line| line.ends_with("stop first"));
    loop {
        engine.send("position startpos\nisready");
        if !busy(&engine.until("readyok")) {
            break;
        }
    }
    let (_, best) = engine.go("depth 2");
    assert!(parse_move(&parse_position(START).unwrap(), &best).is_ok());
    engine.quit();
}

/// With `--genes` every gene is an option, and weights that are told are played.
#[test]
fn genes_are_options_for_programs_that_tune() {
    let place = Place::new();
    let said = |args: &[&str], input: &str| {
        let output = output_of(loatune(place.path()).arg("ugi").args(args), input);
        String::from_utf8(output.stdout).unwrap()
    };
    let weights = place.good(&["weights", "random:5"]);
    let value = |name: &str| {
        let line = weights
            .lines()
            .find(|line| line.starts_with(&format!("{name} = ")));
        line.unwrap()
            .split(" = ")
            .nth(1)
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    let mut told = String::from("ugi\n");
    for gene in &loatune::eval::genes::FIRST_GENES {
        let steps = value(gene.name) * f64::from(gene.grid);
        told += &format!("setoption name {} value {steps}\n", gene.name);
    }
    told += "setoption name euler value 5000\nposition startpos\ngo depth 4\n";
    let with_genes = said(&["--genes", "--weights", "source"], &told);
    assert!(with_genes.contains("option name euler type spin default 60 min -50 max 400"));
    assert!(
        with_genes.contains("must be a whole number from -50 to 400"),
        "{with_genes}"
    );
    let same = "position startpos\ngo depth 4\n";
    let named = said(&["--weights", "random:5"], same);
    let best = |text: &str| text.lines().last().unwrap().to_owned();
    let score = |text: &str| {
        let line = text
            .lines()
            .rfind(|line| line.contains(" score "))
            .unwrap()
            .to_owned();
        line.split(" nps ").next().unwrap().to_owned()
    };
    assert_eq!(best(&with_genes), best(&named));
    assert_eq!(score(&with_genes), score(&named));
    assert!(with_genes.contains("info string value "), "{with_genes}");
    assert!(!named.contains("info string value "));
    let without = said(&[], "ugi\nsetoption name euler value 3\n");
    assert!(
        without.contains("info string error: setoption"),
        "{without}"
    );
    assert!(!without.contains("name euler type"));
}

#[test]
fn a_player_has_options() {
    let mut engine = Engine::new();
    engine.send("setoption name Player value mcts");
    engine.send("setoption name PlayerOptions value c=0.1,rave=1000");
    let (lines, _) = engine.go("nodes 100");
    let last = lines.last().unwrap();
    assert_eq!(number(last, "nodes"), Some(100), "{last}");
    let refused = engine.refused("setoption name PlayerOptions value c=11");
    assert!(
        refused.contains("option c of `mcts` is \"11\"; it takes"),
        "{refused}"
    );
    engine.send("setoption name PlayerOptions value threads=2,shared_tree=1");
    let refused = engine.refused("go nodes 100");
    assert!(refused.contains("only under a limit of time"), "{refused}");
    let (lines, _) = engine.go("movetime 30");
    assert!(!lines.is_empty());
    engine.quit();
}
