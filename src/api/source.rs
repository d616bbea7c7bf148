//! What is asked of a population. The running daemon answers, or a reader of
//! one that does not run.

use serde::{Deserialize, Serialize};

use super::{EventView, FileView, FilesView, MatchView, MatchesView, Status};
use crate::charts::History;
use crate::evolve::FileId;
use crate::weights::WeightFile;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It cannot be done as things are: a finished run cannot be stopped.
    #[error("{0}")]
    Refused(String),
    /// It went wrong.
    #[error("{0}")]
    Failed(String),
}

/// Which matches to list, the newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchQuery {
    /// Only matches with smaller numbers.
    pub before: Option<u64>,
    /// At most so many.
    pub count: usize,
    /// Only those of this file.
    pub file: Option<FileId>,
}

/// A chart that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartView {
    /// Its name in the address: `points` for `/api/charts/points.svg`.
    pub name: String,
    /// What it shows, for people.
    pub title: String,
}

/// What the page shows of a population; implemented by the running daemon and
/// by a reader of a finished one.
///
/// Every answer is asked for on a thread that may wait, so an implementation
/// may lock and read; it is asked a few times a second at most for each
/// browser.
pub trait Source: Send + Sync {
    /// The population at a glance, as `loatune status --json` prints it.
    fn status(&self) -> Result<Status, Problem>;

    /// Files from number `from` on, `count` at most, the dead included.
    fn files(&self, from: FileId, count: usize) -> Result<FilesView, Problem>;

    /// All about a file; `None` where there is no such file.
    fn file(&self, file: FileId) -> Result<Option<FileView>, Problem>;

    /// Matches, the newest first.
    fn matches(&self, query: MatchQuery) -> Result<MatchesView, Problem>;

    /// A match with both its games; `None` where there is no such match.
    fn match_record(&self, number: u64) -> Result<Option<MatchView>, Problem>;

    /// The oldest `count` events after number `after`; without `after` the
    /// newest `count`. In the order of their numbers either way.
    fn events(&self, after: Option<u64>, count: usize) -> Result<Vec<EventView>, Problem>;

    /// How many events lie between two that [`Source::events`] gave, both of
    /// them left out. The numbers of events have gaps, so they do not tell.
    fn events_between(&self, after: u64, before: u64) -> Result<u64, Problem>;

    /// The champion, once there is one.
    fn champion(&self) -> Result<Option<WeightFile>, Problem>;

    /// The living file with the most points.
    fn leader(&self) -> Result<Option<WeightFile>, Problem>;

    /// The elder, once there is one: the running mean of the consensus.
    fn elder(&self) -> Result<Option<WeightFile>, Problem>;

    /// The weights of a file, dead or alive; `None` where there is no such
    /// file.
    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, Problem>;

    /// How the run went so far.
    fn history(&self) -> Result<History, Problem>;

    /// The charts that can be drawn now, in the order of the page.
    fn charts(&self) -> Result<Vec<ChartView>, Problem>;

    /// A chart as SVG, by the code of `loatune history`; `None` where there is
    /// no such chart.
    fn chart(&self, name: &str, dark: bool) -> Result<Option<String>, Problem>;

    /// Asks the run to finish what is applied, save and end.
    fn stop(&self) -> Result<(), Problem>;

    /// Takes weights into the population and says which file they became.
    fn import(&self, file: WeightFile) -> Result<FileId, Problem>;
}
