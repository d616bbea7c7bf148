//! Output files. A regular file is written whole or not at all: a draft beside
//! it is written and synchronised, then renamed. Symbolic links stay, and their
//! targets are written; FIFOs, devices and open descriptors, which a rename
//! would destroy, are written in place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The most symbolic links that are followed: the limit of Linux.
const MAX_LINKS: usize = 40;

/// Writes a file so that a reader sees the old content or the new one, never a
/// part, unless the path leads to something that is not a regular file.
///
/// # Errors
/// Those of [`OutputFile::create`] and [`OutputFile::finish`]. No draft is left
/// behind.
pub(crate) fn save(path: &Path, content: impl AsRef<[u8]>, overwrite: bool) -> io::Result<()> {
    let mut file = OutputFile::create(path, overwrite)?;
    file.write_all(content.as_ref())?;
    file.finish()
}

/// A file that is being written. Dropped before [`OutputFile::finish`], it
/// leaves a regular file as it was.
pub(crate) struct OutputFile(Sink);

enum Sink {
    /// A draft of the regular file `path`, whose links are resolved.
    Draft {
        draft: NamedTempFile,
        path: PathBuf,
        overwrite: bool,
    },
    /// What is not a regular file. It has no content that could be lost.
    InPlace(File),
}

impl OutputFile {
    /// Opens what `path` leads to. A FIFO waits for its reader.
    ///
    /// # Errors
    /// Kind `AlreadyExists` where there is a regular file already and
    /// `overwrite` is false, `IsADirectory`, and every error of the file system.
    pub(crate) fn create(path: &Path, overwrite: bool) -> io::Result<OutputFile> {
        let path = match locate(path)? {
            Destination::Special => {
                let file = OpenOptions::new().append(true).open(path)?;
                return Ok(OutputFile(Sink::InPlace(file)));
            }
            Destination::Existing(_) if !overwrite => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            Destination::Existing(path) | Destination::New(path) => path,
        };
        Ok(OutputFile(Sink::Draft {
            draft: create_draft(&path)?,
            path,
            overwrite,
        }))
    }

    /// Puts the content under its name. It is on the disk before; the directory
    /// is not synchronised, so a crash may bring the old file back.
    ///
    /// # Errors
    /// Kind `AlreadyExists` where such a file was made meanwhile and must not be
    /// overwritten, and every error of the file system.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.0 {
            Sink::InPlace(mut file) => file.flush(),
            Sink::Draft {
                mut draft,
                path,
                overwrite,
            } => {
                draft.as_file().sync_all()?;
                if !overwrite {
                    return publish(draft, &path);
                }
                fs::rename(draft.path(), path)?;
                // There is no draft any more that could be removed.
                draft.disable_cleanup(true);
                Ok(())
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::Draft { draft, .. } => draft.write(content),
            Sink::InPlace(file) => file.write(content),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::Draft { draft, .. } => draft.flush(),
            Sink::InPlace(file) => file.flush(),
        }
    }
}

/// What a path leads to.
enum Destination {
    /// Nothing yet; the links on the way are resolved.
    New(PathBuf),
    /// A regular file; the links on the way are resolved.
    Existing(PathBuf),
    /// A FIFO, a device, or an open descriptor as `/dev/stdout` names one.
    Special,
}

/// Looks at what `path` leads to.
///
/// # Errors
/// Kind `IsADirectory`, and every error of the file system but that there is
/// nothing.
fn locate(path: &Path) -> io::Result<Destination> {
    let exists = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => return Ok(Destination::Special),
        Ok(_) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&place) else {
            break;
        };
        let directory = place.parent().unwrap_or(Path::new(""));
        // The shell has opened the file behind `/proc/self/fd/1`: a new file of
        // that name would not be the one into which the rest is written.
        if fs::canonicalize(directory).is_ok_and(|directory| directory.starts_with("/proc")) {
            return Ok(Destination::Special);
        }
        place = directory.join(target);
    }
    Ok(if exists {
        Destination::Existing(place)
    } else {
        Destination::New(place)
    })
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
/// plain rename: [`OutputFile::create`] has looked for the file before.
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

    /// A link stays, and its target is written, whether there is one or not.
    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink("sub/b.txt", at("b")).unwrap();
        symlink("b", at("a")).unwrap();
        for (content, overwrite) in [("first", false), ("second", true)] {
            save(&at("a"), content, overwrite).unwrap();
            assert_eq!(fs::read_to_string(at("sub/b.txt")).unwrap(), content);
            assert_eq!(fs::read_link(at("a")).unwrap(), Path::new("b"));
            assert_eq!(fs::read_link(at("b")).unwrap(), Path::new("sub/b.txt"));
        }
        let error = save(&at("a"), "third", false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(at("sub/b.txt")).unwrap(), "second");
        assert_eq!(fs::read_dir(at("sub")).unwrap().count(), 1);

        symlink("loop", at("loop")).unwrap();
        assert!(save(&at("loop"), "", true).is_err());
        assert!(fs::read_link(at("loop")).is_ok());
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
