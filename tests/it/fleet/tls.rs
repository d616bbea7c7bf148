//! A broker with a certificate: whom the workers and the coordinator believe.

use std::path::Path;
use std::process::Command;

use super::*;

/// Makes an authority in `place` and a certificate for 127.0.0.1 that it has
/// signed; what the broker's configuration says of them comes back, or `None`,
/// with a word about it, where there is no openssl.
fn certificates(place: &Path) -> Option<String> {
    if Command::new("openssl").arg("version").output().is_err() {
        let all = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
        assert!(!all, "openssl is missing: apt-get install openssl");
        eprintln!("SKIPPED: openssl is not installed, so TLS was not tested");
        return None;
    }
    let openssl = |args: &str| {
        let mut command = Command::new("openssl");
        let output = command.args(args.split(' ')).current_dir(place).output();
        let output = output.unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "openssl {args}: {told}");
    };
    let names = "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n";
    std::fs::write(place.join("names"), names).unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for name in ["ca", "other"] {
        openssl(&format!(
            "req -x509 {key} -days 30 -subj /CN={name} -keyout {name}.key -out {name}.pem"
        ));
    }
    openssl(&format!(
        "req {key} -subj /CN=broker -keyout key.pem -out request.pem"
    ));
    openssl(
        "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
         -extfile names -out cert.pem",
    );
    let [cert, key] = ["cert.pem", "key.pem"].map(|file| place.join(file));
    Some(format!("tls {{ cert_file: {cert:?}, key_file: {key:?} }}"))
}

#[test]
fn who_knows_the_authority_plays_over_tls_and_nobody_else() {
    let site = Site::new();
    let place = site.place.path();
    let Some(config) = certificates(place) else {
        return;
    };
    let Some(broker) = Broker::with(&config) else {
        return;
    };
    let url = broker.url();
    let tls = url.replace("nats://", "tls://");
    let by_name = tls.replace("127.0.0.1", "localhost");
    let plain = Broker::start().unwrap();
    let plain_url = plain.url();
    // Whether TLS is asked for or only found, an unknown certificate is refused,
    // at once and with the reason.
    for (args, expected) in [
        (&[&*url][..], "not one that this system trusts"),
        (&[&tls], "with --fleet-ca"),
        (
            &[&url, "--fleet-ca", "other.pem"],
            "not one that other.pem vouches for",
        ),
        (
            &[&by_name, "--fleet-ca", "ca.pem"],
            "not valid for name \"localhost\"",
        ),
        (&[&plain_url, "--fleet-ca", "ca.pem"], "does not speak TLS"),
        (
            &[&tls, "--fleet-ca", "none.pem"],
            "--fleet-ca: cannot read none.pem",
        ),
        (
            &[&tls, "--fleet-ca", "names"],
            "--fleet-ca: names must be certificates in PEM",
        ),
    ] {
        let mut all = vec!["-q", "worker", "--threads", "1", "--fleet"];
        all.extend(args);
        let message = site.place.refused(&all);
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    let run = ["-q", "run", "-p", POPULATION, "--no-http", "--fleet"];
    let output = site.place.run(&[&run[..], &[&tls]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("not one that this system trusts"), "{told}");
    // With the authority's file the whole run goes through, and its champion is
    // the one of a run on one machine.
    let ca = ["--fleet-ca", "ca.pem"];
    let worker = ["worker", "--threads", "1", "--fleet", &url];
    let worker = site.place.start(&[&worker[..], &ca].concat());
    let coordinator = site.place.start(&[&run[..], &[&tls], &ca].concat());
    site.expect_the_champion(coordinator);
    assert_eq!(terminate(worker).status.code(), Some(0));
}
