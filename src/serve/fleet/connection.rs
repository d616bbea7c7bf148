//! The way to the broker: its address, who signs in, and the connection, which
//! comes back by itself with growing pauses.
//!
//! Secrets are read from a file and never become part of an address, a message
//! or an error.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::rustls::pki_types::{CertificateDer, pem::PemObject};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, rustls};

use super::subjects::Subjects;
use crate::util::input_file;

/// A broker, and a fleet's name on it.
#[derive(Clone, Debug)]
pub struct Broker {
    url: String,
    /// The names of the fleet on it.
    pub subjects: Subjects,
    credentials: Option<Credentials>,
    ca: Option<PathBuf>,
}

/// Who signs in.
#[derive(Clone)]
enum Credentials {
    Password { user: String, password: String },
    NKey(String),
    Jwt(String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

/// Why a broker cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokerError {
    /// The address, the name or the credentials cannot be meant.
    #[error("{0}")]
    Settings(String),
    /// The broker does not let us in, and would not later.
    #[error("{0}")]
    Refused(String),
    /// The broker is not there now.
    #[error("{0}")]
    Unreachable(String),
}

/// The longest file of credentials, in bytes.
const MAX_CREDENTIALS: u64 = 64 * 1024;

/// The longest file of certificates, in bytes: a system's whole bundle fits.
const MAX_CERTIFICATES: u64 = 4 << 20;

/// The longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(30);

impl Broker {
    /// A broker by its address.
    ///
    /// # Errors
    /// The address or the name is none, or the file of credentials cannot be
    /// read.
    pub fn new(
        url: &str,
        fleet: &str,
        credentials: Option<&Path>,
        ca: Option<&Path>,
    ) -> Result<Broker, BrokerError> {
        let subjects = Subjects::new(fleet).ok_or_else(|| {
            BrokerError::Settings(format!(
                "fleet name {fleet:?}: must be {}",
                Subjects::NAME_FORM
            ))
        })?;
        ca.map_or(Ok(()), check_ca)?;
        Ok(Broker {
            url: checked_url(url)?,
            subjects,
            credentials: credentials.map(Credentials::read).transpose()?,
            ca: ca.map(Path::to_owned),
        })
    }

    /// The address, without anything secret.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Connects once. The connection then comes back by itself for ever;
    /// `told` hears when it is lost and when it is back.
    ///
    /// # Errors
    /// The broker is not there, or does not let us in.
    pub async fn connect(
        &self,
        client: &str,
        told: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Client, BrokerError> {
        let told = std::sync::Arc::new(told);
        let mut options = ConnectOptions::new()
            .name(client)
            .connection_timeout(Duration::from_secs(5))
            .ping_interval(Duration::from_secs(5))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| pause(attempts.saturating_sub(1)))
            .event_callback(move |event| {
                told(&event);
                std::future::ready(())
            });
        options = match &self.credentials {
            None => options,
            Some(Credentials::Password { user, password }) => {
                options.user_and_password(user.clone(), password.clone())
            }
            Some(Credentials::NKey(seed)) => options.nkey(seed.clone()),
            Some(Credentials::Jwt(text)) => options
                .credentials(text)
                .map_err(|_| BrokerError::Settings(String::from("the credentials are broken")))?,
        };
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone());
        }
        // Also for other brokers of a cluster, whose addresses the first one names.
        let options = options.require_tls(self.ca.is_some() || self.url.starts_with("tls:"));
        let connected = options.connect(&self.url).await;
        connected.map_err(|error| self.explain(&error))
    }

    /// Why there is no connection, and what to do about it.
    fn explain(&self, error: &ConnectError) -> BrokerError {
        let url = &self.url;
        if let Some(error) = tls_error(error) {
            return BrokerError::Refused(match (error, &self.ca) {
                (rustls::Error::InvalidMessage(_), _) => {
                    format!("{url} does not speak TLS, which tls:// and --fleet-ca ask for")
                }
                (rustls::Error::InvalidCertificate(_), Some(ca)) => format!(
                    "the certificate of {url} is not one that {} vouches for: {error}; name the \
                     file of the authority that signed it, with --fleet-ca",
                    ca.display()
                ),
                (rustls::Error::InvalidCertificate(_), None) => format!(
                    "the certificate of {url} is not one that this system trusts: {error}; name \
                     the file of the authority that signed it, with --fleet-ca"
                ),
                _ => format!("there is no TLS connection to {url}: {error}"),
            });
        }
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                BrokerError::Refused(format!(
                    "{url} does not let us in: name its user, with --fleet-credentials"
                ))
            }
            ConnectErrorKind::Tls => BrokerError::Refused(format!("cannot use {url}: {error}")),
            _ => BrokerError::Unreachable(format!("cannot reach {url}: {error}")),
        }
    }
}

