//! What is shown of a population, a game or a position: one type for each JSON,
//! shared by the commands, the page and the control socket.
//!
//! Owns the name and the meaning of every field that is printed or served; the
//! documentation of a field is its description in the HTTP interface. It reads
//! no store, knows no network and prints nothing. A field that is not known is
//! `null`, never left out and never guessed.
//!
//! | file | purpose |
//! |---|---|
//! | `source` | the data source: what can be asked of a population |
//! | `status` | the status of a population |
//! | `file` | a weight file: weights, ancestry, results |
//! | `match_view` | a match with both its games |
//! | `event` | something that happened, numbered |
//! | `fleet` | the machines that play the games of a run |
//! | `control` | the server itself, and what changes a population |
//! | `listing` | a position's legal moves, `loatune moves` |
//! | `chance` | chances of winning, and whether they are honest |
//! | `explanation` | what weights value, `loatune weights --explain` |
//! | `query` | which files and matches to list |
//! | `population_view` | genes of all that live, parameters, speed |
//! | `duel` | several best lines, games between two sets of weights |
//! | `populations` | all populations of a directory |
//! | `analysis` | a position's evaluation and search, `loatune analyse` |
//! | `game_view` | a game's values, games read from SGF |
//! | `history` | the history of a run, `loatune history --json` |
//! | `schema` | the forms of texts, for the description of the interface |

mod analysis;
mod chance;
mod control;
mod duel;
mod event;
mod explanation;
mod file;
mod fleet;
mod game_view;
mod history;
mod listing;
mod match_view;
mod population_view;
mod populations;
mod query;
pub mod schema;
mod source;
mod status;

pub use analysis::{Analysis, BothSides, DepthView, TimedReport, move_names};
pub use chance::{CalibrationView, ChanceView, ImportanceView, ReliabilityView};
pub use control::{ErrorView, Imported, LoginView, LogoutView, SessionView, Stopping};
pub use duel::{DuelGame, DuelView, LineView, LinesView};
pub use event::{EventKind, EventView, EventsView};
pub use explanation::{ExplanationView, FeatureShareView};
pub use file::{
    DeathView, FileRow, FileView, FilesView, GeneRange, GeneView, WeightsHeader, WeightsView,
    origin_name,
};
pub use fleet::{FleetAnswer, FleetEventView, FleetRecord, FleetView, WorkerState, WorkerView};
pub use game_view::{Curve, SgfGameView, SgfGames};
pub use history::HistoryView;
pub use listing::{Listing, sorted_moves};
pub use match_view::{GameRow, GameView, MatchRow, MatchView, MatchesView};
pub use population_view::{
    GeneBounds, LivingFile, LivingView, ParamView, ParamsView, SpeedSample, SpeedView,
};
pub use populations::{PopulationStatus, PopulationStrength, PopulationView, PopulationsView};
pub use query::{FileQuery, FileSort, FileState, MatchOutcome, MatchQuery};
pub use source::{ChartView, ChartsView, FileChoice, Source, SourceError};
pub use status::{
    BoundView, ChampionView, FinalView, HallView, Leader, ScholarView, State, Status,
};
