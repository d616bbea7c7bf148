//! Who may sign in, and that nobody sees how.

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
