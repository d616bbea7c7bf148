//! What is played: everything that the result of a command with games depends
//! on, as text, as JSON and for the comparison with an earlier part.

use serde::Serialize;

use crate::arena::spec::PlayerKind;
use crate::arena::{MoveLimits, Openings, PlayerSpec};
use crate::cli::args::ArenaFlags;
use crate::eval::Weights;
use crate::game::Rules;
use crate::notation::position_text;
use crate::search::{Algorithm, signature};

/// The settings of some games.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchSettings {
    players: Vec<PlayerSettings>,
    openings: OpeningSettings,
    rules: Rules,
    /// Seconds beyond its time before a player loses on time.
    time_margin: f64,
    /// The rule of adjudication, `VALUE,MOVES`.
    adjudicate: Option<String>,
    /// The settings of the sequential test.
    sprt: Option<String>,
    /// The signature of our own engine: that of the searches which play.
    engine: u64,
    /// Whether the same settings always give the same games.
    repeatable: bool,
}

#[derive(Clone, Debug, Serialize)]
struct PlayerSettings {
    name: String,
    /// As it was named.
    player: String,
    /// Whether it is another program.
    program: bool,
    search: Option<&'static str>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Of a Monte-Carlo tree search.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations: Option<u64>,
    /// Seconds a move.
    time: Option<f64>,
    /// `BASE+INC`.
    clock: Option<String>,
    hash_kib: Option<u32>,
    /// The most memory of a tree search's tree, in MiB. Its option says it, which the
    /// name has.
    #[serde(skip)]
    tree_mib: Option<u32>,
    start_timeout: Option<f64>,
    move_timeout: Option<f64>,
    /// A fingerprint of the weights.
    weights: Option<String>,
    /// The opening book that it follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<BookSettings>,
}

#[derive(Clone, Debug, Serialize)]
struct BookSettings {
    /// A fingerprint of the book.
    content: String,
    /// The games that a move must have to be followed.
    least_games: u64,
}

#[derive(Clone, Debug, Serialize)]
struct OpeningSettings {
    plies: Option<u32>,
    bound: Option<i32>,
    seed: u64,
    file: Option<String>,
    /// A fingerprint of the openings in the file.
    book: Option<String>,
}

impl MatchSettings {
    pub(crate) fn new(
        flags: &ArenaFlags,
        players: &[PlayerSpec],
        names: &[String],
        openings: &Openings,
        rules: &Rules,
        sprt: Option<String>,
    ) -> MatchSettings {
        let random = flags.random_openings();
        let referee = flags.referee();
        MatchSettings {
            players: players.iter().zip(names).map(player_settings).collect(),
            openings: OpeningSettings {
                plies: random.map(|random| random.plies),
                bound: random.map(|random| random.bound),
                seed: flags.seed(),
                file: flags.openings_file().map(|file| file.display().to_string()),
                book: openings
                    .count()
                    .map(|count| openings_fingerprint(openings, count, rules)),
            },
            rules: *rules,
            time_margin: referee.time_margin.as_secs_f64(),
            adjudicate: referee.adjudication.map(|rule| rule.to_string()),
            sprt,
            engine: signature::of_players(players.iter().filter_map(PlayerSpec::algorithm)),
            repeatable: players.iter().all(PlayerSpec::is_repeatable),
        }
    }

    /// Whether a player follows an opening book.
    pub(crate) fn has_book(&self) -> bool {
        self.players.iter().any(|player| player.book.is_some())
    }

    /// What the players are called.
    pub(crate) fn name(&self, player: usize) -> &str {
        &self.players[player].name
    }

    /// What the user should know before the first game, a line each: what
    /// other programs are told, and limits that cannot be compared.
    pub(crate) fn notices(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for player in self.players.iter().filter(|player| player.program) {
            lines.push(format!(
                "{} ({}) is given {}; it may take {} s to start{}",
                player.name,
                player.player,
                player.limits_text(),
                player.start_timeout.unwrap_or_default(),
                if player.is_timed() {
                    String::new()
                } else {
                    format!(" and {} s a move", player.move_timeout.unwrap_or_default())
                },
            ));
        }
        let first = &self.players[0];
        if self
            .players
            .iter()
            .any(|player| player.kinds() != first.kinds())
        {
            let each = self.players.iter();
            let each = each.map(|player| format!("{} has {}", player.name, player.limits_text()));
            let each: Vec<String> = each.collect();
            lines.push(format!(
                "the limits are not of the same kind: {}",
                each.join(", ")
            ));
        }
        lines
    }

