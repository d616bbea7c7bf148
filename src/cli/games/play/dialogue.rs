//! The dialogue of a game: reads what the player types, answers, and lets the
//! machine move. Owns the game; it ends with `quit` or the end of the input.

use std::fmt::Write as _;
use std::io::{BufRead, ErrorKind, Write};
use std::path::Path;

use anyhow::Context;

use super::game_file;
use super::opponent::{EngineLimits, Level, Opponent};
use super::player_input::{self, PlayerInput};
use crate::arena::PlayerBook;
use crate::board::{Bitboard, Move, Side, Square};
use crate::cli::output::{OutputError, View, count, drawing, write_text};
use crate::eval::Weights;
use crate::game::Rules;
use crate::game::{Game, Winner};
use crate::notation::{SgfGame, parse_move};
use crate::search::value::plies_to_end;
use crate::search::{Report, SearchSetup};
use crate::util::bounded_lines::{Line, next_line};
use crate::util::suggest::nearest;
use crate::util::text::excerpt;

/// The settings of a dialogue.
pub(super) struct Setup {
    pub(super) rules: Rules,
    pub(super) weights: Weights,
    pub(super) limits: EngineLimits,
    /// The search of the machine.
    pub(super) search: SearchSetup,
    /// The opening book that the machine follows.
    pub(super) book: Option<PlayerBook>,
    /// The side of the person.
    pub(super) side: Side,
    /// Whether a prompt is printed: only where the input is a terminal.
    pub(super) prompts: bool,
}

pub(super) struct Dialogue<'a> {
    setup: Setup,
    out: &'a mut dyn Write,
    game: Game,
    machine: Opponent,
    /// Gives the hints; made when the first one is asked for.
    adviser: Option<Opponent>,
    resigned: Option<Side>,
    below: Side,
}

