//! `loatune systemd`: a unit for a run as a service.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::{DEFAULT_POPULATION, PopulationArg};
use crate::cli::output::{BadUsage, write_text};

/// Print a hardened systemd unit that runs a population as a service
///
/// The service begins the population or goes on with it, tells systemd how far
/// it is (`systemctl status`), is started again after a crash, and stops in
/// order. It may write into the population's directory and nowhere else.
#[derive(Debug, Args)]
#[command(after_help = "\
The unit's working directory is the current one, or that of --directory: it is
where populations/ and params.toml are. The program is this one, or that of
--program; a program in a home directory is not seen by the service, so install
it first, e.g. in /usr/local/bin.

WatchdogSec: systemd kills the service, and starts it again, where no game was
finished for so long. Games of a deep search take long: give them time with
--watchdog.

Arguments after -- are given to `loatune run`.

With --worker the unit is that of `loatune worker`, which is given the arguments
after --. It writes nothing and needs no directory; secrets are read from a file
that --fleet-credentials names and the service's user can read.

Examples:
  loatune systemd > /etc/systemd/system/loatune.service
  loatune systemd --population deep --user loatune --directory /srv/loatune
  loatune systemd --population deep --watchdog 3600 -- --depth 6 --threads 8
  loatune systemd --worker -- --fleet nats://broker:4222 --nice 19

Then:
  systemctl daemon-reload && systemctl enable --now loatune
  systemctl status loatune      how far it is
  systemctl stop loatune        stops it in order; `start` goes on
  systemctl reload loatune      opens the log file anew (with --log-file)")]
pub(crate) struct Systemd {
    #[command(flatten)]
    population: PopulationArg,
    /// The user that it runs as
    #[arg(long, value_name = "NAME", default_value = "loatune")]
    user: String,
    /// The directory that it works in [default: the current one]
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// The program [default: this one]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Seconds without a finished game after which it is started again
    #[arg(long, value_name = "S", default_value_t = 600,
        value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    watchdog: u32,
    /// Write diagnostics to this file of the population's directory, instead of
    /// the system's journal
    #[arg(long, value_name = "NAME")]
    log_file: Option<String>,
    /// Print the unit of a worker of a fleet instead
    #[arg(long, conflicts_with_all = ["population", "watchdog", "log_file"])]
    worker: bool,
    /// Arguments for `loatune run`, or for `loatune worker`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

impl Systemd {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve(DEFAULT_POPULATION)?;
        let here = match &self.directory {
            Some(directory) => absolute("--directory", directory)?,
            None => std::env::current_dir()?,
        };
        let program = match &self.program {
            Some(program) => absolute("--program", program)?,
            None => std::env::current_exe()?,
        };
        if self.worker {
            return write_text(out, &self.worker_unit(&program, &here)?);
        }
        let directory = here.join(&dir.directory);
        let mut command = vec![
            text(&program)?,
            String::from("run"),
            String::from("--population"),
            text(&directory)?,
        ];
        let mut reload = "";
        if let Some(name) = &self.log_file {
            if name.contains('/') || name.is_empty() {
                let message = format!("--log-file {name:?}: a name without a slash is needed here");
                return Err(BadUsage::new(message).into());
            }
            command.push(String::from("--log-file"));
            command.push(text(&directory.join(name))?);
            reload = "ExecReload=/bin/kill -HUP $MAINPID\n";
        }
        command.extend(self.arguments.iter().cloned());
        let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        let unit = UNIT
            .replace("{name}", &dir.name.replace('%', "%%"))
            .replace("{command}", &command.join(" "))
            .replace("{reload}", reload)
            .replace("{here}", &text(&here)?.replace('%', "%%"))
            .replace("{user}", one_line("--user", &self.user)?)
            .replace("{hardening}", HARDENING)
            .replace("{watchdog}", &self.watchdog.to_string())
            .replace("{directory}", &quoted_path(&text(&directory)?));
        write_text(out, &unit)
    }
}

