//! Lessons beside the games: a lesson is learned on a thread of its own, while
//! the workers play the matches that are drawn already.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};

use super::engine_lesson::LessonError;
use super::result_sink::ResultSink;
use super::school::{Preparation, School};
use crate::evolve::{Learned, Lesson, Plan};
use crate::params::Params;
use crate::store::MatchRecord;

/// The lessons of a run.
pub(super) struct Lessons {
    school: School,
    params: Params,
    /// The lesson that is being learned.
    running: Option<JoinHandle<Result<Learned, LessonError>>>,
}

impl Lessons {
    /// The lessons of a run that may have been played in part: the matches that a
    /// lesson may need are read again.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn new<S: ResultSink>(sink: &S) -> Result<Lessons, S::Error> {
        let params = sink.params().clone();
        let mut school = School::new(&params.school);
        for record in sink.recent_matches(school.capacity())? {
            school.add(record);
        }
        Ok(Lessons {
            school,
            params,
            running: None,
        })
    }

    /// Takes a match in that was applied.
    pub(super) fn add(&mut self, record: MatchRecord) {
        self.school.add(record);
    }

    /// What the lesson that is due has brought; `None` until it is over. The
    /// first call begins it. A lesson that the run does not wait for is left, and
    /// learned again when the run goes on.
    ///
    /// # Errors
    /// A game cannot be learned from, because its moves are not legal, or another
    /// program fails when it is asked for its features.
    pub(super) fn poll(
        &mut self,
        lesson: &Lesson,
        plan: &Plan,
    ) -> Result<Option<Learned>, LessonError> {
        let running = self.running.take().unwrap_or_else(|| {
            let preparation = self.school.prepare(lesson, &self.params, plan);
            let threads = self.params.run.thread_count();
            thread::spawn(move || learn_on(threads, &preparation))
        });
        if !running.is_finished() {
            self.running = Some(running);
            return Ok(None);
        }
        let learned = running.join().unwrap_or_else(|panic| resume_unwind(panic));
        learned.map(Some)
    }
}

/// Learns with so many threads.
fn learn_on(threads: usize, preparation: &Preparation) -> Result<Learned, LessonError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    match pool {
        Ok(pool) => pool.install(|| preparation.learn()),
        // Without threads of its own it takes longer and learns the same.
        Err(_) => preparation.learn(),
    }
}
