//! Who may sign in, and that nobody sees how.

use super::intruder::Intruder;
use super::*;

/// The example pair of the NATS documentation.
const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
const PUBLIC: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

#[test]
fn a_password_or_an_nkey_lets_in_and_is_not_shown() {
    let config = format!(
        "authorization {{ users: [ {{ user: me, password: hidden-word }}, {{ nkey: {PUBLIC} }} ] }}"
    );
    let Some(broker) = Broker::with(&config) else {
        return;
    };
    let site = Site::new();
    let url = broker.url();
    let secret = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let file = site.place.path().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        file.display().to_string()
    };
    // Without a word nobody comes in.
    for args in [["worker", "--fleet"], ["run", "--fleet"]] {
        let output = site.place.run(&[args[0], args[1], &url]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_ne!(output.status.code(), Some(0));
        assert!(told.contains("does not let us in"), "{told}");
    }
    std::fs::remove_dir_all(site.place.path().join("populations")).unwrap();
    let (password, seed) = (secret("password", "me:hidden-word\n"), secret("seed", SEED));
    let worker = site.place.start(&[
        "-vv",
        "worker",
        "--fleet",
        &url,
        "--fleet-credentials",
        &password,
        "--threads",
        "1",
    ]);
    let coordinator = site.place.start(&[
        "-vv",
        "run",
        "-p",
        POPULATION,
        "--no-http",
        "--fleet",
        &url,
        "--fleet-credentials",
        &seed,
    ]);
    for process in [&worker, &coordinator] {
        let listed = std::fs::read(format!("/proc/{}/cmdline", process.id())).unwrap_or_default();
        let listed = String::from_utf8_lossy(&listed).into_owned();
        assert!(
            !listed.contains("hidden-word") && !listed.contains(SEED),
            "{listed}"
        );
    }
    let ended = coordinator.finish();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert_eq!(site.champion().as_deref(), Some(champion()));
    let heard = String::from_utf8_lossy(&terminate(worker).stderr).into_owned();
    for log in [told, heard] {
        assert!(!log.contains("hidden-word") && !log.contains(SEED), "{log}");
    }
}

/// The users of the example in the documents, with passwords that are known.
fn documented_users() -> String {
    let text = include_str!("../../../docs/fleet.md");
    let (_, rest) = text.split_once("authorization {").unwrap();
    let (users, _) = rest.split_once("```").unwrap();
    assert_eq!(users.matches("\"$2a$11$…\"").count(), 2);
    let known = users.replacen("$2a$11$…", "order-word", 1);
    format!(
        "authorization {{{}",
        known.replacen("$2a$11$…", "play-word", 1)
    )
}

/// With the documented rights a worker can play, and cannot give orders or speak for
/// the coordinator.
#[test]
fn the_documented_rights_are_enough_to_play_and_for_nothing_else() {
    let Some(broker) = Broker::with(&documented_users()) else {
        return;
    };
    let site = Site::new();
    let url = broker.url();
    let secret = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let file = site.place.path().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        file.display().to_string()
    };
    let orders = secret("orders", "coordinator:order-word\n");
    let plays = secret("plays", "worker:play-word\n");
    let start = |args: &[&str], file: &str| {
        let fleet = ["--fleet", &url, "--fleet-credentials", file];
        site.place.start(&[args, &fleet].concat())
    };
    let coordinator = start(&["run", "-p", POPULATION, "--no-http"], &orders);
    site.wait_for_fleet("orders", |fleet| fleet["out"].as_u64() > Some(0));
    // What a worker may not say is not heard; what it may say is.
    let options = async_nats::ConnectOptions::new()
        .user_and_password(String::from("worker"), String::from("play-word"));
    let intruder = Intruder::with(&broker, options);
    let options = async_nats::ConnectOptions::new()
        .user_and_password(String::from("coordinator"), String::from("order-word"));
    let observer = Intruder::with(&broker, options);
    let heard = observer.hear("loatune.loatune.>", b"noise", || {
        for last in ["work", "notice"] {
            intruder.publish(&format!("loatune.loatune.{last}"), b"forged".to_vec());
        }
        for stream in ["work", "results"] {
            let purge = format!("$JS.API.STREAM.PURGE.loatune_loatune_{stream}");
            intruder.publish(&purge, Vec::new());
        }
        intruder.publish("loatune.loatune.result.mallory", b"noise".to_vec());
    });
    assert!(!heard.contains(&b"forged".to_vec()));
    site.wait_for_fleet("the noise", |fleet| fleet["refused"] == 1);
    let worker = start(&["worker", "--threads", "1"], &plays);
    site.expect_the_champion(coordinator);
    assert_eq!(terminate(worker).status.code(), Some(0));
}

#[test]
fn bad_settings_are_refused_before_anything_is_done() {
    let place = Place::new().with("empty", "");
    // Else there would be a warning about who may read it.
    let mine = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(place.path().join("empty"), mine).unwrap();
    for (args, expected) in [
        (&["worker"][..], "--fleet is missing"),
        (&["worker", "--fleet", "broker"], "must be nats://HOST:PORT"),
        (&["run", "--fleet", "nats://a:b@c:1"], "--fleet-credentials"),
        (
            &["worker", "--fleet", "nats://a", "--fleet-name", "a.b"],
            "fleet name \"a.b\"",
        ),
        (
            &[
                "worker",
                "--fleet",
                "nats://a",
                "--fleet-credentials",
                "empty",
            ],
            "must be one line USER:PASSWORD",
        ),
        (
            &["run", "--fleet", "nats://a", "--fleet-ca", "none"],
            "cannot read none",
        ),
        (&["systemd", "--worker"], "--worker: the fleet is missing"),
    ] {
        let message = place.refused(args);
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("a:b@"), "{message}");
    }
    assert!(!place.path().join("populations").exists());
    let unit = place.good(&["systemd", "--worker", "--", "--fleet", "nats://a:4222"]);
    assert!(unit.contains(" worker --fleet nats://a:4222\n"), "{unit}");
    assert!(unit.contains("RestartPreventExitStatus=1 2\n"), "{unit}");
    assert!(
        !unit.contains('{') && !unit.contains("ReadWritePaths"),
        "{unit}"
    );
}