impl Systemd {
    fn worker_unit(&self, program: &Path, here: &Path) -> Result<String, BadUsage> {
        if self.arguments.is_empty() && std::env::var_os("LOATUNE_FLEET").is_none() {
            let message = "--worker: the fleet is missing; add -- --fleet nats://HOST:4222";
            return Err(BadUsage::new(message));
        }
        let mut command = vec![text(program)?, String::from("worker")];
        command.extend(self.arguments.iter().cloned());
        let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        Ok(WORKER_UNIT
            .replace("{command}", &command.join(" "))
            .replace("{here}", &text(here)?.replace('%', "%%"))
            .replace("{user}", one_line("--user", &self.user)?)
            .replace("{hardening}", HARDENING))
    }
}

/// Exit code 1 is a worker that was barred, 2 a mistake: a restart would repeat
/// both. A lost broker is waited for by the worker itself.
const WORKER_UNIT: &str = "\
# Made by `loatune systemd --worker`. The user must exist before the first start:
#   useradd --system {user}
[Unit]
Description=loatune plays for a fleet
Documentation=man:loatune-worker(1)
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
WorkingDirectory={here}
User={user}

# It gives back what it cannot finish within two seconds.
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=10
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=1 2

UMask=0077
{hardening}
[Install]
WantedBy=multi-user.target
";

/// Exit code 3 is a stop in order, 2 is a mistake that a restart would repeat.
const UNIT: &str = "\
# Made by `loatune systemd`. The directory of ReadWritePaths must be there and
# belong to the service's user, who must exist, before the first start:
#   useradd --system {user}; install -d -o {user} {directory}
[Unit]
Description=loatune evolves the population {name}
Documentation=man:loatune-run(1)
After=local-fs.target

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
{reload}WorkingDirectory={here}
User={user}

# A stop is asked for once.
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=60
# A large store that has to be rebuilt takes its time.
TimeoutStartSec=1h
# Fed by finished games, never by a clock.
WatchdogSec={watchdog}
WatchdogSignal=SIGKILL
Restart=on-failure
RestartSec=10
SuccessExitStatus=3
RestartPreventExitStatus=2

Nice=10
UMask=0077
ReadWritePaths={directory}
{hardening}
[Install]
WantedBy=multi-user.target
";

/// What neither a run nor a worker needs of the system.
const HARDENING: &str = "\
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
";

fn absolute(flag: &str, path: &Path) -> Result<PathBuf, BadUsage> {
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    Err(BadUsage::new(format!(
        "{flag} {}: the path must begin with a slash",
        path.display()
    )))
}

fn text(path: &Path) -> Result<String, BadUsage> {
    let text = path.to_str();
    let text = text.ok_or_else(|| {
        BadUsage::new(format!(
            "{} is no text: a unit cannot name it",
            path.display()
        ))
    })?;
    Ok(one_line("the path", text)?.to_owned())
}

fn one_line<'a>(what: &str, text: &'a str) -> Result<&'a str, BadUsage> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(BadUsage::new(format!(
            "{what} {text:?}: it must be one line of text"
        )));
    }
    Ok(text)
}

/// A word of a command line as systemd reads it.
fn quoted(word: &str) -> String {
    let word = word.replace('%', "%%").replace('$', "$$");
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=:,@+%$#".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A path in a setting that takes a list of paths.
fn quoted_path(path: &str) -> String {
    let path = path.replace('%', "%%");
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_systemd_reads_them() {
        assert_eq!(quoted("--depth=4"), "--depth=4");
        assert_eq!(quoted("/srv/a b"), "\"/srv/a b\"");
        assert_eq!(quoted("50%$x"), "50%%$$x");
        assert_eq!(quoted("say \"a\\b\""), "\"say \\\"a\\\\b\\\"\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted_path("/srv/a b%"), "\"/srv/a b%%\"");
    }
}
