//! `--fleet` and what belongs to it: the broker that a coordinator and its
//! workers meet at.

use std::path::PathBuf;

use clap::Args;

use super::shell::quoted;
use crate::cli::output::BadUsage;
use crate::serve::fleet::Broker;

/// The variables of the flags, which set no parameter.
pub(super) const FLEET_VARIABLES: [&str; 4] = [
    "LOATUNE_FLEET",
    "LOATUNE_FLEET_NAME",
    "LOATUNE_FLEET_CREDENTIALS",
    "LOATUNE_FLEET_CA",
];

/// The flags of a fleet's broker.
#[derive(Clone, Debug, Args)]
pub(crate) struct FleetFlags {
    /// The fleet's broker: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(long, value_name = "URL", env = FLEET_VARIABLES[0], hide_env_values = true)]
    fleet: Option<String>,
    /// The fleet's name on that broker, where several share it
    #[arg(
        long,
        value_name = "NAME",
        default_value = DEFAULT_FLEET,
        env = FLEET_VARIABLES[1],
        hide_env_values = true
    )]
    fleet_name: String,
    /// A file with USER:PASSWORD, an nkey seed or NATS credentials
    #[arg(long, value_name = "FILE", env = FLEET_VARIABLES[2], hide_env_values = true)]
    fleet_credentials: Option<PathBuf>,
    /// The certificate, in PEM, that the broker's is signed with; it must use TLS
    #[arg(long, value_name = "FILE", env = FLEET_VARIABLES[3], hide_env_values = true)]
    fleet_ca: Option<PathBuf>,
}

/// The fleet's name where none is given.
pub(crate) const DEFAULT_FLEET: &str = "loatune";

impl FleetFlags {
    /// The flags as they are typed, for a command that goes on; empty where no fleet
    /// is wanted. A file of secrets is named, not shown.
    pub(crate) fn as_flags(&self) -> String {
        let Some(url) = &self.fleet else {
            return String::new();
        };
        let mut text = format!(" --fleet {}", quoted(url));
        if self.fleet_name != DEFAULT_FLEET {
            text += &format!(" --fleet-name {}", quoted(&self.fleet_name));
        }
        let files = [
            ("--fleet-credentials", &self.fleet_credentials),
            ("--fleet-ca", &self.fleet_ca),
        ];
        for (flag, file) in files {
            if let Some(file) = file {
                text += &format!(" {flag} {}", quoted(&file.display().to_string()));
            }
        }
        text
    }

    /// The broker; `None` where no fleet is wanted.
    ///
    /// # Errors
    /// A flag is wrong, or a file cannot be read.
    pub(crate) fn broker(&self) -> Result<Option<Broker>, BadUsage> {
        let Some(url) = &self.fleet else {
            return Ok(None);
        };
        let (credentials, ca) = (self.fleet_credentials.as_deref(), self.fleet_ca.as_deref());
        let broker = Broker::new(url, &self.fleet_name, credentials, ca);
        broker.map(Some).map_err(BadUsage::new)
    }
}
