//! The data source behind every JSON: what can be asked of a population. The
//! running daemon implements it, and so does a reader of a population on which
//! no process works.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    EventView, FileQuery, FileRow, FileView, FilesView, FleetView, LivingView, MatchQuery,
    MatchView, MatchesView, ParamsView, SpeedView, Status,
};
use crate::charts::History;
use crate::evolve::FileId;
use crate::weights::{OptionFile, WeightFile};

/// Why a source has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The population's state does not allow it: a finished run cannot be
    /// stopped.
    #[error("{0}")]
    Refused(String),
    /// The answer could not be read or computed.
    #[error("{0}")]
    Failed(String),
    /// The process that was asked has ended before it answered.
    #[error("{0}")]
    Ended(String),
}

/// The charts that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Charts)]
pub struct ChartsView {
    /// The charts in the order in which the page shows them.
    pub charts: Vec<ChartView>,
}

/// A chart that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Chart)]
pub struct ChartView {
    /// Its name in the address: `points` for `/api/charts/points.svg`.
    pub name: String,
    /// A title for people.
    pub title: String,
}

/// A file of a population, by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileChoice {
    /// The champion, once it is known.
    Champion,
    /// The living file with the most points.
    Leader,
    /// The running mean of the consensus.
    Elder,
    /// The file with this number.
    Number(FileId),
}

/// What can be asked of a population.
///
/// The server calls every method on a thread that may block, so an
/// implementation may take locks and read files. Each browser asks a few times
/// a second at most.
///
/// # Errors
///
/// Every method returns [`SourceError::Failed`] where the answer cannot be read
/// or computed; those that change something return [`SourceError::Refused`]
/// where the population's state does not allow it.
#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all methods are those above"
)]
pub trait Source: Send + Sync {
    /// The status of the population, as `loatune status --json` prints it.
    fn status(&self) -> Result<Status, SourceError>;

    /// The fleet that plays; `None` where threads of the run's process do.
    fn fleet(&self) -> Result<Option<FleetView>, SourceError>;

    /// The files that a query asks for, the dead included.
    fn files(&self, query: &FileQuery) -> Result<FilesView, SourceError>;

    /// Everything about a file; `None` where there is no such file.
    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError>;

    /// A file and its first parents, back to one that has none; empty where
    /// there is no such file.
    fn descent(&self, file: FileId) -> Result<Vec<FileRow>, SourceError>;

    /// The genes of all files that live.
    fn living(&self) -> Result<LivingView, SourceError>;

    /// The parameters of the run.
    fn params(&self) -> Result<ParamsView, SourceError>;

    /// How fast games were played since the process began.
    fn speed(&self) -> Result<SpeedView, SourceError>;

    /// Matches, the newest first. One question looks at a bounded number of
    /// matches, so a page may hold fewer than it was asked for, or none,
    /// although there is more.
    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError>;

    /// A match with both its games; `None` where there is no such match.
    fn match_record(&self, number: u64) -> Result<Option<MatchView>, SourceError>;

    /// The oldest `count` events after number `after`; without `after` the
    /// newest `count`. In the order of their numbers either way.
    fn events(&self, after: Option<u64>, count: usize) -> Result<Vec<EventView>, SourceError>;

    /// How many events lie between two that [`Source::events`] gave, both of
    /// them left out. The numbers of events have gaps, so they do not tell.
    fn events_between(&self, after: u64, before: u64) -> Result<u64, SourceError>;

    /// The champion; `None` until it is known.
    fn champion(&self) -> Result<Option<WeightFile>, SourceError>;

    /// The living file with the most points; `None` where none lives.
    fn leader(&self) -> Result<Option<WeightFile>, SourceError>;

    /// The elder, the running mean of the consensus; `None` until there is one.
    fn elder(&self) -> Result<Option<WeightFile>, SourceError>;

    /// The weights of a file, dead or alive; `None` where there is no such
    /// file.
    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, SourceError>;

    /// The values of another program's options that a file stands for; `None`
    /// where the genes are this program's, or there is no such file.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn options_of(&self, which: FileChoice) -> Result<Option<OptionFile>, SourceError> {
        let _ = which;
        Ok(None)
    }

    /// The history of the run so far.
    fn history(&self) -> Result<History, SourceError>;

    /// The charts that can be drawn now, in the order in which the page shows
    /// them.
    fn charts(&self) -> Result<Vec<ChartView>, SourceError>;

    /// A chart as SVG, drawn by the code of `loatune history`; `None` where
    /// there is no such chart.
    fn chart(&self, name: &str, dark: bool) -> Result<Option<String>, SourceError>;

    /// Asks the run to finish what is applied, save and end.
    fn stop(&self) -> Result<(), SourceError>;

    /// Takes weights into the population and returns the file that they became.
    fn import(&self, file: WeightFile) -> Result<FileId, SourceError>;
}
