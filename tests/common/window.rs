//! A population in memory for the page: real weights and real games, and a
//! rough selection rule that keeps files coming and going.

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard};

use loatune::api::{
    ChampionView, EventView, FileRow, FileView, FilesView, FinalView, HallView, Leader, MatchRow,
    MatchView, MatchesView, State, Status,
};
use loatune::arena::openings::RandomOpenings;
use loatune::arena::{Builtin, Contender, GameRecord, MoveLimits, Openings, play_game};
use loatune::charts::History;
use loatune::eval::Weights;
use loatune::eval::genes::TABLE;
use loatune::evolve::{Birth, Cause, Event, FileId, MatchResult, Origin, Sample, Totals};
use loatune::game::Rules;
use loatune::params::GenomeParams;
use loatune::random::Stream;
use loatune::search::Algorithm;
use loatune::serve::http::{ChartView, MatchQuery, Source, SourceError};
use loatune::weights::WeightFile;
use loatune::weights::random_weights::random_weights;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const CAPACITY: usize = 32;
const BUDGET: u64 = 150_000;

/// A population that lives in memory.
pub struct Window {
    inside: Mutex<Inside>,
}

struct Played {
    result: MatchResult,
    games: [GameRecord; 2],
    is_final: bool,
}

struct Inside {
    rng: ChaCha8Rng,
    births: Vec<Birth>,
    totals: Vec<Totals>,
    matches: Vec<Played>,
    events: Vec<EventView>,
    hall: Vec<FileId>,
    samples: Vec<Sample>,
    champion: Option<FileId>,
    last: Option<FinalView>,
    stopping: bool,
    imported: Vec<WeightFile>,
}

impl Window {
    /// A population after `matches` matches.
    pub fn new(matches: usize) -> Window {
        let window = Window {
            inside: Mutex::new(Inside {
                rng: ChaCha8Rng::seed_from_u64(7),
                births: Vec::new(),
                totals: Vec::new(),
                matches: Vec::new(),
                events: Vec::new(),
                hall: Vec::new(),
                samples: Vec::new(),
                champion: None,
                last: None,
                stopping: false,
                imported: Vec::new(),
            }),
        };
        {
            let mut inside = window.inside();
            for n in 0..CAPACITY as u64 {
                inside.born(random_weights(n), Origin::Founder, Vec::new(), None);
            }
            inside.look();
        }
        for _ in 0..matches {
            window.advance();
        }
        window
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }

    /// Plays and applies one more match.
    pub fn advance(&self) {
        self.inside().advance();
    }

    /// Adds so many events at once.
    pub fn flood(&self, events: usize) {
        let mut inside = self.inside();
        let result = inside.matches.last().unwrap().result;
        for _ in 0..events {
            let number = inside.next_event();
            inside.events.push(EventView::from_match(number, &result));
        }
    }

    /// Ends with a champion, the elder.
    pub fn finish(&self) {
        let mut inside = self.inside();
        let (last, elder) = (inside.living()[0], *inside.hall.last().unwrap());
        inside.tell(&Event::Final { last, elder });
        let (score, error, matches) = (0.02, 0.04, 180);
        inside.last = Some(FinalView {
            last,
            elder,
            matches,
            score: Some(score),
            error: Some(error),
        });
        inside.champion = Some(elder);
        inside.tell(&Event::Champion {
            file: elder,
            score,
            error,
            matches,
        });
    }

    pub fn newest_event(&self) -> u64 {
        self.inside().events.last().unwrap().number
    }

    pub fn is_stopping(&self) -> bool {
        self.inside().stopping
    }

    pub fn imported(&self) -> Vec<WeightFile> {
        self.inside().imported.clone()
    }
}

impl Inside {
    fn next_event(&self) -> u64 {
        self.events.last().map_or(1, |event| event.number + 1)
    }

    fn tell(&mut self, event: &Event) {
        let view = EventView::from_event(self.next_event(), self.matches.len() as u64, event);
        self.events.push(view);
    }

    fn born(
        &mut self,
        weights: Weights,
        origin: Origin,
        parents: Vec<FileId>,
        twin: Option<FileId>,
    ) -> FileId {
        let file = FileId(self.births.len() as u64);
        let birth = Birth {
            file,
            origin,
            parents,
            twin,
            at: self.matches.len() as u64,
            weights,
        };
        self.tell(&Event::Born(birth.clone()));
        self.births.push(birth);
        self.totals.push(Totals::default());
        file
    }

