//! Kills at random moments, from the start of the process on to the end of the
//! champion's proof.

use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::victim::{Saved, Victim, Way};

/// How long a process takes to start and to open its population, at most.
const START: u64 = 60_000;

/// The fewest kills that are worth a population of their own at a time.
const LEAST: u32 = 25;

/// The most populations at a time.
const LANES: u32 = 4;

/// Kills populations until `kills` are done, beginning a new one whenever one
/// gets to its end; some at a time, because most of it is waiting. Says how many
/// populations it were, and what came of it.
pub(super) fn run(victim: &Victim, kills: u32, seed: u64) -> (u32, anyhow::Result<String>) {
    let lanes = kills.div_ceil(LEAST).clamp(1, LANES);
    let results: Vec<(Tally, anyhow::Result<()>)> = thread::scope(|scope| {
        let start = |lane| {
            let kills = kills / lanes + u32::from(lane < kills % lanes);
            scope.spawn(move || {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(u64::from(lane));
                let mut tally = Tally::default();
                let found = torture(victim, kills, &mut rng, &mut tally);
                let place = || format!("lane {lane}");
                (tally, found.with_context(place))
            })
        };
        let running: Vec<_> = (0..lanes).map(start).collect();
        let ended = running.into_iter().map(|lane| lane.join());
        ended
            .map(|lane| lane.unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
            .collect()
    });
    let mut sum = Tally::default();
    let mut found = Ok(());
    for (tally, result) in results {
        sum.rounds += tally.rounds;
        sum.early += tally.early;
        sum.proof += tally.proof;
        sum.entries += tally.entries;
        found = found.and(result);
    }
    let Tally {
        rounds,
        early,
        proof,
        entries,
        ..
    } = sum;
    let found = found.map(|()| {
        format!(
            "{rounds} populations, each to the same champion; {early} kills within {} ms of the \
             start, {proof} during the proof, {entries} entries saved in between",
            START / 1000
        )
    });
    (rounds, found)
}

#[derive(Default)]
struct Tally {
    kills: u32,
    rounds: u32,
    early: u32,
    /// Kills when every match of the evolution had been saved.
    proof: u32,
    entries: u64,
}

fn torture(
    victim: &Victim,
    kills: u32,
    rng: &mut ChaCha8Rng,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    // Beyond the 250 ms in which a group gathers, or nothing would be saved.
    let longest = (victim.calm.as_micros() as u64 / 2).max(500_000);
    loop {
        let dir = victim.dir("killed");
        let mut saved = 0;
        loop {
            let way = Way::Threads(rng.random_range(1..=4));
            if tally.kills == kills {
                let ended = victim.run(&dir, &way)?;
                victim.must_be_done(&dir, &ended)?;
                break;
            }
            let within = match rng.random_range(0..2) {
                0 => START,
                _ => longest,
            };
            let after = rng.random_range(0..=within);
            let mut running = victim.start(&dir, &way)?;
            let (ended, killed) = running.kill_after(Duration::from_micros(after))?;
            let place = || format!("kill {}, after {after} µs", tally.kills + 1);
            ended.check().with_context(place)?;
            if !killed {
                victim.must_be_done(&dir, &ended).with_context(place)?;
                break;
            }
            let Saved { entries, matches } = victim.saved(&dir);
            ensure!(
                entries >= saved,
                "{}: {saved} entries were saved, {entries} are there",
                place()
            );
            tally.kills += 1;
            tally.early += u32::from(after < START);
            tally.proof += u32::from(matches >= victim.matches());
            tally.entries += entries - saved;
            saved = entries;
        }
        let verified = victim.command(&["verify"], &dir)?;
        verified.check()?;
        ensure!(verified.code == Some(0), "verify: {}", verified.describe());
        tally.rounds += 1;
        if tally.kills == kills {
            return Ok(());
        }
    }
}
