//! Other programs as contenders: small scripts that behave, and scripts that
//! do everything else. No process may be left behind.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use loatune::arena::external::{External, StartError, Timeouts};
use loatune::arena::{Choice, Clocks, Contender, Fault, MoveLimits};
use loatune::board::{Board, Move};
use loatune::game::Game;
use loatune::game::{NoMoves, Rules, Simultaneous};
use loatune::notation::{parse_move, parse_moves, parse_position};
use loatune::search::value::win_in;
use tempfile::TempDir;

const DEPTH: MoveLimits = MoveLimits {
    depth: Some(3),
    nodes: None,
    simulations: None,
    time: None,
    clock: None,
};

/// What an engine does that behaves; a script defines `go`, which is called
/// with what follows the word. Every line that it is told is in `told`.
const BEHAVES: &str = r#"
go() { echo "bestmove b1-h1"; }
greet() { echo "id name Fake 1.0"; echo "option name MaxPlies type spin default 200"; }
new_game() { :; }
leave() { exit 0; }
"#;

const LOOP: &str = r#"
while read -r word rest; do
    echo "$word $rest" >> "$here/told"
    case $word in
        ugi) greet; echo ugiok ;;
        isready) echo readyok ;;
        uginewgame) new_game ;;
        position) position=$rest ;;
        go) go $rest ;;
        quit) leave ;;
    esac
done
"#;

/// A directory with one script, which notes the id of every process that runs
/// it. When the test is over, none of them may be left.
struct Fake {
    dir: TempDir,
}

impl Fake {
    /// An engine that behaves but for what `script` changes.
    fn like(script: &str) -> Fake {
        Fake::alone(&format!("{BEHAVES}\n{script}\n{LOOP}"))
    }

    /// An engine that is this script and nothing else.
    fn alone(script: &str) -> Fake {
        // The blank asks for quotes.
        let dir = tempfile::Builder::new().prefix("fake engine").tempdir();
        let dir = dir.unwrap();
        let head = "here=$1\necho $$ >> \"$here/ids\"\n";
        fs::write(dir.path().join("engine"), format!("{head}{script}")).unwrap();
        Fake { dir }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn command(&self) -> String {
        let (script, here) = (self.path("engine"), self.dir.path());
        format!("sh '{}' \"{}\"", script.display(), here.display())
    }

    fn start_with(&self, timeouts: Timeouts) -> Result<External, StartError> {
        External::start(&self.command(), DEPTH, timeouts)
    }

    #[track_caller]
    fn start(&self) -> External {
        self.start_with(Timeouts::default()).unwrap()
    }

    fn told(&self) -> String {
        fs::read_to_string(self.path("told")).unwrap()
    }

    fn ids(&self) -> Vec<u32> {
        let ids = fs::read_to_string(self.path("ids")).unwrap();
        ids.lines().map(|id| id.parse().unwrap()).collect()
    }

    /// After the contender is gone: `times` processes ran, and none is left.
    #[track_caller]
    fn ran(&self, times: usize) {
        let ids = self.ids();
        assert_eq!(ids.len(), times, "processes started");
        for id in ids {
            assert!(!exists(id), "process {id} is left");
        }
    }
}

/// Whether a process exists, be it only as a zombie.
fn exists(id: u32) -> bool {
    let mut asked = Command::new("sh");
    asked.args(["-c", &format!("kill -0 {id}")]);
    asked.stderr(Stdio::null()).status().unwrap().success()
}

/// Waits for the end of a process, without asking how it ended.
fn wait_for_end(id: u32) {
    let until = Instant::now() + Duration::from_secs(20);
    let state = format!("/proc/{id}/stat");
    loop {
        std::thread::sleep(Duration::from_millis(50));
        match fs::read_to_string(&state) {
            Ok(stat) if stat.contains(") Z") => return,
            Ok(_) => assert!(Instant::now() < until, "process {id} does not end"),
            // Another system: it has had its time.
            Err(_) => return std::thread::sleep(Duration::from_millis(500)),
        }
    }
}

fn waiting(millis: u64) -> Timeouts {
    Timeouts {
        search: Duration::from_millis(millis),
        ..Timeouts::default()
    }
}

fn begin(player: &mut External) -> Result<Game, Fault> {
    let rules = Rules::default();
    player.new_game(&rules, &Board::start())?;
    Ok(Game::new(rules))
}

/// The first move of a new game.
fn first_move(player: &mut External) -> Result<Choice, Fault> {
    let game = begin(player)?;
    player.choose(&game, &Clocks::default())
}

fn text_of(fault: &Fault) -> String {
    match fault {
        Fault::Hangs(_) | Fault::Overtime(_) => panic!("{fault}"),
        Fault::Dies(text) | Fault::Illegal(text) => text.clone(),
    }
}

#[test]
fn a_game_is_played() {
    let fake = Fake::like(
        r#"
        go() {
            echo "info string score cp 99"
            echo "info depth 3 score cp -12 nodes 345 time 1 pv b1-h1"
            case $position in
                startpos) echo "bestmove b1-h1" ;;
                "startpos moves b1-h1 a2-c2") echo "bestmove b8h8 ponder a3-c3" ;;
                *) echo "info score mate 3"; echo "bestmove d1-d3" ;;
            esac
        }"#,
    );
    let mut player = fake.start();
    assert_eq!(player.name(), "Fake 1.0");
    let mut game = begin(&mut player).unwrap();
    let values = ["a2-c2", "a3-c3", ""].map(|reply| {
        let choice = player.choose(&game, &Clocks::default()).unwrap();
        game.play(choice.mv).unwrap();
        parse_moves(&mut game, reply).unwrap();
        assert_eq!(choice.nodes, 345);
        choice.value.unwrap()
    });
    assert_eq!(values, [-12, -12, win_in(3, 0)]);
    let played: Vec<String> = game.played().iter().map(Move::to_string).collect();
    assert_eq!(played, ["b1-h1", "a2-c2", "b8-h8", "a3-c3", "d1-d3"]);
    drop(player);

    let told = fake.told();
    let told: Vec<&str> = told.lines().map(str::trim).collect();
    let expected = "ugi, isready, setoption name MaxPlies value 200, uginewgame, isready, \
         isready, position startpos, go depth 3, \
         isready, position startpos moves b1-h1 a2-c2, go depth 3, \
         isready, position startpos moves b1-h1 a2-c2 b8-h8 a3-c3, go depth 3, quit";
    assert_eq!(told.join(", "), expected);
    fake.ran(1);
}

