//! Files that are written whole or not at all: a draft beside the file is
//! written and synchronised, then renamed.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a file so that a reader sees the old content or the new one, never a
/// part. The content is on the disk before the file gets its name; the
/// directory is not synchronised, so a crash may bring the old file back.
///
/// # Errors
/// Kind `AlreadyExists` where there is such a file already and `overwrite` is
/// false, and every error of the file system. No draft is left behind.
pub(crate) fn save(path: &Path, content: impl AsRef<[u8]>, overwrite: bool) -> io::Result<()> {
    if !overwrite && path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut draft = create_draft(path)?;
    draft.write_all(content.as_ref())?;
    draft.as_file().sync_all()?;
    if overwrite {
        draft.persist(path)?;
        return Ok(());
    }
    publish(draft, path)
}

/// A file beside `path`, named `.NAME.XXXXXX.tmp` and removed when dropped. It
/// is created by `File::create_new`: the crate's own constructor would leave it
/// readable by its owner alone, where other files follow the umask.
fn create_draft(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .make_in(path.parent().unwrap_or(Path::new("")), |draft| {
            File::create_new(draft)
        })
}

/// Gives the draft its name, unless another file has got it meanwhile. A file
/// system that knows neither a rename without replacement nor hard links gets a
/// plain rename: [`save`] has looked for the file before.
fn publish(draft: NamedTempFile, path: &Path) -> io::Result<()> {
    match draft.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Err(refused.error),
        Err(unsupported) => {
            unsupported.file.persist(path)?;
            Ok(())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_kept_unless_it_may_be_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        save(&path, "first", false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");

        let error = save(&path, "second", false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        save(&path, "second", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");

        // A file that another process made after the first look.
        let error = publish(create_draft(&path).unwrap(), &path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");

        assert!(save(&dir.path().join("no/such/dir"), "", false).is_err());
        assert!(save(dir.path(), "", true).is_err());
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "no drafts are left: {left:?}");
    }

    /// An error says what the operating system says, without the draft's name.
    #[test]
    fn errors_do_not_name_the_draft() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none/a.txt");
        let expected = fs::write(&path, "").unwrap_err().to_string();
        for overwrite in [false, true] {
            let error = save(&path, "", overwrite).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    /// Permissions follow the umask, as those of any other file.
    #[cfg(unix)]
    #[test]
    fn a_saved_file_has_the_mode_of_a_plain_one() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let file = fs::metadata(dir.path().join(name)).unwrap();
            file.permissions().mode()
        };
        fs::write(dir.path().join("plain"), "").unwrap();
        save(&dir.path().join("new"), "", false).unwrap();
        save(&dir.path().join("over"), "", true).unwrap();
        assert_eq!(mode("new"), mode("plain"));
        assert_eq!(mode("over"), mode("plain"));
    }

    /// The store looks for drafts of its champion by this form.
    #[test]
    fn a_draft_is_named_after_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let draft = create_draft(&dir.path().join("champion.toml")).unwrap();
        let name = draft.path().file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with(".champion.toml.") && name.ends_with(".tmp"));
    }
}
