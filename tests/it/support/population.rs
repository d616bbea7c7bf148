//! A real population that a test moves on by hand.
//!
//! The real binary runs once for a test program, and what it wrote to its
//! journal is kept. A [`Playback`] is a population of the library's own, in a
//! directory of its own, into which that journal is applied match by match: the
//! store, the state and what is shown of them are the real ones, and only the
//! time at which something happens is the test's choice.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use loatune::run::{Command, Forecast, Latest, LivePopulation, RunContext};
use loatune::serve::http::{Options, Source};
use loatune::store::{Begin, Entry, FrameReader, Layout, Population, StoreError, decode};
use serde_json::Value;
use tempfile::TempDir;

use super::binary::Place;

/// Opens a population that this process may have held a moment ago. Other tests
/// start programs at the same time, and until such a program is loaded it holds
/// every file of this process, the lock among them.
#[track_caller]
pub fn reopen(dir: &Path) -> Population {
    let begin = Instant::now();
    loop {
        match Population::open(dir) {
            Ok((population, _)) => return population,
            Err(StoreError::InUse { .. }) if begin.elapsed() < Duration::from_secs(60) => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// What the population is called.
pub const NAME: &str = "recorded";

/// The parameters of the run: some hundred matches, one ply deep.
const PARAMS: &str = "\
[player]
depth = 1

[evolution]
budget = 800

[school]
enabled = false

[final]
certificate_games = 20
hall_games = 2

[run]
seed = 7
";

/// The same with a school: lessons after 100, 200, 300 … games.
fn params(has_school: bool) -> String {
    if has_school {
        PARAMS.replace("enabled = false", "enabled = true\nfirst = 100")
    } else {
        PARAMS.to_owned()
    }
}

/// A run from its beginning to its champion.
pub struct Recording {
    begin: Begin,
    entries: Vec<Entry>,
    /// What `loatune status --json` said of it at the end.
    pub status: Value,
    /// What `loatune export` wrote.
    pub champion: String,
}

/// The run, which is made when somebody asks for it first.
pub fn recording() -> &'static Recording {
    static MADE: OnceLock<Recording> = OnceLock::new();
    MADE.get_or_init(|| Recording::make(false))
}

/// A run with scholars.
fn recording_of_a_school() -> &'static Recording {
    static MADE: OnceLock<Recording> = OnceLock::new();
    MADE.get_or_init(|| Recording::make(true))
}

impl Recording {
    fn make(has_school: bool) -> Recording {
        let place = Place::new().with("params.toml", &params(has_school));
        place.good(&["-q", "run", "--population", NAME, "--no-http"]);
        let directory = place.path().join("populations").join(NAME);
        let mut frames = FrameReader::open(&Layout::new(&directory).journal()).unwrap();
        let begin = decode(frames.next_frame().unwrap().unwrap()).unwrap();
        let mut entries = Vec::new();
        while let Some(frame) = frames.next_frame().unwrap() {
            entries.push(decode(frame).unwrap());
        }
        Recording {
            begin,
            entries,
            status: place.json(&["status", "--json"]),
            champion: place.good(&["export"]),
        }
    }
}

/// A population that goes on when it is told to.
pub struct Playback {
    /// What a page or a socket shows of it.
    pub window: Arc<LivePopulation>,
    wishes: Receiver<Command>,
    /// `None` once it is closed.
    open: Mutex<Option<Open>>,
    directory: PathBuf,
    _place: TempDir,
}

struct Open {
    population: Population,
    /// What is still to be applied.
    rest: std::slice::Iter<'static, Entry>,
    circumstances: RunContext,
}

impl Playback {
    /// A population after `matches` matches, as a run shows it that goes on.
    pub fn new(matches: u64) -> Playback {
        let circumstances = RunContext {
            running: true,
            threads: 2,
            ..RunContext::default()
        };
        Playback::with(recording(), matches, circumstances)
    }

    /// The end of a run with scholars.
    pub fn of_a_school() -> Playback {
        let population = Playback::with(recording_of_a_school(), 0, RunContext::default());
        population.finish();
        population
    }

    /// The same, as it is shown while nobody works on it.
    pub fn at_rest(matches: u64) -> Playback {
        Playback::with(recording(), matches, RunContext::default())
    }

    fn with(recording: &'static Recording, matches: u64, circumstances: RunContext) -> Playback {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join(NAME);
        let mut open = Open {
            population: Population::create(&directory, &recording.begin).unwrap(),
            rest: recording.entries.iter(),
            circumstances,
        };
        open.apply_matches(matches);
        let (send, wishes) = unbounded();
        // Where nobody works, nobody hears wishes.
        let send = circumstances.running.then_some(send);
        let window = LivePopulation::new(NAME, open.population.reader(), open.now(), send);
        Playback {
            window: Arc::new(window),
            wishes,
            open: Mutex::new(Some(open)),
            directory,
            _place: place,
        }
    }

    /// Where it lies.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How its page is served, with its token in its directory.
    pub fn options(&self) -> Options {
        Options {
            token_directory: Some(self.directory.clone()),
            ..Options::default()
        }
    }

    /// Applies and shows `matches` more.
    pub fn advance(&self, matches: u64) {
        self.change(|open| open.apply_matches(matches));
    }

    /// Shows how fast it is played now.
    pub fn play_at(&self, games_per_second: f64) {
        self.change(|open| {
            open.circumstances.forecast = Some(Forecast {
                rate: games_per_second,
                seconds: 60.0,
                low: 50.0,
                high: 70.0,
            });
        });
    }

    /// Applies everything that is left: the run is over, and its champion
    /// proved.
    pub fn finish(&self) {
        self.change(|open| {
            while open.apply_one().is_some() {}
            open.circumstances = RunContext {
                proved: true,
                ..RunContext::default()
            };
        });
    }

    /// Saves and closes it; what it shows stays.
    pub fn close(&self) {
        let open = self.open.lock().unwrap().take().expect("it is open");
        open.population.close().unwrap();
    }

    /// The numbers of all events so far, in order.
    pub fn events(&self) -> Vec<u64> {
        let events = self.window.events(Some(0), usize::MAX).unwrap();
        events.iter().map(|event| event.number).collect()
    }

    /// Whether nobody asked the run to stop or to take weights in.
    pub fn is_left_alone(&self) -> bool {
        self.wishes.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut Open)) {
        let mut open = self.open.lock().unwrap();
        let open = open.as_mut().expect("it is open");
        change(open);
        self.window.show(open.now());
    }
}

impl Open {
    /// Applies the next entry; `None` at the end.
    fn apply_one(&mut self) -> Option<&'static Entry> {
        let entry = self.rest.next()?;
        self.population.apply(entry.clone()).unwrap();
        Some(entry)
    }

    /// Applies entries until so many matches are among them.
    fn apply_matches(&mut self, matches: u64) {
        let is_match = |entry: &Entry| matches!(entry, Entry::Match(_));
        for _ in 0..matches {
            while !is_match(self.apply_one().expect("a match is left")) {}
        }
    }

    /// The newest state. What was applied can be read once it is saved.
    fn now(&self) -> Latest {
        self.population.flush().unwrap();
        Latest::new(NAME, &self.population, &self.circumstances)
    }
}