impl<'a> Dialogue<'a> {
    pub(super) fn new(setup: Setup, out: &'a mut dyn Write) -> Dialogue<'a> {
        Dialogue {
            game: Game::new(setup.rules),
            machine: Opponent::new(setup.search, setup.limits, &setup.weights, setup.rules),
            adviser: None,
            resigned: None,
            below: setup.side,
            setup,
            out,
        }
    }

    /// Plays until the player leaves or there is nothing more to read.
    pub(super) fn run(mut self, input: &mut impl BufRead) -> anyhow::Result<()> {
        let (you, level) = (self.setup.side, self.describe_level());
        self.say(&format!(
            "You play {you} against {level}; x moves first.\n\
             Type a move such as b1-b3, a square to see its moves, or help.\n",
        ))?;
        self.draw(Bitboard::EMPTY)?;
        loop {
            self.machine_moves()?;
            if self.setup.prompts {
                let prompt = format!("{}> ", self.setup.side);
                self.say(&prompt)?;
            }
            self.out.flush().map_err(OutputError)?;
            match next_line(input).context("cannot read standard input")? {
                Some(Line::Text(text)) => {
                    if !self.answer(&text)? {
                        return self.say("Goodbye.\n");
                    }
                }
                Some(Line::TooLong) => self.say("That line is too long for me.\n")?,
                None if self.setup.prompts => return self.say("\nGoodbye.\n"),
                None => return self.say("Goodbye.\n"),
            }
        }
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        write_text(self.out, text)
    }

    fn draw(&mut self, marked: Bitboard) -> anyhow::Result<()> {
        let view = View {
            below: self.below,
            marked,
        };
        let board = drawing(self.game.board(), &view);
        self.say(&format!("\n{board}\n"))
    }

    fn describe_level(&self) -> String {
        self.machine.describe()
    }

    /// Answers a line; returns `false` after `quit`.
    fn answer(&mut self, text: &str) -> anyhow::Result<bool> {
        match player_input::parse(text) {
            PlayerInput::Nothing => {}
            PlayerInput::Quit => return Ok(false),
            PlayerInput::Help => self.say(player_input::HELP)?,
            PlayerInput::Moves => self.list_moves()?,
            PlayerInput::Hint => self.hint()?,
            PlayerInput::Undo => self.undo()?,
            PlayerInput::Board => self.draw_and_tell()?,
            PlayerInput::Flip => {
                self.below = !self.below;
                self.draw(Bitboard::EMPTY)?;
            }
            PlayerInput::New => {
                self.replace_game(SgfGame::new(Game::new(self.setup.rules)));
                self.say("A new game.\n")?;
                self.draw(Bitboard::EMPTY)?;
            }
            PlayerInput::Resign => self.resign()?,
            PlayerInput::Side(side) => self.change_side(side)?,
            PlayerInput::Level(level) => {
                let Setup {
                    limits,
                    weights,
                    rules,
                    ..
                } = &self.setup;
                self.machine = Opponent::new(level.search(), *limits, weights, *rules);
                let described = self.describe_level();
                self.say(&format!("You play against {described} now.\n"))?;
            }
            PlayerInput::Save { path, overwrite } => self.save(&path, overwrite)?,
            PlayerInput::Load(path) => self.load(&path)?,
            PlayerInput::Square(square) => self.show_square(square)?,
            PlayerInput::Move(text) => self.player_moves(&text)?,
            PlayerInput::Misused(usage) => self.say(&format!("Write: {usage}\n"))?,
            PlayerInput::Unknown(text) => {
                let meant = self.suggestion(&text, &player_input::COMMANDS);
                let text = excerpt(&text);
                self.say(&format!("I do not understand {text:?}.{meant}\n"))?;
            }
        }
        Ok(true)
    }

    /// Another game takes the place of the present one.
    fn replace_game(&mut self, sgf: SgfGame) {
        self.game = sgf.game;
        self.resigned = sgf.resigned;
        self.machine.new_game();
        if let Some(adviser) = &mut self.adviser {
            adviser.new_game();
        }
    }

    // ---- moves

    /// How the game ended, in player_input; `None` while it goes on.
    fn ending(&self) -> Option<String> {
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.to_string());
        }
        let side = self.resigned?;
        Some(format!("{} wins: {side} has resigned", !side))
    }

    fn is_your_turn(&self) -> bool {
        self.game.turn() == self.setup.side
    }

    fn machine_moves(&mut self) -> anyhow::Result<()> {
        if self.ending().is_some() || self.is_your_turn() {
            return Ok(());
        }
        if let Some(mv) = self
            .setup
            .book
            .as_ref()
            .and_then(|book| book.choose(&self.game))
        {
            self.say(&format!("loatune plays {mv} (from the book)\n"))?;
            return self.play(mv);
        }
        self.out.flush().map_err(OutputError)?;
        let report = self.machine.search(&self.game);
        let Some(mv) = report.best else {
            return Ok(());
        };
        let side = self.game.turn();
        self.say(&format!(
            "loatune plays {mv} ({})\n",
            describe_report(side, &report)
        ))?;
        self.play(mv)
    }

    fn player_moves(&mut self, text: &str) -> anyhow::Result<()> {
        if self.ending().is_some() {
            return self.tell_ending();
        }
        match parse_move(self.game.board(), text) {
            Ok(mv) => self.play(mv),
            Err(error) => {
                let meant = self.suggestion(text, &[]);
                self.say(&format!("{error}.{meant}\n"))
            }
        }
    }

    /// Plays a legal move and draws the board.
    fn play(&mut self, mv: Move) -> anyhow::Result<()> {
        self.game.play(mv)?;
        let landed = if mv.is_pass() {
            Bitboard::EMPTY
        } else {
            Bitboard::from_square(mv.to())
        };
        // The machine's reply follows at once, and its board tells more.
        if self.is_your_turn() || self.game.outcome().is_some() {
            self.draw(landed)?;
        }
        if self.game.outcome().is_some() {
            self.tell_ending()?;
        }
        Ok(())
    }

    fn tell_ending(&mut self) -> anyhow::Result<()> {
        let Some(ending) = self.ending() else {
            return Ok(());
        };
        let winner = match (self.game.outcome(), self.resigned) {
            (Some(outcome), _) => outcome.winner,
            (None, Some(side)) => Winner::Side(!side),
            (None, None) => Winner::Draw,
        };
        let yours = match winner {
            Winner::Side(side) if side == self.setup.side => " You have won.",
            Winner::Side(_) => " You have lost.",
            Winner::Draw => "",
        };
        let plies = count(self.game.played().len(), "move");
        self.say(&format!(
            "The game is over after {plies}. {ending}.{yours}\n\
             Type save FILE to keep it, new for another game, undo, or quit.\n"
        ))
    }

    /// ` Did you mean …?`, or where to find help.
    fn suggestion(&self, text: &str, commands: &[&str]) -> String {
        let moves = self.game.moves().into_iter().map(|mv| mv.to_string());
        let commands = commands.iter().map(|&command| command.to_owned());
        match nearest(text, commands.chain(moves)) {
            Some(meant) => format!(" Did you mean {meant}?"),
            None => " Type help for what I understand.".to_owned(),
        }
    }

    // ---- what can be asked

    fn list_moves(&mut self) -> anyhow::Result<()> {
        const IN_A_ROW: usize = 9;
        let mut moves: Vec<String> = self.legal().iter().map(ToString::to_string).collect();
        if moves.is_empty() {
            return self.tell_ending();
        }
        moves.sort();
        let mut text = format!("{}:\n", count(moves.len(), "legal move"));
        for row in moves.chunks(IN_A_ROW) {
            let _ = writeln!(text, "{}", row.join("  "));
        }
        self.say(&text)
    }

    /// What may be played, resigned games included.
    fn legal(&self) -> Vec<Move> {
        match self.resigned {
            Some(_) => Vec::new(),
            None => self.game.moves(),
        }
    }

    fn show_square(&mut self, square: Square) -> anyhow::Result<()> {
        if self.ending().is_some() {
            return self.tell_ending();
        }
        let (board, turn) = (self.game.board(), self.game.turn());
        if board.pieces(!turn).has(square) {
            return self.say(&format!(
                "The piece on {square} is {}'s, and you play {turn}.\n",
                !turn
            ));
        }
        if !board.pieces(turn).has(square) {
            return self.say(&format!("There is no piece on {square}.\n"));
        }
        let mut moves = self.legal();
        moves.retain(|mv| !mv.is_pass() && mv.from() == square);
        if moves.is_empty() {
            return self.say(&format!("The piece on {square} cannot move.\n"));
        }
        let targets: Bitboard = moves.iter().map(|mv| mv.to()).collect();
        self.draw(targets)?;
        let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        names.sort();
        let number = count(names.len(), "move");
        self.say(&format!("{number} from {square}: {}\n", names.join("  ")))
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.ending().is_some() {
            return self.tell_ending();
        }
        let Setup {
            limits,
            weights,
            rules,
            ..
        } = &self.setup;
        let strongest = Level::strongest().search();
        let adviser = self
            .adviser
            .get_or_insert_with(|| Opponent::new(strongest, *limits, weights, *rules));
        let report = adviser.search(&self.game);
        let Some(mv) = report.best else {
            return Ok(());
        };
        let side = self.game.turn();
        self.say(&format!(
            "Hint: {mv} ({})\n",
            describe_report(side, &report)
        ))
    }

    fn draw_and_tell(&mut self) -> anyhow::Result<()> {
        self.draw(Bitboard::EMPTY)?;
        if self.ending().is_some() {
            return self.tell_ending();
        }
        let (turn, ply) = (self.game.turn(), self.game.played().len() + 1);
        self.say(&format!("{turn} to move, move {ply} of the game.\n"))
    }

    // ---- what changes the game

    /// Back to the player's last decision: with the reply, if there was one.
    fn undo(&mut self) -> anyhow::Result<()> {
        if self.resigned.take().is_some() {
            return self.say("You have not resigned after all.\n");
        }
        let you = self.setup.side;
        let decided = |turn: &Side| *turn == you;
        let boards = self.game.boards();
        let earlier = &boards[..boards.len() - 1];
        let Some(back_to) = earlier.iter().rposition(|board| decided(&board.turn())) else {
            return self.say("There is no move of yours to take back.\n");
        };
        let mut taken = Vec::new();
        while self.game.played().len() > back_to {
            taken.extend(self.game.undo().map(|mv| mv.to_string()));
        }
        taken.reverse();
        self.say(&format!("Taken back: {}\n", taken.join(" ")))?;
        self.draw(Bitboard::EMPTY)
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.ending().is_none() {
            self.resigned = Some(self.setup.side);
        }
        self.tell_ending()
    }

    fn change_side(&mut self, side: Option<Side>) -> anyhow::Result<()> {
        let side = side.unwrap_or(!self.setup.side);
        self.setup.side = side;
        self.below = side;
        self.say(&format!("You play {side} now.\n"))?;
        self.draw(Bitboard::EMPTY)
    }

    fn save(&mut self, path: &Path, overwrite: bool) -> anyhow::Result<()> {
        let mut players = [self.describe_level(), self.describe_level()];
        players[self.setup.side.index()] = "you".to_owned();
        let sgf = SgfGame {
            players,
            resigned: self.resigned,
            ..SgfGame::new(self.game.clone())
        };
        let shown = path.display();
        let said = match game_file::save(path, &sgf, overwrite) {
            Ok(()) => format!("Saved to {shown}.\n"),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                format!("{shown} exists already; `save! {shown}` overwrites it.\n")
            }
            Err(error) => format!("Cannot write {shown}: {error}.\n"),
        };
        self.say(&said)
    }

    fn load(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        match game_file::load(path, &self.setup.rules) {
            Ok(sgf) => {
                self.replace_game(sgf);
                let moves = count(self.game.played().len(), "move");
                self.say(&format!("Loaded {shown}: {moves} played.\n"))?;
                self.draw_and_tell()
            }
            Err(error) => self.say(&format!("Cannot read {shown}: {error:#}.\n")),
        }
    }
}

/// The value that a search found for `side`, in words.
fn describe_report(side: Side, report: &Report) -> String {
    let value = report.value();
    let chances = match plies_to_end(value) {
        Some(plies) if value > 0 => format!("{side} wins in {}", count(plies as usize, "move")),
        Some(plies) => format!("{side} loses in {}", count(plies as usize, "move")),
        None => format!("{side} {value:+}"),
    };
    format!("{chances}, depth {}", report.depth())
}