#[test]
fn rules_and_limits_are_told() {
    let fake = Fake::like(
        r#"greet() {
            for name in Simultaneous NoMoves Repetition; do
                echo "option name $name type string"
            done
        }
        go() { echo "bestmove pass"; }"#,
    );
    let limits = MoveLimits {
        depth: Some(9),
        nodes: Some(1000),
        simulations: None,
        time: Some(Duration::from_millis(1500)),
        clock: None,
    };
    let mut player = External::start(&fake.command(), limits, Timeouts::default()).unwrap();
    assert_eq!(player.name(), "sh");
    let rules = Rules {
        simultaneous: Simultaneous::Draw,
        no_moves: NoMoves::Passes,
        repetition: 2,
        max_plies: 100,
    };
    let text = "8/2x5/2x5/8/o6o/8/2x5/o7 o";
    let board = parse_position(text).unwrap();
    player.new_game(&rules, &board).unwrap();
    let fault = player
        .choose(&Game::from_board(rules, board), &Clocks::default())
        .unwrap_err();
    assert!(text_of(&fault).contains("cannot pass"), "{fault}");
    // Black is walled in: there is nothing to choose.
    let walled_in = parse_position("6ox/6oo/8/8/8/8/oo6/xo6 x").unwrap();
    let choice = player
        .choose(&Game::from_board(rules, walled_in), &Clocks::default())
        .unwrap();
    assert_eq!(choice.mv, Move::PASS);
    drop(player);
    let told = fake.told();
    for line in [
        "setoption name Simultaneous value draw\n",
        "setoption name NoMoves value passes\n",
        "setoption name Repetition value 2\n",
        &format!("position fen {text}\n"),
        "go depth 9 nodes 1000 movetime 1500\n",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    assert!(!told.contains("MaxPlies"));
    fake.ran(1);
}

