//! `loatune copy`: a population once more, under another name.

use std::io::Write;

use clap::Args;

use super::relocation::{Relocation, run};
use crate::store;

/// Copy a population, to go on with it twice or to keep it elsewhere
///
/// Waits for nobody: a population on which a process works is refused. There is a
/// whole copy under the new name afterwards, on the disk, or none.
#[derive(Debug, Args)]
#[command(after_help = "\
A copy goes on like its original and comes to the same champion, whose file keeps
its name once it is written. The lock, the socket, the token of the page and what
a repair has moved aside (*.broken-1) are not copied. A population that can only
be read, such as one on a mounted backup, can be copied, too.

Exit codes: 0 copied, 1 it is in use or cannot be written, 2 there is no such
population, or the new name is taken.

Examples:
  loatune copy default before-the-change
  loatune copy mine /mnt/backup/mine
  loatune copy /mnt/backup/mine mine-again

JSON: from, to (the names), directory (of the copy).")]
pub(crate) struct Copy {
    #[command(flatten)]
    relocation: Relocation,
}

impl Copy {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        run(&self.relocation, "copy", "copied", store::copy, out)
    }
}