    fn living(&self) -> Vec<FileId> {
        let rows = self.births.iter().zip(&self.totals);
        let mut living: Vec<_> = rows
            .filter(|(birth, totals)| FileRow::new(birth, totals).alive)
            .map(|(birth, _)| birth.file)
            .collect();
        let points = |file: &FileId| self.totals[file.0 as usize].points;
        living.sort_by(|a, b| points(b).total_cmp(&points(a)));
        living
    }

    fn mean(&self, files: &[FileId]) -> Weights {
        let mut mean = Weights::default();
        for (n, gene) in TABLE.iter().enumerate() {
            let values = files
                .iter()
                .map(|file| self.births[file.0 as usize].weights.opening[n]);
            let sum: i32 = values.sum();
            let value = (sum / files.len().max(1) as i32).clamp(gene.min, gene.max);
            (mean.opening[n], mean.endgame[n]) = (value, value);
        }
        mean
    }

    fn advance(&mut self) {
        let living = self.living();
        let count = living.len();
        let first = self.rng.random_range(0..count);
        let second = (first + self.rng.random_range(1..count)) % count;
        let files = [living[first], living[second]];
        let number = self.matches.len() as u64;
        let games = games(number, files, |file| self.births[file.0 as usize].weights);
        let signed = |game: &GameRecord, black: f64| match game.result.as_str() {
            "x" => black * 0.6,
            "o" => -black * 0.6,
            _ => 0.0,
        };
        let score = (signed(&games[0], 1.0) + signed(&games[1], -1.0)) / 2.0;
        let result = MatchResult {
            number,
            files,
            score,
        };
        self.matches.push(Played {
            result,
            games,
            is_final: false,
        });
        let event = self.next_event();
        self.events.push(EventView::from_match(event, &result));
        for (file, sign) in files.into_iter().zip([1.0, -1.0]) {
            let totals = &mut self.totals[file.0 as usize];
            totals.points += sign * score;
            totals.games += 2;
        }
        self.breed(files);
        self.cull(files);
        if (number + 1).is_multiple_of(10) {
            self.look();
        }
        if (number + 1).is_multiple_of(40) {
            let living = self.living();
            let elder = self.mean(&living[..living.len().min(6)]);
            let file = self.born(elder, Origin::Elder, Vec::new(), None);
            self.hall.push(file);
            self.tell(&Event::Hall { file });
        }
    }

    fn breed(&mut self, files: [FileId; 2]) {
        for file in files {
            if self.totals[file.0 as usize].points <= 0.3 || self.living().len() + 2 > CAPACITY {
                continue;
            }
            let living = self.living();
            let centre = self.mean(&living[..living.len().min(6)]);
            let mut twins = [centre, centre];
            for (n, gene) in TABLE.iter().enumerate() {
                let step = (gene.max - gene.min) / 5 * if self.rng.random() { 1 } else { -1 };
                for (twin, sign) in twins.iter_mut().zip([1, -1]) {
                    let value = (centre.opening[n] + sign * step).clamp(gene.min, gene.max);
                    (twin.opening[n], twin.endgame[n]) = (value, value);
                }
            }
            let mate = living.into_iter().find(|&other| other != file);
            let parents: Vec<_> = [Some(file), mate].into_iter().flatten().collect();
            let next = self.births.len() as u64;
            let [one, other] = [FileId(next), FileId(next + 1)];
            self.born(twins[0], Origin::Crossover, parents.clone(), Some(other));
            self.born(twins[1], Origin::Crossover, parents.clone(), Some(one));
            for parent in parents {
                let totals = &mut self.totals[parent.0 as usize];
                totals.points -= 0.15;
                totals.children += 2;
            }
        }
    }

    fn cull(&mut self, files: [FileId; 2]) {
        for file in files {
            let at = self.matches.len() as u64;
            let totals = &mut self.totals[file.0 as usize];
            if totals.points < -0.3 && totals.death.is_none() {
                let cause = Cause::BelowMinimum;
                totals.death = Some((at, cause));
                self.tell(&Event::Died { file, cause });
            }
        }
    }

    fn look(&mut self) {
        let living = self.living();
        let points = |file: FileId| self.totals[file.0 as usize].points;
        let mean = self.mean(&living);
        let sample = Sample {
            matches: self.matches.len() as u64,
            games: 2 * self.matches.len() as u64,
            population: living.len() as u32,
            capacity: CAPACITY as u32,
            births: self.births.len() as u64,
            deaths: self.totals.iter().filter(|t| t.death.is_some()).count() as u64,
            best_points: living.first().map_or(0.0, |&file| points(file)),
            mean_points: living.iter().map(|&file| points(file)).sum::<f64>()
                / living.len().max(1) as f64,
            gene_means: mean.opening.map(|value| value as f32).to_vec(),
            gene_spreads: vec![1.0; TABLE.len()],
            consensus: mean.opening.map(|value| value as f32).to_vec(),
        };
        self.tell(&Event::Sample(sample.clone()));
        self.samples.push(sample);
    }