#[test]
fn illegal_moves_lose_and_the_engine_plays_on() {
    for (answer, reason) in [
        ("b1-b4", "b1-b4 is not legal: "),
        ("a2-c2", "the piece on a2 is o's"),
        ("b1xb3", "b1xb3 is written as a capture"),
        ("z9-b3", "there is no square z9"),
        ("(none)", "cannot read \"(none)\" as a move"),
        ("", "cannot read \"\" as a move"),
        ("pass", "cannot pass"),
    ] {
        let fake = Fake::like(&format!("go() {{ echo 'bestmove {answer}'; }}"));
        let mut player = fake.start();
        for _ in 0..2 {
            let fault = first_move(&mut player).unwrap_err();
            assert!(matches!(fault, Fault::Illegal(_)), "{answer}: {fault}");
            assert!(fault.to_string().contains(reason), "{answer}: {fault}");
        }
        drop(player);
        fake.ran(1);
    }
}

#[test]
fn a_dead_engine_loses_and_is_started_again() {
    let fake = Fake::like(
        r#"go() {
            if [ "$position" = startpos ]; then echo "bestmove b1-h1"; return; fi
            echo "out of cheese" >&2
            exit 7
        }"#,
    );
    let mut player = fake.start();
    for _ in 0..3 {
        let mut game = begin(&mut player).unwrap();
        game.play(player.choose(&game, &Clocks::default()).unwrap().mv)
            .unwrap();
        parse_moves(&mut game, "a2-c2").unwrap();
        let fault = player.choose(&game, &Clocks::default()).unwrap_err();
        assert_eq!(
            text_of(&fault),
            "it ended (exit status: 7) before `bestmove`; its last complaint: \"out of cheese\""
        );
        assert!(matches!(
            player.choose(&game, &Clocks::default()),
            Err(Fault::Dies(_))
        ));
    }
    drop(player);
    fake.ran(3);
}

#[test]
fn an_engine_that_dies_between_games_is_started_again() {
    let fake = Fake::like("go() { echo 'bestmove b1-h1'; exit 0; }");
    let mut player = fake.start();
    for game in 1..=2 {
        first_move(&mut player).unwrap();
        wait_for_end(*fake.ids().last().unwrap());
        assert_eq!(fake.ids().len(), game);
    }
    drop(player);
    fake.ran(2);
}

