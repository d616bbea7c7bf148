//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a text, so that the file is never seen half-written. A file that is
/// there already stays, with an error of the kind `AlreadyExists`, unless it
/// may be overwritten.
pub(crate) fn save(path: &Path, text: &str, overwrite: bool) -> io::Result<()> {
    save_bytes(path, text.as_bytes(), overwrite)
}

/// The same with any content.
pub(crate) fn save_bytes(path: &Path, content: &[u8], overwrite: bool) -> io::Result<()> {
    if !overwrite && path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let draft = draft_of(path)?;
    let put = write(&draft, content).and_then(|()| {
        if overwrite {
            fs::rename(&draft, path)
        } else {
            publish(&draft, path)
        }
    });
    if put.is_err() {
        // What could not be written is not worth keeping.
        let _ = fs::remove_file(&draft);
    }
    put
}

/// The file beside `path` that becomes it.
fn draft_of(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(draft))
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Gives the draft its name, unless another file has got it meanwhile: a link
/// is refused then. Where there are no links, a look must do.
fn publish(draft: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(draft, path) {
        Ok(()) => fs::remove_file(draft),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => fs::rename(draft, path),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
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

        let draft = draft_of(&path).unwrap();
        fs::write(&draft, "").unwrap();
        let error = publish(&draft, &path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        fs::remove_file(draft).unwrap();

        assert!(save(&dir.path().join("no/such/dir"), "", false).is_err());
        assert!(save(dir.path(), "", true).is_err());
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "no drafts are left: {left:?}");
    }
}