    fn weight_file(&self, file: FileId) -> Option<WeightFile> {
        let birth = self.births.get(file.0 as usize)?;
        Some(WeightFile {
            name: format!("shelf-3 {file}"),
            origin: format!("population shelf-3, born at match {}", birth.at),
            weights: birth.weights,
            certificate: None,
        })
    }
}

/// Both games of an opening, as two files play them one ply deep.
fn games(number: u64, files: [FileId; 2], weights: impl Fn(FileId) -> Weights) -> [GameRecord; 2] {
    let rules = Rules::default();
    let openings = Openings::random(RandomOpenings::default(), 7, Stream::Evolution);
    let start = openings.opener(&rules).get(number).unwrap();
    let limits = MoveLimits {
        depth: Some(2),
        ..MoveLimits::default()
    };
    let player =
        |file: FileId| Builtin::new(&file.to_string(), Algorithm::Mtdf, &weights(file), limits);
    let [mut one, mut other] = files.map(player);
    let mut play = |swap: bool| {
        let pair: [&mut dyn Contender; 2] = if swap {
            [&mut other, &mut one]
        } else {
            [&mut one, &mut other]
        };
        play_game(pair, &rules, &start, &|| false).unwrap()
    };
    [play(false), play(true)]
}

impl Source for Window {
    fn status(&self) -> Result<Status, SourceError> {
        let inside = self.inside();
        let living = inside.living();
        let leader = |&file: &FileId| {
            let totals = &inside.totals[file.0 as usize];
            Leader {
                file,
                points: totals.points,
                games: totals.games,
                origin: inside.births[file.0 as usize].origin,
            }
        };
        let is_over = inside.champion.is_some();
        // As if every match here stood for many.
        let games = if is_over {
            BUDGET
        } else {
            200 * inside.matches.len() as u64
        };
        let left = (BUDGET - games.min(BUDGET)) as f64 / 212.0;
        Ok(Status {
            population: "shelf-3".to_owned(),
            state: if is_over {
                State::Finished
            } else {
                State::Evolving
            },
            running: !is_over,
            stopping: inside.stopping,
            games,
            budget: BUDGET,
            matches: inside.matches.len() as u64,
            progress: (games as f64 / BUDGET as f64).min(1.0),
            games_per_second: (!is_over).then_some(212.0),
            eta_seconds: (!is_over).then_some(left),
            eta_low: (!is_over).then_some(left * 0.9),
            eta_high: (!is_over).then_some(left * 1.2),
            files: living.len() as u32,
            capacity: CAPACITY as u32,
            births: inside.births.len() as u64 - inside.hall.len() as u64,
            deaths: inside.totals.iter().filter(|t| t.death.is_some()).count() as u64,
            leaders: living.iter().take(8).map(leader).collect(),
            hall: inside
                .hall
                .iter()
                .enumerate()
                .map(|(n, &file)| HallView {
                    file,
                    matches: inside.births[file.0 as usize].at,
                    elo: (n < 3).then_some(41.0 + 23.5 * n as f64),
                    error: (n < 3).then_some(24.0),
                })
                .collect(),
            last: inside.last.clone(),
            champion: inside.champion.map(|file| ChampionView {
                file,
                is_elder: true,
            }),
            ends: format!(
                "when {BUDGET} games are played: the capacity shrinks to 1 from game 135375 on, \
                 then the last file plays the elder"
            ),
            seed: 7,
            params: "9f4c2a71".to_owned(),
            threads: 2,
            page: None,
        })
    }

