//! Input files with a bound on their size: a device or a file that was named by
//! mistake must not fill the memory. Knows nothing of what the files say.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file of parameters or weights; the largest have some
/// thousand.
pub(crate) const MAX_DOCUMENT_BYTES: u64 = 1 << 20;

/// The most bytes of a collection of openings or of an SGF file; a million
/// openings of six plies have 36 MB.
pub(crate) const MAX_GAMES_BYTES: u64 = 64 << 20;

/// The whole content of a file of at most `most` bytes.
///
/// # Errors
/// Kind `FileTooLarge` where there is more, and every error of the file system.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Like [`read`], of a text.
///
/// # Errors
/// Those of [`read`], and kind `InvalidData` where it is not UTF-8.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes).map_err(|_| {
        // The words of `fs::read_to_string`.
        io::Error::new(
            io::ErrorKind::InvalidData,
            "stream did not contain valid UTF-8",
        )
    })
}

/// Everything that an input has, up to `most` bytes.
///
/// # Errors
/// Kind `FileTooLarge` where there is more, and every error of the input.
pub(crate) fn read_all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let limit = match most >> 20 {
            0 => format!("{most} bytes"),
            mib => format!("{mib} MiB"),
        };
        let message = format!("it has more than {limit}, the most that is read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_and_not_read() {
        let read = |bytes: &[u8]| read_all(bytes, 3).map_err(|error| error.to_string());
        assert_eq!(read(b"").unwrap(), b"");
        assert_eq!(read(b"abc").unwrap(), b"abc");
        let message = read(b"abcd").unwrap_err();
        assert_eq!(message, "it has more than 3 bytes, the most that is read");
        let endless = read_all(io::repeat(b'\n'), MAX_DOCUMENT_BYTES).unwrap_err();
        assert_eq!(endless.kind(), io::ErrorKind::FileTooLarge);
        assert!(endless.to_string().contains("1 MiB"), "{endless}");
    }

    #[test]
    fn errors_are_those_of_the_system() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("none");
        let kind = read(&missing, 9).unwrap_err().kind();
        assert_eq!(kind, io::ErrorKind::NotFound);
        let path = directory.path().join("bytes");
        std::fs::write(&path, b"\xff").unwrap();
        let ours = read_text(&path, 9).unwrap_err().to_string();
        assert_eq!(
            ours,
            std::fs::read_to_string(&path).unwrap_err().to_string()
        );
    }
}