#[test]
fn an_engine_that_cannot_be_started_again_loses_every_game() {
    let fake = Fake::like(r#"go() { rm "$here/engine"; exit 1; }"#);
    let mut player = fake.start();
    let fault = first_move(&mut player).unwrap_err();
    assert!(matches!(fault, Fault::Dies(_)), "{fault}");
    for _ in 0..2 {
        let fault = begin(&mut player).unwrap_err();
        assert!(
            text_of(&fault).starts_with("it cannot be started again: the engine `sh "),
            "{fault}"
        );
    }
    drop(player);
    fake.ran(1);
}

#[test]
fn a_hanging_engine_is_killed_and_started_again() {
    let fake = Fake::like("trap '' HUP INT TERM\ngo() { while :; do read -r word; done; }");
    let mut player = fake.start_with(waiting(300)).unwrap();
    for _ in 0..2 {
        let asked = Instant::now();
        let fault = first_move(&mut player).unwrap_err();
        assert!(asked.elapsed() >= Duration::from_millis(300));
        assert_eq!(fault, Fault::Hangs(300));
        // Killed at once, not only at the end.
        assert!(!exists(*fake.ids().last().unwrap()));
    }
    drop(player);
    fake.ran(2);
}

#[test]
fn a_match_that_is_stopped_waits_for_nobody() {
    let fake = Fake::like("go() { while :; do read -r word; done; }");
    let halt = Arc::new(AtomicBool::new(false));
    let mut player = fake.start().with_halt(Arc::clone(&halt));
    let game = begin(&mut player).unwrap();
    let asked = Instant::now();
    let fault = std::thread::scope(|scope| {
        let playing = scope.spawn(|| player.choose(&game, &Clocks::default()).unwrap_err());
        std::thread::sleep(Duration::from_millis(100));
        halt.store(true, Ordering::Relaxed);
        playing.join().unwrap()
    });
    assert!(asked.elapsed() < Duration::from_secs(20));
    assert!(
        text_of(&fault).starts_with("the match was stopped"),
        "{fault}"
    );
    drop(player);
    fake.ran(1);
}

#[test]
fn a_time_for_the_move_has_some_grace() {
    let fake = Fake::like("go() { while :; do read -r word; done; }");
    let limits = MoveLimits {
        time: Some(Duration::from_millis(100)),
        ..MoveLimits::default()
    };
    let timeouts = Timeouts {
        grace: Duration::from_millis(150),
        ..Timeouts::default()
    };
    let mut player = External::start(&fake.command(), limits, timeouts).unwrap();
    assert_eq!(first_move(&mut player), Err(Fault::Hangs(250)));
    drop(player);
    fake.ran(1);
}

#[test]
fn an_engine_that_hangs_at_a_new_game_loses_it() {
    let fake = Fake::like("new_game() { while :; do read -r word; done; }");
    let timeouts = Timeouts {
        ready: Duration::from_millis(200),
        ..Timeouts::default()
    };
    let mut player = fake.start_with(timeouts).unwrap();
    assert_eq!(begin(&mut player).unwrap_err(), Fault::Hangs(200));
    drop(player);
    fake.ran(1);
}

#[test]
fn a_flood_does_not_outrun_the_deadline() {
    let fake = Fake::like("go() { while :; do echo 'nonsense \u{fffd}'; echo oh >&2; done; }");
    let mut player = fake.start_with(waiting(500)).unwrap();
    assert_eq!(first_move(&mut player), Err(Fault::Hangs(500)));
    drop(player);
    fake.ran(1);
}

#[test]
fn nonsense_before_the_move_is_overheard() {
    // More than any pipe holds, on both outputs, and not even text.
    let fake = Fake::like(
        r#"go() {
            head -c 1000000 /dev/zero >&2
            head -c 1000000 /dev/zero
            printf '\n\377\376 bestmove\n'
            n=0
            while [ $n -lt 5000 ]; do echo "info depth $n nodes $n"; n=$((n + 1)); done
            echo "bestmove b1-h1"
        }"#,
    );
    let mut player = fake.start();
    let choice = first_move(&mut player).unwrap();
    assert_eq!(choice.mv, parse_move(&Board::start(), "b1-h1").unwrap());
    assert_eq!((choice.value, choice.nodes), (None, 4999));
    drop(player);
    fake.ran(1);
}

#[test]
fn an_engine_that_does_not_read_cannot_block_the_game() {
    let fake = Fake::alone(
        "echo ugiok
        while :; do echo readyok; echo 'bestmove b1-h1'; done",
    );
    let mut player = fake.start();
    let game = begin(&mut player).unwrap();
    let fault = (0..100_000).find_map(|_| player.choose(&game, &Clocks::default()).err());
    let expected = Fault::Dies("it does not read what it is told".to_owned());
    assert_eq!(fault, Some(expected));
    drop(player);
    fake.ran(1);
}

#[test]
fn a_late_second_answer_is_not_the_next_one() {
    let fake = Fake::like(
        r#"go() {
            case $position in
                startpos) echo "bestmove b1-h1"; echo "bestmove c1-c3" ;;
                *) echo "bestmove b8-h8" ;;
            esac
        }"#,
    );
    let mut player = fake.start();
    let mut game = begin(&mut player).unwrap();
    game.play(player.choose(&game, &Clocks::default()).unwrap().mv)
        .unwrap();
    parse_moves(&mut game, "a2-c2").unwrap();
    assert_eq!(
        player
            .choose(&game, &Clocks::default())
            .unwrap()
            .mv
            .to_string(),
        "b8-h8"
    );
    drop(player);
    fake.ran(1);
}

#[test]
fn a_line_without_end_hangs() {
    let fake = Fake::like("go() { exec cat /dev/zero; }");
    let mut player = fake.start_with(waiting(500)).unwrap();
    assert_eq!(first_move(&mut player), Err(Fault::Hangs(500)));
    drop(player);
    fake.ran(1);
}

