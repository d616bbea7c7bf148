use super::queue::AHEAD;
use super::*;
use crate::api::{FleetRecord, FleetView};
use crate::genome::Genome;
use crate::run::Measurement;
use crate::serve::fleet::coordinator::roster::MAX_REFUSED;
use crate::serve::fleet::wire::{Beat, PROTOCOL};

const SECOND: Duration = Duration::from_secs(1);

fn charter() -> Charter {
    Charter {
        protocol: PROTOCOL,
        program: String::from("1"),
        population: String::from("p"),
        engine: 5,
        fingerprint: String::from("f"),
        params: String::new(),
        genes: crate::genome::GeneTable::built_in(),
        timeout_seconds: 10,
    }
}

fn dispatcher(check: f64, probation: u64) -> Dispatcher {
    let policy = Policy {
        check,
        probation,
        timeout: 10 * SECOND,
        window: 12,
        local_checks: 1,
        secret: [7; 32],
    };
    Dispatcher::new(policy, charter())
}

fn task(pair: u64) -> Box<Task> {
    let weights = [1, 2].map(|value| Genome::uniform([value]));
    Box::new(Task::Measurement(Measurement { pair, weights }))
}

fn beat(worker: &str) -> Beat {
    Beat {
        protocol: PROTOCOL,
        worker: worker.to_owned(),
        program: String::from("1"),
        engine: 5,
        fingerprint: String::from("f"),
        threads: 2,
        games: 0,
        games_per_second: 1.0,
        load: None,
        holding: Vec::new(),
        leaving: false,
    }
}

/// Games are of no matter here: their digest is.
fn result(digest: u64) -> Result<(u64, PairRecords), String> {
    let none = crate::arena::openings::RandomOpenings::default();
    Ok((digest, Err(NoOpening(none))))
}

fn records() -> PairRecords {
    result(0).unwrap_or_else(|why| panic!("{why}")).1
}

/// The numbers of the orders that are published now.
fn published(dispatcher: &mut Dispatcher, now: Instant) -> Vec<u64> {
    dispatcher.publish(now);
    let actions = dispatcher.take_actions();
    let orders = actions.iter().filter_map(|action| match action {
        Action::Publish(order) => Some(order.number()),
        _ => None,
    });
    orders.collect()
}

fn delivered(actions: &[Action]) -> usize {
    let is_one = |action: &&Action| matches!(action, Action::Deliver { .. });
    actions.iter().filter(is_one).count()
}

fn checks(actions: &[Action]) -> Vec<u64> {
    let checks = actions.iter().filter_map(|action| match action {
        Action::Check(order, _) => Some(*order),
        _ => None,
    });
    checks.collect()
}

fn view(dispatcher: &Dispatcher, now: Instant) -> FleetView {
    dispatcher.view("f", "b", true, now)
}

#[test]
fn the_first_result_counts_and_others_are_compared() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    fleet.beat(&beat("a"), now);
    fleet.submit(0, task(1));
    let orders = published(&mut fleet, now);
    assert_eq!(orders.len(), 1);
    for worker in ["a", "b", "a"] {
        fleet.answer(worker, orders[0], 1, result(9), now);
    }
    fleet.answer("b", 12345, 1, result(9), now);
    assert_eq!(delivered(&fleet.take_actions()), 1);
    let view = view(&fleet, now);
    assert_eq!((view.games, view.duplicates, view.late), (2, 2, 1));
    assert!(published(&mut fleet, now).is_empty());
}

#[test]
fn what_shows_no_sign_of_life_is_published_again() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    fleet.beat(&beat("a"), now);
    for pair in 0..2 {
        fleet.submit(0, task(pair));
    }
    let orders = published(&mut fleet, now);
    // The first is being played, the second is lost.
    let later = now + 9 * SECOND;
    let mut alive = beat("a");
    alive.holding = vec![orders[0]];
    fleet.beat(&alive, later);
    let later = now + 11 * SECOND;
    fleet.look_for_lost(true, later);
    assert_eq!(published(&mut fleet, later), [orders[1]]);
    assert_eq!(view(&fleet, later).republished, 1);
    // Without a broker nothing can be told.
    let much_later = now + 100 * SECOND;
    fleet.look_for_lost(false, much_later);
    assert!(published(&mut fleet, much_later).is_empty());
}

