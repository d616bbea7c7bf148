//! The shim before the C library: how it is built, and how a process gets it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::victim::Way;

#[path = "shim/fault.rs"]
#[allow(dead_code, reason = "the shim uses what is not used here")]
pub(super) mod fault;
#[path = "shim/record.rs"]
pub(super) mod record;

use fault::Fault;

/// The library, as a file.
pub(super) struct Shim {
    library: PathBuf,
}

impl Shim {
    /// Compiles it into `dir`. It needs no crate, so rustc alone does it within a
    /// second or two; cargo would compile the whole package once more.
    pub(super) fn build(dir: &Path) -> anyhow::Result<Shim> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture/shim/lib.rs");
        let library = dir.join("libio_shim.so");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let built = Command::new(&rustc)
            .args(["--edition", "2024", "--crate-type", "cdylib", "-O", "-o"])
            .arg(&library)
            .arg(&source)
            .output()
            .with_context(|| format!("cannot start {}", rustc.display()))?;
        ensure!(
            built.status.success(),
            "cannot compile {}: {}",
            source.display(),
            String::from_utf8_lossy(&built.stderr)
        );
        Ok(Shim { library })
    }

    /// Starts a process so that what it changes below `root` is recorded.
    pub(super) fn recording(&self, root: &Path, log: &Path) -> Way {
        Way::Variables(self.variables(root, log))
    }

    /// Starts a process so that a call on a file below `root` fails; the number 0
    /// is none. With `stays`, so do all later ones.
    pub(super) fn failing(
        &self,
        root: &Path,
        log: &Path,
        fault: Fault,
        at: usize,
        stays: bool,
    ) -> Way {
        let mut variables = self.variables(root, log);
        variables.push(("LOATUNE_SHIM_FAULT", fault.name().to_owned()));
        variables.push(("LOATUNE_SHIM_AT", at.to_string()));
        variables.push(("LOATUNE_SHIM_STAYS", u8::from(stays).to_string()));
        Way::Variables(variables)
    }

    fn variables(&self, root: &Path, log: &Path) -> Vec<(&'static str, String)> {
        vec![
            ("LD_PRELOAD", self.library.display().to_string()),
            ("LOATUNE_SHIM_ROOT", root.display().to_string()),
            ("LOATUNE_SHIM_LOG", log.display().to_string()),
        ]
    }
}
