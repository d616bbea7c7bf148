//! Playing games as all commands do it: with a progress line, an SGF file and
//! Ctrl-C. What the results mean is left to the command's [`ResultSink`].

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::sgf_file::SgfFile;
use crate::arena::match_runner::{Ended, MatchError, MatchRunner, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::arena::{Openings, PlayerSpec};
use crate::cli::args::ArenaFlags;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, Stopped};
use crate::game::Rules;

/// Takes the results of games as they come.
pub(crate) trait ResultSink {
    /// Takes a pair; pairs come in the order of the schedule. Breaking ends the
    /// games.
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()>;

    /// Adds the results so far to the line of progress.
    fn describe(&self, line: &mut ProgressLine);
}

/// The games that a command plays.
pub(crate) struct GameRunner<'a> {
    pub(crate) flags: &'a ArenaFlags,
    pub(crate) players: &'a [PlayerSpec],
    pub(crate) schedule: &'a Schedule,
    pub(crate) openings: &'a Openings,
    pub(crate) rules: Rules,
}

/// How the games ended.
pub(crate) struct PlayedGames {
    pub(crate) ended: Ended,
    /// From the first game to the last.
    pub(crate) seconds: f64,
}

impl GameRunner<'_> {
    /// Plays all games, or until the sink or a signal ends them.
    ///
    /// # Errors
    /// A player cannot be started, an opening is bad or a file cannot be
    /// written.
    pub(crate) fn play(&self, sink: &mut dyn ResultSink) -> anyhow::Result<PlayedGames> {
        let runner = MatchRunner {
            players: self.players,
            schedule: self.schedule,
            openings: self.openings,
            rules: self.rules,
            threads: self.flags.threads(),
        };
        let mut file = match &self.flags.sgf {
            Some(path) => Some(SgfFile::create(path, self.flags.force, &self.rules)?),
            None => None,
        };
        let stop = interrupt::stop_flag()?;
        let mut progress = Progress::new();
        let all = self.schedule.pairs().checked_mul(2);
        let mut failure = None;
        let sink = RefCell::new(sink);
        let ended = runner.play(
            &mut |pair| {
                for record in &pair.games {
                    if let Some(fault) = record.outcome.fault() {
                        let [black, white] = &record.players;
                        log::warn!(
                            "{black} (x) against {white} (o), pair {}: {fault}",
                            pair.number
                        );
                    }
                    let added = file.as_mut().map_or(Ok(()), |file| file.add(record));
                    if let Err(error) = added {
                        failure.get_or_insert(error);
                        return ControlFlow::Break(());
                    }
                }
                sink.borrow_mut().add(&pair)
            },
            &mut |games| {
                progress.show_games(games, all, &|line| sink.borrow().describe(line));
                if stop.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        );
        let seconds = progress.seconds();
        progress.finish();
        if let Some(error) = failure {
            return Err(error);
        }
        let ended = ended.map_err(usage_error)?;
        if let Some(file) = file {
            file.finish()?;
        }
        Ok(PlayedGames { ended, seconds })
    }
}

impl PlayedGames {
    /// The result of the command after its report was printed.
    ///
    /// # Errors
    /// [`Stopped`], where a signal ended the games.
    pub(crate) fn result(&self, games: u64) -> anyhow::Result<()> {
        if self.ended == Ended::Interrupted {
            let message = format!("stopped by a signal; the result is that of {games} games");
            return Err(Stopped(message).into());
        }
        Ok(())
    }
}

/// Marks games that cannot be played as they were asked for as bad usage.
pub(crate) fn usage_error(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Threads(_) | MatchError::Worker(_) => error.into(),
        MatchError::Player(_) | MatchError::Opening(_) => BadUsage::new(error).into(),
    }
}
