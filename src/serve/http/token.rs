//! The secret that lets a user change things. It is kept in a file that only
//! its owner can read; a user who can read the file may do what its owner may.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::{fmt, process};

use rand::TryRng;
use rand::rngs::SysRng;

/// The name of the file in the population's directory.
pub const TOKEN_FILE: &str = "token";

/// Random bytes of a token; it is written as twice as many hexadecimal digits.
const BYTES: usize = 32;

/// The secret. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why a token cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("cannot keep the token in {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read or written.
        source: io::Error,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers for a token: {0}")]
    Entropy(String),
}

impl Token {
    /// The token of a directory. A token that is there is kept, because programs
    /// know it. A new one is made where there is none, where the file
    /// holds no token, or where other users could have read it.
    ///
    /// # Errors
    ///
    /// [`TokenError`] where the file cannot be read or written, or where the
    /// system gives no random numbers.
    pub fn in_directory(directory: &Path) -> Result<Token, TokenError> {
        let path = directory.join(TOKEN_FILE);
        let failed = |source| TokenError::File {
            path: path.clone(),
            source,
        };
        match Token::read(&path) {
            Ok(Some(token)) => return Ok(token),
            Ok(None) => log::warn!(
                "{} could be read by others, or holds no token: a new one is made",
                path.display()
            ),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let token = Token::random()?;
        token.write(&path).map_err(failed)?;
        Ok(token)
    }

    /// A new secret.
    pub(super) fn random() -> Result<Token, TokenError> {
        let mut bytes = [0; BYTES];
        SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(|error| TokenError::Entropy(error.to_string()))?;
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        Ok(Token(digits.collect()))
    }

    fn read(path: &Path) -> io::Result<Option<Token>> {
        // A link could lead to a file that other users know.
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(None);
        }
        let file = File::open(path)?;
        if file.metadata()?.mode() & 0o077 != 0 {
            return Ok(None);
        }
        let mut text = String::new();
        file.take(4096).read_to_string(&mut text)?;
        let text = text.trim();
        let is_token = text.len() == 2 * BYTES && text.bytes().all(|b| b.is_ascii_hexdigit());
        Ok(is_token.then(|| Token(text.to_owned())))
    }

    /// Writes a new file and renames it, so that no reader sees half a token.
    fn write(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension(format!("new-{}", process::id()));
        let _ = fs::remove_file(&beside);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&beside)?;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
        writeln!(file, "{}", self.0)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    }

    /// Whether `text` is the token. The comparison takes the same time wherever
    /// the first difference is.
    pub fn is(&self, text: &str) -> bool {
        let (own, theirs) = (self.0.as_bytes(), text.as_bytes());
        let mut different = own.len() ^ theirs.len();
        for (n, byte) in own.iter().enumerate() {
            different |= usize::from(byte ^ theirs.get(n).copied().unwrap_or(0));
        }
        different == 0
    }

    /// The secret itself, for the address that a browser is sent to.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_its_owner_reads_it_and_it_stays() {
        let place = tempfile::tempdir().unwrap();
        let token = Token::in_directory(place.path()).unwrap();
        let path = place.path().join(TOKEN_FILE);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(token.reveal().len(), 64);
        assert_eq!(Token::in_directory(place.path()).unwrap(), token);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        assert!(!format!("{token:?}").contains(token.reveal()));
    }

    #[test]
    fn what_others_could_read_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(TOKEN_FILE);
        let token = Token::in_directory(place.path()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let next = Token::in_directory(place.path()).unwrap();
        assert_ne!(next, token);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        fs::write(&path, "short").unwrap();
        assert_ne!(Token::in_directory(place.path()).unwrap(), next);
        let missing = Token::in_directory(&place.path().join("nowhere"));
        assert!(matches!(missing, Err(TokenError::File { .. })));
    }

    #[test]
    fn only_the_token_is_the_token() {
        let token = Token::random().unwrap();
        assert_ne!(token, Token::random().unwrap());
        let text = token.reveal().to_owned();
        assert!(token.is(&text));
        for wrong in ["", &text[1..], &(text.clone() + "0"), &"0".repeat(64)] {
            assert!(!token.is(wrong), "{wrong}");
        }
    }
}