#[test]
fn an_engine_that_leaves_others_behind_is_not_waited_for() {
    // The other holds the pipes and ends by itself.
    let fake = Fake::like("go() { sleep 60 & exit 3; }");
    let mut player = fake.start();
    let asked = Instant::now();
    let fault = first_move(&mut player).unwrap_err();
    drop(player);
    assert!(asked.elapsed() < Duration::from_secs(50));
    assert!(text_of(&fault).contains("exit status: 3"), "{fault}");
    fake.ran(1);
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    let fake = Fake::like("trap '' HUP INT TERM PIPE\nleave() { while :; do sleep 0.01; done; }");
    let mut player = fake.start();
    first_move(&mut player).unwrap();
    let dropped = Instant::now();
    drop(player);
    assert!(dropped.elapsed() < Duration::from_secs(50));
    fake.ran(1);
}

/// Why an engine that is this script does not start.
fn refused(script: &str) -> String {
    let timeouts = Timeouts {
        start: Duration::from_secs(2),
        ready: Duration::from_secs(2),
        ..Timeouts::default()
    };
    let fake = Fake::alone(script);
    let error = fake.start_with(timeouts).err().unwrap().to_string();
    fake.ran(1);
    let before = format!("the engine `{}` does not start: ", fake.command());
    error.strip_prefix(&before).unwrap().to_owned()
}

#[test]
fn engines_that_do_not_shake_hands() {
    let cases = [
        ("while read -r word; do :; done", "no `ugiok` within 2s"),
        ("exit 3", "it ended (exit status: 3) before `ugiok`"),
        (
            "echo 'no such weights' >&2; exit 2",
            "it ended (exit status: 2) before `ugiok`; its last complaint: \"no such weights\"",
        ),
        (
            "echo uciok; while read -r word; do :; done",
            "no `ugiok` within 2s (but \"uciok\")",
        ),
        (
            "read -r word; exec 1>&-; sleep 2",
            "it closed its output before `ugiok`",
        ),
        (
            "read -r word; echo ugiok; while read -r word; do :; done",
            "no `readyok` within 2s",
        ),
    ];
    std::thread::scope(|scope| {
        for (script, reason) in cases {
            scope.spawn(move || assert_eq!(refused(script), reason, "{script}"));
        }
        scope.spawn(|| {
            let flood = refused("while :; do echo nonsense; done");
            assert!(flood.starts_with("no `ugiok` within 2s (but "), "{flood}");
            assert!(flood.ends_with(" lines, the last \"nonsense\")"), "{flood}");
        });
    });
}

fn not_started(command: &str, limits: MoveLimits) -> String {
    let started = External::start(command, limits, Timeouts::default());
    started.err().unwrap().to_string()
}

#[test]
fn programs_that_cannot_be_started() {
    let missing = "/no/such/program --really";
    assert_eq!(
        not_started(missing, DEPTH),
        "cannot start the engine `/no/such/program --really`: there is no program \
         \"/no/such/program\", neither as a path nor in PATH"
    );
    let fake = Fake::like("");
    let script = fake.path("engine");
    let script = script.display();
    assert_eq!(
        not_started(&format!("'{script}' ugi"), DEPTH),
        format!("cannot start the engine `'{script}' ugi`: \"{script}\" may not be executed")
    );
    assert_eq!(
        not_started("", DEPTH),
        "cannot read the engine's command \"\": there is no program to start"
    );
    assert_eq!(
        not_started("sh 'a", DEPTH),
        "cannot read the engine's command \"sh 'a\": the quote ' is not closed"
    );
    assert_eq!(
        not_started("sh", MoveLimits::default()),
        "the engine `sh` needs a limit: a depth, a number of nodes or a time"
    );
}

#[test]
fn our_own_engine_plays() {
    let command = format!("'{}' ugi", env!("CARGO_BIN_EXE_loatune"));
    let mut player = External::start(&command, DEPTH, Timeouts::default()).unwrap();
    assert!(player.name().starts_with("loatune "));
    let rules = Rules {
        max_plies: 20,
        ..Rules::default()
    };
    for _ in 0..2 {
        player.new_game(&rules, &Board::start()).unwrap();
        let mut game = Game::new(rules);
        while game.outcome().is_none() {
            let choice = player.choose(&game, &Clocks::default()).unwrap();
            assert!(choice.value.is_some() && choice.nodes > 0);
            game.play(choice.mv).unwrap();
        }
        assert!(game.played().len() > 5);
    }
}