/// What went wrong with TLS, if that is the reason. It stands inside errors of
/// input and output, which also tell of brokers that are just not there.
fn tls_error(error: &ConnectError) -> Option<&rustls::Error> {
    let mut reason: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = reason {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let inner = error.downcast_ref::<std::io::Error>();
        reason = match inner.and_then(std::io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

/// Refuses a file of authorities in which there is no certificate: nothing that
/// it vouches for could ever be found.
fn check_ca(path: &Path) -> Result<(), BrokerError> {
    let shown = path.display();
    let bytes = input_file::read(path, MAX_CERTIFICATES).map_err(|error| {
        BrokerError::Settings(format!("--fleet-ca: cannot read {shown}: {error}"))
    })?;
    let bad = |why: &str| BrokerError::Settings(format!("--fleet-ca: {shown} {why}"));
    let mut count = 0;
    for found in CertificateDer::pem_slice_iter(&bytes) {
        found.map_err(|error| bad(&format!("must be certificates in PEM: {error}")))?;
        count += 1;
    }
    if count == 0 {
        return Err(bad(
            "must be certificates in PEM, and has no -----BEGIN CERTIFICATE-----",
        ));
    }
    Ok(())
}

/// The pause after so many attempts: it doubles, up to half a minute.
pub(super) fn pause(attempts: usize) -> Duration {
    let doubled = Duration::from_millis(250) * 2_u32.pow(attempts.min(10) as u32);
    doubled.min(MAX_PAUSE)
}

/// The address as it is used: a scheme, a host and a port.
fn checked_url(url: &str) -> Result<String, BrokerError> {
    let bad = |why: &str| BrokerError::Settings(format!("--fleet: {why}"));
    let form = "must be nats://HOST:PORT, or tls://HOST:PORT";
    let (scheme, rest) = url
        .split_once("://")
        .ok_or_else(|| bad(&format!("{:?}: {form}", without_user(url))))?;
    if rest.contains('@') {
        return Err(bad(
            "a user or a password in the address would be seen by every user of this machine: \
             write USER:PASSWORD into a file and name that with --fleet-credentials",
        ));
    }
    let rest = rest.trim_end_matches('/');
    let is_host = |host: &str| {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
        !host.is_empty() && host.bytes().all(good)
    };
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (rest, "4222"),
    };
    let is_port = port.parse::<u16>().is_ok_and(|port| port > 0);
    if !["nats", "tls"].contains(&scheme) || !is_host(host) || !is_port {
        return Err(bad(&format!("{url:?}: {form}")));
    }
    Ok(format!("{scheme}://{host}:{port}"))
}

/// An address that is not understood, without what may be a password.
fn without_user(url: &str) -> &str {
    url.rsplit_once('@').map_or(url, |(_, host)| host)
}

impl Credentials {
    /// Reads a file: one line `USER:PASSWORD`, an nkey seed, or what NATS calls
    /// a creds file.
    fn read(path: &Path) -> Result<Credentials, BrokerError> {
        let failed =
            |why: &str| BrokerError::Settings(format!("credentials in {}: {why}", path.display()));
        let text = input_file::read_text(path, MAX_CREDENTIALS)
            .map_err(|error| failed(&error.to_string()))?;
        warn_of_readers(path);
        let text = text.trim();
        if text.contains("BEGIN NATS USER JWT") {
            return Ok(Credentials::Jwt(text.to_owned()));
        }
        if text.lines().count() == 1 {
            if text.starts_with("SU") && text.len() == 58 && !text.contains(':') {
                return Ok(Credentials::NKey(text.to_owned()));
            }
            if let Some((user, password)) = text.split_once(':')
                && !user.is_empty()
            {
                return Ok(Credentials::Password {
                    user: user.to_owned(),
                    password: password.to_owned(),
                });
            }
        }
        Err(failed(
            "must be one line USER:PASSWORD, an nkey seed (SU...), or a NATS creds file",
        ))
    }
}

/// Warns where others may read a file with a secret.
fn warn_of_readers(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(found) = std::fs::metadata(path)
        && found.permissions().mode() & 0o077 != 0
    {
        log::warn!(
            "others may read {}, which holds a secret: chmod 600 it",
            path.display()
        );
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, url) in [
            ("nats://broker:4222", "nats://broker:4222"),
            ("nats://10.0.0.7", "nats://10.0.0.7:4222"),
            ("tls://[::1]:5000/", "tls://[::1]:5000"),
            ("nats://[::1]", "nats://[::1]:4222"),
        ] {
            assert_eq!(checked_url(text).unwrap(), url);
        }
        for bad in [
            "broker",
            "http://a:1",
            "nats://",
            "nats://a:0",
            "nats://a:b",
            "nats://a b",
        ] {
            let error = checked_url(bad).unwrap_err().to_string();
            assert!(error.contains("must be nats://"), "{error}");
        }
        for secret in ["nats://user:hidden@broker:4222", "user:hidden@broker"] {
            let error = checked_url(secret).unwrap_err().to_string();
            assert!(!error.contains("hidden"), "{error}");
        }
    }

    #[test]
    fn pauses_grow_up_to_half_a_minute() {
        let pauses: Vec<u128> = (0..9).map(|n| pause(n).as_millis()).collect();
        assert_eq!(
            pauses,
            [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        );
        assert_eq!(pause(usize::MAX), MAX_PAUSE);
    }

    #[test]
    fn credentials_are_read_and_never_shown() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("secret");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Broker::new("nats://a", "f", Some(&file), None)
        };
        let broker = read("me:pass:word\n").unwrap();
        let Some(Credentials::Password { user, password }) = &broker.credentials else {
            panic!("it is a password");
        };
        assert_eq!((&**user, &**password), ("me", "pass:word"));
        assert!(!format!("{broker:?}").contains("pass"));
        let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
        assert!(matches!(
            read(seed).unwrap().credentials,
            Some(Credentials::NKey(_))
        ));
        for bad in ["", "word", ":x", "a:b\nc:d"] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains("must be one line USER:PASSWORD"), "{error}");
        }
        assert!(Broker::new("nats://a", "a.b", None, None).is_err());
        assert!(Broker::new("nats://a", "f", Some(Path::new("/none")), None).is_err());
    }
}