    fn files(&self, from: FileId, count: usize) -> Result<FilesView, SourceError> {
        let inside = self.inside();
        let rows = inside.births.iter().zip(&inside.totals);
        let mut files: Vec<_> = rows
            .skip(from.0 as usize)
            .take(count + 1)
            .map(|(birth, totals)| FileRow::new(birth, totals))
            .collect();
        let next = files.get(count).map(|row| row.file);
        files.truncate(count);
        Ok(FilesView { files, next })
    }

    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError> {
        let inside = self.inside();
        let Some(birth) = inside.births.get(file.0 as usize) else {
            return Ok(None);
        };
        let living: Vec<_> = inside
            .living()
            .iter()
            .map(|file| inside.births[file.0 as usize].weights)
            .collect();
        let children = inside.births.iter().filter(|b| b.parents.contains(&file));
        let matches = inside.matches.iter().rev();
        Ok(Some(FileView::new(
            birth,
            &inside.totals[file.0 as usize],
            &format!("shelf-3 {file}"),
            &living,
            children.map(|birth| birth.file).collect(),
            matches
                .filter(|played| played.result.files.contains(&file))
                .map(|played| played.result.number)
                .take(100)
                .collect(),
        )))
    }

    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError> {
        let inside = self.inside();
        let mut matches: Vec<_> = inside
            .matches
            .iter()
            .rev()
            .filter(|played| {
                query
                    .before
                    .is_none_or(|before| played.result.number < before)
            })
            .filter(|played| {
                query
                    .file
                    .is_none_or(|file| played.result.files.contains(&file))
            })
            .take(query.count + 1)
            .map(|played| MatchRow::new(&played.result, played.is_final, &played.games))
            .collect();
        let more = matches.len() > query.count;
        matches.truncate(query.count);
        let before = matches.last().filter(|_| more).map(|row| row.number);
        Ok(MatchesView { matches, before })
    }

    fn match_record(&self, number: u64) -> Result<Option<MatchView>, SourceError> {
        let inside = self.inside();
        let found = inside.matches.get(number as usize);
        Ok(found.map(|played| MatchView::new(&played.result, played.is_final, &played.games)))
    }

    fn events(&self, after: Option<u64>, count: usize) -> Result<Vec<EventView>, SourceError> {
        let inside = self.inside();
        let events = &inside.events;
        let from = match after {
            Some(after) => events.partition_point(|event| event.number <= after),
            None => events.len().saturating_sub(count),
        };
        Ok(events[from..].iter().take(count).cloned().collect())
    }

    fn champion(&self) -> Result<Option<WeightFile>, SourceError> {
        let inside = self.inside();
        Ok(inside.champion.and_then(|file| inside.weight_file(file)))
    }

    fn leader(&self) -> Result<Option<WeightFile>, SourceError> {
        let inside = self.inside();
        let leader = inside.living().first().copied();
        Ok(leader.and_then(|file| inside.weight_file(file)))
    }

    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, SourceError> {
        Ok(self.inside().weight_file(file))
    }

    fn elder(&self) -> Result<Option<WeightFile>, SourceError> {
        Ok(None)
    }

    fn history(&self) -> Result<History, SourceError> {
        Ok(History {
            name: String::from("shelf-3"),
            budget: 0,
            genome: GenomeParams::default(),
            samples: self.inside().samples.clone(),
            strengths: Vec::new(),
        })
    }

    fn charts(&self) -> Result<Vec<ChartView>, SourceError> {
        let chart = |name: &str, title: &str| ChartView {
            name: name.to_owned(),
            title: title.to_owned(),
        };
        Ok(vec![
            chart("points", "Points of the best file and of the mean"),
            chart("population", "Population and capacity"),
        ])
    }

    fn chart(&self, name: &str, dark: bool) -> Result<Option<String>, SourceError> {
        let inside = self.inside();
        let value: fn(&Sample) -> f64 = match name {
            "points" => |sample| sample.best_points,
            "population" => |sample| f64::from(sample.population),
            _ => return Ok(None),
        };
        let values: Vec<f64> = inside.samples.iter().map(value).collect();
        let most = values.iter().copied().fold(0.1, f64::max);
        let mut line = String::new();
        for (n, value) in values.iter().enumerate() {
            let x = 40.0 + 640.0 * n as f64 / (values.len() - 1).max(1) as f64;
            let _ = write!(line, "{x:.1},{:.1} ", 280.0 - 240.0 * value / most);
        }
        let (paper, ink) = if dark {
            ("#1b1f23", "#7fc8b8")
        } else {
            ("#fffefb", "#1f6f63")
        };
        Ok(Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 320\">\
             <rect width=\"720\" height=\"320\" fill=\"{paper}\"/>\
             <path d=\"M40 280H690M40 30V280\" stroke=\"#888\" fill=\"none\"/>\
             <polyline points=\"{line}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/></svg>"
        )))
    }

    fn stop(&self) -> Result<(), SourceError> {
        let mut inside = self.inside();
        if inside.champion.is_some() {
            return Err(SourceError::Refused("the run is finished".to_owned()));
        }
        inside.stopping = true;
        Ok(())
    }

    fn import(&self, file: WeightFile) -> Result<FileId, SourceError> {
        let mut inside = self.inside();
        let number = inside.born(file.weights, Origin::Immigrant, Vec::new(), None);
        inside.imported.push(file);
        Ok(number)
    }
}
