//! Kills at random moments, from the start of the process on.

use std::time::Duration;

use anyhow::{Context, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::victim::{Victim, Way};

/// How long a process takes to start and to open its population, at most.
const START: u64 = 60_000;

/// Kills a population until `kills` are done, beginning a new one whenever it
/// gets to its end. Says how many it were, and what came of it.
pub(super) fn run(victim: &Victim, kills: u32, seed: u64) -> (u32, anyhow::Result<String>) {
    let mut tally = Tally::default();
    let found = torture(victim, kills, seed, &mut tally);
    let Tally {
        rounds,
        early,
        entries,
        ..
    } = tally;
    let found = found.map(|()| {
        format!(
            "{rounds} populations, each to the same champion; {early} kills within {} ms of the \
             start, {entries} entries saved in between",
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
    entries: u64,
}

fn torture(victim: &Victim, kills: u32, seed: u64, tally: &mut Tally) -> anyhow::Result<()> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
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
            let entries = victim.entries(&dir);
            ensure!(
                entries >= saved,
                "{}: {saved} entries were saved, {entries} are there",
                place()
            );
            tally.kills += 1;
            tally.early += u32::from(after < START);
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