#[test]
fn no_more_is_published_than_there_is_room_for() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    for pair in 0..100 {
        fleet.submit(0, task(pair));
    }
    assert_eq!(published(&mut fleet, now).len(), AHEAD);
    fleet.beat(&beat("a"), now);
    assert_eq!(published(&mut fleet, now).len(), 6);
    fleet.discard();
    assert_eq!(view(&fleet, now).out, 0);
}

#[test]
fn a_new_worker_is_checked_until_it_is_trusted() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 2);
    fleet.beat(&beat("a"), now);
    for pair in 0..3 {
        fleet.submit(0, task(pair));
    }
    let orders = published(&mut fleet, now);
    for &order in &orders[..2] {
        fleet.answer("a", order, 1, result(9), now);
        let actions = fleet.take_actions();
        assert_eq!((delivered(&actions), checks(&actions)), (0, vec![order]));
        fleet.checked(order, 9, records(), now);
        assert_eq!(delivered(&fleet.take_actions()), 1);
    }
    fleet.answer("a", orders[2], 1, result(9), now);
    let actions = fleet.take_actions();
    assert_eq!((delivered(&actions), checks(&actions)), (1, vec![]));
}

#[test]
fn a_false_result_bars_its_worker_and_what_it_said_is_thrown_away() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 1);
    fleet.beat(&beat("liar"), now);
    for pair in 0..3 {
        fleet.submit(0, task(pair));
    }
    let orders = published(&mut fleet, now);
    // The first is right, so the second is believed; the third is disputed.
    fleet.answer("liar", orders[0], 1, result(9), now);
    fleet.checked(orders[0], 9, records(), now);
    fleet.answer("liar", orders[1], 1, result(666), now);
    assert_eq!(delivered(&fleet.take_actions()), 2);
    fleet.answer("honest", orders[1], 1, result(9), now);
    assert_eq!(checks(&fleet.take_actions()), [orders[1]]);
    fleet.checked(orders[1], 9, records(), now);
    let actions = fleet.take_actions();
    let is_false =
        |action: &Action| matches!(action, Action::False { worker, .. } if worker == "liar");
    assert!(actions.iter().any(is_false), "{actions:?}");
    let view = view(&fleet, now);
    let liar = view.workers.iter().find(|worker| worker.worker == "liar");
    assert_eq!(liar.map(|liar| liar.state.name()), Some("barred"));
    assert_eq!(view.differences, 1);
    // Nothing of it is taken any more, and it is told why.
    fleet.answer("liar", orders[2], 1, result(9), now);
    assert_eq!(delivered(&fleet.take_actions()), 0);
    let verdict = fleet.join(&beat("liar"), now);
    assert!(verdict.barred && verdict.unwanted.is_some());
    let bars: Vec<_> = fleet
        .take_events()
        .into_iter()
        .filter_map(|event| event.bar)
        .collect();
    assert_eq!(bars.len(), 1);
    assert_eq!(bars[0].worker, "liar");
}

#[test]
fn a_lie_that_is_held_never_reaches_the_run() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 8);
    fleet.submit(0, task(0));
    fleet.submit(0, task(1));
    let orders = published(&mut fleet, now);
    fleet.answer("liar", orders[0], 1, result(666), now);
    fleet.answer("liar", orders[1], 1, result(667), now);
    fleet.take_actions();
    fleet.checked(orders[0], 9, records(), now);
    fleet.checked(orders[1], 9, records(), now);
    let actions = fleet.take_actions();
    assert_eq!(delivered(&actions), 2, "the coordinator's own games");
    assert!(
        !actions
            .iter()
            .any(|action| matches!(action, Action::False { .. }))
    );
    assert_eq!(view(&fleet, now).workers[0].games, 0);
}

#[test]
fn another_worker_checks_where_the_coordinator_has_too_much_to_do() {
    let now = Instant::now();
    let mut fleet = dispatcher(1.0, 1);
    for worker in ["a", "b", "c"] {
        fleet.beat(&beat(worker), now);
    }
    for pair in 0..6 {
        fleet.submit(0, task(pair));
    }
    let orders = published(&mut fleet, now);
    for (worker, &order) in ["a", "b"].into_iter().zip(&orders) {
        fleet.answer(worker, order, 1, result(9), now);
        fleet.checked(order, 9, records(), now);
    }
    // One check is here already; the next one is another worker's.
    fleet.answer("a", orders[2], 1, result(9), now);
    fleet.take_actions();
    fleet.answer("a", orders[3], 1, result(9), now);
    assert!(checks(&fleet.take_actions()).is_empty());
    assert_eq!(published(&mut fleet, now), [orders[3]]);
    // Its own word and that of a new worker count for nothing.
    fleet.answer("a", orders[3], 1, result(9), now);
    fleet.answer("c", orders[3], 1, result(9), now);
    assert_eq!(delivered(&fleet.take_actions()), 0);
    fleet.answer("b", orders[3], 1, result(9), now);
    assert_eq!(delivered(&fleet.take_actions()), 1);
}

