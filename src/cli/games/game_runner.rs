//! Playing games as all commands do it: with a progress line, an SGF file, a
//! file to go on from and Ctrl-C. What the results mean is left to the command's
//! [`ResultSink`].

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::line_log::LogKind;
use super::match_settings::MatchSettings;
use super::resume_file::ResumeFile;
use super::sgf_file::SgfFile;
use crate::arena::match_runner::{Ended, MatchError, MatchRunner, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::arena::{Broken, FaultWatch, Openings, PlayerSpec};
use crate::cli::args::ArenaFlags;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, Stopped, notice};
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
    /// The settings of the test that ends the games.
    pub(crate) sprt: Option<String>,
    /// What the file is called that keeps the games.
    pub(crate) kept: &'static LogKind,
}

/// How the games ended.
pub(crate) struct PlayedGames {
    pub(crate) ended: Ended,
    /// What was played.
    pub(crate) settings: MatchSettings,
    /// From the first game to the last, earlier parts included.
    pub(crate) seconds: f64,
    /// Games of earlier parts.
    pub(crate) resumed: u64,
    /// The player that was given up.
    pub(crate) broken: Option<Broken>,
    resume: Option<PathBuf>,
}

impl GameRunner<'_> {
    /// Plays all games, or until the sink, a signal or a broken player ends
    /// them.
    ///
    /// # Errors
    /// A player cannot be started, an opening is bad or a file cannot be
    /// written.
    pub(crate) fn play(&self, sink: &mut dyn ResultSink) -> anyhow::Result<PlayedGames> {
        self.flags.check_memory(self.players)?;
        for player in self.players {
            player.check_book(&self.rules).map_err(BadUsage::new)?;
        }
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
        let started = runner.start().map_err(|error| usage_error(error.into()))?;
        let names = started.names().to_vec();
        let settings = MatchSettings::new(
            self.flags,
            self.players,
            &names,
            self.openings,
            &self.rules,
            self.sprt.clone(),
        );
        let (mut resume, before) = match &self.flags.resume {
            Some(path) => {
                let (file, pairs) =
                    ResumeFile::open(path, self.kept, &settings, self.schedule, &names)?;
                (Some(file), pairs)
            }
            None => (None, Vec::new()),
        };
        let first = before.len() as u64;
        if first > 0 {
            let path = self.flags.resume.as_deref().unwrap_or("".as_ref());
            let games = 2 * first;
            notice(&format!(
                "going on after {games} games of {}",
                path.display()
            ));
        }
        for line in settings.notices() {
            notice(&line);
        }

        let mut ended = ControlFlow::Continue(());
        for pair in &before {
            for record in &pair.games {
                file.as_mut().map_or(Ok(()), |file| file.add(record))?;
            }
            if ended.is_continue() {
                ended = sink.add(pair);
            }
        }
        let mut progress = Progress::new().after_games(2 * first);
        let all = self.schedule.pairs().checked_mul(2);
        let seconds_before = resume.as_ref().map_or(0.0, ResumeFile::seconds_before);
        let begin = std::time::Instant::now();
        let mut failure = None;
        let mut broken = None;
        let mut watch = FaultWatch::new(self.players.len());
        let sink = RefCell::new(sink);
        let counted = &mut |pair: PlayedPair| {
            let added = pair.games.iter().try_for_each(|record| {
                if let Some(fault) = record.outcome.fault() {
                    let [black, white] = &record.players;
                    log::warn!(
                        "{black} (x) against {white} (o), pair {}: {fault}",
                        pair.number
                    );
                }
                file.as_mut().map_or(Ok(()), |file| file.add(record))
            });
            let saved = added.and_then(|()| match &mut resume {
                Some(resume) => resume.add(&pair, begin.elapsed().as_secs_f64()),
                None => Ok(()),
            });
            if let Err(error) = saved {
                failure.get_or_insert(error);
                return ControlFlow::Break(());
            }
            let end = sink.borrow_mut().add(&pair);
            broken = watch.add(&pair);
            if broken.is_some() {
                return ControlFlow::Break(());
            }
            end
        };
        let waiting = &mut |games: u64| {
            let games = games + 2 * first;
            progress.show_games(games, all, &|line| sink.borrow().describe(line));
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let ended = match ended {
            ControlFlow::Break(()) => Ok(Ended::Enough),
            ControlFlow::Continue(()) => {
                started.play(&self.flags.referee(), first, counted, waiting)
            }
        };
        progress.finish();
        if let Some(error) = failure {
            return Err(error);
        }
        let ended = ended.map_err(usage_error)?;
        if let Some(file) = file {
            file.finish()?;
        }
        if let Some(resume) = resume {
            resume.finish()?;
        }
        Ok(PlayedGames {
            ended,
            settings,
            seconds: seconds_before + begin.elapsed().as_secs_f64(),
            resumed: 2 * first,
            broken,
            resume: self.flags.resume.clone(),
        })
    }
}

impl PlayedGames {
    /// Whether a signal ended the games.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.ended == Ended::Interrupted
    }

    /// Why the games were stopped, where a player was given up.
    fn broken_text(&self) -> Option<String> {
        let broken = self.broken.as_ref()?;
        Some(format!(
            "{} is given up: it lost {} of {} games by faults; the last: {}",
            self.settings.name(broken.player),
            broken.faults,
            broken.games,
            broken.fault,
        ))
    }

    /// The result of the command after its report was printed.
    ///
    /// # Errors
    /// [`Stopped`], where a signal ended the games; another error where games
    /// were lost by `faults`.
    pub(crate) fn result(&self, games: u64, faults: u64) -> anyhow::Result<()> {
        if self.is_interrupted() {
            let mut message = format!("stopped by a signal; the result is that of {games} games");
            if let Some(path) = &self.resume {
                message += &format!("; the same command goes on with {}", path.display());
            }
            return Err(Stopped(message).into());
        }
        if let Some(text) = self.broken_text() {
            anyhow::bail!("stopped after {games} games: {text}");
        }
        if faults > 0 {
            let were = if faults == 1 {
                "game was"
            } else {
                "games were"
            };
            anyhow::bail!("{faults} of {games} {were} lost by faults");
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
