//! Playing, as all commands with games do it: progress, the SGF file and
//! Ctrl-C. What the games mean is the command's.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::arena_flags::ArenaFlags;
use super::error::{BadUsage, Stopped};
use super::interrupt;
use super::progress::Progress;
use super::sgf_file::SgfFile;
use crate::arena::match_runner::{Ended, MatchError, MatchRunner, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::arena::{Openings, PlayerSpec};
use crate::game::Rules;

/// What a command sees of the games.
pub(super) trait Counter {
    /// A pair was played; they come in the order of the schedule.
    fn count(&mut self, played: &PlayedPair) -> ControlFlow<()>;

    /// The state of things in a few words.
    fn state(&self) -> String;
}

/// The games to play.
pub(super) struct Session<'a> {
    pub(super) flags: &'a ArenaFlags,
    pub(super) players: &'a [PlayerSpec],
    pub(super) schedule: &'a Schedule,
    pub(super) openings: &'a Openings,
    pub(super) rules: Rules,
}

/// How it went.
pub(super) struct Played {
    pub(super) ended: Ended,
    pub(super) seconds: f64,
}

impl Session<'_> {
    /// Plays all games, or until the counter or a signal ends it.
    pub(super) fn play(&self, counter: &mut dyn Counter) -> anyhow::Result<Played> {
        let hall = MatchRunner {
            players: self.players,
            schedule: self.schedule,
            openings: self.openings,
            rules: self.rules,
            threads: self.flags.threads(),
        };
        let mut file = match &self.flags.sgf {
            Some(path) => Some(SgfFile::create(path, &self.rules)?),
            None => None,
        };
        let stop = interrupt::stop_flag()?;
        let mut progress = Progress::new();
        let all = self.schedule.pairs().checked_mul(2);
        let mut failure = None;
        let state = std::cell::RefCell::new(counter);
        let ended = hall.play(
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
                state.borrow_mut().count(&pair)
            },
            &mut |games| {
                progress.show(games, all, &|| state.borrow().state());
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
        let ended = ended.map_err(explain)?;
        if let Some(file) = file {
            file.finish()?;
        }
        Ok(Played { ended, seconds })
    }
}

impl Played {
    /// After everything is printed: an interrupted session is no success.
    pub(super) fn result(&self, games: u64) -> anyhow::Result<()> {
        if self.ended == Ended::Interrupted {
            let message = format!("stopped by a signal; the result is that of {games} games");
            return Err(Stopped(message).into());
        }
        Ok(())
    }
}

/// What cannot be played as it was asked for is bad usage.
pub(super) fn explain(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Threads(_) | MatchError::Worker(_) => error.into(),
        MatchError::Player(_) | MatchError::Opening(_) => BadUsage::new(error).into(),
    }
}