    /// The lines of a report, below its first.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let first = self.players[0].text();
        if self.players.iter().all(|player| player.text() == first) {
            text += &format!("limits: {first}\n");
        } else {
            for player in &self.players {
                text += &format!("limits: {}: {}\n", player.name, player.text());
            }
        }
        let Rules {
            simultaneous,
            no_moves,
            repetition,
            max_plies,
        } = &self.rules;
        text += &format!(
            "rules:  {}, no moves: {}, repetition {repetition}, {max_plies} plies; engine {}\n",
            simultaneous.name(),
            no_moves.name(),
            self.engine
        );
        if let Some((value, moves)) = self.adjudicate.as_deref().and_then(|r| r.split_once(',')) {
            text += &format!("ended:  as won at a value of {value} for {moves} moves of both\n");
        }
        if !self.repeatable {
            text += "note:   time and other programs decide, too: the same command may give \
                     other games\n";
        }
        text
    }
}

impl PlayerSettings {
    fn is_timed(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    /// Which kinds of limits it has. A time a move and a clock are both time,
    /// but not the same time control.
    fn kinds(&self) -> [bool; 5] {
        [
            self.depth.is_some(),
            self.nodes.is_some(),
            self.simulations.is_some(),
            self.time.is_some(),
            self.clock.is_some(),
        ]
    }

    /// `4 plies`, `20000 positions or 0.5 s a move`.
    fn limits_text(&self) -> String {
        let plies = |depth: u32| format!("{depth} {}", if depth == 1 { "ply" } else { "plies" });
        let parts = [
            self.depth.map(plies),
            self.nodes.map(|nodes| format!("{nodes} positions")),
            self.simulations.map(|count| format!("{count} simulations")),
            self.time.map(|time| format!("{time} s")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let mut text = parts.join(" or ");
        if !text.is_empty() {
            text += " a move";
        }
        if let Some(clock) = &self.clock {
            let and = if text.is_empty() { "" } else { " and " };
            text += &format!("{and}a clock of {clock} s");
        }
        text
    }

    fn text(&self) -> String {
        let limits = self.limits_text();
        match (self.search, self.hash_kib, self.tree_mib) {
            (Some(search), _, Some(mib)) => format!("{search}, {limits}, tree {mib} MiB"),
            (Some(search), Some(kib), None) => format!("{search}, {limits}, table {kib} KiB"),
            _ => format!("another program, {limits}"),
        }
    }
}

fn player_settings((player, name): (&PlayerSpec, &String)) -> PlayerSettings {
    let MoveLimits {
        depth,
        nodes,
        simulations,
        time,
        clock,
    } = player.limits;
    let tree_mib = match &player.kind {
        PlayerKind::Builtin { search, .. } if search.algorithm == Algorithm::Mcts => {
            Some(search.tree_options.memory)
        }
        _ => None,
    };
    let (search, weights) = match &player.kind {
        PlayerKind::Builtin { search, weights } => (
            Some(search.algorithm.name()),
            Some(weights_fingerprint(weights)),
        ),
        PlayerKind::External { .. } => (None, None),
    };
    let program = search.is_none();
    let timeouts = &player.timeouts;
    PlayerSettings {
        name: name.clone(),
        player: player.text.clone(),
        program,
        search,
        depth,
        nodes,
        simulations,
        time: time.map(|time| time.as_secs_f64()),
        clock: clock.map(|clock| clock.to_string()),
        hash_kib: (!program).then_some(player.table_kib),
        tree_mib,
        start_timeout: program.then_some(timeouts.start.as_secs_f64()),
        move_timeout: program.then_some(timeouts.search.as_secs_f64()),
        weights,
        book: player.book.as_ref().map(|own| BookSettings {
            content: own.book.fingerprint(),
            least_games: own.least_games,
        }),
    }
}

/// A fingerprint of weights.
pub(super) fn weights_fingerprint(weights: &Weights) -> String {
    fingerprint(&serde_json::to_string(weights).expect("weights are JSON"))
}

/// The openings of a file, whatever the form in which it holds them.
pub(super) fn openings_fingerprint(openings: &Openings, count: u64, rules: &Rules) -> String {
    let mut opener = openings.opener(rules);
    let mut text = String::new();
    for number in 0..count {
        if let Ok(start) = opener.get(number) {
            text += &position_text(&start.opening.first);
            for mv in &start.opening.moves {
                text += &format!(" {mv}");
            }
            text += "\n";
        }
    }
    fingerprint(&text)
}

fn fingerprint(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}