#[test]
fn what_is_no_game_is_refused_and_played_by_another() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    fleet.beat(&beat("a"), now);
    fleet.submit(0, task(0));
    let orders = published(&mut fleet, now);
    for n in 0..MAX_REFUSED {
        fleet.answer("a", orders[0], 1, Err(String::from("no game")), now);
        assert_eq!(published(&mut fleet, now), [orders[0]], "{n}");
    }
    let view = view(&fleet, now);
    assert_eq!((view.refused, view.workers[0].state.name()), (3, "barred"));
}

#[test]
fn who_does_not_fit_is_told_why() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    type Change = fn(&mut Beat);
    let cases: [(Change, &str); 3] = [
        (|beat| beat.protocol = 9, "version 9 of the messages"),
        (|beat| beat.engine = 6, "signature 6, the run's 5"),
        (
            |beat| beat.fingerprint = String::from("g"),
            "parameters as g, the run as f",
        ),
    ];
    for (change, expected) in cases {
        let mut beat = beat("a");
        change(&mut beat);
        let verdict = fleet.join(&beat, now);
        let why = verdict.unwanted.unwrap_or_default();
        assert!(why.contains(expected) && !verdict.barred, "{why}");
        fleet.beat(&beat, now);
        let told = fleet.take_actions();
        assert!(matches!(&*told, [Action::Tell(Notice::Unwanted { .. })]));
    }
    assert!(view(&fleet, now).workers.is_empty());
    assert!(fleet.join(&beat("a"), now).unwanted.is_none());
}

#[test]
fn the_share_of_checks_is_what_was_asked_for() {
    let fleet = dispatcher(0.02, 0);
    let sampled = (0..100_000)
        .filter(|&order| fleet.is_sampled(order))
        .count();
    assert!((1800..2200).contains(&sampled), "{sampled}");
    assert!(!dispatcher(0.0, 0).is_sampled(3));
    assert!(dispatcher(1.0, 0).is_sampled(3));
}

#[test]
fn what_was_recorded_is_taken_over() {
    let now = Instant::now();
    let mut fleet = dispatcher(0.0, 0);
    let record = |number, time, worker: Option<&str>| FleetRecord {
        number,
        time,
        text: format!("event {number}"),
        worker: worker.map(str::to_owned),
        why: worker.map(|_| String::from("it lied")),
    };
    let records = [record(7, 100, Some("liar")), record(9, 160, None)];
    fleet.restore(&records, 200, now);
    let verdict = fleet.join(&beat("liar"), now);
    assert_eq!(verdict.unwanted.as_deref(), Some("it lied"));
    assert!(verdict.barred);
    fleet.beat(&beat("a"), now);
    let events = view(&fleet, now).events;
    let numbers: Vec<u64> = events.iter().map(|event| event.number).collect();
    assert_eq!(numbers, [7, 9, 10, 11]);
    assert!((events[0].seconds_ago - 100.0).abs() < 1.0);
    // Only what is new goes into the file.
    let new = fleet.take_events();
    assert_eq!(new.len(), 2);
    assert!(new.iter().all(|event| event.bar.is_none()));
    // A worker that asks again and again is told about once.
    fleet.join(&beat("liar"), now);
    assert!(fleet.take_events().is_empty());
}

#[test]
fn the_window_is_divided_among_the_threads_that_are_there() {
    let mut fleet = dispatcher(0.0, 0);
    let now = Instant::now();
    let share = |fleet: &Dispatcher, now| match fleet.here(now) {
        Notice::Here {
            orders_per_thread, ..
        } => orders_per_thread.expect("the coordinator says its share"),
        other => panic!("{other:?}"),
    };
    assert_eq!(share(&fleet, now), 12.0);
    for worker in ["a", "b", "c"] {
        fleet.beat(&beat(worker), now);
    }
    assert_eq!(share(&fleet, now), 2.0);
    // Who is gone leaves its part to the others.
    let later = now + 60 * SECOND;
    fleet.beat(&beat("a"), later);
    assert_eq!(share(&fleet, later), 6.0);
}
