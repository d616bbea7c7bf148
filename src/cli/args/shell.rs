//! Words of commands that are printed for people to copy into a shell.

/// A word as a POSIX shell reads it back: in quotes where it has any character
/// that may mean something to a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:@%+,=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        for plain in ["mine", "./a/b-c_1.toml", "größer"] {
            assert_eq!(quoted(plain), plain);
        }
        for (word, shown) in [
            ("", "''"),
            ("two words", "'two words'"),
            ("a;b", "'a;b'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("a*", "'a*'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
